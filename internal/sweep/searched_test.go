package sweep

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// What neither networks nor growth find, the general search does, from halves of the rows too.
func TestGeneralSearch(t *testing.T) {
	slow(t)
	s := short()
	s.Extend = 1
	tried := false
	c := mustRun(t, saturating(t), s, Options{Observe: func(e Event) {
		tried = tried || strings.HasPrefix(e.Phase, "searching: ")
	}}).Chosen[0]
	if !formula.Equal(c.Formula, formula.Simplify(formula.MustParse("m*tanh(b*m/k)"))) || c.Evidence.Level != Holds {
		t.Errorf("%s, %s", c.Formula, c.Evidence.Sentence())
	}
	if !tried {
		t.Error("the observer was not told what the search tries")
	}
}

// A run without further rounds looks for nothing beyond its grid.
func TestGeneralSearchIsAsked(t *testing.T) {
	r := &runner{settings: short()}
	if asked, _ := r.searchOn(context.Background(), &Result{Chosen: make([]Choice, 1)}); asked {
		t.Error("the search was asked in a run without further rounds")
	}
}

// The time limit ends the searches: of one that it cuts counts what was found by then, and no other is asked.
func TestGeneralSearchKeepsToTheLimit(t *testing.T) {
	s := short()
	s.Extend = 1
	tk := saturating(t)
	p, err := newProblem(tk, s)
	if err != nil {
		t.Fatal(err)
	}
	almost := func() time.Duration { return time.Second - time.Millisecond }
	r := newRunner(p, s, Options{TimeLimit: time.Second, Elapsed: almost})
	r.greedy = r.baseline()
	unsettled := Choice{Target: tk.Targets[0], Evidence: &Evidence{Verdict: Verdict{Level: Fails}}}
	if asked, _ := r.searchOn(context.Background(), &Result{Chosen: []Choice{unsettled}}); asked {
		t.Error("another search is to be asked after the limit")
	}
}

