package kernel

import "unsafe"

// AffineForward computes z = W·y + b in each lane:
//
//	z[r,b,e] = W[r,in,e] + Σ_k W[r,k,e]·y[k,b,e]
//
// z is (rows, batch, lanes), w (rows, in+1, lanes), y (in, batch, lanes).
func AffineForward[T Float](z, w, y []T, s Shape) {
	if !s.vectorised() {
		forward(z, w, y, s)
		return
	}
	d := distancesOf[T](s)
	zp, wp, yp := first(z, s.Rows*s.Batch*s.Lanes), first(w, s.Weights()), first(y, s.In*s.Batch*s.Lanes)
	for e := 0; e < s.Lanes; {
		v, n := widest[T](s.Lanes - e)
		at := e * d.number
		v.forward(unsafe.Add(zp, at), unsafe.Add(wp, at), unsafe.Add(yp, at),
			d.row, d.lanes, d.weights, d.lanes, d.lanes, d.row, s.In*d.lanes, s.Rows, s.Batch, s.In)
		e += n
	}
}

// AffineForwardShared is [AffineForward] for an input x (in, batch) that all lanes share.
func AffineForwardShared[T Float](z, w, x []T, s Shape) {
	if !s.vectorised() {
		forwardShared(z, w, x, s)
		return
	}
	d := distancesOf[T](s)
	zp, wp, xp := first(z, s.Rows*s.Batch*s.Lanes), first(w, s.Weights()), first(x, s.In*s.Batch)
	for e := 0; e < s.Lanes; {
		v, n := widest[T](s.Lanes - e)
		at := e * d.number
		v.forwardShared(unsafe.Add(zp, at), unsafe.Add(wp, at), xp,
			d.row, d.lanes, d.weights, d.lanes, d.number, s.Batch*d.number, s.In*d.lanes, s.Rows, s.Batch, s.In)
		e += n
	}
}

// AffineInput computes the gradient of an affine map with respect to its input:
//
//	ȳ[k,b,e] = Σ_r W[r,k,e]·z̄[r,b,e]
//
// dy is (in, batch, lanes), w (rows, in+1, lanes), dz (rows, batch, lanes).
func AffineInput[T Float](dy, w, dz []T, s Shape) {
	if !s.vectorised() {
		input(dy, w, dz, s)
		return
	}
	d := distancesOf[T](s)
	yp, wp, zp := first(dy, s.In*s.Batch*s.Lanes), first(w, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes)
	for e := 0; e < s.Lanes; {
		v, n := widest[T](s.Lanes - e)
		at := e * d.number
		v.product(unsafe.Add(yp, at), unsafe.Add(wp, at), unsafe.Add(zp, at),
			d.row, d.lanes, d.lanes, d.weights, d.lanes, d.row, 0, s.In, s.Batch, s.Rows)
		e += n
	}
}

// AffineWeights computes the gradient of an affine map with respect to its weights and biases:
//
//	W̄[r,k,e]  = Σ_b z̄[r,b,e]·y[k,b,e]
//	W̄[r,in,e] = Σ_b z̄[r,b,e]
//
// dw is (rows, in+1, lanes), dz (rows, batch, lanes), y (in, batch, lanes).
func AffineWeights[T Float](dw, dz, y []T, s Shape) {
	if !s.vectorised() {
		weights(dw, dz, y, s)
		return
	}
	d := distancesOf[T](s)
	wp, zp, yp := first(dw, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes), first(y, s.In*s.Batch*s.Lanes)
	for e := 0; e < s.Lanes; {
		v, n := widest[T](s.Lanes - e)
		at := e * d.number
		for r := 0; r < s.Rows; r += rowBlock {
			w, z, rows := unsafe.Add(wp, at+r*d.weights), unsafe.Add(zp, at+r*d.row), min(rowBlock, s.Rows-r)
			v.product(w, z, unsafe.Add(yp, at), d.weights, d.lanes, d.row, d.lanes, d.row, d.lanes, 0, rows, s.In, s.Batch)
			v.sums(unsafe.Add(w, s.In*d.lanes), z, d.weights, d.row, d.lanes, rows, s.Batch)
		}
		e += n
	}
}

// AffineWeightsShared is [AffineWeights] for an input x (in, batch) that all lanes share.
func AffineWeightsShared[T Float](dw, dz, x []T, s Shape) {
	if !s.vectorised() {
		weightsShared(dw, dz, x, s)
		return
	}
	d := distancesOf[T](s)
	wp, zp, xp := first(dw, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes), first(x, s.In*s.Batch)
	for e := 0; e < s.Lanes; {
		v, n := widest[T](s.Lanes - e)
		at := e * d.number
		for r := 0; r < s.Rows; r += rowBlock {
			w, z, rows := unsafe.Add(wp, at+r*d.weights), unsafe.Add(zp, at+r*d.row), min(rowBlock, s.Rows-r)
			v.productShared(w, z, xp, d.weights, d.lanes, d.row, d.lanes, s.Batch*d.number, d.number, 0, rows, s.In, s.Batch)
			v.sums(unsafe.Add(w, s.In*d.lanes), z, d.weights, d.row, d.lanes, rows, s.Batch)
		}
		e += n
	}
}

// rowBlock is how many rows of z̄ the gradients of weights and of biases share while they are in
// the cache; a multiple of the rows of any tile.
const rowBlock = 30

// distances are what the assembly steps by, in bytes.
type distances struct {
	number  int // one element
	lanes   int // all lanes of a weight or an activation
	row     int // one row of activations
	weights int // one row of weights
}

func distancesOf[T Float](s Shape) distances {
	var zero T
	size := int(unsafe.Sizeof(zero))
	return distances{number: size, lanes: s.Lanes * size, row: s.Batch * s.Lanes * size,
		weights: (s.In + 1) * s.Lanes * size}
}
