package sweep

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// assessed runs the search without networks, as far as it can be without, on y = f(x) with errors.
func assessed(t *testing.T, rows int, f func(x float64) float64, e func(i int, y float64, rng *rand.Rand) float64,
	s func(*Settings)) Choice {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, uint64(rows)))
	cols := make([][]float64, 2)
	for i := range rows {
		x := 0.5 + 9*rng.Float64()
		y := f(x)
		cols[0], cols[1] = append(cols[0], x), append(cols[1], y+e(i, y, rng))
	}
	table, err := datasets.New([]string{"x", "y"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	settings := run.Quick(rows, 1)
	settings.Extend, settings.Layers, settings.Lambda, settings.Restarts, settings.Train.Epochs = 0,
		[]int{2}, []float64{1e-3}, 1, 50
	s(&settings)
	return mustRun(t, Task{Data: table, Inputs: []string{"x"}, Targets: []string{"y"}}, settings, Options{}).Chosen[0]
}

func TestErrorsAreAssessed(t *testing.T) {
	slow(t)
	decay := func(x float64) float64 { return 2 + 8*math.Exp(-0.5*x) }
	const size = 2.0 // about the standard deviation of decay
	equal := func(_ int, _ float64, rng *rand.Rand) float64 { return 0.02 * size * rng.NormFloat64() }
	relative := func(_ int, y float64, rng *rand.Rand) float64 { return 0.05 * y * rng.NormFloat64() }
	slipped := []int{7, 31, 58} // one of them validates
	slips := func(by float64) func(int, float64, *rand.Rand) float64 {
		return func(i int, y float64, rng *rand.Rand) float64 {
			e := equal(i, y, rng)
			if slices.Contains(slipped, i) {
				e += by
			}
			return e
		}
	}
	slippedToo := func(i int, y float64, rng *rand.Rand) float64 {
		if slices.Contains(slipped, i) {
			return 9 * y
		}
		return relative(i, y, rng)
	}
	set := func(*Settings) {}
	tests := []struct {
		name  string
		error func(int, float64, *rand.Rand) float64
		set   func(*Settings)
		kind  evidence.ErrorKind
		out   []int
		exact bool // the law is found: constants within their intervals
	}{
		{"equal", equal, set, evidence.ErrorsEqual, nil, true},
		{"relative", relative, set, evidence.ErrorsRelative, nil, true},
		{"relative, taken for equal", relative, func(s *Settings) { s.Errors = run.ErrorsAbsolute },
			evidence.ErrorsEqual, nil, false},
		{"equal, taken for relative", equal, func(s *Settings) { s.Errors = run.ErrorsRelative },
			evidence.ErrorsRelative, nil, true},
		{"ten times the noise", slips(0.2 * size), set, evidence.ErrorsEqual, slipped, true},
		{"ten times the spread", slips(10 * size), set, evidence.ErrorsEqual, slipped, true},
		{"the same, dropped", slips(10 * size), func(s *Settings) { s.Outliers = run.OutliersDrop },
			evidence.ErrorsEqual, slipped, true},
		{"the same, kept", slips(10 * size), func(s *Settings) { s.Outliers = run.OutliersKeep },
			evidence.ErrorsEqual, nil, false},
		{"relative, and ten times the value", slippedToo, set, evidence.ErrorsRelative, slipped, true},
	}
	for i, tt := range tests {
		if !*long && i != 5 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			const rows = 120
			c := assessed(t, rows, decay, tt.error, tt.set)
			e := c.Evidence.Errors
			var out []int
			for _, x := range e.Outliers {
				out = append(out, x.Row)
			}
			slices.Sort(out)
			if e.Kind != tt.kind || !slices.Equal(out, tt.out) || e.Rows != rows || e.Used != rows-len(tt.out) {
				t.Errorf("errors %+v, want %s and the outliers %v", e, tt.kind, tt.out)
			}
			if !tt.exact {
				return
			}
			if got := fmt.Sprint(formula.Constants(c.Formula)); len(formula.Constants(c.Formula)) != 3 {
				t.Fatalf("%s has the constants %s, want three", c.Formula, got)
			}
			for _, x := range []float64{0.5, 3, 9.5} {
				y, err := formula.Eval(c.Formula, map[string]float64{"x": x})
				if err != nil || !(math.Abs(y-decay(x)) < 0.03*math.Max(size, decay(x))) {
					t.Errorf("%s is %g at %g, want %g", c.Formula, y, x, decay(x))
				}
			}
		})
	}
}

