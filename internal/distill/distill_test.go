package distill

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/gradcheck"
	"github.com/eqlearner/eql/model"
)

var units = []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Tanh}

// randomNetwork returns a network with random weights, a third of them zero.
func randomNetwork(seed uint64, a model.Arch) *model.Network {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := model.New(a)
	for _, m := range n.Weights {
		for i := range m.W {
			if rng.IntN(3) > 0 {
				m.W[i] = rng.NormFloat64()
			}
		}
	}
	return n
}

// sample draws rows uniformly from [−1, 1] and computes the target from a formula, with noise.
func sample(seed uint64, rows int, names []string, truth string, noise float64) fit.Data {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := fit.Data{Y: make([]float64, rows)}
	for range names {
		col := make([]float64, rows)
		for i := range col {
			col[i] = 2*rng.Float64() - 1
		}
		d.X = append(d.X, col)
	}
	p, err := formula.Compile(formula.MustParse(truth), names)
	if err != nil {
		panic(err)
	}
	p.EvalColumns(d.Y, d.X)
	for i := range d.Y {
		d.Y[i] += noise * rng.NormFloat64()
	}
	return d
}

var long = flag.Bool("long", false, "all laws of the tests that search for many; .ci/run asks for them")

// lawsTested returns how many of n laws are searched for.
func lawsTested(n int) int {
	if *long {
		return n
	}
	return min(n, 1)
}

// inShort returns how many of n slow cases are tested: with -short some of them.
func inShort(n, short int) int {
	if testing.Short() {
		return min(n, short)
	}
	return n
}

var x4 = []string{"x1", "x2", "x3", "x4"}

// law reads a law from a network given by its rows: weights of the first layer, then read-out.
func networkLaw(inputs int, layer model.Layer, rows ...[]float64) *Law {
	n := model.New(model.Arch{Inputs: inputs, Outputs: 1, Hidden: []model.Layer{layer}})
	for r, row := range rows[:len(rows)-1] {
		copy(n.Weights[0].Row(r), row)
	}
	copy(n.Weights[1].Row(0), rows[len(rows)-1])
	return Read(n, 0)
}

func maxDifference(a, b []float64) float64 {
	worst := 0.0
	for i := range a {
		worst = math.Max(worst, math.Abs(a[i]-b[i])/(1+math.Abs(b[i])))
	}
	return worst
}

// TestReadAndCanonicalKeepTheFunction holds laws to the networks they are read from, before and
// after they are rewritten.
func TestReadAndCanonicalKeepTheFunction(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	for _, a := range []model.Arch{
		model.Uniform(3, 2, 2, 2, 2, units),
		model.Uniform(2, 1, 3, 1, 2, units),
		model.Uniform(2, 1, 4, 1, 1, units),
		{Inputs: 2, Outputs: 1},
	} {
		for seed := range uint64(20) {
			n := randomNetwork(seed, a)
			d := sample(seed, 50, x4[:a.Inputs], "0", 0)
			for o := range a.Outputs {
				want := n.Predict(d.X)[o]
				l := Read(n, o)
				// Some hundred roundings of numbers up to 1e3 and the exact identities of sines.
				if diff := maxDifference(l.Predict(d.X, 50), want); !(diff < 1e-11) {
					t.Errorf("%s, seed %d: the law differs from the network by %g", a, seed, diff)
				}
				if diff := maxDifference(l.canonical().Predict(d.X, 50), want); !(diff < 1e-10) {
					t.Errorf("%s, seed %d: the canonical law differs by %g", a, seed, diff)
				}
				e := l.Expr(x4[:a.Inputs], nil, model.Scale{}, formula.Simplify)
				p, err := formula.Compile(e, x4[:a.Inputs])
				if err != nil {
					t.Fatal(err)
				}
				got := make([]float64, 50)
				p.EvalColumns(got, d.X)
				if diff := maxDifference(got, want); !(diff < 1e-9) {
					t.Errorf("%s, seed %d: the formula differs by %g", a, seed, diff)
				}
			}
		}
	}
}

