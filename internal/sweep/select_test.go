package sweep

import (
	"math"
	"reflect"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

func TestByRank(t *testing.T) {
	baseline := fake(9, 5, 0, 0)
	baseline.Baseline = true
	padding := fake(7, 0.001, 0, 0)
	padding.Padding = true
	for _, c := range []struct {
		name   string
		models []*Model
		want   int
	}{
		// Ranks (validation, sparsity): (1,3), (2,1), (3,2): norms 10, 5, 13.
		{"the middle way", []*Model{fake(0, 0.1, 0, 5), fake(1, 0.2, 0, 1), fake(2, 0.3, 0, 3)}, 1},
		// Ties share the best rank: sparsity 1, 1, 3.
		{"ties share", []*Model{fake(0, 0.3, 0, 2), fake(1, 0.2, 0, 2), fake(2, 0.1, 0, 4)}, 1},
		// Norms are equal, 1+4: the smaller validation error wins.
		{"equal norms", []*Model{fake(0, 0.2, 0, 1), fake(1, 0.1, 0, 2)}, 1},
		{"padding is not in the protocol", []*Model{fake(0, 0.2, 0, 1), padding}, 0},
		{"what diverged is out", []*Model{fake(0, math.Inf(1), 0, 0), fake(1, 3, 0, 3)}, 1},
		{"nothing but the baseline", nil, 9},
	} {
		if got := byRank(append(c.models, baseline)); got.ID != c.want {
			t.Errorf("%s: chose %d, want %d", c.name, got.ID, c.want)
		}
	}
}

func TestByValidationAndCriterion(t *testing.T) {
	baseline := fake(9, 0.5, 100, 0)
	baseline.Baseline = true
	models := []*Model{fake(0, 0.3, -10, 1), fake(1, 0.2, -5, 2), fake(2, 0.9, -99, 1), baseline}
	if got := byValidation(models); got.ID != 1 {
		t.Errorf("by validation: chose %d, want 1", got.ID)
	}
	if got := byCriterion(&problem{data: make([]fit.Data, 1)}, models, 0); got.ID != 0 {
		t.Errorf("by criterion: chose %d, want 0 (2 validates worse than the line)", got.ID)
	}
}

// TestLosesToTheLine has a formula whose mean square is 1.7 standard errors above that of the line: the
// line without some terms may be so by chance, another formula may not.
func TestLosesToTheLine(t *testing.T) {
	var line, formula TargetModel
	for range 50 {
		line.errors = append(line.errors, 1, 1)
		formula.errors = append(formula.errors, math.Sqrt(2.4), 0)
	}
	if !formula.loses(line) {
		t.Error("a formula that validates worse does not lose")
	}
	formula.law = new(distill.Law) // without units
	if formula.loses(line) {
		t.Error("a shorter line loses by chance")
	}
	for i := range formula.errors {
		formula.errors[i] += 0.5
	}
	if !formula.loses(line) {
		t.Error("a shorter line never loses")
	}
}

func TestFront(t *testing.T) {
	r := &Result{Models: []*Model{fake(0, 0.5, 0, 1), fake(1, 0.4, 0, 3), fake(2, 0.45, 0, 4), fake(3, 0.1, 0, 7),
		fake(4, 0.6, 0, 1), fake(5, math.Inf(1), 0, 0)}}
	var ids []int
	for _, m := range r.Front(0) {
		ids = append(ids, m.ID)
	}
	if !reflect.DeepEqual(ids, []int{0, 1, 3}) {
		t.Errorf("front %v, want [0 1 3]", ids)
	}
}

// Of formulas that the criterion cannot tell apart the shortest is chosen, whatever their order.
func TestByCriterionPrefersShort(t *testing.T) {
	of := func(complexity int, criterion float64) *Model {
		return &Model{Targets: []TargetModel{{
			Formula: formula.Var("a"), Complexity: complexity, Criterion: criterion,
			errors: []float64{0, 0}, law: &distill.Law{},
		}}}
	}
	long, short, worse := of(17, -100), of(16, -100+0.9*indistinct), of(5, -100+1.1*indistinct)
	line := of(3, 50)
	line.Targets[0].errors = []float64{1, 1}
	line.Baseline = true
	for _, models := range [][]*Model{{long, short, worse, line}, {worse, short, long, line}} {
		if got := byCriterion(&problem{data: make([]fit.Data, 1)}, models, 0); got != short {
			t.Errorf("chose the formula of complexity %d", got.Targets[0].Complexity)
		}
	}
	if got := byCriterion(&problem{data: make([]fit.Data, 1)}, []*Model{of(4, math.Inf(1)), line}, 0); got != line {
		t.Error("a formula without a finite criterion was chosen")
	}
}

// A formula that meets the rows to the last digit is chosen before one that has fewer constants and errors below the
// floor of the criterion, which is no rival of it either.
func TestExactFormulasAreChosen(t *testing.T) {
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i] = float64(i)/20 - 1
		y[i] = x[i] + 1e-7*x[i]*x[i]
	}
	data, err := datasets.New([]string{"x", "y"}, [][]float64{x, y})
	if err != nil {
		t.Fatal(err)
	}
	s := short()
	s.Split = 0
	p, err := newProblem(Task{Inputs: []string{"x"}, Targets: []string{"y"}, Data: data}, s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	composed := func(text string) *Model {
		law, err := distill.Compose(formula.MustParse(text), []string{"x"}, s.Units)
		if err != nil {
			t.Fatal(err)
		}
		m := &Model{Greedy: true, Targets: make([]TargetModel, 1)}
		p.setLaw(&m.Targets[0], law, 0)
		return m
	}
	near, law := composed("x"), composed("x + 1e-7*x^2")
	if near.Targets[0].exact || !law.Targets[0].exact || near.Targets[0].Criterion >= law.Targets[0].Criterion {
		for _, m := range []*Model{near, law} {
			t.Errorf("%s is exact: %v; criterion %g", m.Targets[0].Formula, m.Targets[0].exact, m.Targets[0].Criterion)
		}
		return
	}
	models := []*Model{near, law, r.baseline()}
	if got := byCriterion(p, models, 0); got != law {
		t.Errorf("chose %v", got.Targets[0].Formula)
	}
	if gap := r.gap(models, law.Targets[0], &tested{}, 0, 0); !math.IsInf(gap, 1) {
		t.Errorf("a formula that is not exact is a rival, with a gap of %g", gap)
	}
	r.greedy = near
	if !r.takeFound(&r.greedy.Targets[0], []*distill.Law{law.Targets[0].law}, 0) {
		t.Error("an exact law that was found is not taken")
	}
}