// TestRelativeErrorsOfFewRows counts the tables whose errors are taken to be in proportion to y.
func TestRelativeErrorsOfFewRows(t *testing.T) {
	slow(t)
	laws := []struct {
		name string
		f    func(x float64) float64
	}{
		{"exponential", func(x float64) float64 { return 1 + 8*math.Exp(-0.5*x) }},
		{"hyperbola", func(x float64) float64 { return 12 * x / (x + 3) }},
		{"two exponentials", func(x float64) float64 { return 6*math.Exp(-0.4*x) + 3*math.Exp(-4*x) }},
		{"logistic", func(x float64) float64 { return 1 + 20/(1+math.Exp(-1.2*(x-5))) }},
		{"power law", func(x float64) float64 { return 0.75 * math.Pow(x, 1.6) }},
	}
	equal := func(spread, _ float64) float64 { return 0.01 * spread }
	relative := func(_, y float64) float64 { return 0.05 * y }
	tests := []struct {
		name         string
		rows         int
		size         func(spread, y float64) float64
		fewest, most float64 // part of the tables
	}{
		{"equal", 12, equal, 0, 0.05},
		{"relative", 40, relative, 0.5, 1},
		{"equal", 11, equal, 0, 0.05},
		{"equal", 20, equal, 0, 0.05},
		{"equal", 40, equal, 0, 0.05},
	}
	repeats := 1
	if *tables > 1 {
		repeats = 8
	}
	if !*long {
		tests, laws = tests[:1], laws[:3]
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.name, " ", tt.rows), func(t *testing.T) {
			var taken []string
			for _, law := range laws {
				for k := range repeats {
					if kindOfErrors(t, law.f, tt.rows, tt.size, uint64(k)) == evidence.ErrorsRelative {
						taken = append(taken, law.name)
					}
				}
			}
			part := float64(len(taken)) / float64(len(laws)*repeats)
			t.Logf("relative in %d of %d", len(taken), len(laws)*repeats)
			if part < tt.fewest || part > tt.most {
				t.Errorf("relative in %.2f of the tables, want %g to %g: %v", part, tt.fewest, tt.most, taken)
			}
		})
	}
}

// kindOfErrors returns what the errors of y = f(x) are taken for.
func kindOfErrors(t *testing.T, f func(float64) float64, rows int, size func(spread, y float64) float64,
	seed uint64) evidence.ErrorKind {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(rows)))
	cols := [][]float64{nil, nil}
	for i := range rows {
		x := 0.5 + 9.5*float64(i)/float64(rows-1)
		cols[0], cols[1] = append(cols[0], x), append(cols[1], f(x))
	}
	spread := fit.Data{Y: cols[1]}.Spread()
	for i, y := range cols[1] {
		cols[1][i] += size(spread, y) * rng.NormFloat64()
	}
	table, err := datasets.New([]string{"x", "y"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	s := run.Quick(rows, 1)
	p, err := newProblem(Task{Data: table, Inputs: []string{"x"}, Targets: []string{"y"}}, s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{Workers: 1})
	growth := r.growth(1, 0, 1)
	r.assess(0, func(d fit.Data) (*distill.Law, []*distill.Law) { return r.grow(growth, d) })
	return cmp.Or(p.errors[0].kind, evidence.ErrorsEqual)
}

// TestRelativeErrorsBesideAnOutlier: a slipped decimal of one row does not hide that errors are in proportion to y.
func TestRelativeErrorsBesideAnOutlier(t *testing.T) {
	for _, relative := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(7, 8))
		cols := make([][]float64, 2)
		for i := range 60 {
			x := 1 + 5*rng.Float64()
			if i == 24 {
				x = 1.3
			}
			y := 0.4 * x * x
			if e := rng.NormFloat64(); relative {
				y *= 1 + 0.02*e
			} else {
				y += 0.05 * e
			}
			if i == 24 {
				y *= 10
			}
			cols[0], cols[1] = append(cols[0], x), append(cols[1], y)
		}
		table, err := datasets.New([]string{"x", "y"}, cols)
		if err != nil {
			t.Fatal(err)
		}
		s := run.Quick(60, 1)
		p, err := newProblem(Task{Data: table, Inputs: []string{"x"}, Targets: []string{"y"}}, s)
		if err != nil {
			t.Fatal(err)
		}
		law, err := distill.Compose(p.inScaledUnits(formula.MustParse("0.4*x^2"), 0), p.inputs, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(p, s, Options{Workers: 1})
		if got := r.mayBe(0, true, p.attempt(0, p.errors[0], law)); got != relative {
			t.Errorf("errors may be relative: %t, want %t", got, relative)
		}
	}
}

