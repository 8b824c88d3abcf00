package formula

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestTotal(t *testing.T) {
	third := 1.0 / 3
	tests := []struct {
		name  string
		coefs []float64
		want  float64
	}{
		{"opposites", []float64{1e17, -1e17, 1}, 1},
		{"opposites of many digits", []float64{third * 1e17, -third * 1e17, third}, third},
		{"whole numbers", []float64{1e17, -5e16, -5e16, 1}, 1},
		{"decimals", []float64{0.1, 0.2, -0.3}, 0},
		{"decimals and a small one", []float64{0.1, 0.2, -0.3, 1e-20}, 1e-20},
		{"computed", []float64{third, third, third, -1}, 0},
		{"two computed", []float64{0.1 + 0.2, -0.3}, 0},
		{"far apart", []float64{1e300, 1, -1e300, 1e-300, -1}, 1e-300},
		{"beyond the largest", []float64{1e308, 1e308, -1e308}, 1e308},
		{"rounded once", []float64{1, 0x1p-53, 0x1p-53}, 1 + 0x1p-52},
		{"below the smallest normal", []float64{5e-324, 5e-324, -1e-323, 5e-324}, 5e-324},
	}
	r := rand.New(rand.NewPCG(31, 32))
	for _, tt := range tests {
		for range 10 {
			r.Shuffle(len(tt.coefs), func(i, j int) { tt.coefs[i], tt.coefs[j] = tt.coefs[j], tt.coefs[i] })
			if got, ok := total(tt.coefs); !ok || got != tt.want {
				t.Errorf("%s: total(%v) = %v, %v, want %v", tt.name, tt.coefs, got, ok, tt.want)
			}
		}
	}
	if _, ok := total([]float64{1e308, 1e308, 1}); ok {
		t.Error("a sum beyond the largest number is not reported")
	}
}

// monomials are what wideSum takes its terms from.
var monomials = []string{"1", "x1", "x2", "x1*x2", "x1^2", "x2^2", "x1^2*x3", "x3^2", "x2*x3"}

// wideSum returns terms whose coefficients are of all magnitudes, many of which cancel, and what is left of them. The
// coefficients are decimals of three digits, or squares with a middle that is nearly right.
func wideSum(r *rand.Rand) (terms []Expr, left map[string]float64) {
	decimal := func(low, high int) float64 {
		v, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", 1+r.IntN(999), low+r.IntN(high-low)), 64)
		return v * float64(1-2*r.IntN(2))
	}
	left = map[string]float64{}
	add := func(monomial string, coefs ...float64) {
		for _, c := range coefs {
			terms = append(terms, Mul(number(c), MustParse(monomial)))
		}
	}
	for _, m := range monomials {
		if r.IntN(2) == 0 {
			continue
		}
		if r.IntN(2) == 0 {
			c := decimal(-150, 150)
			add(m, c, -c)
		}
		if r.IntN(2) == 0 {
			a, b := 1+r.IntN(999), 1+r.IntN(999)
			scale := math.Pow10(r.IntN(16))
			add(m, float64(a)*scale, float64(b)*scale, -float64(a+b)*scale)
		}
		if r.IntN(3) > 0 {
			left[m] = decimal(-150, 150)
			add(m, left[m])
		}
	}
	if r.IntN(2) == 0 && left["x1^2"] == 0 && left["x2^2"] == 0 && left["x1*x2"] == 0 {
		a, b, scale := float64(1+r.IntN(99)), float64(1+r.IntN(99)), math.Pow10(r.IntN(300)-150)
		left["x1^2"], left["x2^2"] = a*a*scale, b*b*scale
		left["x1*x2"] = 2 * a * b * scale * (1 + []float64{0, 1e-13, -1e-12, 1e-6}[r.IntN(4)])
		add("x1^2", left["x1^2"])
		add("x2^2", left["x2^2"])
		add("x1*x2", left["x1*x2"])
	}
	r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
	return terms, left
}

// evalExactly returns the value of a rational function.
func evalExactly(e Expr, at map[string]*big.Rat) *big.Rat {
	v := new(big.Rat)
	switch e := e.(type) {
	case number:
		return v.SetFloat64(float64(e))
	case variable:
		return at[string(e)]
	case *sum:
		for _, t := range e.terms {
			v.Add(v, evalExactly(t, at))
		}
		return v
	case *product:
		v.SetInt64(1)
		for _, f := range e.factors {
			v.Mul(v, evalExactly(f, at))
		}
		return v
	case *power:
		n, _ := wholeNumber(e.exp)
		base := evalExactly(e.base, at)
		v.SetInt64(1)
		for range max(n, -n) {
			v.Mul(v, base)
		}
		if n < 0 {
			v.Inv(v)
		}
		return v
	}
	panic("no rational function")
}

// TestSimplifyKeepsCoefficients compares exact values with those of what is left by 1e-14 of the largest of its terms,
// in two orders of the terms.
func TestSimplifyKeepsCoefficients(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	r := rand.New(rand.NewPCG(33, 34))
	for range n {
		terms, left := wideSum(r)
		e := Add(terms...)
		s := Simplify(e)
		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		if other := Simplify(Add(terms...)); !Equal(other, s) {
			t.Fatalf("%s\nsimplifies to %s and, in another order, to\n%s", e, s, other)
		}
		if again := Simplify(s); !Equal(again, s) {
			t.Fatalf("%s\nsimplifies to %s\nand then to   %s", e, s, again)
		}
		at := map[string]*big.Rat{}
		for _, name := range threeVars {
			at[name] = big.NewRat(r.Int64N(2001)-1000, 1+r.Int64N(100))
		}
		if x, y := left["x1^2"], left["x2^2"]; x*y > 0 { // near the zero of a square
			at["x1"].Mul(at["x2"], new(big.Rat).SetFloat64(-math.Sqrt(y/x)))
		}
		want, size := new(big.Rat), new(big.Rat)
		for m, c := range left {
			term := evalExactly(Mul(number(c), MustParse(m)), at)
			want.Add(want, term)
			size.Add(size, new(big.Rat).Abs(term))
		}
		size.Mul(size, new(big.Rat).SetFloat64(1e-14))
		if d := want.Sub(want, evalExactly(s, at)); d.Abs(d).Cmp(size) > 0 {
			t.Fatalf("%s\nsimplifies to %s, want the terms of %v; the difference is %s at %v", e, s, left, d.FloatString(20), at)
		}
	}
}

// TestSimplifyKeepsTheValueOfWide gives random expressions constants of all magnitudes.
func TestSimplifyKeepsTheValueOfWide(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 500
	}
	r := rand.New(rand.NewPCG(35, 36))
	for i := range n {
		powers := 1 + r.IntN(100)
		e := mapConstants(randomExpr(r, 1+i%4), Coefficient, func(v float64, role Role) Expr {
			if role == Exponent {
				return Const(v)
			}
			return Const(v * math.Pow10(r.IntN(2*powers)-powers))
		})
		s := Simplify(e)
		sameValue(t, r, e, s)
		if again := Simplify(s); !Equal(again, s) {
			t.Errorf("%s\nsimplifies to %s\nand then to   %s", e, s, again)
		}
		if again, err := Parse(s.String()); err != nil || !Equal(again, s) {
			t.Errorf("%s\nsimplifies to %s\nwhich reads as %s, %v", e, s, again, err)
		}
		if t.Failed() {
			return
		}
	}
}
