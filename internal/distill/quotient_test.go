package distill

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// positive is like sample with inputs from low to high.
func positive(rows int, names []string, low, high float64, truth string, noise float64) fit.Data {
	d := sample(5, rows, names, "0", noise)
	for _, col := range d.X {
		for i, x := range col {
			col[i] = (low+high)/2 + x*(high-low)/2
		}
	}
	y := valuesOf(truth, names, d)
	spread := fit.StandardDeviation(y)
	for i := range y {
		d.Y[i] = y[i] + d.Y[i]*spread
	}
	return d
}

func valuesOf(truth string, names []string, d fit.Data) []float64 {
	p, err := formula.Compile(formula.MustParse(truth), names)
	if err != nil {
		panic(err)
	}
	y := make([]float64, d.Rows())
	p.EvalColumns(y, d.X)
	return y
}

// planted is a law with inputs from low to high, and the constants it may take to find it.
type planted struct {
	name, truth string
	inputs      int
	low, high   float64
	constants   int
}

// check grows a law from 600 rows with noise of 1 % of the target's spread.
func (c planted) check(t *testing.T, g Growth) *Law {
	l := g.Greedy(c.data())
	if wrong := c.wrong(l); wrong != "" {
		t.Errorf("%s: %s", wrong, l.Expr(x4, nil, model.Scale{}, formula.Simplify))
	}
	return l
}

const plantedNoise = 0.01

func (c planted) data() fit.Data {
	return positive(600, x4[:c.inputs], c.low, c.high, c.truth, plantedNoise)
}

// wrong returns what tells a law from the planted one: its constants, its functions, or its errors without the noise. A
// right law errs by the noise·√(constants/rows) on the data, about a tenth of it. In the box of one and a half times
// the size that grows a few times, to less than the 3 % of the spread that a law may be off; an imitation as good on
// the data exceeds it.
func (c planted) wrong(l *Law) string {
	d := c.data()
	far := fit.Data{X: Stretched(d.X, 1.5), Y: d.Y}
	near, beyond := c.error(l, d), c.error(l, far)
	has, want := functionsOf(l.Expr(x4, nil, model.Scale{}, formula.Simplify)),
		functionsOf(formula.Simplify(formula.MustParse(c.truth)))
	switch {
	case l.Params() > c.constants:
		return fmt.Sprintf("%d constants, want %d", l.Params(), c.constants)
	case !(near < plantedNoise/5):
		return fmt.Sprintf("error %.2g of the spread on the data", near)
	case !(beyond < 0.03):
		return fmt.Sprintf("error %.2g of the spread beyond the data", beyond)
	case has != want:
		return fmt.Sprintf("functions %q, want %q", has, want)
	}
	return ""
}

// error returns the RMS difference between a law's formula and the truth on those of some rows where that is finite, in
// spreads of the truth.
func (c planted) error(l *Law, d fit.Data) float64 {
	var rows []int
	for i, y := range valuesOf(c.truth, x4[:c.inputs], d) {
		if finite([]float64{y}) {
			rows = append(rows, i)
		}
	}
	d = d.Take(rows)
	truth := valuesOf(c.truth, x4[:c.inputs], d)
	values := valuesOf(l.Expr(x4, nil, model.Scale{}, formula.Simplify).String(), x4[:c.inputs], d)
	return floats.Distance(values, truth, 2) / math.Sqrt(float64(d.Rows())) / fit.StandardDeviation(truth)
}

// functionsOf names the functions in a formula; sines and cosines differ by a phase.
func functionsOf(e formula.Expr) string {
	text := strings.ReplaceAll(e.String(), "cos(", "sin(")
	var names []string
	for _, name := range []string{"sin(", "exp(", "log(", "sigmoid(", "tanh("} {
		if strings.Contains(text, name) {
			names = append(names, strings.TrimSuffix(name, "("))
		}
	}
	return strings.Join(names, " ")
}

