package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// q = 2·a^(3/2) over three decades, with errors of 3 %: a formula of the units may fit, but not the small values. The
// power law is the answer, as it is where errors are taken to be equal.
func TestPowerLawsAreRecognised(t *testing.T) {
	slower(t)
	const rows = 40
	rng := rand.New(rand.NewPCG(7, 8))
	cols := make([][]float64, 2)
	for range rows {
		a := math.Pow(10, 3*rng.Float64())
		cols[0] = append(cols[0], a)
		cols[1] = append(cols[1], 2*math.Pow(a, 1.5)*(1+0.03*rng.NormFloat64()))
	}
	tab, err := datasets.New([]string{"a", "q"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	for _, errors := range []run.Errors{run.ErrorsAuto, run.ErrorsAbsolute} {
		s := run.Quick(rows, 1)
		s.Extend, s.Errors = 0, errors
		s.Layers, s.Lambda, s.Restarts, s.Train.Epochs = []int{2}, []float64{1e-3}, 1, 50 // it is grown
		c := mustRun(t, Task{Data: tab, Inputs: []string{"a"}, Targets: []string{"q"}}, s, Options{}).Chosen[0]
		p, err := formula.Compile(c.Formula, []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Eval([]float64{1e4}), 2e6; math.Abs(got/want-1) > 0.1 {
			t.Errorf("errors %s: %s is %g at 10⁴, want about %g", errors, c.Formula, got, want)
		}
	}
}

// e^2a·|b| + |a − b| is no law of few units: what is chosen must be readable.
func TestWhatDoesNotHoldIsReadable(t *testing.T) {
	slower(t)
	tab := table(t, 100, 0, map[string]string{"p": "exp(2*a)*(b^2)^0.5 + ((a - b)^2)^0.5"})
	s := run.Quick(100, 2)
	s.Layers, s.Extend = s.Layers[:1], 0
	s.Train.Epochs /= 4
	res := mustRun(t, task(tab, "p"), s, Options{})
	c := res.Chosen[0]
	if c.Evidence.Level == Holds {
		t.Fatalf("%s holds", c.Formula)
	}
	if c.Complexity > comfortable {
		t.Errorf("%s has %d nodes, want at most %d", c.Formula, c.Complexity, comfortable)
	}
	if line := res.Baseline.Validation(); c.Validation >= line {
		t.Errorf("validation RMS %.3g, the line has %.3g", c.Validation, line)
	}
	longer := false
	for _, m := range res.Models {
		longer = longer || m.Targets[0].Formula != nil && m.Targets[0].Complexity > comfortable &&
			m.Targets[0].Criterion < c.Criterion
	}
	if !longer {
		t.Error("no longer formula was better, so nothing was tested")
	}
}

// A special value that is known to the last digit is none by chance, however few the rows; one that is known roughly
// may be.
func TestSpecialValuesSpeakForAFormula(t *testing.T) {
	for _, c := range []struct {
		name           string
		value, half    float64
		snapped        float64
		rows           int
		least, largest float64
	}{
		{"without noise", 1, 1e-9, 1, 20, 30, 40},
		{"without noise, snapped", 0.4999999997, 1e-9, 0.5, 20, 20, 40},
		{"some noise, few rows", 1.01, 0.05, 1, 20, 0, 3},
		{"much noise", 1.2, 0.8, 1, 20, 0, 0},
		{"many rows", 1.01, 0.05, 1, 1000, 6, 7},
		{"no special value", 1.2345678, 1e-9, 1.2345678, 20, 0, 0},
		{"a value nearby is not taken", 1 + 1e-9, 2e-9, 1 + 1e-9, 20, 0, 0},
		{"nothing is known", 1, math.Inf(1), 1, 20, 0, 0},
	} {
		k := evidence.Constant{Value: c.value, Low: c.value - c.half, High: c.value + c.half, Snapped: c.snapped}
		if gain := specialGain(k, fit.OddsAgainst(k, formula.Coefficient), c.rows); !(gain >= c.least && gain <= c.largest) {
			t.Errorf("%s: gain %.3g, want from %g to %g", c.name, gain, c.least, c.largest)
		}
	}
}

// Exact laws of few rows hold: sinh has polynomials that reach the arithmetic's error within the data and are no
// rivals, since its constants are all special, and a polynomial of nine constants is exact on four fifths of twenty
// rows.
func TestExactLawsOfFewRows(t *testing.T) {
	slow(t)
	for i, law := range []string{"0.5*exp(a) - 0.5*exp(-a)", "a^9 + a^8 + a^7 + a^6 + a^5 + a^4 + a^3 + a^2 + a"} {
		if !*long && i > 0 {
			continue
		}
		both := table(t, 20, 0, map[string]string{"p": law})
		tab, err := datasets.New([]string{"a", "p"}, [][]float64{both.Cols[0], both.Cols[2]})
		if err != nil {
			t.Fatal(err)
		}
		s := run.Quick(20, 1)
		s.Layers, s.Extend = s.Layers[:1], 1
		s.Train.Epochs /= 20
		tk := task(tab, "p")
		tk.Inputs = []string{"a"}
		res := mustRun(t, tk, s, Options{})
		if c := res.Chosen[0]; c.Evidence.Level != Holds || c.Validation > 1e-12 {
			t.Errorf("%s: %s (validation %.3g): %s, gap %.3g",
				law, c.Formula, c.Validation, c.Evidence.Sentence(), c.Evidence.Gap)
		}
	}
}

// What a test leaves in doubt must be the smaller the less it tells.
func TestDoubtIsBoundedByTheTest(t *testing.T) {
	e := func(limit, inner, doubt float64) *Evidence {
		return &Evidence{
			Fitted: formula.MustParse("2.1*a"), Constants: []evidence.Constant{{Value: 2.1, Low: 2, High: 2.2, Snapped: 2.1}},
			Gap: math.Inf(1), Explained: 1, Support: Support{Ways: 2},
			Extrapolation: evidence.Extrapolation{Defined: true, Ratio: 1, Limit: limit, Inner: inner, Doubt: doubt},
		}
	}
	for _, c := range []struct {
		limit, inner, doubt float64
		want                Level
	}{
		{1.1, 0.3, 0.04, Holds}, {1.1, 0.3, 0.06, Uncertain},
		{1.1, 0.5, 0.005, Holds}, {1.1, 0.5, 0.04, Uncertain},
		{1.9, 0.7, 0.0005, Holds}, {1.9, 0.7, 0.005, Uncertain},
	} {
		if got := verdict(e(c.limit, c.inner, c.doubt), &suspicions{params: 1, rows: 1000}); got.Level != c.want {
			t.Errorf("limit %g, inner rows %g, doubt %g: %s, want %s", c.limit, c.inner, c.doubt, got.Sentence(), c.want)
		}
	}
}

// What is left of a power law of an input that says nothing is a number, and no power law.
func TestNoPowerLawOfNothing(t *testing.T) {
	slow(t)
	rng := rand.New(rand.NewPCG(4, 1))
	d := fit.Data{X: [][]float64{nil}}
	for range 300 {
		d.X[0] = append(d.X[0], 1+4*rng.Float64())
		d.Y = append(d.Y, 2+0.3*rng.NormFloat64())
	}
	tab, err := datasets.New([]string{"a", "q"}, [][]float64{d.X[0], d.Y})
	if err != nil {
		t.Fatal(err)
	}
	s := run.Quick(300, 1)
	s.Extend, s.Errors = 0, run.ErrorsAbsolute
	s.Layers, s.Lambda, s.Restarts, s.Train.Epochs = []int{2}, []float64{1e-3}, 1, 50
	c := mustRun(t, Task{Data: tab, Inputs: []string{"a"}, Targets: []string{"q"}}, s, Options{}).Chosen[0]
	if p := c.Evidence.Power.Formula; p != nil && len(formula.Vars(p)) == 0 {
		t.Errorf("the power law is %s", p)
	}
}

// One way alone leads to much, whether a network or the search. Two do not, unless one was copied.
func TestFormulasMustBeFoundTwice(t *testing.T) {
	for _, c := range []struct {
		name string
		Support
		exact bool
		want  Level
	}{
		{"one network", Support{Networks: 32, Agree: 1, Ways: 1}, false, Uncertain},
		{"two networks", Support{Networks: 32, Agree: 2, Ways: 2}, false, Holds},
		{"the search", Support{Networks: 32, Ways: 1}, false, Uncertain},
		{"the search in halves", Support{Networks: 32, Ways: 1, Halves: Yes}, false, Holds},
		{"the search, but not in halves", Support{Networks: 32, Ways: 1, Halves: No}, false, Uncertain},
		{"one network and the search", Support{Networks: 32, Agree: 1, Ways: 2}, false, Holds},
		{"exact", Support{Networks: 32, Ways: 1}, true, Holds},
	} {
		e := &Evidence{
			Fitted: formula.MustParse("2.1*sin(x1)"), Support: c.Support, Gap: math.Inf(1), Explained: 1, Exact: c.exact,
			Extrapolation: evidence.Extrapolation{Defined: true, Ratio: 1, Limit: 1.1},
		}
		if got := verdict(e, &suspicions{params: 2, rows: 1000}); got.Level != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Sentence(), c.want)
		}
	}
}

func TestSameLaw(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"x1*x2", "1.0000000000000002*x1*x2", true},
		{"2*sin(x1)", "2.05*sin(x1)", true},
		{"2*sin(x1)", "2.5*sin(x1)", false},
		{"x1*x2", "x1*x3", false},
		{"x1*x2", "1.001*x1*x2", false},
	} {
		if got := sameLaw(formula.MustParse(c.a), formula.MustParse(c.b)); got != c.want {
			t.Errorf("%s and %s: %t, want %t", c.a, c.b, got, c.want)
		}
	}
}
