package sweep

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/forms"
)

// planted are constants of each form of one input, and the range of x in which data shows them.
var planted = map[string]struct {
	constants string // a=1 b=2
	low, high float64
}{
	"proportional":                   {"a=2.5", 1, 10},
	"parabola":                       {"a=-0.5 b=3 c=2", 0, 8},
	"power law (Peukert, allometry)": {"a=0.75 b=2.6", 1, 6},
	"power law with a constant (Herschel-Bulkley)":     {"a=3 b=0.6 c=10", 0.1, 20},
	"shifted power law (Bennett)":                      {"a=8 b=4 c=-1.3", 0, 30},
	exponentialName:                                    {"a=7 b=-0.4", 0, 6},
	"exponential with a constant (Newton's cooling)":   {"a=80 b=-0.35 c=20", 0, 12},
	"saturation from zero (charging, von Bertalanffy)": {"a=213 b=0.54", 0.5, 8},
	"two exponentials":                                 {"a=6 b=-1.7 c=3 d=-21", 0, 1.5},
	"two exponentials with a constant":                 {"a=1.9 b=-0.013 c=-1.5 d=-0.022 f=0.37", 0, 330},
	"three exponentials":                               {"a=0.1 b=-1 c=0.9 d=-3 f=1.6 g=-9", 0, 2},
	"exponential over a line (ultrasonic response)":    {"a=120 b=0.3 c=1.2", 0.5, 6},
	"stretched exponential (Kohlrausch, Weibull)":      {"a=7 b=2 c=0.6", 0.1, 12},
	"saturation of a power (Avrami, Weibull)":          {"a=0.9 b=30 c=2.4", 1, 80},
	"line and exponential (Ricker)":                    {"a=3 b=0.4", 0.2, 12},
	"power and exponential (gamma curve)":              {"a=15 b=0.25 c=0.04", 0.5, 60},
	"hyperbola (Michaelis-Menten, Langmuir)":           {"a=12 b=9", 1, 40},
	"reciprocal of a line (decay of the second order)": {"a=30 b=4", 0, 20},
	"hyperbola and line (binding beside a background)": {"a=10 b=2 c=0.1", 0.2, 60},
	"two hyperbolas (two sites)":                       {"a=10 b=0.5 c=15 d=30", 0.1, 200},
	"hyperbolic tangent (Jassby and Platt)":            {"a=12 b=0.02", 5, 150},
	"hyperbola with a constant":                        {"a=30 b=4 c=2", 0, 40},
	"saturation of the second power":                   {"a=340 b=0.02", 5, 150},
	"saturation of the half power":                     {"a=640 b=0.04", 5, 400},
	"quadratic over quadratic from zero (Haldane)":     {"a=0.2 b=0.04 c=0.12 d=0.14", 0.06, 4},
	"quadratic over quadratic":                         {"a=1.7 b=-0.14 c=0.0026 d=-0.0017 f=0.00002", 10, 400},
	"cubic over cubic": {"a=1 b=-0.12 c=0.004 d=-0.0000014 f=-0.0058 g=0.00024 " +
		"h=-0.00000012", 20, 850},
	"Hill":                       {"a=10 b=3 c=2.2", 0.3, 12},
	"Hill, falling (inhibition)": {"a=10 b=3 c=2.2", 0, 12},
	"Hill with a constant (dose and response)": {"a=95 b=-90 c=12 d=1.6", 0, 100},
	"logistic":                             {"a=72 b=0.067 c=39", 9, 79},
	"logistic with a constant (Boltzmann)": {"a=3 b=20 c=1.5 d=5", 0, 10},
	"Richards":                             {"a=700 b=5.3 c=0.76 d=0.78", 1, 15},
	"Gompertz":                             {"a=50 b=8 c=0.9", 0, 8},
	"logarithm (Nernst, Tafel)":            {"a=-1.1 b=4", 0.5, 60},
	"logarithm of a sum (Nikolsky)":        {"a=25 b=3 c=10", 0, 60},
	"Arrhenius":                            {"a=20000 b=3000", 280, 400},
	"Antoine (Vogel-Fulcher-Tammann)":      {"a=0.0056 b=-6181 c=345", 50, 125},
	"Gaussian":                             {"a=0.38 b=451.5 c=5.8", 435, 470},
	"Gaussian on a constant":               {"a=4 b=3 c=0.8 d=1.5", 0, 7},
	"two Gaussians on a constant":          {"a=4 b=3 c=0.8 d=1.5 f=2.5 g=6 h=1.1", 0, 10},
	"Gaussian on an exponential":           {"a=10 b=-0.4 c=3 d=4 f=0.7", 0, 10},
	"two Gaussians on an exponential":      {"a=98.8 b=-0.0105 c=100.5 d=67.5 f=23.1 g=72 h=179 k=18.4", 1, 250},
	"Lorentzian":                           {"a=4 b=3 c=0.8", 0, 7},
	"Lorentzian on a constant":             {"a=4 b=3 c=0.8 d=1.5", 0, 7},
	"lognormal":                            {"a=4 b=3 c=0.8", 0.3, 14},
	"wave":                                 {"a=0.8 b=0.503 c=1.5 d=1", 0, 70},
	"wave with a harmonic":                 {"a=3 b=6.283 c=-0.4 d=1 f=0.8 g=1.2", 0, 3},
	"two waves":                            {"a=2 b=1.3 c=0.4 d=1 f=1 g=3.1 h=1", 0, 20},
	"three waves":                          {"a=3 b=0.5236 c=1.4 d=10.5 f=1.5 g=0.1417 h=-1 k=0.7 l=0.2335 m=0.4", 1, 168},
	"line and wave (trend and season)":     {"a=3 b=6.283 c=-0.4 d=345 f=1.6", 0, 8},
	"line and wave with a harmonic":        {"a=3 b=6.283 c=-0.4 d=345 f=1.6 g=0.8 h=1.2", 0, 8},
	"parabola and wave with a harmonic":    {"a=3 b=6.283 c=-0.4 d=345 f=1.6 g=0.8 h=1.2 k=0.05", 0, 8},
	"damped wave":                          {"a=3 b=6.1 c=0.4 d=0.5 f=1", 0, 5},
}

