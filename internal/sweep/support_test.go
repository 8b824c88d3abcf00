package sweep

import (
	"math"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// slow skips a test that takes a second or more with -short.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it learns laws")
	}
}

// slower skips a test that takes several seconds without -long.
func slower(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("it learns laws for several seconds: -long")
	}
}

// lawOf returns the least squares line of a target as a law, with its formula.
func (p *problem) lawOf(t *testing.T, o int) TargetModel {
	t.Helper()
	var m TargetModel
	p.setLaw(&m, distill.Linear(p.target(o)), o)
	if m.Formula == nil {
		t.Fatal("the line has no formula")
	}
	m.own = m.law
	return m
}

// Networks that took a formula over from another network or from the search have not arrived at it.
func TestSupportCountsNoCopies(t *testing.T) {
	data := table(t, 200, 0.01, map[string]string{"p": "2*a + b", "q": "a - 3*b"})
	s := run.Quick(200, 2)
	s.Scale = ScaleNone
	p, err := newProblem(task(data, "p", "q"), s)
	if err != nil {
		t.Fatal(err)
	}
	mine, other := p.lawOf(t, 0), p.lawOf(t, 1)
	copied := other
	copied.takeLaw(&mine)
	grown := copied
	grown.grown = true
	again := p.lawOf(t, 0) // from its own start, the same function
	again.Formula = formula.MustParse("(4*a + 2*b)/2")
	model := func(m TargetModel) *Model { return &Model{Targets: []TargetModel{m}} }
	baseline := &Model{Baseline: true, Targets: []TargetModel{other}}
	for _, c := range []struct {
		name   string
		models []*Model
		greedy bool
		want   Support
	}{
		{"copies alone", []*Model{model(copied), model(copied), model(copied)}, true, Support{Networks: 3, Ways: 1}},
		{"one, and copies of it", []*Model{model(mine), model(copied), model(copied)}, false,
			Support{Networks: 3, Agree: 1, Ways: 1}},
		{"two, written differently", []*Model{model(mine), model(again), model(other)}, false,
			Support{Networks: 3, Agree: 2, Ways: 2}},
		{"grown from another, without the search",
			[]*Model{model(grown), model(copied)}, false, Support{Networks: 2, Grown: 1, Ways: 1}},
		{"grown from another, and the search",
			[]*Model{model(grown), model(copied)}, true, Support{Networks: 2, Grown: 1, Ways: 1}},
		{"one network and the search", []*Model{model(mine), model(other)}, true, Support{Networks: 2, Agree: 1, Ways: 2}},
	} {
		if got := p.support(append(c.models, baseline), mine, c.greedy, 0.01, 0); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	e := &Evidence{Verdict: Verdict{Level: Uncertain}, Support: Support{Networks: 29}, Greedy: Greedy{Agrees: true}}
	if settled(e) {
		t.Error("what was copied settles the run")
	}
}

// What differs is measured by the noise, and not by what a bad formula leaves: the best that anything reached shows it.
func TestFormulasDifferByTheNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	data := table(t, 300, 0, map[string]string{"p": "a + 0.3*sin(3*b)"})
	p, err := newProblem(task(data, "p"), run.Quick(300, 2))
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, run.Quick(300, 2), Options{})
	line := p.lawOf(t, 0)
	var law TargetModel
	p.setLaw(&law, distill.Growth{Units: run.Quick(300, 2).Units, Work: 1e8}.Greedy(p.target(0)), 0)
	if law.Scaled > line.Scaled/100 {
		t.Fatalf("the law misses by %g, the line by %g", law.Scaled, line.Scaled)
	}
	models := []*Model{{Targets: []TargetModel{line}}, {Targets: []TargetModel{law}}}
	noise := r.noise(models, math.Inf(1), 0)
	if noise > line.residual/100 {
		t.Errorf("the noise is taken for %g, and the law leaves %g", noise, law.residual)
	}
	if !p.differ(law.law, line.law, noise, 0) {
		t.Error("the line and the law predict the same")
	}
	y, predicted := p.observed(line.Formula, 0)
	if s := fit.Residuals(p.near.judged(nil), y, predicted, nil); !s.Fails() {
		t.Errorf("the residuals of the line have no structure: %+v", s)
	}
}

