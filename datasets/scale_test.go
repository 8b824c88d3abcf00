package datasets

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// ramp returns 101 values from a to b.
func ramp(a, b float64) []float64 {
	col := make([]float64, 101)
	for i := range col {
		w := float64(i) / 100
		col[i] = a*(1-w) + b*w
	}
	return col
}

func TestAutoScale(t *testing.T) {
	for _, tt := range []struct {
		name          string
		col           []float64
		shift, factor float64
	}{
		{"[-1, 1]", ramp(-1, 1), 0, 1},
		{"[-2, 2]", ramp(-2, 2), 0, 1},
		{"[-π, π]", ramp(-math.Pi, math.Pi), 0, 1},
		{"[0, 1]", ramp(0, 1), 0, 1},
		{"[0, 0.5]", ramp(0, 0.5), 0, 1},
		{"[1, 2] is not far from zero", ramp(1, 2), 0, 1},
		{"just left alone", ramp(-0.125, 0.125), 0, 1},
		{"small", ramp(-0.12, 0.12), 0, 1. / 16},
		{"large", ramp(-4, 4), 0, 4},
		{"thousands", ramp(0, 1500), 0, 1024},
		{"1e5", ramp(-1e5, 1e5), 0, 65536},
		{"1e-7", ramp(-1e-7, 1e-7), 0, math.Ldexp(1, -24)},
		{"negative", ramp(-900, 0), 0, 512},
		{"kelvin", ramp(280, 310), 300, 16}, // the mean 295 to tens: half-way, to even or up
		{"years", ramp(1990, 2020), 2000, 16},
		{"negative and far", ramp(-310.5, -290), -300, 8},
		{"pascal", ramp(101300, 101350), 101320, 16},
		{"near one", ramp(0.99, 1.01), 1, 1. / 128},
		{"constant", []float64{7, 7, 7}, 0, 1},
		{"constant but for rounding", ramp(7, 7), 0, 1},
		{"constant and not short", []float64{0.1, 0.1, 0.1}, 0, 1},
		{"constant and huge", []float64{1e300, 1e300}, 0, 1},
		{"zero", make([]float64, 5), 0, 1},
		{"one row", []float64{5}, 0, 1},
		{"no row", nil, 0, 1},
		{"1e300", ramp(-1e300, 1e300), 0, math.Ldexp(1, 996)},
		{"1e-300", ramp(-1e-300, 1e-300), 0, math.Ldexp(1, -997)},
		{"the largest numbers", []float64{-math.MaxFloat64, math.MaxFloat64}, 0, math.Ldexp(1, 1023)},
		{"the smallest numbers", []float64{0, 5e-324}, 0, 5e-324},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shift, factor := AutoScale(tt.col)
			if shift != tt.shift || factor != tt.factor {
				t.Errorf("got shift %g, factor %g, want %g, %g", shift, factor, tt.shift, tt.factor)
			}
		})
	}
}

func TestOrigin(t *testing.T) {
	for _, tt := range []struct {
		name string
		col  []float64
		want float64
	}{
		{"years", []float64{1960, 1975, 2020}, 2000},
		{"years of one century", []float64{2003, 2010, 2024}, 2010},
		{"seconds since 1970", []float64{1700000000, 1700000100, 1700000199}, 1.7e9},
		{"Julian dates", []float64{2459000.5, 2459051.2, 2459100.1}, 2459100},
		{"pressures", []float64{1000.2, 1005, 1009.9}, 1005},
		{"below zero", []float64{-1009.9, -1005, -1000.2}, -1005},
		{"fractions", []float64{0.50001, 0.50002, 0.50004}, 0.50002},
		{"temperatures in kelvin", []float64{273, 300, 373}, 0},
		{"about zero", []float64{-1, 0, 1}, 0},
		{"one value", []float64{5, 5, 5}, 0},
		{"no rows", nil, 0},
		{"neighbours", []float64{1, math.Nextafter(1, 2)}, 0},
	} {
		if got := Origin(tt.col); got != tt.want {
			t.Errorf("%s: got %g, want %g", tt.name, got, tt.want)
		}
	}
}

// TestOriginIsInRange tries columns of all magnitudes far from zero.
func TestOriginIsInRange(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	col := make([]float64, 20)
	for range 20_000 {
		size := math.Pow(10, 600*r.Float64()-300)
		offset := size * math.Pow(10, 12*r.Float64()) * float64(2*r.IntN(2)-1)
		if math.IsInf(offset, 0) {
			continue
		}
		for i := range col {
			col[i] = offset + size*(2*r.Float64()-1)
		}
		if origin := Origin(col); origin != 0 && !(slices.Min(col) <= origin && origin <= slices.Max(col)) {
			t.Fatalf("the origin %g is outside of %g", origin, col)
		}
	}
}

// TestAutoScaleLeavesProblemsAlone: with or without scaling, the built-in problems are
// learned from the same numbers.
func TestAutoScaleLeavesProblemsAlone(t *testing.T) {
	for _, p := range Problems() {
		for seed := range uint64(3) {
			_, suite := generate(t, p.Name, GenerateOptions{Seed: seed})
			for j, col := range suite.Data.Cols {
				if shift, factor := AutoScale(col); shift != 0 || factor != 1 || Origin(col) != 0 {
					t.Errorf("%s, seed %d, %s: shift %g, factor %g, origin %g",
						p.Name, seed, suite.Data.Names[j], shift, factor, Origin(col))
				}
			}
		}
	}
}

// TestAutoScaleProperties tries columns of all magnitudes.
func TestAutoScaleProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	col := make([]float64, 20)
	for range 20_000 {
		size, offset := math.Pow(10, 616*r.Float64()-308), 0.0
		if r.IntN(2) == 0 {
			offset = (2*r.Float64() - 1) * math.Min(1e308, size*math.Pow(10, 20*r.Float64()))
		}
		for i := range col {
			col[i] = offset + size*(2*r.Float64()-1)/2
		}
		shift, factor := AutoScale(col)
		if frac, _ := math.Frexp(factor); frac != 0.5 {
			t.Fatalf("factor %g is not a power of two for %g", factor, col)
		}
		if notFinite(shift) || len(strconv.FormatFloat(shift, 'g', -1, 64)) > 24 {
			t.Fatalf("shift is %g for %g", shift, col)
		}
		reach := 0.0
		for _, v := range col {
			reach = max(reach, math.Abs((v-shift)/factor))
		}
		mean := meanOf(col)
		constant := maxDistance(col, mean) <= rounding*math.Abs(mean)
		if !constant && !(reach >= smallest && reach < largest) {
			t.Fatalf("scaled values reach %g for %g, shift %g, factor %g", reach, col, shift, factor)
		}
	}
}