// TestReadmit: rows that were left out of an exact table, or are as far from the law as others, come back.
func TestReadmit(t *testing.T) {
	out := make([]bool, 40)
	out[3], out[17] = true, true
	for _, c := range []struct {
		name       string
		noise, off float64
		want       bool
	}{
		{"exact", 0, 0, true},
		{"noise", 0.02, 0, true},
		{"noise, and a row that is off", 0.02, 1, false},
		{"exact, and a row that is off", 0, 0.01, false},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		cols := make([][]float64, 2)
		for i := range out {
			x := 0.1 * float64(i)
			cols[0], cols[1] = append(cols[0], x), append(cols[1], math.Exp(-x)+c.noise*rng.NormFloat64())
		}
		cols[1][17] += c.off
		table, err := datasets.New([]string{"x", "y"}, cols)
		if err != nil {
			t.Fatal(err)
		}
		s := run.Quick(len(out), 1)
		p, err := newProblem(Task{Data: table, Inputs: []string{"x"}, Targets: []string{"y"}}, s)
		if err != nil {
			t.Fatal(err)
		}
		e := p.errors[0]
		e.out = out
		p.setErrors(0, e)
		law, err := distill.Compose(p.inScaledUnits(formula.MustParse("exp(-x)"), 0), p.inputs, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(p, s, Options{Workers: 1})
		m := &Model{Targets: make([]TargetModel, 1)}
		p.setLaw(&m.Targets[0], law, 0)
		res := &Result{Models: []*Model{m}, Chosen: []Choice{{Target: "y", Model: m, TargetModel: m.Targets[0]}}}
		for _, x := range p.errorsOf(m.Targets[0].Formula, 1, 0).Outliers {
			if math.IsNaN(x.Size) {
				t.Errorf("%s: row %d is off by NaN", c.name, x.Row)
			}
		}
		if got := r.readmit(res); got != c.want || (p.errors[0].out == nil) != c.want {
			t.Errorf("%s: rows came back: %t, want %t", c.name, got, c.want)
		}
		if want := m.Targets[0].Validation; c.want && p.target(0).Rows() != len(out) || math.IsNaN(want) {
			t.Errorf("%s: %d rows, validation RMS %g", c.name, p.target(0).Rows(), want)
		}
	}
}

func TestOutliersByTheirSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	normal := make([]float64, 400)
	for i := range normal {
		normal[i] = rng.NormFloat64()
	}
	with := func(size float64, rows ...int) []float64 {
		v := slices.Clone(normal)
		for _, i := range rows {
			v[i] = size
		}
		return v
	}
	many := make([]int, 60)
	for i := range many {
		many[i] = i
	}
	tests := []struct {
		name  string
		sizes []float64
		want  int
	}{
		{"normal errors", normal, 0},
		{"two of ten", with(-10, 3, 17), 2},
		{"one without a value", with(math.NaN(), 5), 1},
		{"more than a tenth", with(10, many...), 0},
		{"a formula that is exact", make([]float64, 400), 0},
		{"a few rows", normal[:10], 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got := 0
			for _, out := range outliers(c.sizes, len(c.sizes), 2) {
				if out {
					got++
				}
			}
			if got != c.want {
				t.Errorf("%d outliers, want %d", got, c.want)
			}
		})
	}
}

// TestGrossNeedsOrdinaryNeighbours looks for rows that differ from their neighbours where there are such, and where a
// function is steep.
func TestGrossNeedsOrdinaryNeighbours(t *testing.T) {
	tests := []struct {
		name string
		f    func(a, b float64) float64
		far  []int
		want int
	}{
		{"a wave", func(a, b float64) float64 { return math.Sin(3*a) * b }, nil, 0},
		{"a wave and two slips", func(a, b float64) float64 { return math.Sin(3*a) * b }, []int{20, 300}, 2},
		{"a pole", func(a, b float64) float64 { return 1 / ((a - b + 0.01) * (a - b + 0.01)) }, nil, 0},
		{"an exponential", func(a, b float64) float64 { return math.Exp(12 * a * b) }, nil, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(4, 4))
			x, y := make([][]float64, 2), make([]float64, 500)
			for i := range y {
				a, b := rng.Float64(), rng.Float64()
				x[0], x[1] = append(x[0], a), append(x[1], b)
				if y[i] = c.f(a, b); slices.Contains(c.far, i) {
					y[i] += 8
				}
			}
			got := 0
			out, ordinary := gross(fit.Neighbours(x, fit.Spread(len(y), len(y)), neighboursOfRow), y)
			for _, o := range out {
				if o && ordinary {
					got++
				}
			}
			if got != c.want {
				t.Errorf("%d rows, want %d", got, c.want)
			}
		})
	}
}