// TestFewRowsDoNotDecide has a longer formula that is better in cross-validation, by one row or by many, and worse on
// all rows.
func TestFewRowsDoNotDecide(t *testing.T) {
	const rows = 90
	model := func(text string, criterion, ofAllRows float64, far int) *Model {
		law, err := distill.Compose(formula.MustParse(text), []string{"x"}, run.Quick(rows, 1).Units)
		if err != nil {
			t.Fatal(err)
		}
		target := TargetModel{
			Formula: formula.MustParse(text), Complexity: 9, Criterion: criterion, ofAllRows: ofAllRows, law: law,
		}
		for i := range rows {
			e := 0.01
			if i < far {
				e = 0.05
			}
			target.errors = append(target.errors, e)
		}
		return &Model{Targets: []TargetModel{target}}
	}
	long := model("0.7 + 45*sigmoid(0.5 - 1.3*x)", -744, -797, 0)
	line := model("x", 0, 0, rows)
	line.Baseline = true
	folds := &problem{data: make([]fit.Data, 1), folds: [][]int{{0}}}
	for _, c := range []struct {
		name string
		p    *problem
		than *Model
		want bool // in place of the long one
	}{
		{"one row", folds, model("0.7 + 2*exp(-1.2*x)", -730, -803, 1), true},
		{"many rows", folds, model("0.7 + 2*exp(-1.2*x)", -730, -803, 30), false},
		{"worse on all rows, too", folds, model("0.7 + 2*exp(-1.2*x)", -730, -796, 1), false},
		{"more constants", folds, model("0.7 + 45*sigmoid(0.5 - 1.3*x) + 0.1*exp(x)", -730, -803, 1), false},
		{"rows are held out", &problem{data: make([]fit.Data, 1)}, model("0.7 + 2*exp(-1.2*x)", -730, -803, 1), false},
	} {
		want := long
		if c.want {
			want = c.than
		}
		if got := byCriterion(c.p, []*Model{c.than, long, line}, 0); got != want {
			t.Errorf("%s: chose %s", c.name, got.Targets[0].Formula)
		}
	}
}