// TestEveryUnitIsEvaluated holds the evaluator to the table of units.
func TestEveryUnitIsEvaluated(t *testing.T) {
	for _, u := range model.LawUnits() {
		if u == model.Identity {
			continue // dissolves
		}
		l := &Law{inputs: 2, units: []unit{{u, []affine{source(0), source(1)}[:u.Arity()]}}, out: source(2)}
		x := [][]float64{{0.7, -2, 3}, {1.5, 0.25, -1}}
		if u == model.Log {
			x[0][1] = 2
		}
		if u == model.Asin {
			x[0] = []float64{0.7, -0.2, 0.3}
		}
		e := newEvaluator(l)
		for i, got := range e.forward(x, 0, 3) {
			want := u.Value(x[0][i], x[1][i])
			slope, _ := u.Derivative(x[0][i], x[1][i])
			// Kernels are good to a few units in the last place of numbers of size one.
			if !(math.Abs(got-want) < 1e-14) || u.Arity() == 1 && !(math.Abs(e.slopes[0][i]-slope) < 1e-14) {
				t.Errorf("%s(%g, %g) = %g with slope %g, want %g, %g", u, x[0][i], x[1][i], got, e.slopes[0][i], want, slope)
			}
		}
	}
}

func TestLinearUnitsDissolve(t *testing.T) {
	n := model.New(model.Uniform(3, 1, 3, 2, 2, []model.Unit{model.Identity}))
	rng := rand.New(rand.NewPCG(1, 1))
	for _, m := range n.Weights {
		for r := range m.Rows {
			for k := range m.Row(r) {
				m.Row(r)[k] = rng.NormFloat64()
			}
		}
	}
	for _, m := range n.Weights[:2] { // products with a constant factor
		clear(m.Row(1)[:m.Cols])
		clear(m.Row(2)[:m.Cols])
	}
	l := Read(n, 0)
	if len(l.units) != 0 || len(l.out.terms) != 3 {
		t.Errorf("%d units and %d terms are left of a linear network, want 0 and 3", len(l.units), len(l.out.terms))
	}
}

