package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// Every law has finite rows and enough points to measure by, and is named once.
func TestCalibrationSet(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	laws := calibrationLaws()
	const fewest, leastRows, mostRows, leastPoints = 130, 30, 2000, 500
	if len(laws) < fewest {
		t.Errorf("there are %d laws, want %d", len(laws), fewest)
	}
	named, many := map[string]bool{}, 0
	for _, l := range laws {
		if named[l.String()] {
			t.Errorf("%s is there twice", l)
		}
		named[l.String()] = true
		if l.rows < leastRows || l.rows > mostRows {
			t.Errorf("%s has %d rows, want %d to %d", l, l.rows, leastRows, mostRows)
		}
		many += count(l.rows >= enoughRows)
		d, err := l.make(1)
		if err != nil {
			t.Error(err)
			continue
		}
		if !(d.spread > 0) || d.table.Rows() != l.rows {
			t.Errorf("%s: spread %g, %d rows", l, d.spread, d.table.Rows())
		}
		for j, col := range d.table.Cols {
			if slices.ContainsFunc(col, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				t.Errorf("%s: %s is not finite", l, d.table.Names[j])
			}
		}
		for _, size := range []float64{1, 2} {
			if x, y := l.box(d, size, leastPoints, l.stream(1, drawFar)); len(y) < leastPoints || len(x[0]) != len(y) {
				t.Errorf("%s: %d points in the box of size %g", l, len(y), size)
			}
		}
	}
	if 3*many < 2*len(laws) {
		t.Errorf("%d of %d laws have %d rows, want two in three", many, len(laws), enoughRows)
	}
}

// Rows depend on law and seed, not on what was drawn before.
func TestCalibrationSeeds(t *testing.T) {
	draw := func(l calibrationLaw, seed uint64) *datasets.Table {
		d, err := l.make(seed)
		if err != nil {
			t.Fatal(err)
		}
		return d.table
	}
	laws := calibrationLaws()
	first := make([]*datasets.Table, len(laws))
	for i, l := range laws {
		first[i] = draw(l, 1)
	}
	for i, l := range slices.Backward(laws) {
		other := draw(l, 2)
		if same := draw(l, 1); !slices.EqualFunc(first[i].Cols, same.Cols, slices.Equal) {
			t.Errorf("%s: seed 1 gives other rows the second time", l)
		}
		// An exact grid of one input is the same for every seed.
		fixed := l.noise.add == nil && len(l.inputs) == 1 && slices.Equal(first[i].Cols[0], other.Cols[0])
		if !fixed && slices.EqualFunc(first[i].Cols, other.Cols, slices.Equal) {
			t.Errorf("%s: seeds 1 and 2 give the same rows", l)
		}
	}
}

// The error of a formula is that of its points without noise, and none is forgiven that has no finite value.
func TestCalibrationError(t *testing.T) {
	l := calibrationLaw{"g", "n", 200, uniform, gauss(0.3), vars{{"x", 1, 3, 0.5}},
		func(x point) float64 { return 2 * x[0] }}
	d, err := l.make(1)
	if err != nil {
		t.Fatal(err)
	}
	box := l.stream(1, drawFar)
	x, _ := l.box(d, 2, boxPoints, box)
	low, high := slices.Min(x[0]), slices.Max(x[0])
	if low < 0.5 || low > 0.51 || high < 3.95 || high > 4 {
		t.Errorf("the box is [%g, %g], want all of [0.5, 4] nearly", low, high)
	}
	for _, c := range []struct {
		formula         string
		all, rest, none float64
	}{
		{"2*x", 0, 0, 0},
		{"2*x + 0.5", 0.5 / d.spread, 0.5 / d.spread, 0},
		{"2*x + 0.5 + 0*log(x - 1.2)", math.MaxFloat64, 0.5 / d.spread, 0.2},
	} {
		all, rest, none, err := l.err(d, 2, formula.MustParse(c.formula), l.stream(1, drawFar))
		const share = 0.05 // five standard errors of a share of 2,000 points
		near := math.Abs(all-c.all) <= 1e-9*(1+c.all) && math.Abs(rest-c.rest) <= 1e-9 && math.Abs(none-c.none) <= share
		if err != nil || !near {
			t.Errorf("%s: %g, %g and %g, %v, want %+v", c.formula, all, rest, none, err, c)
		}
	}
}