const exponentialName = "exponential"

// plant returns n rows of a form, at equal distances, with noise of a fraction of their spread.
func plant(t *testing.T, f forms.Form, n int, noise float64,
	rng *rand.Rand) (d fit.Data, constants map[string]float64) {
	p, ok := planted[f.Name]
	if !ok {
		t.Fatalf("%s: the test has no constants for it", f.Name)
	}
	constants = map[string]float64{}
	for _, text := range strings.Fields(p.constants) {
		name, value, _ := strings.Cut(text, "=")
		constants[name] = eval(t, formula.MustParse(value), nil)
	}
	e := formula.MustParse(f.Text)
	d.X = [][]float64{make([]float64, n)}
	for i := range n {
		x := p.low + (p.high-p.low)*float64(i)/float64(n-1)
		at := map[string]float64{"x": x}
		for name, v := range constants {
			at[name] = v
		}
		d.X[0][i] = x
		d.Y = append(d.Y, eval(t, e, at))
	}
	size := noise * spread(d.Y)
	for i := range d.Y {
		d.Y[i] += size * rng.NormFloat64()
	}
	return d, constants
}

func eval(t *testing.T, e formula.Expr, at map[string]float64) float64 {
	t.Helper()
	v, err := formula.Eval(e, at)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFormsFindThemselves fits all forms to data of each: the residuals of its own row are those of the truth.
func TestFormsFindThemselves(t *testing.T) {
	slow(t)
	rows, noises := []int{60}, []float64{0, 0.01}
	if *tables > 1 {
		rows = []int{60, 200}
	}
	for i, f := range forms.Curves() {
		if !*long && i%16 != 0 {
			continue
		}
		for _, n := range rows {
			if f.Name == "three waves" && n > 60 { // the periodogram of the stronger waves hides the weakest
				continue
			}
			for _, noise := range noises {
				rng := rand.New(rand.NewPCG(1, uint64(n)))
				d, _ := plant(t, f, n, noise, rng)
				allowed := math.Max(noise, 1e-6) * spread(d.Y)
				fits := fitForms(tableOf(1), []string{"x"}, d, math.Inf(1))
				i := slices.IndexFunc(fits, func(g *formFit) bool { return g.form.Name == f.Name })
				if i < 0 {
					t.Errorf("%s: %d rows with noise %g do not lead to it", f.Name, n, noise)
					continue
				}
				if got := rmsOf(t, fits[i], d); !(got <= 1.05*allowed) {
					t.Errorf("%s: %d rows with noise %g leave %.3g, want %.3g at most: %s",
						f.Name, n, noise, got, allowed, fits[i].formula())
				}
			}
		}
	}
}

func rmsOf(t *testing.T, f *formFit, d fit.Data) float64 {
	t.Helper()
	y, err := evaluate(f.formula(), f.named.Inputs, d.X, d.Rows())
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		y[i] -= d.Y[i]
	}
	return fit.RMS(y)
}

