package formula

import "math"

// Roots of polynomials that are looked for: multiples of a half up to a bound, as people choose them.
const (
	rootStep      = 0.5
	largestRoot   = 24
	lowestDegree  = 3 // squares of sums have a rule of their own
	highestDegree = 30
	rootTolerance = 0x1p-40 // what may be left of a polynomial at a root, beside its terms there
)

// withRoots takes the roots out of a polynomial of one variable: x^3 - 6*x^2 + 11*x - 6 is (x - 1)*(x - 2)*(x - 3). It
// is nil where it finds fewer than two.
func withRoots(e Expr) Expr {
	x, c := coefficients(e)
	if len(c) <= lowestDegree {
		return nil
	}
	var factors []Expr
	for k := -int(largestRoot / rootStep); k <= int(largestRoot/rootStep); k++ {
		for r := rootStep * float64(k); len(c) > 1; {
			quotient, ok := divided(c, r)
			if !ok {
				break
			}
			c = quotient
			factors = append(factors, Add(x, number(-r)))
		}
	}
	if len(factors) < 2 {
		return nil
	}
	var rest []Expr
	for k, v := range c {
		if v != 0 {
			rest = append(rest, Mul(number(v), Pow(x, number(float64(k)))))
		}
	}
	return normalProduct(append(factors, normalSum(mapAll(rest, settledTerm))))
}

func settledTerm(t Expr) Expr { return normalProduct([]Expr{t}) }

// coefficients returns the variable of a polynomial and its coefficients by powers, none for other expressions.
func coefficients(e Expr) (x Expr, c []float64) {
	s, ok := e.(*sum)
	if !ok {
		return nil, nil
	}
	for _, t := range s.terms {
		v, fs := coefficient(t)
		n := 0
		if len(fs) > 1 {
			return nil, nil
		}
		if len(fs) == 1 {
			var base Expr
			if base, n = basePower(fs[0]); x == nil {
				x = base
			}
			if _, ok := base.(variable); !ok || !Equal(base, x) || n < 1 || n > highestDegree {
				return nil, nil
			}
		}
		for len(c) <= n {
			c = append(c, 0)
		}
		c[n] += v
	}
	return x, c
}

// divided returns the coefficients of a polynomial divided by x − r, and whether r is a root.
func divided(c []float64, r float64) ([]float64, bool) {
	out := make([]float64, len(c)-1)
	carry, size := 0.0, 0.0
	for k := len(c) - 1; k > 0; k-- {
		carry = carry*r + c[k]
		size = size*math.Abs(r) + math.Abs(c[k])
		out[k-1] = carry
	}
	return out, math.Abs(carry*r+c[0]) <= rootTolerance*(size*math.Abs(r)+math.Abs(c[0]))
}