// TestFoundFormulaStays: a formula that is found in the units of the table is one there again, once it has been fitted
// as a law of scaled inputs. Its factors are not counted from other values than 0, and what is squared is one factor.
func TestFoundFormulaStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	cols := make([][]float64, 3)
	for range 600 {
		v, w := 10+10*rng.Float64(), 30+20*rng.Float64()
		square := v * v / (w * w)
		y := 4.19 * square * square / ((1 - square) * (1 - square)) * (1 + 0.001*rng.NormFloat64())
		for j, x := range []float64{v, w, y} {
			cols[j] = append(cols[j], x)
		}
	}
	data, err := datasets.New([]string{"v", "w", "y"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProblem(Task{Inputs: []string{"v", "w"}, Targets: []string{"y"}, Data: data}, short())
	if err != nil {
		t.Fatal(err)
	}
	if p.inScale[0].Identity() || p.inScale[1].Identity() {
		t.Fatal("the inputs are not scaled, so nothing is tested")
	}
	r := newRunner(p, short(), Options{})
	_, values := unscaled(p.target(0).X, p.scalesFromOrigins())
	found := formula.Substitute(formula.MustParse("4.2*v^4/(w^4*(1 - v^2/w^2)^2)"),
		map[string]formula.Expr{"v": values[0], "w": values[1]})
	laws := r.lawsOf([]formula.Expr{scaledBy(p.scaleOf(2), found)}, p.target(0))
	if len(laws) != 1 {
		t.Fatalf("%d laws, want 1", len(laws))
	}
	var m TargetModel
	p.setLaw(&m, laws[0], 0)
	for _, c := range formula.Constants(m.Formula) {
		if math.Abs(c-4.19) > 0.05 && math.Abs(math.Abs(c)-1) > 0.01 {
			t.Errorf("%s: the constant %g is none of the law's", m.Formula, c)
		}
	}
	if most := 2; laws[0].Params() > most {
		t.Errorf("%s has %d constants, want at most %d", m.Formula, laws[0].Params(), most)
	}
}

// saturating returns a task whose law neither networks nor growth find.
func saturating(t *testing.T) Task {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	names, cols := []string{"m", "b", "k", "y"}, make([][]float64, 4)
	for range 300 {
		row := []float64{1 + 4*rng.Float64(), 1 + 4*rng.Float64(), 1 + 4*rng.Float64(), 0}
		row[3] = row[0]*math.Tanh(row[0]*row[1]/row[2]) + 0.01*rng.NormFloat64()
		for j, x := range row {
			cols[j] = append(cols[j], x)
		}
	}
	data, err := datasets.New(names, cols)
	if err != nil {
		t.Fatal(err)
	}
	return Task{Inputs: names[:3], Targets: names[3:], Data: data}
}

// An interrupt ends the search in halves of the rows, which then says nothing.
func TestHalvesAreInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	s := short()
	tk := saturating(t)
	p, err := newProblem(tk, s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	r.ctx = ctx
	r.foundBy[0] = func(ctx context.Context, _ fit.Data, _ int) []*distill.Law {
		cancel()
		if ctx.Err() == nil {
			t.Error("the search is not told of the interrupt")
		}
		return nil
	}
	if got := r.halves(distill.Linear(p.target(0)), &Evidence{}, 0); got != evidence.NotAsked || r.ofHalves[0] != nil {
		t.Errorf("halves answered %q, and keep what was found: %v", got, r.ofHalves[0] != nil)
	}
}

// The general search sees the target of the table, not what is left of it after the shift of its scale: a product is
// one in the table alone.
func TestGeneralSearchUndoesShifts(t *testing.T) {
	slow(t)
	x, y := make([]float64, 44), make([]float64, 44)
	for i := range x {
		x[i] = 1 + 4*(float64(i)+0.3)/44
		y[i] = 0.49 * x[i] * x[i] * math.Asin(1/(x[i]*x[i])) * math.Atan(x[i])
	}
	data, err := datasets.New([]string{"x", "y"}, [][]float64{x, y})
	if err != nil {
		t.Fatal(err)
	}
	s := run.Quick(len(x), 1)
	p, err := newProblem(Task{Inputs: []string{"x"}, Targets: []string{"y"}, Data: data}, s)
	if err != nil {
		t.Fatal(err)
	}
	if p.scaleOf(1).Shift == 0 {
		t.Fatal("the target is not shifted")
	}
	laws := newRunner(p, s, Options{}).generalSearch(context.Background(), p.target(0), 0)
	if len(laws) == 0 || !(laws[0].SSE(p.target(0)) < 1e-20) || laws[0].Params() > 4 {
		for _, l := range laws {
			t.Errorf("found %v, %d constants, sum of squares %g",
				p.written(l, 0, formula.Simplify), l.Params(), l.SSE(p.target(0)))
		}
	}
}

// A standard form of few rows settles, and the general search is asked all the same.
func TestSettledFormsAreSearchedOn(t *testing.T) {
	slow(t)
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i] = 3 * math.Mod(0.07+0.618*float64(i), 1)
		y[i] = math.Min(x[i], math.Pow(x[i], 1.5))
	}
	data, err := datasets.New([]string{"x", "y"}, [][]float64{x, y})
	if err != nil {
		t.Fatal(err)
	}
	s := short()
	s.Extend, s.Split = 1, 0
	p, err := newProblem(Task{Inputs: []string{"x"}, Targets: []string{"y"}, Data: data}, s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	r.greedy = r.baseline()
	e := &Evidence{Verdict: Verdict{Level: Uncertain, Kind: TooFew}, Support: Support{Form: "parabola"},
		Fitted:    formula.MustParse("1.18*x^2"),
		Constants: []evidence.Constant{{Value: 1.18, Snapped: 1.18}}}
	if !settled(e) {
		t.Fatal("the form does not settle")
	}
	res := &Result{Chosen: []Choice{{Target: "y", Evidence: e}}}
	if _, changed := r.searchOn(context.Background(), res); !changed ||
		!(r.greedy.Targets[0].law.SSE(p.target(0)) < 1e-20) {
		t.Errorf("the search changed anything: %v, the law: %v", changed, r.greedy.Targets[0].Formula)
	}
	e.Exact = true
	if asked, _ := r.searchOn(context.Background(), res); asked {
		t.Error("the search was asked for an exact formula")
	}
}

