package sweep

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/units"
	"github.com/eqlearner/eql/run"
)

func TestCleared(t *testing.T) {
	for _, c := range []struct{ e, want string }{
		{"1 + (y/x)^2", "(x^2 + y^2)/x^2"},
		{"a/x^2/(1 + (y/x - z/x)^2)", "a/(x^2 + (y - z)^2)"},
		{"1 + x*y", "1 + x*y"},
		{"sqrt(1 - x^2/y^2)", "sqrt((y^2 - x^2)/y^2)"},
		{"exp(x/y)/x", "exp(x/y)/x"},
		{"2^(1/x)", "2^(1/x)"},
	} {
		got := formula.Simplify(cleared(formula.MustParse(c.e)))
		if want := formula.Simplify(formula.MustParse(c.want)); !formula.Equal(got, want) {
			t.Errorf("%s becomes %s, want %s", c.e, got, want)
		}
	}
}

// A law of many inputs has few groups without dimension, in which it is found at once.
func TestSearchInGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	// n = n₀·(1 + p·E·cos θ/(k·T)), Feynman's II.11.17, has six inputs and two groups.
	names := []string{"n0", "p", "E", "theta", "k", "T", "n"}
	tk := measuredTask(t, 300, names, slices.Repeat([][2]float64{{1, 3}}, 6), func(v []float64) float64 {
		return v[0] * (1 + v[1]*v[2]*math.Cos(v[3])/(v[4]*v[5]))
	})
	s := short()
	s.Extend = 1
	s.UnitsOf = map[string]string{"n0": "1/m^3", "p": "C m", "E": "V/m", "k": "J/K", "T": "K", "n": "1/m^3"}
	p, err := newProblem(tk, s)
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	r := newRunner(p, s, Options{Observe: func(e Event) { told = e.Phase }})
	laws := r.searches(0)[0].look(context.Background(), p.target(0), 0)
	if !strings.HasPrefix(told, "searching in groups without dimension: ") {
		t.Errorf("the observer was told %q of the search in groups", told)
	}
	if len(laws) == 0 {
		t.Fatal("nothing was found")
	}
	var m TargetModel
	p.setLaw(&m, laws[0], 0)
	far := [][]float64{{5}, {4}, {5}, {0.5}, {2}, {3}}
	got, err := evaluate(m.Formula, names[:6], far, 1)
	want := 5 * (1 + 4*5*math.Cos(0.5)/(2*3))
	if err != nil || math.Abs(got[0]-want) > 0.02*want {
		t.Errorf("%s is %g far outside, want %g (%v)", m.Formula, got[0], want, err)
	}
}

// Where agreement is required a law that contradicts the units is refused with a warning that names the term; otherwise
// the verdict says so.
func TestWrongUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	tk := measuredTask(t, 300, []string{"m", "a", "F"}, [][2]float64{{1, 5}, {1, 5}},
		func(v []float64) float64 { return v[0] * v[1] })
	law := formula.MustParse("a*m")
	for _, c := range []struct {
		name       string
		dimensions run.Dimensions
		a          string // the unit of a
		answered   bool
		mismatch   bool
	}{
		{"right", run.DimensionsRequire, "m/s^2", true, false},
		{"preferred", "", "m/s", true, true},
		{"required", run.DimensionsRequire, "m/s", false, false},
		{"off", run.DimensionsOff, "m/s", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := short()
			s.UnitsOf, s.Dimensions = map[string]string{"m": "kg", "a": c.a, "F": "N"}, c.dimensions
			res := mustRun(t, tk, s, Options{})
			got := res.Chosen[0]
			if formula.Equal(got.Formula, formula.Simplify(law)) != c.answered {
				t.Errorf("answered %s", got.Formula)
			}
			if (got.Evidence.Mismatch != "") != c.mismatch || (got.Evidence.Code == "units") != c.mismatch {
				t.Errorf("evidence: %q, %s", got.Evidence.Mismatch, got.Evidence.Sentence())
			}
			warned := strings.Contains(strings.Join(res.Warnings, "\n"), "a*m has the unit kg*m/s, and F has kg*m/s^2")
			if warned == c.answered {
				t.Errorf("warnings: %q", res.Warnings)
			}
		})
	}
}

// The units of constants stand beside them.
func TestUnitsOfConstants(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	tk := measuredTask(t, 200, []string{"x", "F"}, [][2]float64{{10, 50}},
		func(v []float64) float64 { return 3.217 * v[0] })
	s := short()
	s.UnitsOf = map[string]string{"x": "mm", "F": "kN"}
	e := mustRun(t, tk, s, Options{}).Chosen[0].Evidence
	if len(e.Constants) != 1 || e.Constants[0].Unit != "kN/mm" {
		t.Errorf("constants %+v, want one in kN/mm", e.Constants)
	}
}

// A constant with a unit is a multiple of π in that unit alone; a pure number, such as that of an area, may be one.
func TestQuantitiesAreNoMultiplesOfPi(t *testing.T) {
	e := formula.MustParse("4.1887902*x")
	for _, c := range []struct {
		unit string // of F
		want formula.Role
	}{{"kN", fit.Quantity}, {"mm", formula.Coefficient}} {
		p := &problem{targets: []string{"F"}, measured: map[string]units.Unit{}}
		for name, text := range map[string]string{"x": "mm", "F": c.unit} {
			u, err := units.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			p.measured[name] = u
		}
		got := p.writing(0).Roles(e)
		if !slices.Equal(got, []formula.Role{c.want}) {
			t.Errorf("F in %s: roles %v, want %v", c.unit, got, c.want)
		}
	}
	p := &problem{targets: []string{"F"}}
	if got := p.writing(0).Roles(e); !slices.Equal(got, []formula.Role{formula.Coefficient}) {
		t.Errorf("without units: roles %v", got)
	}
}

// Constants are found among the numbers of a formula by their values, whatever the order.
func TestPlacesOf(t *testing.T) {
	for _, c := range []struct {
		constants, values []float64
		want              []int
	}{
		{[]float64{1, 2}, []float64{1.01, 1.98}, []int{0, 1}},
		{[]float64{-15.6, 2.2, 7.3}, []float64{7.28, -15.61, 2.17}, []int{1, 2, 0}},
		{[]float64{0, 3}, []float64{3, 0}, []int{1, 0}},
		{[]float64{1, 5}, []float64{1, -5}, nil},
		{[]float64{1}, []float64{1, 1}, nil},
		{nil, nil, nil},
	} {
		var constants []evidence.Constant
		for _, v := range c.constants {
			constants = append(constants, evidence.Constant{Value: v})
		}
		if got := placesOf(constants, c.values); !slices.Equal(got, c.want) {
			t.Errorf("%v in %v: places %v, want %v", c.constants, c.values, got, c.want)
		}
	}
}

// measuredTask draws rows of a law, with noise of 0.02.
func measuredTask(t *testing.T, rows int, names []string, ranges [][2]float64, law func(v []float64) float64) Task {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	cols := make([][]float64, len(names))
	n := len(ranges)
	for range rows {
		v := make([]float64, n)
		for j, r := range ranges {
			v[j] = r[0] + (r[1]-r[0])*rng.Float64()
			cols[j] = append(cols[j], v[j])
		}
		cols[n] = append(cols[n], law(v)+0.02*rng.NormFloat64())
	}
	data, err := datasets.New(names, cols)
	if err != nil {
		t.Fatal(err)
	}
	return Task{Inputs: names[:n], Targets: names[n:], Data: data}
}