// Edges are found in the user's units, with the rows on both sides where there are some.
func TestEdgesOfAFormula(t *testing.T) {
	data := table(t, 200, 0, map[string]string{"p": "a + b"}) // inputs in [−1, 1]
	p, err := newProblem(task(data, "p"), run.Quick(200, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula string
		kinds   []formula.EdgeKind
		among   bool
		inside  bool
	}{
		{"1/(a^2 + 1)", nil, false, false},
		{"1/(a - 0.25)", []formula.EdgeKind{formula.PoleEdge}, true, true},
		{"1/(a - 1.5)", []formula.EdgeKind{formula.PoleEdge}, false, false},
		{"log(a + 1.5)", []formula.EdgeKind{formula.LogEdge}, false, false},
		{"(1.2 - b)^0.5", []formula.EdgeKind{formula.RootEdge}, false, false},
		{"1/(a - 7)", nil, false, false},
		{"tan(a)", []formula.EdgeKind{formula.PoleEdge, formula.PoleEdge}, false, false}, // ends at both sides
		{"1/(a*(a + 1.3)*(a - 1.4))", []formula.EdgeKind{formula.PoleEdge, formula.PoleEdge, formula.PoleEdge}, true, true},
	} {
		edges := p.edges(formula.MustParse(c.formula))
		var kinds []formula.EdgeKind
		for _, e := range edges {
			kinds = append(kinds, e.Kind)
		}
		if !slices.Equal(kinds, c.kinds) {
			t.Errorf("%s: edges %v, want %v", c.formula, kinds, c.kinds)
			continue
		}
		if len(edges) == 1 && (edges[0].Among != c.among || edges[0].Inside != c.inside) {
			t.Errorf("%s: %+v", c.formula, edges[0])
		}
	}
}

// A formula without a value on a row that it is to explain is never one.
func TestNoFormulaWithoutValues(t *testing.T) {
	data := table(t, 200, 0, map[string]string{"p": "a + b"})
	p, err := newProblem(task(data, "p"), run.Quick(200, 2))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"a + b": true, "log(a)": false, "a^0.5": false, "1/(a^2 + 0.1)": true} {
		if got := p.hasValues(formula.MustParse(text)); got != want {
			t.Errorf("%s has values on all rows: %t, want %t", text, got, want)
		}
	}
}

// The front holds what was chosen, and no shorter row that is ahead of it by the chance of a few validation rows.
func TestFrontHoldsTheChoice(t *testing.T) {
	model := func(id, complexity int, validation float64, text string) *Model {
		return &Model{Job: Job{ID: id},
			Targets: []TargetModel{{Formula: formula.MustParse(text), Complexity: complexity, Validation: validation}}}
	}
	models := []*Model{
		model(0, 3, 0.5, "a + b"), model(1, 9, 0.099, "2*a + sin(b)"), model(2, 12, 0.1, "2.1*a + 1.1*sin(b)"),
		model(3, 12, 0.1, "2.1*a + 1.1*sin(b)"), model(4, 20, 0.09, "a + b^3"),
	}
	chosen := Choice{Target: "p", Model: models[2], TargetModel: models[2].Targets[0], Evidence: &Evidence{}}
	r := &Result{Targets: []string{"p"}, Models: models, Chosen: []Choice{chosen}}
	var ids []int
	for _, m := range r.Front(0) {
		ids = append(ids, m.ID)
	}
	if want := []int{0, 2, 4}; !slices.Equal(ids, want) {
		t.Errorf("front %v, want %v", ids, want)
	}
}

