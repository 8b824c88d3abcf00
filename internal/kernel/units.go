package kernel

// A UnaryFunc rewrites z in place with f(z) and writes f′(z) to d, element by element.
type UnaryFunc[T Float] func(z, d []T)

// Sin rewrites z with sin z and writes cos z to d.
func Sin[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s, c := sincos(float64(x))
		z[i], d[i] = T(s), T(c)
	}
}

// Cos rewrites z with cos z and writes −sin z to d.
func Cos[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s, c := sincos(float64(x))
		z[i], d[i] = T(c), T(-s)
	}
}

// Sigmoid rewrites z with s = 1/(1+e⁻ᶻ) and writes s·(1−s) to d.
func Sigmoid[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s := T(1 / (1 + exp(-float64(x))))
		z[i], d[i] = s, s*(1-s)
	}
}

// Tanh rewrites z with t = tanh z and writes 1 − t² to d.
func Tanh[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		t := T(tanh(float64(x)))
		z[i], d[i] = t, 1-t*t
	}
}

// Scale multiplies dz by d, element by element: the backward pass of every unary unit.
func Scale[T Float](dz, d []T) {
	d = d[:len(dz)]
	for i := range dz {
		dz[i] *= d[i]
	}
}

// Products computes the multiplication units p_j = a_j·b_j. The factors are the rows
// a_0, b_0, a_1, b_1, … of z; a row holds n = batch·lanes numbers; p has one row a product.
func Products[T Float](p, z []T, n int) {
	for j := 0; j*n < len(p); j++ {
		pj, a, b := p[j*n:(j+1)*n], z[2*j*n:(2*j+1)*n], z[(2*j+1)*n:(2*j+2)*n]
		for i := range pj {
			pj[i] = a[i] * b[i]
		}
	}
}

// ProductsBackward is the derivative of [Products]:
//
//	ā_j = p̄_j·b_j    b̄_j = p̄_j·a_j
func ProductsBackward[T Float](dz, z, dp []T, n int) {
	for j := 0; j*n < len(dp); j++ {
		g, a, b := dp[j*n:(j+1)*n], z[2*j*n:(2*j+1)*n], z[(2*j+1)*n:(2*j+2)*n]
		da, db := dz[2*j*n:(2*j+1)*n], dz[(2*j+1)*n:(2*j+2)*n]
		for i := range g {
			da[i], db[i] = g[i]*b[i], g[i]*a[i]
		}
	}
}