func TestCanonicalPhases(t *testing.T) {
	for _, c := range []struct {
		name  string
		unit  model.Unit
		w, b  float64
		want  string // of the law's formula
		exact bool
	}{
		{"cosine a quarter ahead", model.Cos, 2, math.Pi / 2, "-sin(2*x1)", true},
		{"sine a quarter ahead", model.Sin, 2, math.Pi / 2, "cos(2*x1)", true},
		{"sine half a turn on", model.Sin, 2, math.Pi, "-sin(2*x1)", true},
		{"negative frequency", model.Sin, -2, 0, "-sin(2*x1)", true},
		{"many turns", model.Cos, 2, 8 * math.Pi, "cos(2*x1)", true},
	} {
		l := networkLaw(1, model.Layer{Unary: []model.Unit{c.unit}}, []float64{c.w, c.b}, []float64{1, 0}).canonical()
		if b := l.units[0].args[0].bias; math.Abs(b) > 1e-12 {
			t.Errorf("%s: phase %g is left", c.name, b)
		}
		l.units[0].args[0].bias = 0
		if got := l.Expr([]string{"x1"}, nil, model.Scale{}, formula.Simplify).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestJacobian compares JᵀJ's ingredients with finite differences: the gradient of the SSE in
// every constant is 2·Jᵀr.
func TestJacobian(t *testing.T) {
	for _, a := range []model.Arch{
		model.Uniform(2, 1, 2, 1, 2, units),
		model.Uniform(2, 1, 3, 1, 1, units),
		model.Uniform(3, 1, 4, 1, 1, []model.Unit{model.Sin, model.Identity}),
	} {
		for seed := range uint64(5) {
			l := Read(randomNetwork(seed, a), 0).canonical()
			d := sample(seed, 300, x4[:a.Inputs], "0.3", 0.1) // more than one block of rows
			eq := l.normal(d)
			at := make([]float64, l.Params())
			grad := make([]float64, l.Params())
			for i, p := range l.params() {
				at[i], grad[i] = *p, 2*eq.JTR[i]
			}
			f := func(x []float64) float64 {
				c := l.clone()
				for i, p := range c.params() {
					*p = x[i]
				}
				return c.SSE(d)
			}
			gradcheck.Check(t, f, grad, at, 1e-5)
		}
	}
}

// TestNormalMatrix checks JᵀJ itself on a law that is linear in its constants, where it is exact:
// the SSE is a quadratic with that matrix.
func TestNormalMatrix(t *testing.T) {
	d := sample(1, 400, x4[:2], "x1", 0.5)
	l := &Law{inputs: 2, out: affine{terms: []term{{0, 0.3}, {1, -2}}, bias: 0.7}}
	eq := l.normal(d)
	step := []float64{0.5, -0.25, 1}
	moved := l.clone()
	quadratic := eq.SSE
	for i, p := range moved.params() {
		*p += step[i]
		quadratic += 2 * step[i] * eq.JTR[i]
		for j := range step {
			quadratic += step[i] * step[j] * eq.JTJ.Data[min(i, j)*3+max(i, j)]
		}
	}
	if got := moved.SSE(d); !(math.Abs(got-quadratic) < 1e-9*got) {
		t.Errorf("SSE %g after the step, the normal equations say %g", got, quadratic)
	}
}

func TestFitFindsConstants(t *testing.T) {
	d := sample(1, 500, x4[:2], "0.7*sin(3*x1 + 0.4) + 0.2*x2", 0)
	start := networkLaw(2, model.Layer{Unary: []model.Unit{model.Sin, model.Identity}},
		[]float64{2.6, 0, 0.1}, []float64{0, 1, 0}, []float64{0.5, 0.1, 0})
	l := Fit(start, d)
	if rms := math.Sqrt(l.SSE(d) / 500); !(rms < 1e-8) {
		t.Errorf("RMS %g on data without noise", rms)
	}
}

// TestFitIsNeverWorse starts fits at random laws, some of them hopeless.
func TestFitIsNeverWorse(t *testing.T) {
	if testing.Short() {
		t.Skip("it fits many forms")
	}
	d := sample(1, 100, x4[:2], "sin(9*x1)*x2", 0.1)
	for seed := range uint64(30) {
		l := Read(randomNetwork(seed, model.Uniform(2, 1, 3, 1, 1, units)), 0)
		if before, after := l.SSE(d), Fit(l, d).SSE(d); !(after <= before) {
			t.Errorf("seed %d: SSE %g became %g", seed, before, after)
		}
	}
}

func TestFitSurvivesWhatIsNotFinite(t *testing.T) {
	d := sample(1, 50, x4[:1], "x1", 0)
	huge := networkLaw(1, model.Layer{Products: 1}, []float64{1e200, 0}, []float64{1e200, 0}, []float64{1, 0})
	if l := Refine(huge, d); l == nil || !math.IsInf(l.SSE(d), 1) {
		t.Error("a law that overflows did not come back as it was")
	}
	d.Y[3] = 1e300
	Refine(networkLaw(1, model.Layer{Unary: []model.Unit{model.Sin}}, []float64{1, 0}, []float64{1, 0}), d)
}

// TestRefinePlanted plants laws inside networks with junk around them: refinement must find the
// planted form, on data with noise, and predict outside the data.
func TestRefinePlanted(t *testing.T) {
	for _, c := range []struct {
		name  string
		truth string
		form  string // with constants rounded to one digit
	}{
		{"a line", "0.5*x2", "0.5*x2"},
		{"a sine", "sin(3*x1)/3", "0.3*sin(3*x1)"},
		{"a cosine with a phase", "cos(2*x1 + 0.4)/2", "0.5*cos(2*x1 + 0.4)"},
		{"a product", "x3*x4/3 - x1", "0.3*x3*x4 - x1"},
		{"a square", "x2^2", "x2^2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample(7, 3000, x4, c.truth, 0.01)
			rng := rand.New(rand.NewPCG(5, 5))
			// A trained network is near a law and has small weights everywhere. Linear terms,
			// products of each pair, and sines at roughly the right frequencies are in this one.
			n := model.New(model.Arch{Inputs: 4, Outputs: 1, Hidden: []model.Layer{{
				Unary: []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid}, Products: 2,
			}}})
			for _, m := range n.Weights {
				for i := range m.W {
					m.W[i] = 0.03 * rng.NormFloat64()
				}
			}
			set := func(r, in int, w float64) { n.Weights[0].Row(r)[in] = w }
			set(0, 2, 1)
			set(1, 3, 1)
			set(2, 1, 1)
			set(3, 1, 1)
			set(4, 0, 0.5)
			set(5, 0, 2.7)
			set(6, 0, 2.2)
			set(7, 3, 0.5)
			copy(n.Weights[1].Row(0), []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1})
			l := Polish(Refine(Read(n, 0), d), d)
			e := l.Expr(x4, nil, model.Scale{}, formula.Simplify)
			got, want := formula.Simplify(formula.Round(e, 1)), formula.Simplify(formula.MustParse(c.form))
			if got.String() != want.String() {
				t.Errorf("found %s, want %s", e, c.form)
			}
		})
	}
}