// Noise has the size that it says, in spreads of 4: the bounds are four standard errors and more.
func TestCalibrationNoise(t *testing.T) {
	const n, spread, level = 40000, 4, 7
	far := func(e []float64, than float64) float64 {
		return float64(len(slices.DeleteFunc(slices.Clone(e), func(v float64) bool { return math.Abs(v) <= than }))) / n
	}
	for _, c := range []struct {
		noise     noise
		what      string
		measure   func(e []float64) float64
		low, high float64
	}{
		{gauss(0.05), "deviation", deviation, 0.197, 0.203},
		{proportional(0.1), "deviation", deviation, 0.69, 0.71},
		{remembered(0.05), "deviation", deviation, 0.185, 0.215},
		{student(0.05), "beyond 4.303", func(e []float64) float64 { return far(e, 0.2*4.303) }, 0.045, 0.055}, // 0.05
		{outliers(0.01), "beyond 9 spreads", func(e []float64) float64 { return far(e, 36) }, 0.017, 0.023},
		{outliers(0.01), "beyond 11 spreads", func(e []float64) float64 { return far(e, 44) }, 0, 0},
		{rounded(0.5), "largest", slices.Max[[]float64], 1, 1},
		{onInputs(0.05), "deviation", deviation, 0, 0},
	} {
		x, y, e := [][]float64{make([]float64, n)}, make([]float64, n), make([]float64, n)
		for i := range y {
			x[0][i], y[i] = float64(i), level
		}
		c.noise.add(rand.New(rand.NewPCG(1, 2)), x, y, spread)
		for i := range e {
			e[i] = y[i] - level
		}
		if got := c.measure(e); !(got >= c.low && got <= c.high) {
			t.Errorf("%s: %s is %g, want %g to %g", c.noise.name, c.what, got, c.low, c.high)
		}
	}
}

// Functions that laws are made of, against values of the Digital Library of Mathematical Functions and identities.
func TestCalibrationFunctions(t *testing.T) {
	for _, c := range []struct {
		name            string
		got, want, most float64
	}{
		{"Ai(0)", airy(0), 0.35502805388781724, 1e-15},
		{"Ai(1)", airy(1), 0.13529241631288141, 1e-14},
		{"Ai at its first zero", airy(-2.33810741045976704), 0, 1e-13},
		{"Ai at its sixth zero", airy(-9.02265085334098038), 0, 1e-7},
		{"K(0)", ellipticK(0), math.Pi / 2, 1e-15},
		{"K(1/2), in Γ(1/4)", ellipticK(0.5), math.Pow(math.Gamma(0.25), 2) / (4 * math.Sqrt(math.Pi)), 1e-14},
		{"W(e)", lambertW(math.E), 1, 1e-12},
		{"W(1) is Ω", lambertW(1), 0.56714329040978387, 1e-12},
		{"ψ(1) is -γ", digamma(1), -0.57721566490153286, 1e-9},
		{"E1(1)", integralE1(1), 0.21938393439552027, 1e-6},
		{"Dawson at 1", dawson(1), 0.53807950691276842, 1e-9},
		{"Langevin at 1e-4, below and above the switch", langevin(0.9999e-4), 0.9999e-4 / 3, 1e-12},
		{"heat capacity of hot solids", debye(100), 1 - 1.0/20/1e4, 1e-6},
		{"and of cold ones", debye(0.02), 4 * math.Pow(math.Pi, 4) / 5 * 8e-6, 1e-7},
		{"Cantor at 1/4", cantor(0.25), 1.0 / 3, 1e-8},
		{"median", median(3, 1, 2), 2, 0},
		{"a quarter of a great circle", haversine(0, math.Pi/2, 1), math.Pi / 2, 1e-12},
		{"smooth pipe, Re 1e5", friction(5, 0), 0.0180, 1e-4},
		{"a thin gas is nearly ideal", realVolume(400, 0.1) * 0.1 / (0.083145 * 400), 1, 5e-4},
		{"triangle", triangle(0.25), 0, 1e-15},
		{"Lorenz starts where it should", lorenz(0), 1, 0},
	} {
		if !(math.Abs(c.got-c.want) <= c.most) {
			t.Errorf("%s: %.17g, want %.17g", c.name, c.got, c.want)
		}
	}
	circle := trajectory([]float64{1, 0}, 20, func(_ float64, s, rate []float64) { rate[0], rate[1] = s[1], -s[0] })
	for _, at := range []float64{0.0012, 3, 19.99} {
		if got := circle(at); math.Abs(got-math.Cos(at)) > 1e-8 {
			t.Errorf("an oscillator at %g is at %g, want %g", at, got, math.Cos(at))
		}
	}
	if !math.IsNaN(circle(-1)) || !math.IsNaN(circle(21)) {
		t.Error("an oscillator is somewhere before its start or after its end")
	}
}