// halfWidths returns half the 95 % interval of each constant for noise of one, over the size of the constant.
func halfWidths(t *testing.T, f forms.Form, x []float64, constants map[string]float64) (widths []float64) {
	t.Helper()
	e := formula.MustParse(f.Text)
	names := slices.DeleteFunc(formula.Vars(e), func(v string) bool { return v == "x" })
	columns := make([][]float64, len(names))
	for k, name := range names {
		slope := formula.Diff(e, name)
		for _, v := range x {
			at := map[string]float64{"x": v}
			for c, value := range constants {
				at[c] = value
			}
			columns[k] = append(columns[k], eval(t, slope, at))
		}
	}
	inverse := invertGram(columns)
	quantile := distuv.StudentsT{Sigma: 1, Nu: float64(len(x) - len(names))}.Quantile(0.975)
	for k, name := range names {
		widths = append(widths, quantile*math.Sqrt(inverse[k][k])/math.Abs(constants[name]))
	}
	return widths
}

// invertGram returns the inverse of the matrix of the products of columns, by Gauss and Jordan.
func invertGram(columns [][]float64) [][]float64 {
	n := len(columns)
	a, inverse := make([][]float64, n), make([][]float64, n)
	for i := range n {
		a[i], inverse[i] = make([]float64, n), make([]float64, n)
		inverse[i][i] = 1
		for j := range n {
			for r := range columns[i] {
				a[i][j] += columns[i][r] * columns[j][r]
			}
		}
	}
	for i := range n {
		pivot := a[i][i]
		for j := range n {
			a[i][j] /= pivot
			inverse[i][j] /= pivot
		}
		for k := range n {
			if factor := a[k][i]; k != i {
				for j := range n {
					a[k][j] -= factor * a[i][j]
					inverse[k][j] -= factor * inverse[i][j]
				}
			}
		}
	}
	return inverse
}

