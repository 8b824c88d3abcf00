package main

import "math"

type constant struct {
	name string
	bits uint64
}

// The polynomials are minimax (Remez). With u = r², |r| ≤ π/2·1.0005, and |f| ≤ ln 2/2·1.001:
//
//	sin r = r·(1 + u·(s₀ + s₁u + …))     absolute error 4.6e-9 and 2.0e-19
//	cos r = 1 + u·(c₀ + c₁u + …)         absolute error 2.5e-10 and 4.3e-18
//	eᶠ    = 1 + f + f²·(e₀ + e₁f + …)    absolute error 3.2e-9 and 3.5e-18
var (
	sine32   = []float64{-0.166666570586, 0.00833301635465, -0.000198065469718, 2.5999028718e-6}
	cosine32 = []float64{-0.499999995473, 0.0416666406257, -0.00138884020729, 2.47618082737e-5, -2.60756638951e-7}
	exp32    = []float64{0.50000000958, 0.166665183087, 0.0416662038893, 0.0083689533412, 0.00139506159565}

	sine64 = []float64{-0.166666666666666645, 0.00833333333333311247, -0.000198412698411854596, 2.75573192077063127e-6,
		-2.50521065995628523e-8, 1.60589274910489467e-10, -7.64270411802995318e-13, 2.71840488695097673e-15}
	cosine64 = []float64{-0.499999999999999824, 0.0416666666666643531, -0.00138888888887850308, 0.0000248015872790366443,
		-2.75573165144346844e-7, 2.08765671747360157e-9, -1.14630240505060497e-11, 4.61012707579777749e-14}
	exp64 = []float64{0.500000000000001285, 0.166666666666666995, 0.0416666666665143506, 0.00833333333330690267,
		0.00138888889473248679, 0.000198412699180192213, 0.0000248014895963670804, 2.75572157510766466e-6,
		2.76314119587411624e-7, 2.51180296699685486e-8}
)

func (v vector) polynomials() (sine, cosine, exp []float64) {
	if v.size == 4 {
		return sine32, cosine32, exp32
	}
	return sine64, cosine64, exp64
}

// constantsOf returns the constants of a type of element.
func constantsOf(v vector) []constant {
	var list []constant
	number := func(name string, single, double float64) {
		x := double
		if v.size == 4 {
			x = single
		}
		list = append(list, constant{name, v.bits(x)})
	}
	same := func(name string, x float64) { number(name, x, x) }
	same("one", 1)
	same("two", 2)
	list = append(list, constant{"sign", v.bits(math.Copysign(0, -1))})
	list = append(list, constant{"magnitude", v.bits(math.Copysign(0, -1)) - 1})

	// Adding and subtracting 1.5·2²³ or 1.5·2⁵² rounds to the nearest integer, which then stands
	// in the low bits of the sum.
	number("round", 3<<22, 3<<51)

	// π and ln 2 in two parts. The product with the first is exact in a fused multiply-add, and so
	// is the difference; the second part of π is positive, which keeps the sign of zero.
	same("1/pi", 1/math.Pi)
	number("pi", 3.141592502593994, 3.141592653589793)
	number("pi_low", 1.5099580252808664e-07, 1.2246467991473532e-16)
	same("1/ln2", 1/math.Ln2)
	number("ln2", 0.6931471824645996, 0.6931471805599453)
	number("ln2_low", -1.9046542121259336e-09, 2.3190468138462996e-17)

	number("circle_limit", 1<<13, 1e5) // portable code beyond: sincosFast32 and sincosFast in the package
	number("exp_limit", 87, 700)       // 2ⁿ and its inverse are normal numbers
	number("-exp_limit", -87, -700)
	same("tanh_limit", 20) // tanh is 1 beyond

	same("flush", 1e-20) // as in the portable Adam
	same("floor", 1e-30)

	sine, cosine, exp := v.polynomials()
	for _, p := range []struct {
		name string
		c    []float64
	}{{"s", sine}, {"c", cosine}, {"e", exp}} {
		for i, c := range p.c {
			list = append(list, constant{coefficient(p.name, i), v.bits(c)})
		}
	}
	return list
}

func coefficient(polynomial string, i int) string { return polynomial + string(rune('0'+i)) }