// A half of the rows bears a law out where chance decides between it and what was found there, if both predict nearly
// the same.
func TestSameInHalf(t *testing.T) {
	const law, near, far = "1.2*exp(0.3*a) + b", "1.2*exp(0.3*a) + b + 0.0105*a*b", "1.2*exp(0.3*a) + b + 0.05*a*b"
	const other = "1.2*exp(0.3*a) + 1.3*b"
	data := table(t, 300, 0.001, map[string]string{"p": law, "q": near, "r": other})
	s := run.Quick(300, 2)
	p, err := newProblem(task(data, "p", "q", "r"), s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	composed := func(text string, o int) *distill.Law {
		l, err := distill.Compose(p.inScaledUnits(formula.MustParse(text), o), p.inputs, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		name, found string
		target      int
		sure        bool
		want        bool
	}{
		{"the law", law, 0, false, true},
		{"its form with other constants, 2 % away", "1.21*exp(0.3*a) + b", 0, false, true},
		{"another form, 2 % away, where the law fits as well", near, 0, false, true},
		{"another form, 2 % away, where the law fits worse", near, 1, false, false},
		{"another form, 8 % away", far, 0, false, false},
		{"another form, 8 % away, of sure constants", far, 0, true, false},
		{"its form as fitted to the half, 8 % away", other, 2, true, true},
		{"the same, but its constants are unsure", other, 2, false, false},
	} {
		rows := p.target(c.target).Take(fit.Spread(p.target(c.target).Rows(), 130))
		half := foundInHalf{law: composed(c.found, c.target), rows: rows}
		if got := r.sameInHalf(half, composed(law, c.target), c.sure, c.target); got != c.want {
			t.Errorf("%s: %t, want %t (%.3g spreads away)",
				c.name, got, c.want, p.apart(half.law, composed(law, c.target), boxOfHalves, c.target)/p.spreadOf(c.target))
		}
	}
}

// A power that a law has as the exponential of a logarithm has its value below zero, too, where laws are compared.
func TestApartBelowZero(t *testing.T) {
	data := table(t, 300, 0.001, map[string]string{"p": "a^2 + b"})
	s := run.Quick(300, 2)
	p, err := newProblem(task(data, "p"), s)
	if err != nil {
		t.Fatal(err)
	}
	law := func(text string) *distill.Law {
		l, err := distill.Compose(p.inScaledUnits(formula.MustParse(text), 0), p.inputs, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	product, power := law("a*a + b"), law("exp(2*log(a)) + b")
	values := power.Predict([][]float64{{-1}, {0}}, 1)
	if !math.IsNaN(values[0]) {
		t.Fatalf("the law has the value %g below zero, so that it tests nothing", values[0])
	}
	if d := p.apart(power, product, boxOfHalves, 0); !(d < 1e-9) {
		t.Errorf("the same function is %g away from itself", d)
	}
}

// A law whose constants are special values is found in a half of the rows beside an imitation that fits a little
// better.
func TestBestOfHalfCountsSpecialValues(t *testing.T) {
	const truth, imitation = "sqrt(2 - cos(3*a) - cos(3*b))", "1.457*sqrt(a*sin(2.12*a) + b*sin(2.12*b))"
	data := table(t, 300, 0.02, map[string]string{"p": truth})
	s := run.Quick(300, 2)
	p, err := newProblem(task(data, "p"), s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	rows := fit.Spread(p.target(0).Rows(), p.target(0).Rows()/2)
	half := p.target(0).Take(rows)
	polished := func(text string) *distill.Law {
		l, err := distill.Compose(p.inScaledUnits(formula.MustParse(text), 0), p.inputs, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		return distill.Polish(l, half)
	}
	law, other := polished(truth), polished(imitation)
	if best := r.bestOfHalf([]*distill.Law{other, law}, rows, 0); best != law {
		t.Errorf("criterion %.1f, and %.1f of the imitation, which was taken", law.Score(half), other.Score(half))
	}
}