// smallTables are forms with ranges of their constants, in which a table of 6 to 12 rows tells them apart.
var smallTables = []struct {
	form      string
	constants map[string][2]float64 // drawn between the two
	low, high float64
}{
	{"power law (Peukert, allometry)", map[string][2]float64{"a": {0.5, 50}, "b": {0.5, 2.6}}, 1, 8},
	{"exponential", map[string][2]float64{"a": {1, 100}, "b": {-4, -1}}, 0, 1},
	{"exponential with a constant (Newton's cooling)",
		map[string][2]float64{"a": {30, 100}, "b": {-6, -2.5}, "c": {20, 60}}, 0, 1},
	{"saturation from zero (charging, von Bertalanffy)", map[string][2]float64{"a": {5, 20}, "b": {1, 4}}, 0.1, 1},
	{"hyperbola (Michaelis-Menten, Langmuir)", map[string][2]float64{"a": {5, 20}, "b": {0.2, 1}}, 0.1, 1},
	{"reciprocal of a line (decay of the second order)", map[string][2]float64{"a": {5, 20}, "b": {0.1, 0.4}}, 0, 1},
	{"Hill", map[string][2]float64{"a": {5, 20}, "b": {0.25, 0.5}, "c": {1.5, 4}}, 0.05, 1},
	{"Hill with a constant (dose and response)",
		map[string][2]float64{"a": {90, 110}, "b": {-95, -75}, "c": {0.25, 0.5}, "d": {1.5, 4}}, 0.05, 1},
	{"logistic", map[string][2]float64{"a": {5, 20}, "b": {6, 12}, "c": {0.35, 0.6}}, 0, 1},
	{"Gompertz", map[string][2]float64{"a": {5, 20}, "b": {3, 8}, "c": {4, 7}}, 0, 1},
	{"logarithm (Nernst, Tafel)", map[string][2]float64{"a": {1, 3}, "b": {1, 6}}, 1, 20},
	{"Arrhenius", map[string][2]float64{"a": {2, 8}, "b": {600, 1500}}, 280, 500},
	{"Gaussian", map[string][2]float64{"a": {2, 8}, "b": {0.4, 0.6}, "c": {0.2, 0.4}}, 0, 1},
	{"Lorentzian", map[string][2]float64{"a": {2, 8}, "b": {0.4, 0.6}, "c": {0.15, 0.3}}, 0, 1},
	{"lognormal", map[string][2]float64{"a": {2, 8}, "b": {0.25, 0.4}, "c": {0.5, 0.9}}, 0.1, 1},
	{"line and exponential (Ricker)", map[string][2]float64{"a": {5, 20}, "b": {3, 6}}, 0.05, 1},
	{"stretched exponential (Kohlrausch, Weibull)",
		map[string][2]float64{"a": {5, 20}, "b": {0.4, 0.7}, "c": {2.5, 4}}, 0.05, 1.2},
	{"hyperbolic tangent (Jassby and Platt)", map[string][2]float64{"a": {5, 20}, "b": {1.5, 3}}, 0.1, 1.2},
	{"wave", map[string][2]float64{"a": {3, 8}, "b": {7, 13}, "c": {0.5, 1.5}, "d": {3, 10}}, 0, 1},
	{"two exponentials", map[string][2]float64{"a": {40, 60}, "b": {-20, -12}, "c": {40, 60}, "d": {-2, -1}}, 0, 1},
	{"parabola", map[string][2]float64{"a": {-6, -4}, "b": {4, 7}, "c": {1, 3}}, 0, 1},
}

// TestSmallTables draws tables of 6 to 12 rows in which least squares of the true form gives every constant an interval
// of 5 to 20 %. In nine of ten the true form is among the first three rows of the table of standard forms.
func TestSmallTables(t *testing.T) {
	slow(t)
	tables := *tables
	if *long {
		tables = max(2, tables)
	}
	found, all := 0, 0
	for k, s := range smallTables {
		f := forms.Curves()[slices.IndexFunc(forms.Curves(), func(f forms.Form) bool { return f.Name == s.form })]
		rng, first, drawn := rand.New(rand.NewPCG(3, uint64(k))), 0, 0
		for drawn < tables {
			d, ok := smallTable(t, f, s.constants, s.low, s.high, rng)
			if !ok {
				continue
			}
			drawn++
			fits := fitForms(tableOf(1), []string{"x"}, d, math.Inf(1))
			if i := slices.IndexFunc(fits, func(g *formFit) bool { return g.form.Name == s.form }); i >= 0 && i < 3 {
				first++
			}
		}
		t.Logf("%s: %d of %d", s.form, first, drawn)
		found, all = found+first, all+drawn
	}
	if found*10 < all*9 {
		t.Errorf("the true form is among the first three in %d of %d tables, want nine of ten", found, all)
	}
}

// smallTable draws one; it is not ok where no noise gives every constant an interval of 5 to 20 %.
func smallTable(t *testing.T, f forms.Form, ranges map[string][2]float64, low, high float64,
	rng *rand.Rand) (d fit.Data, ok bool) {
	t.Helper()
	const least, most = 0.05, 0.20
	constants := map[string]float64{}
	for _, name := range formula.Vars(formula.MustParse(f.Text)) {
		if r, ok := ranges[name]; ok {
			constants[name] = r[0] + (r[1]-r[0])*rng.Float64()
		}
	}
	n := 6 + rng.IntN(7)
	if len(constants) > n-spareRows {
		return d, false
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	widths := halfWidths(t, f, x, constants)
	from, to := least/slices.Min(widths), most/slices.Max(widths)
	if !(from < to) {
		return d, false
	}
	sigma := from + (to-from)*rng.Float64()
	d.X = [][]float64{x}
	for _, v := range x {
		at := map[string]float64{"x": v}
		for name, value := range constants {
			at[name] = value
		}
		d.Y = append(d.Y, eval(t, formula.MustParse(f.Text), at)+sigma*rng.NormFloat64())
	}
	return d, true
}