// TestPlantedRefusesImitations gives laws that were grown once, as good as the truth on data with noise and wrong
// beyond.
func TestPlantedRefusesImitations(t *testing.T) {
	bose := planted{"Bose", "1/(exp(0.8*x1) - 1)", 1, 1, 4, 3}
	f := &form{inputs: 1}
	log, over := f.function(model.Log, termOf(1, 0)), f.function(model.Reciprocal, termOf(1, 0))
	f.out = termOf(1.198, over, f.function(model.Exp, termOf(-0.07158, 0, log).plus(termOf(-0.07158*5.344, 0), 1)))
	imitation := Fit(lawOf(t, f), bose.data())
	if e := bose.error(imitation, bose.data()); imitation.Params() > bose.constants || !(e < plantedNoise/2) {
		t.Fatalf("an error of %.2g with %d constants: no imitation", e, imitation.Params())
	}
	if bose.wrong(imitation) == "" {
		t.Errorf("accepted: %s", imitation.Expr(x4, nil, model.Scale{}, formula.Simplify))
	}
	g := &form{inputs: 1}
	g.out = termOf(1, g.function(model.Reciprocal, number(-1).plus(termOf(1, g.function(model.Exp, termOf(0.81, 0))), 1)))
	if wrong := bose.wrong(Fit(lawOf(t, g), bose.data())); wrong != "" {
		t.Errorf("the truth is refused: %s", wrong)
	}
	decay := planted{"decay", "2.5*exp(-0.8*x1)", 1, 0, 0.3, 3} // a parabola is as good within
	square := &form{inputs: 1}
	square.out = number(2.5).plus(termOf(-2, 0), 1).plus(termOf(0.7, 0, 0), 1)
	if decay.wrong(Fit(lawOf(t, square), decay.data())) == "" {
		t.Error("a parabola is accepted as an exponential")
	}
}

// TestGreedyFindsQuotients grows laws with divisions on data with noise of 1 % of the target's spread.
func TestGreedyFindsQuotients(t *testing.T) {
	laws := []planted{
		{"saturation", "2.5*x1/(0.8 + x1)", 1, 0, 5, 2},
		{"inhibition", "3.2*x1/(1.5 + 0.75*x2 + x1)", 2, 0, 5, 3},
		{"a lens", "x1*x2/(x2 + x3*x1)", 3, 1, 5, 2},
		{"a centre of mass", "(x1*x3 + x2*x4)/(x1 + x2)", 4, 1, 5, 3},
		{"resonance", "1/((x1^2 - 1)^2 + 0.3*x2^2)", 2, 0.5, 2, 4},
		{"an inverse square", "x1*x2/(x3*x4^2)", 4, 1, 5, 1},
		{"the velocities of Einstein", "(x1 + x2)/(1 + x1*x2)", 2, 0, 0.9, 3},
		{"a wave over a polynomial", "sin(pi*x1)/(1 + x2^2)", 2, -1, 1, 3},
		{"a sum with a quotient", "sin(2*x1) + 1/(1 + x2^2)", 2, -2, 2, 4},
	}
	for _, c := range laws[:lawsTested(len(laws))] {
		t.Run(c.name, func(t *testing.T) {
			if l := c.check(t, growth); !l.has(model.Reciprocal) {
				t.Error("there is no division in it")
			}
		})
	}
}

// TestNoQuotientsWithoutReciprocals keeps to the units that are allowed.
func TestNoQuotientsWithoutReciprocals(t *testing.T) {
	d := positive(300, x4[:1], 0, 5, "2.5*x1/(0.8 + x1)", 0.01)
	for _, units := range [][]model.Unit{{model.Sin, model.Product}, {model.Sin, model.Reciprocal}} {
		if l := (Growth{Units: units, Work: 1e9}).Greedy(d); l.has(model.Reciprocal) {
			t.Errorf("with %v: %s", units, l.Expr(x4, nil, model.Scale{}, formula.Simplify))
		}
	}
}

// TestQuotientsCancel takes out what all monomials share.
func TestQuotientsCancel(t *testing.T) {
	q := quotient{
		p: []monomial{{factors: []int{0, 0, 1}}}, q: []monomial{{factors: []int{0}}, {factors: []int{0, 0, 1}}},
		lead: 1, columns: []int{0, 2}, weights: []float64{2, -3},
	}
	l, _ := q.addedTo(&form{inputs: 2}).law()
	got := l.Expr(x4, nil, model.Scale{}, formula.Simplify).String()
	if got != "0.6666666666666666*x1*x2/(x1*x2 + 0.3333333333333333)" {
		t.Errorf("2·x1²·x2/(x1 + 3·x1²·x2) is written as %s", got)
	}
}

