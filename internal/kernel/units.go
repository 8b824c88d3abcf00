package kernel

import "unsafe"

// A UnaryFunc rewrites z in place with f(z) and writes f′(z) to d, element by element.
type UnaryFunc[T Float] func(z, d []T)

// Sin rewrites z with sin z and writes cos z to d.
func Sin[T Float](z, d []T) {
	i := 0
	for v, n, vectors := split[T](len(z)); n > 0; v, n, vectors = split[T](len(z) - i) {
		circular(v, z[i:], d[i:], n, vectors, false)
		i += n
	}
	portableSin(z[i:], d[i:])
}

// Cos rewrites z with cos z and writes −sin z to d.
func Cos[T Float](z, d []T) {
	i := 0
	for v, n, vectors := split[T](len(z)); n > 0; v, n, vectors = split[T](len(z) - i) {
		circular(v, z[i:], d[i:], n, vectors, true)
		i += n
	}
	portableCos(z[i:], d[i:])
}

// circular is [Sin] or [Cos] of n numbers in so many vectors. The assembly stops before a vector
// with numbers beyond its range; these go to the portable code, and the others of the vector back
// to the assembly, so that no number depends on its neighbours.
func circular[T Float](v vector, z, d []T, n, vectors int, cosine bool) {
	zp, dp := first(z, n), first(d, n)
	var zero T
	width := n / vectors
	bytes := width * int(unsafe.Sizeof(zero))
	for {
		var done int
		if cosine {
			done = v.cos(zp, dp, vectors)
		} else {
			done = v.sin(zp, dp, vectors)
		}
		if vectors -= done; vectors == 0 {
			return
		}
		zp, dp = unsafe.Add(zp, done*bytes), unsafe.Add(dp, done*bytes)
		at := n - vectors*width
		circularOutside(v, z[at:at+width], d[at:at+width], cosine)
		if vectors--; vectors == 0 {
			return
		}
		zp, dp = unsafe.Add(zp, bytes), unsafe.Add(dp, bytes)
	}
}

// circularOutside is one vector of [circular] that has numbers out of range.
func circularOutside[T Float](v vector, z, d []T, cosine bool) {
	var inside, dInside [16]T
	for i, x := range z {
		if circularFast(x) {
			inside[i] = x
		}
	}
	if cosine {
		v.cos(unsafe.Pointer(&inside), unsafe.Pointer(&dInside), 1)
	} else {
		v.sin(unsafe.Pointer(&inside), unsafe.Pointer(&dInside), 1)
	}
	for i, x := range z {
		switch {
		case circularFast(x):
			z[i], d[i] = inside[i], dInside[i]
		case cosine:
			portableCos(z[i:i+1], d[i:i+1])
		default:
			portableSin(z[i:i+1], d[i:i+1])
		}
	}
}

// circularFast tells whether the assembly computes sine and cosine of x.
func circularFast[T Float](x T) bool {
	limit := T(sincosFast)
	if unsafe.Sizeof(x) == 4 {
		limit = sincosFast32
	}
	return x > -limit && x < limit
}

// Sigmoid rewrites z with s = 1/(1+e⁻ᶻ) and writes s·(1−s) to d. Assembly gives zero below −87 in
// float32 and −700 in float64, which spares denormal numbers.
func Sigmoid[T Float](z, d []T) {
	i := 0
	for v, n, vectors := split[T](len(z)); n > 0; v, n, vectors = split[T](len(z) - i) {
		v.sigmoid(first(z[i:], n), first(d[i:], n), vectors)
		i += n
	}
	portableSigmoid(z[i:], d[i:])
}

// Tanh rewrites z with t = tanh z and writes 1 − t² to d.
func Tanh[T Float](z, d []T) {
	i := 0
	for v, n, vectors := split[T](len(z)); n > 0; v, n, vectors = split[T](len(z) - i) {
		v.tanh(first(z[i:], n), first(d[i:], n), vectors)
		i += n
	}
	portableTanh(z[i:], d[i:])
}

// Scale multiplies dz by d, element by element: the backward pass of every unary unit.
func Scale[T Float](dz, d []T) {
	i := 0
	for v, n, vectors := split[T](len(dz)); n > 0; v, n, vectors = split[T](len(dz) - i) {
		v.scale(first(dz[i:], n), first(d[i:], n), vectors)
		i += n
	}
	portableScale(dz[i:], d[i:])
}

// Products computes the multiplication units p_j = a_j·b_j. The factors are the rows
// a_0, b_0, a_1, b_1, … of z; a row holds n = batch·lanes numbers; p has one row a product.
func Products[T Float](p, z []T, n int) {
	if v, numbers, vectors := split[T](n); numbers == n && n > 0 { // one kind of vector takes all rows
		rows := len(p) / n
		pp, zp, row := first(p, rows*n), first(z, 2*rows*n), n*int(unsafe.Sizeof(T(0)))
		for j := range rows {
			a := unsafe.Add(zp, 2*j*row)
			v.multiply(unsafe.Add(pp, j*row), a, unsafe.Add(a, row), vectors)
		}
		return
	}
	for j := 0; j*n < len(p); j++ {
		multiply(p[j*n:(j+1)*n], z[2*j*n:(2*j+1)*n], z[(2*j+1)*n:(2*j+2)*n])
	}
}

func multiply[T Float](p, a, b []T) {
	i := 0
	for v, n, vectors := split[T](len(p)); n > 0; v, n, vectors = split[T](len(p) - i) {
		v.multiply(first(p[i:], n), first(a[i:], n), first(b[i:], n), vectors)
		i += n
	}
	portableMultiply(p[i:], a[i:], b[i:])
}

// ProductsBackward is the derivative of [Products]:
//
//	ā_j = p̄_j·b_j    b̄_j = p̄_j·a_j
func ProductsBackward[T Float](dz, z, dp []T, n int) {
	if v, numbers, vectors := split[T](n); numbers == n && n > 0 {
		rows := len(dp) / n
		dpp, dzp, zp, row := first(dp, rows*n), first(dz, 2*rows*n), first(z, 2*rows*n), n*int(unsafe.Sizeof(T(0)))
		for j := range rows {
			at := 2 * j * row
			da, a := unsafe.Add(dzp, at), unsafe.Add(zp, at)
			v.multiplyBackward(da, unsafe.Add(da, row), unsafe.Add(dpp, j*row), a, unsafe.Add(a, row), vectors)
		}
		return
	}
	for j := 0; j*n < len(dp); j++ {
		multiplyBackward(dz[2*j*n:(2*j+1)*n], dz[(2*j+1)*n:(2*j+2)*n], dp[j*n:(j+1)*n], z[2*j*n:(2*j+1)*n],
			z[(2*j+1)*n:(2*j+2)*n])
	}
}

func multiplyBackward[T Float](da, db, dp, a, b []T) {
	i := 0
	for v, n, vectors := split[T](len(dp)); n > 0; v, n, vectors = split[T](len(dp) - i) {
		v.multiplyBackward(first(da[i:], n), first(db[i:], n), first(dp[i:], n), first(a[i:], n), first(b[i:], n), vectors)
		i += n
	}
	portableMultiplyBackward(da[i:], db[i:], dp[i:], a[i:], b[i:])
}
