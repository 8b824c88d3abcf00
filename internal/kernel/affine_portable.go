package kernel

import "unsafe"

// The affine maps in portable Go: [Block] lanes at a time, in two columns where there are two.
//
// Bounds are checked once, when a function begins. In the inner loops they would cost as much as
// the arithmetic.

// numbers are the elements of a slice.
type numbers[T Float] struct{ first unsafe.Pointer }

// view returns the elements of s and panics unless there are n.
func view[T Float](s []T, n int) numbers[T] {
	need(s, n)
	return numbers[T]{unsafe.Pointer(unsafe.SliceData(s))}
}

// at returns the elements from i to i+Block.
func (n numbers[T]) at(i int) *[Block]T {
	return (*[Block]T)(unsafe.Add(n.first, uintptr(i)*unsafe.Sizeof(T(0))))
}

func forward[T Float](zs, ws, ys []T, s Shape) {
	E, B, row := s.Lanes, s.Batch, s.Batch*s.Lanes
	z, w, y := view(zs, s.Rows*row), view(ws, s.Weights()), view(ys, s.In*row)
	for r := range s.Rows {
		w0 := r * (s.In + 1) * E
		for e := 0; e < E; e += Block {
			bias := w.at(w0 + s.In*E + e)
			b := 0
			for ; b+2 <= B; b += 2 {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				q0, q1, q2, q3 := p0, p1, p2, p3
				yi := b*E + e
				for wi := w0 + e; wi < w0+s.In*E; wi += E {
					wk, yp, yq := w.at(wi), y.at(yi), y.at(yi+E)
					p0 += wk[0] * yp[0]
					p1 += wk[1] * yp[1]
					p2 += wk[2] * yp[2]
					p3 += wk[3] * yp[3]
					q0 += wk[0] * yq[0]
					q1 += wk[1] * yq[1]
					q2 += wk[2] * yq[2]
					q3 += wk[3] * yq[3]
					yi += row
				}
				*z.at(r*row + b*E + e) = [Block]T{p0, p1, p2, p3}
				*z.at(r*row + (b+1)*E + e) = [Block]T{q0, q1, q2, q3}
			}
			if b < B {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				for k := range s.In {
					wk, yp := w.at(w0+k*E+e), y.at(k*row+b*E+e)
					p0 += wk[0] * yp[0]
					p1 += wk[1] * yp[1]
					p2 += wk[2] * yp[2]
					p3 += wk[3] * yp[3]
				}
				*z.at(r*row + b*E + e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func forwardShared[T Float](zs, ws, x []T, s Shape) {
	E, B, row := s.Lanes, s.Batch, s.Batch*s.Lanes
	z, w := view(zs, s.Rows*row), view(ws, s.Weights())
	for r := range s.Rows {
		w0 := r * (s.In + 1) * E
		for e := 0; e < E; e += Block {
			bias := w.at(w0 + s.In*E + e)
			b := 0
			for ; b+2 <= B; b += 2 {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				q0, q1, q2, q3 := p0, p1, p2, p3
				xi := b
				for wi := w0 + e; wi < w0+s.In*E; wi += E {
					wk, xp, xq := w.at(wi), x[xi], x[xi+1]
					p0 += wk[0] * xp
					p1 += wk[1] * xp
					p2 += wk[2] * xp
					p3 += wk[3] * xp
					q0 += wk[0] * xq
					q1 += wk[1] * xq
					q2 += wk[2] * xq
					q3 += wk[3] * xq
					xi += B
				}
				*z.at(r*row + b*E + e) = [Block]T{p0, p1, p2, p3}
				*z.at(r*row + (b+1)*E + e) = [Block]T{q0, q1, q2, q3}
			}
			if b < B {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				for k := range s.In {
					wk, v := w.at(w0+k*E+e), x[k*B+b]
					p0 += wk[0] * v
					p1 += wk[1] * v
					p2 += wk[2] * v
					p3 += wk[3] * v
				}
				*z.at(r*row + b*E + e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func input[T Float](dys, ws, dzs []T, s Shape) {
	E, B, row, stride := s.Lanes, s.Batch, s.Batch*s.Lanes, (s.In+1)*s.Lanes
	dy, w, dz := view(dys, s.In*row), view(ws, s.Weights()), view(dzs, s.Rows*row)
	for k := range s.In {
		for e := 0; e < E; e += Block {
			b := 0
			for ; b+2 <= B; b += 2 {
				var p0, p1, p2, p3, q0, q1, q2, q3 T
				zi := b*E + e
				for wi := k*E + e; wi < s.Rows*stride; wi += stride {
					wk, zp, zq := w.at(wi), dz.at(zi), dz.at(zi+E)
					p0 += wk[0] * zp[0]
					p1 += wk[1] * zp[1]
					p2 += wk[2] * zp[2]
					p3 += wk[3] * zp[3]
					q0 += wk[0] * zq[0]
					q1 += wk[1] * zq[1]
					q2 += wk[2] * zq[2]
					q3 += wk[3] * zq[3]
					zi += row
				}
				*dy.at(k*row + b*E + e) = [Block]T{p0, p1, p2, p3}
				*dy.at(k*row + (b+1)*E + e) = [Block]T{q0, q1, q2, q3}
			}
			if b < B {
				var p0, p1, p2, p3 T
				for r := range s.Rows {
					wk, zp := w.at(r*stride+k*E+e), dz.at(r*row+b*E+e)
					p0 += wk[0] * zp[0]
					p1 += wk[1] * zp[1]
					p2 += wk[2] * zp[2]
					p3 += wk[3] * zp[3]
				}
				*dy.at(k*row + b*E + e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func weights[T Float](dws, dzs, ys []T, s Shape) {
	E, row := s.Lanes, s.Batch*s.Lanes
	dw, dz, y := view(dws, s.Weights()), view(dzs, s.Rows*row), view(ys, s.In*row)
	for r := range s.Rows {
		w0, z0 := r*(s.In+1)*E, r*row
		for e := 0; e < E; e += Block {
			k := 0
			for ; k+2 <= s.In; k += 2 {
				var p0, p1, p2, p3, q0, q1, q2, q3 T
				yi := k*row + e
				for zi := z0 + e; zi < z0+row; zi += E {
					zb, yp, yq := dz.at(zi), y.at(yi), y.at(yi+row)
					p0 += zb[0] * yp[0]
					p1 += zb[1] * yp[1]
					p2 += zb[2] * yp[2]
					p3 += zb[3] * yp[3]
					q0 += zb[0] * yq[0]
					q1 += zb[1] * yq[1]
					q2 += zb[2] * yq[2]
					q3 += zb[3] * yq[3]
					yi += E
				}
				*dw.at(w0 + k*E + e) = [Block]T{p0, p1, p2, p3}
				*dw.at(w0 + (k+1)*E + e) = [Block]T{q0, q1, q2, q3}
			}
			if k < s.In {
				var p0, p1, p2, p3 T
				yi := k*row + e
				for zi := z0 + e; zi < z0+row; zi += E {
					zb, yp := dz.at(zi), y.at(yi)
					p0 += zb[0] * yp[0]
					p1 += zb[1] * yp[1]
					p2 += zb[2] * yp[2]
					p3 += zb[3] * yp[3]
					yi += E
				}
				*dw.at(w0 + k*E + e) = [Block]T{p0, p1, p2, p3}
			}
			*dw.at(w0 + s.In*E + e) = dz.sum(z0+e, z0+row, E)
		}
	}
}

func weightsShared[T Float](dws, dzs, x []T, s Shape) {
	E, B, row := s.Lanes, s.Batch, s.Batch*s.Lanes
	dw, dz := view(dws, s.Weights()), view(dzs, s.Rows*row)
	for r := range s.Rows {
		w0, z0 := r*(s.In+1)*E, r*row
		for e := 0; e < E; e += Block {
			k := 0
			for ; k+2 <= s.In; k += 2 {
				var p0, p1, p2, p3, q0, q1, q2, q3 T
				zi, xk := z0+e, x[(k+1)*B:(k+2)*B]
				for b, xp := range x[k*B : (k+1)*B] {
					zb, xq := dz.at(zi), xk[b]
					p0 += zb[0] * xp
					p1 += zb[1] * xp
					p2 += zb[2] * xp
					p3 += zb[3] * xp
					q0 += zb[0] * xq
					q1 += zb[1] * xq
					q2 += zb[2] * xq
					q3 += zb[3] * xq
					zi += E
				}
				*dw.at(w0 + k*E + e) = [Block]T{p0, p1, p2, p3}
				*dw.at(w0 + (k+1)*E + e) = [Block]T{q0, q1, q2, q3}
			}
			if k < s.In {
				var p0, p1, p2, p3 T
				zi := z0 + e
				for _, v := range x[k*B : (k+1)*B] {
					zb := dz.at(zi)
					p0 += zb[0] * v
					p1 += zb[1] * v
					p2 += zb[2] * v
					p3 += zb[3] * v
					zi += E
				}
				*dw.at(w0 + k*E + e) = [Block]T{p0, p1, p2, p3}
			}
			*dw.at(w0 + s.In*E + e) = dz.sum(z0+e, z0+row, E)
		}
	}
}

// sum adds up the elements at from, from+step, … below to: over a row of z̄, the gradient of its bias.
func (n numbers[T]) sum(from, to, step int) [Block]T {
	var p0, p1, p2, p3 T
	for i := from; i < to; i += step {
		z := n.at(i)
		p0 += z[0]
		p1 += z[1]
		p2 += z[2]
		p3 += z[3]
	}
	return [Block]T{p0, p1, p2, p3}
}