// TestDivided does one step of a division, which does not change the function.
func TestDivided(t *testing.T) {
	d := sample(1, 100, x4[:2], "(2*x1*x2^2 + x1)/(3 + 0.5*x2^2)", 0)
	q := quotient{
		p: []monomial{{factors: []int{0}}, {factors: []int{0, 1, 1}}}, q: []monomial{{}, {factors: []int{1, 1}}},
		lead: 2, columns: []int{0, 1, 3}, weights: []float64{1. / 3, 2. / 3, -1. / 6},
	}
	list := q.addedTo(&form{inputs: 2}).divided()
	if len(list) != 1 {
		t.Fatalf("%d ways, want one", len(list))
	}
	if l := lawOf(t, list[0]); l.SSE(d) > 1e-20 || l.Params() != 3 {
		t.Errorf("SSE %g with %d constants, want 0 with 3: %s",
			l.SSE(d), l.Params(), l.Expr(x4, nil, model.Scale{}, formula.Simplify))
	}
}

// reciprocalLaw is w·x1/(c + x2) of two inputs.
func reciprocalLaw(w, c float64) *Law {
	l := &Law{inputs: 2}
	r := l.add(model.Reciprocal, []affine{{terms: []term{{1, 2}}, bias: 2 * c}})
	l.out = constant(0).plus(l.add(model.Product, []affine{source(0), r}), 2*w)
	return l
}

// The scale of a denominator is no constant, and the function stays what it is.
func TestCanonicalDenominator(t *testing.T) {
	l := reciprocalLaw(3, 1.5)
	d := sample(1, 100, x4[:2], "3*x1/(1.5 + x2)", 0)
	if e := l.canonical().SSE(d); e > 1e-20 || l.canonical().Params() != 2 {
		t.Errorf("canonical: SSE %g with %d constants, want 0 with 2", e, l.canonical().Params())
	}
	if fitted := Fit(reciprocalLaw(1, 2), d); fitted.SSE(d) > 1e-15 {
		t.Errorf("fitted from elsewhere: SSE %g, want 0", fitted.SSE(d))
	}
}

// The doubt about a law is asked for where it has a value, on the data's side of its poles.
func TestBeforePoles(t *testing.T) {
	l := reciprocalLaw(1, 1.5)
	d := fit.Data{X: [][]float64{{1, 1, 1}, {-1, 0, 1}}, Y: make([]float64, 3)} // denominators are 0.5, 1.5, 2.5
	got := l.canonical().BeforePoles(d, [][]float64{{2, 2, 2}, {-1.3, -1.2, 4}})
	if got.Rows() != 2 || got.X[1][0] != -1.2 || got.X[1][1] != 4 {
		t.Errorf("kept %v, want the rows with denominators of 0.3 and 5.5, not that with 0.2", got.X)
	}
	if plain := Linear(d).BeforePoles(d, d.X); plain.Rows() != 3 {
		t.Errorf("a law without a denominator keeps %d of 3 rows", plain.Rows())
	}
	x := Extrapolate(Fit(reciprocalLaw(1, 1.5), sample(1, 300, x4[:2], "x1/(1.5 + x2)", 0.01)),
		sample(1, 300, x4[:2], "x1/(1.5 + x2)", 0.01))
	if x.Fails() || !(x.Doubt < 0.1) {
		t.Errorf("of the right law: ratio %g of %g, doubt %g", x.Ratio, x.Limit, x.Doubt)
	}
}

func BenchmarkQuotient(b *testing.B) {
	d := positive(1000, x4, 1, 5, "(x1*x3 + x2*x4)/(x1 + x2)", 0.01)
	gr := growth.on(d, true)
	for b.Loop() {
		gr.budget.spent = 0
		if _, _, ok := gr.quotient(&form{inputs: 4}); !ok {
			b.Fatal("no quotient")
		}
	}
}

// Where a pole is follows from the constants, and is open when they are.
func TestVaguePole(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, c := range []struct {
		name  string
		rows  int
		noise float64
		want  bool
	}{
		{"many rows", 300, 0.01, false},
		{"few rows of much noise", 30, 1, true},
	} {
		d := sample(1, c.rows, x4[:2], "x1/(1.5 + x2)", c.noise)
		if got := Fit(reciprocalLaw(1, 1.5), d).VaguePole(d); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
	root := positive(100, x4[:1], 0, 4, "2*x1^1.3", 0.01)
	root.X[0][0], root.Y[0] = 0, 0
	if l := withExp.Greedy(root); l.VaguePole(root) || !l.has(model.Log) {
		t.Error("the end of a power of an input is vague, or there is no power")
	}
	if d := sample(1, 30, x4[:2], "x1 - x2", 1); Linear(d).VaguePole(d) {
		t.Error("the pole of a straight line is vague")
	}
}
