package formula

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestEnclosuresOfFuncs holds the table to Funcs, and each function and slope to its enclosure over random intervals.
func TestEnclosuresOfFuncs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, f := range Funcs() {
		info := f.info()
		if info.pick != 0 { // TestEncloses has it
			continue
		}
		if info.values == nil || info.slopes == nil {
			t.Errorf("%v has no enclosure", f)
			continue
		}
		for range 2000 {
			x := span{lo: 4 * r.NormFloat64()}
			x.hi = x.lo + math.Exp(4*r.NormFloat64()-2)
			y := info.values(x)
			slope := info.slopes(x, y)
			for _, p := range []float64{x.lo, x.hi, x.lo + r.Float64()*(x.hi-x.lo)} {
				v := f.Value(p)
				if math.IsNaN(v) || math.IsInf(v, -1) {
					if y.mark&cut == 0 {
						t.Errorf("%v has no value at %v, but %v over %v", f, p, y, x)
					}
					continue
				}
				if d := f.info().slope(p, v); !y.has(v) || !slope.loosened(8).has(d) {
					t.Errorf("%v(%v) = %v with slope %v is outside %v, %v over %v", f, p, v, d, y, slope, x)
				}
			}
		}
	}
}

// TestEncloses compares spans and slopes of random expressions with their values at points and corners.
func TestEncloses(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	r := rand.New(rand.NewPCG(43, 44))
	vars := []string{"x1", "x2", "x3"}
	slopes := make([]span, 3)
	for i := range 3000 {
		e := randomExpr(r, 1+i%5)
		x := newEncloser(e, vars)
		g, err := CompileGradient(e, vars)
		if err != nil {
			t.Fatal(err)
		}
		box := make([]Interval, 3)
		for k := range box {
			box[k].Lo = 2 * r.NormFloat64()
			box[k].Hi = box[k].Lo + math.Exp(3*r.NormFloat64()-3)
		}
		y := x.enclose(box)
		x.slopesBy(slopes)
		for range 20 {
			cols, at := make([][]float64, 3), map[string]float64{}
			for k, b := range box {
				cols[k] = []float64{[]float64{b.Lo, b.Hi, b.Lo + r.Float64()*b.width()}[r.IntN(3)]}
				at[vars[k]] = cols[k][0]
			}
			v := []float64{0}
			grad := [][]float64{{0}, {0}, {0}}
			g.EvalColumns(v, grad, cols)
			if math.IsNaN(v[0]) {
				if y.mark == 0 {
					t.Fatalf("%s is NaN at %v, but %v over %v", e, at, y, box)
				}
				continue
			}
			if w := eval(e, at); !y.has(v[0]) && y.mark&cut == 0 || !y.has(w) && y.mark&cut == 0 {
				t.Fatalf("%s = %v, %v at %v, but %v over %v", e, v, w, at, y, box)
			}
			for k, d := range grad {
				wide := 1e-9 * (1 + slopes[k].magnitude())
				if s := slopes[k]; y.mark == 0 && s.finite() && !(s.lo-wide <= d[0] && d[0] <= s.hi+wide) {
					t.Fatalf("%s has slope %v by %s at %v, but %v over %v", e, d, vars[k], at, s, box)
				}
			}
		}
	}
}

// TestDirectedRounding compares with exact arithmetic: no bound is above the result, nor two numbers below it.
func TestDirectedRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(3000).SetFloat64(x) }
	for _, op := range []struct {
		name string
		down func(x, y float64) float64
		want func(z, x, y *big.Float) *big.Float
	}{
		{"+", addDown, (*big.Float).Add}, {"*", mulDown, (*big.Float).Mul}, {"/", divDown, (*big.Float).Quo},
	} {
		for range 20000 {
			x := r.NormFloat64() * math.Exp(200*r.NormFloat64())
			y := float64(r.IntN(9)-4) * math.Exp2(float64(r.IntN(600)-300))
			if r.IntN(2) == 0 {
				y = r.NormFloat64()
			}
			if y == 0 {
				continue
			}
			got, want := op.down(x, y), op.want(new(big.Float).SetPrec(3000), exact(x), exact(y))
			if math.IsInf(got, 0) {
				continue
			}
			if exact(got).Cmp(want) > 0 || exact(math.Nextafter(math.Nextafter(got, math.Inf(1)), math.Inf(1))).Cmp(want) < 0 {
				t.Fatalf("%v %s %v is %v, rounded down to %v", x, op.name, y, want, got)
			}
		}
	}
}