// TestTangentAndParabola gives short pieces of curves: refinement must see the line and the
// parabola in them, which pruning alone cannot.
func TestTangentAndParabola(t *testing.T) {
	sine := networkLaw(1, model.Layer{Unary: []model.Unit{model.Sin}}, []float64{0.1, 0}, []float64{10, 0})
	line := sample(1, 2000, x4[:1], "x1", 0.01)
	got := Refine(sine, line).Expr(x4[:1], nil, model.Scale{}, formula.Simplify)
	if formula.Complexity(formula.Round(got, 2)) > 3 {
		t.Errorf("a line seen through a sine is %s", got)
	}
	cosine := networkLaw(1, model.Layer{Unary: []model.Unit{model.Cos}}, []float64{0.3, 0}, []float64{-20, 20})
	parabola := sample(1, 2000, x4[:1], "x1^2", 0.01)
	got = Polish(Refine(cosine, parabola), parabola).Expr(x4[:1], nil, model.Scale{}, formula.Simplify)
	if s := formula.Round(got, 2).String(); s != "x1^2" {
		t.Errorf("a parabola seen through a cosine is %s", got)
	}
}

// TestCollapse gives a sigmoid that is built out of nested sines, as training does.
func TestCollapse(t *testing.T) {
	d := sample(3, 4000, x4, "x3*sin(3*x1)/2 + sigmoid(4*x4 - 1)/2", 0.01)
	nested := &Law{inputs: 4, units: []unit{
		{model.Sin, []affine{{terms: []term{{3, 3.3}}, bias: -0.8}}},
		{model.Sin, []affine{{terms: []term{{3, 1.38}, {4, 0.19}}, bias: -0.35}}},
		{model.Sin, []affine{{terms: []term{{0, 3}}}}},
		{model.Product, []affine{source(2), source(6)}},
	}, out: affine{terms: []term{{5, 0.247}, {7, 0.5}}, bias: 0.25}}
	l := Polish(Refine(nested, d), d)
	want := formula.MustParse("x3*sin(3*x1)/2 + sigmoid(4*x4 - 1)/2")
	e := l.Expr(x4, nil, model.Scale{}, formula.Simplify)
	at := map[string]float64{"x1": 2, "x2": 0, "x3": -2, "x4": 3}
	got, _ := formula.Eval(e, at)
	if truth, _ := formula.Eval(want, at); !(math.Abs(got-truth) < 0.02) {
		t.Errorf("found %s", e)
	}
}