// What is found takes the place of a grown formula that nobody could read, and is among the short ones in any case.
func TestFoundLawsAreChosenFrom(t *testing.T) {
	s := short()
	p, err := newProblem(saturating(t), s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	r.greedy = r.baseline()
	line, found := r.greedy.Targets[0], distill.Linear(p.target(0))
	for _, c := range []struct {
		nodes int
		taken bool
	}{{readable, false}, {readable + 1, true}} {
		r.greedy.Targets[0] = line
		r.greedy.Targets[0].Complexity, r.greedy.Targets[0].Criterion = c.nodes, -1e9
		r.replaced[0] = nil
		if taken := r.takeFound(&r.greedy.Targets[0], []*distill.Law{found}, 0); taken != c.taken {
			t.Errorf("in the place of a formula of %d nodes: %v, want %v", c.nodes, taken, c.taken)
		}
	}
	r.replaced[0], r.work = []TargetModel{line}, 1
	pool := r.short(nil, 0, comfortable, func(TargetModel) bool { return false })
	if !slices.ContainsFunc(pool, func(t TargetModel) bool { return t.law == line.law }) {
		t.Error("a rival is not among the short formulas")
	}
}

// What the verdict would contradict does not end a search: of a target with a pole nearly all rows are near zero, and
// a surrogate finds nothing in what any formula with a pole there leaves.
func TestStructureKeepsTheSearchGoing(t *testing.T) {
	slow(t)
	rng := rand.New(rand.NewPCG(7, 1))
	cols := make([][]float64, 3)
	for range 20 {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		for j, v := range []float64{a, b, math.Pow(a, 5) / (b * b * b)} {
			cols[j] = append(cols[j], v)
		}
	}
	findsExactly(t, cols, "a", "b", "y")
}

// findsExactly checks that the general search finds the law of a table without noise, whose last column is the target.
func findsExactly(t *testing.T, cols [][]float64, names ...string) {
	t.Helper()
	p, s := problemOf(t, cols, names...)
	laws := newRunner(p, s, Options{}).generalSearch(context.Background(), p.target(0), 0)
	if len(laws) == 0 || !(laws[0].SSE(p.target(0)) < 1e-20) {
		t.Errorf("found %d laws, none of them exact", len(laws))
	}
}

// problemOf is the problem of a table with the settings of preset quick.
func problemOf(t *testing.T, cols [][]float64, names ...string) (*problem, Settings) {
	t.Helper()
	data, err := datasets.New(names, cols)
	if err != nil {
		t.Fatal(err)
	}
	inputs := len(names) - 1
	s := run.Quick(len(cols[0]), inputs)
	p, err := newProblem(Task{Inputs: names[:inputs], Targets: names[inputs:], Data: data}, s)
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

// Nor does what all rows of the table contradict, those of validation too: tanh in the place of a kink leaves no
// structure in those that it is fitted to.
func TestAllRowsKeepTheSearchGoing(t *testing.T) {
	slow(t)
	rng := rand.New(rand.NewPCG(1, 1))
	cols := make([][]float64, 2)
	for range 20 {
		x := 3 * rng.Float64()
		cols[0], cols[1] = append(cols[0], x), append(cols[1], min(x, math.Pow(x, 1.5)))
	}
	findsExactly(t, cols, "x", "y")
}

// In a half of the rows the search ends with a quotient that leaves nothing there. The law is better on that half, and
// found when the search goes on.
func TestHalvesAreSearchedAgain(t *testing.T) {
	slower(t)
	rng := rand.New(rand.NewPCG(56, 1))
	cols := make([][]float64, 3)
	for range 500 {
		a, b := 4*rng.Float64()-2, 0.5+1.5*rng.Float64()
		for j, v := range []float64{a, b, a*b*math.Sinh(b) + 0.03*rng.NormFloat64()} {
			cols[j] = append(cols[j], v)
		}
	}
	p, s := problemOf(t, cols, "a", "b", "y")
	r := newRunner(p, s, Options{})
	r.foundBy[0] = r.briefSearch
	law, err := distill.Compose(p.inScaledUnits(formula.MustParse("a*b*sinh(b)"), 0), p.inputs, s.Units)
	if err != nil {
		t.Fatal(err)
	}
	e := &Evidence{Fitted: formula.MustParse("0.99*a*b*sinh(1.01*b)")}
	e.Constants = []evidence.Constant{{Value: 0.99, Snapped: 1}, {Value: 1.01, Snapped: 1}}
	if got := r.halves(law, e, 0); got != evidence.Yes {
		t.Errorf("the halves say %q", got)
	}
	again := false
	for _, half := range r.ofHalves[0] {
		again = again || half.again
	}
	if !again {
		t.Error("no half was searched again")
	}
}

// TestShorterAndAlike keeps a formula where neither its criterion nor the validation rows tell it from a longer one.
func TestShorterAndAlike(t *testing.T) {
	longer := TargetModel{Criterion: -100, Complexity: 16, errors: []float64{1, -1.1, 0.9, -1}}
	for _, c := range []struct {
		name string
		t    TargetModel
		want bool
	}{
		{"alike", TargetModel{Criterion: -99, Complexity: 8, errors: []float64{1.1, -1, 1, -0.9}}, true},
		{"as long", TargetModel{Criterion: -99, Complexity: 16, errors: []float64{1.1, -1, 1, -0.9}}, false},
		{"worse by the criterion", TargetModel{Criterion: -97, Complexity: 8, errors: []float64{1.1, -1, 1, -0.9}}, false},
		{"worse on validation rows", TargetModel{Criterion: -99, Complexity: 1, errors: []float64{3, -3.3, 3, -3}}, false},
	} {
		if got := c.t.shorterAndAlike(longer); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
