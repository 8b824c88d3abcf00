package formula

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

// randomExpr builds an expression of about the given depth over x1, x2, x3. Few numbers and
// few arguments, so that terms meet their like.
func randomExpr(r *rand.Rand, depth int) Expr {
	if depth == 0 || r.IntN(8) == 0 {
		if r.IntN(3) == 0 {
			return number(randomNumber(r))
		}
		return Var([]string{"x1", "x2", "x3"}[r.IntN(3)])
	}
	sub := func() Expr { return randomExpr(r, depth-1) }
	switch r.IntN(10) {
	case 0, 1:
		return Add(sub(), sub(), sub())
	case 2:
		return Sub(sub(), sub())
	case 3, 4:
		return Mul(sub(), sub())
	case 5:
		return Div(sub(), sub())
	case 6:
		return Pow(sub(), number([]float64{2, 3, -1, -2, 0.5, 1.5, -0.5, -0.25}[r.IntN(8)]))
	case 7:
		return randomWaves(r, sub())
	default:
		f := Func(r.IntN(len(funcs)))
		if f.Arity() == 2 {
			return Call(f, sub(), sub())
		}
		return Call(f, sub())
	}
}

// randomWaves is a sum of sines and cosines of one argument with different phases and signs.
func randomWaves(r *rand.Rand, arg Expr) Expr {
	var terms []Expr
	for range 1 + r.IntN(4) {
		sign := number(1 - 2*r.IntN(2))
		shifted := Add(Mul(sign, arg), number(randomNumber(r)))
		terms = append(terms, Mul(number(randomNumber(r)), Call(Func(r.IntN(2)), shifted)))
	}
	return Add(terms...)
}

func randomNumber(r *rand.Rand) float64 {
	if r.IntN(4) == 0 {
		return r.NormFloat64()
	}
	return []float64{0, 1, -1, 2, -2, 0.5, 3, math.Pi, math.Pi / 2, -math.Pi / 2, 0.1, -0.3, 1e-7}[r.IntN(13)]
}

// bounded evaluates e with a bound of the rounding error: each operation adds an ulp of its
// result and passes on the errors of its operands by its derivatives. The bound is infinite
// where a small change of an operand could leave the domain.
func bounded(e Expr, at map[string]float64) (v, err float64) {
	const eps = 0x1p-52
	switch e := e.(type) {
	case number:
		return float64(e), math.Abs(float64(e)) * eps
	case variable:
		return at[string(e)], 0
	case *sum:
		for _, t := range e.terms {
			tv, te := bounded(t, at)
			v += tv
			err += te + eps*math.Abs(tv) + eps*math.Abs(v)
		}
		return v, err
	case *product:
		v, err = 1, 0
		for _, f := range e.factors {
			fv, fe := bounded(f, at)
			err = err*math.Abs(fv) + fe*math.Abs(v) + err*fe + 2*eps*math.Abs(v*fv)
			v *= fv
		}
		return v, err + 0x1p-1000
	case *power:
		bv, be := bounded(e.base, at)
		ev, ee := bounded(e.exp, at)
		if _, ok := e.exp.(number); ok {
			ee = 0
		}
		if ev < 0 && be >= math.Abs(bv) {
			return math.Pow(bv, ev), math.Inf(1) // a pole
		}
		return spread(func(d1, d2 float64) float64 { return math.Pow(bv+d1*be, ev+d2*ee) }, eps)
	case *call:
		av, ae := bounded(e.args[0], at)
		if e.f.Arity() == 2 {
			bv, be := bounded(e.args[1], at)
			return e.f.Value(av, bv), max(ae, be)
		}
		v, err = spread(func(d, _ float64) float64 { return e.f.Value(av + d*ae) }, eps)
		if e.f == Sin || e.f == Cos || e.f == Tan {
			slope := 1.0
			if e.f == Tan {
				slope += v * v
			}
			err = max(err, slope*(ae+eps*math.Abs(av)+2*phaseTolerance))
		}
		return v, err
	}
	panic("unknown kind")
}

// spread is f and how much it varies over the corners of its operands' errors, by a margin.
func spread(f func(d1, d2 float64) float64, eps float64) (v, err float64) {
	v = f(0, 0)
	for _, d1 := range []float64{-1, 1} {
		for _, d2 := range []float64{-1, 1} {
			d := math.Abs(f(d1, d2) - v)
			if math.IsNaN(d) {
				return v, math.Inf(1)
			}
			err = max(err, d)
		}
	}
	return v, 2*err + 4*eps*math.Abs(v)
}

// sameValue fails the test unless a and b agree within rounding where a is finite.
func sameValue(t *testing.T, r *rand.Rand, a, b Expr) {
	t.Helper()
	for range 20 {
		at := map[string]float64{}
		for _, name := range []string{"x1", "x2", "x3"} {
			at[name] = 3 * r.NormFloat64()
		}
		va, ea := bounded(a, at)
		if math.IsNaN(va) || math.IsInf(va, 0) || !(ea <= 1e-3*max(1, math.Abs(va))) {
			continue
		}
		vb, eb := bounded(b, at)
		if d := math.Abs(va - vb); !(d <= 100*(ea+min(eb, ea*1e3))) {
			t.Errorf("%s\n = %g ± %g at %v, but\n%s\n = %g ± %g", a, va, ea, at, b, vb, eb)
			return
		}
	}
}

var expressions = flag.Int("expressions", 6000,
	"random expressions to simplify, and twelve times those to print; .ci/run asks for more")

func TestSimplifyKeepsTheValue(t *testing.T) {
	n := *expressions
	if testing.Short() {
		n = 3000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		e := randomExpr(r, 1+i%5)
		s := Simplify(e)
		sameValue(t, r, e, s)
		if again := Simplify(s); !Equal(again, s) {
			t.Errorf("%s\nsimplifies to %s\nand then to   %s", e, s, again)
		}
		if s.size() > e.size()+e.size()/2+8 {
			t.Errorf("%s (%d nodes) grows to %s (%d)", e, e.size(), s, s.size())
		}
		if t.Failed() {
			return
		}
	}
}

// TestSimplifyNetworks does the same for what networks read off as.
func TestSimplifyNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 40 {
		e := networkExpr(r, 3, 2+i%4, 1+i%2)
		s := Simplify(e)
		sameValue(t, r, e, s)
		if again := Simplify(s); !Equal(again, s) {
			t.Errorf("%s\nsimplifies to %s\nand then to   %s", e, s, again)
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 5000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		e := randomExpr(r, 1+i%5)
		if got, err := Parse(e.String()); err != nil || !Equal(got, e) {
			t.Fatalf("%s reads back as %v, %v", e, got, err)
		}
		s := Print(e, JSON, 0)
		if got, err := ParseJSON([]byte(s)); err != nil || !Equal(got, e) {
			t.Fatalf("%s reads back as %v, %v", s, got, err)
		}
	}
}