// TestMerge gives two sines of nearly one argument: refinement must make one of them.
func TestMerge(t *testing.T) {
	two := networkLaw(1, model.Layer{Unary: []model.Unit{model.Sin, model.Sin}},
		[]float64{3.05, 0.1}, []float64{2.9, 1.2}, []float64{0.5, 0.5, 0})
	d := sample(1, 2000, x4[:1], "sin(3*x1 + 0.5)", 0.01)
	if l := Polish(Refine(two, d), d); len(l.units) != 1 {
		t.Errorf("%d units are left: %s", len(l.units), l.Expr(x4[:1], nil, model.Scale{}, formula.Simplify))
	}
}

// TestPruneKeepsTrueTerms draws weak but true terms many times: at the criterion's price they
// stay, and junk goes.
func TestPruneKeepsTrueTerms(t *testing.T) {
	const runs = 20
	exact := 0
	for seed := range uint64(runs) {
		d := sample(seed, 1000, x4, "x1 + 0.005*x2", 0.01) // t = 0.005·0.577·√1000/0.01 = 9
		l := Polish(Linear(d), d)
		if c := l.Coefficients(); c[1] != 0 && c[2] == 0 && c[3] == 0 && c[4] == 0 {
			exact++
		}
	}
	if exact < runs-1 { // junk passes t² > 2·ln 1000 = 13.8 with probability 2e-4, three times a run
		t.Errorf("%d of %d runs kept just the true terms", exact, runs)
	}
}

func TestLinear(t *testing.T) {
	d := sample(1, 200, x4[:2], "2*x1 - x2 + 0.5", 0)
	got := Linear(d).Coefficients()
	if want := []float64{2, -1, 0.5}; maxDifference(got, want) > 1e-10 {
		t.Errorf("coefficients %v, want %v", got, want)
	}
	// A column without any say and a target with mean zero must not stop it.
	d.X[1] = make([]float64, 200)
	for i := range d.Y {
		d.Y[i] = 3 * d.X[0][i]
	}
	if got := Linear(d).Coefficients(); math.Abs(got[0]-3) > 1e-6 {
		t.Errorf("coefficients %v, want 3 first", got)
	}
}

func TestCrossValidate(t *testing.T) {
	d := sample(1, 50, x4[:1], "2*x1", 0.1)
	folds := [][]int{}
	for f := range 5 {
		var fold []int
		for i := f; i < 50; i += 5 {
			fold = append(fold, i)
		}
		folds = append(folds, fold)
	}
	l := Linear(d)
	errors := l.CrossValidate(d, folds)
	// Leaving rows out makes their errors larger than those of the fit to all.
	cv := 0.0
	for _, e := range errors {
		cv += e * e
	}
	if sse := l.SSE(d); !(cv > sse && cv < 1.5*sse) {
		t.Errorf("cross-validation SSE %g, SSE of the fit %g", cv, sse)
	}
	if slices.Contains(errors, 0) {
		t.Error("a row was never left out")
	}
}

func TestSizeBoundsTheFormula(t *testing.T) {
	for seed := range uint64(10) {
		l := Read(randomNetwork(seed, model.Uniform(2, 1, 3, 1, 1, units)), 0)
		e := l.Expr(x4[:2], nil, model.Scale{}, func(e formula.Expr) formula.Expr { return e })
		if got, bound := formula.Complexity(e), l.Size(); got > bound {
			t.Errorf("seed %d: the formula has %d nodes, Size says at most %d", seed, got, bound)
		}
	}
	dense := Read(randomNetwork(1, model.Uniform(4, 1, 5, 10, 10, units)), 0)
	if dense.Size() < 1_000_000 {
		t.Errorf("a dense deep network has size %d", dense.Size())
	}
}

func BenchmarkRefine(b *testing.B) {
	d := sample(1, 9000, x4, "(sin(3.14*x1) + x2*cos(6.28*x1 + 0.78) + x3 - x4^2)/3", 0.01)
	l := Read(randomNetwork(3, model.Uniform(4, 1, 3, 4, 2, units[:4])), 0)
	for b.Loop() {
		Refine(l, d)
	}
}
