package kernel

// The units in portable Go.

func portableSin[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s, c := sincos(float64(x))
		z[i], d[i] = T(s), T(c)
	}
}

func portableCos[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s, c := sincos(float64(x))
		z[i], d[i] = T(c), T(-s)
	}
}

func portableSigmoid[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		s := T(1 / (1 + exp(-float64(x))))
		z[i], d[i] = s, s*(1-s)
	}
}

func portableTanh[T Float](z, d []T) {
	d = d[:len(z)]
	for i, x := range z {
		t := T(tanh(float64(x)))
		z[i], d[i] = t, 1-t*t
	}
}

func portableScale[T Float](dz, d []T) {
	d = d[:len(dz)]
	for i := range dz {
		dz[i] *= d[i]
	}
}

func portableMultiply[T Float](p, a, b []T) {
	a, b = a[:len(p)], b[:len(p)]
	for i := range p {
		p[i] = a[i] * b[i]
	}
}

func portableMultiplyBackward[T Float](da, db, dp, a, b []T) {
	da, db, a, b = da[:len(dp)], db[:len(dp)], a[:len(dp)], b[:len(dp)]
	for i, g := range dp {
		da[i], db[i] = g*b[i], g*a[i]
	}
}
