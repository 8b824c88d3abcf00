package sweep

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

// partly returns settings with a form.
func partly(form string) Settings {
	s := short()
	s.Known = &run.Known{Form: form}
	return s
}

// A function of a form is found, and the law is judged as that of the target, from all inputs.
func TestKnownForm(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	tab := table(t, 200, 0.001, map[string]string{"p": "a*(0.5 + sin(2*b)) + 0.3*cos(3*a)"})
	tab.Cols[0][17] = 0 // which says nothing about the function
	r := mustRun(t, task(tab, "p"), partly("p = a*f(b) + 0.3*cos(3*a)"), Options{})
	c := r.Chosen[0]
	want := formula.Simplify(formula.MustParse("a*(0.5 + sin(2*b)) + 0.3*cos(3*a)"))
	if !formula.Equal(c.Formula, want) {
		t.Errorf("got %s, want %s", c.Formula, want)
	}
	if e := c.Evidence; e.Level != Holds || !(e.Noise > 0.0005 && e.Noise < 0.002) ||
		!(c.Validation > 0.0005 && c.Validation < 0.002) {
		t.Errorf("%s, noise %g, validation RMS %g, want about 0.001", e.Sentence(), e.Noise, c.Validation)
	}
	if len(r.Inputs) != 2 || len(r.Train.Cols[0]) != 180 || len(r.Warnings) == 0 ||
		!strings.HasPrefix(r.Warnings[len(r.Warnings)-1], "1 row left out of the search for f(b): ") {
		t.Errorf("inputs %v, %d rows, warnings %q", r.Inputs, r.Train.Rows(), r.Warnings)
	}
	for _, m := range r.Models {
		if f := m.Targets[0].Formula; f != nil && len(formula.Vars(f)) == 0 {
			t.Errorf("model %d is %s, without the known part", m.ID, f)
		}
	}
}

// A known part that is wrong shows in the residuals along an input that no function has.
func TestKnownFormThatIsWrong(t *testing.T) {
	slower(t)
	tab := table(t, 200, 0.01, map[string]string{"p": "0.5 + b^2 + 0.3*a^2"})
	r := mustRun(t, task(tab, "p"), partly("p = f(b) + 0.3*a"), Options{})
	if e := r.Chosen[0].Evidence; e.Level != Fails {
		t.Errorf("%s: %s", r.Chosen[0].Formula, e.Sentence())
	}
}

// Constants of the form are fitted together with those of the function, and numbers of the form are not fitted.
func TestKnownFormConstants(t *testing.T) {
	slower(t)
	tab := table(t, 300, 0.005, map[string]string{"p": "(1 + 2*b^2)/(1.37 + a) + 0.61*a"})
	s := partly("p = f(b)/(k + a) + 0.61*a")
	zero, start := 1.05, 2.
	s.Known.Constants = []run.KnownConstant{{Name: "k", Low: &zero, Start: &start}}
	c := mustRun(t, task(tab, "p"), s, Options{}).Chosen[0]
	known, free := 0, 0
	for i, v := range formula.Constants(c.Formula) {
		switch k := c.Evidence.Constants[i]; {
		case k.Low == k.High:
			known++
		case math.Abs(v-1.37) < 0.01 && k.Low < v && v < k.High:
			free++
		}
	}
	if free != 1 || known < 1 || c.Evidence.Level == Fails {
		t.Errorf("%s with the constants %+v: %s", c.Formula, c.Evidence.Constants, c.Evidence.Sentence())
	}
}

// Of several functions each is found from what the others leave.
func TestKnownFormOfTwoFunctions(t *testing.T) {
	slower(t)
	tab := table(t, 150, 0.01, map[string]string{"p": "a*exp(-b) + 0.7*sin(3*a)"})
	c := mustRun(t, task(tab, "p"), partly("p = a*f(b) + g(a)"), Options{}).Chosen[0]
	at := map[string]float64{"a": 0.4, "b": 1.5} // outside the data
	got, err := formula.Eval(c.Formula, at)
	if want := 0.4*math.Exp(-1.5) + 0.7*math.Sin(1.2); err != nil || math.Abs(got-want) > 0.02 {
		t.Errorf("%s is %g at %v, %v, want %g", c.Formula, got, at, err, want)
	}
}

// A function beside the one with the most inputs is chosen as any formula is: sin(c) has special values and is short,
// while a formula with as many constants, such as k*c^3/tan(w*c)^2, may be a little closer to the rows.
func TestKnownFormChoosesOthers(t *testing.T) {
	slower(t)
	rng := rand.New(rand.NewPCG(4, 0))
	cols := make([][]float64, 4)
	for range 150 {
		a, b, c := 0.5+1.5*rng.Float64(), 0.5+1.5*rng.Float64(), 0.5+1.5*rng.Float64()
		for j, v := range []float64{a, b, c, a*(1+b*b) + math.Sin(c) + 0.01*rng.NormFloat64()} {
			cols[j] = append(cols[j], v)
		}
	}
	data, err := datasets.New([]string{"a", "b", "c", "p"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	k := Task{Inputs: []string{"a", "b", "c"}, Targets: []string{"p"}, Data: data}
	r := mustRun(t, k, partly("p = a*f(a, b) + g(c)"), Options{})
	if got := r.Chosen[0].Formula.String(); !strings.Contains(got, "sin(c)") {
		t.Errorf("got %s, want sin(c) in it", got)
	}
}
