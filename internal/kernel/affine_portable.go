package kernel

// The affine maps in portable Go: [Block] lanes at a time, in two columns where there are two.

// block views the Block lanes that start at s[i].
func block[T Float](s []T, i int) *[Block]T { return (*[Block]T)(s[i:]) }

func forward[T Float](z, w, y []T, s Shape) {
	E, B := s.Lanes, s.Batch
	for r := range s.Rows {
		wr := w[r*(s.In+1)*E : (r+1)*(s.In+1)*E]
		for e := 0; e < E; e += Block {
			bias := block(wr, s.In*E+e)
			b := 0
			for ; b+2 <= B; b += 2 {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				q0, q1, q2, q3 := p0, p1, p2, p3
				yi := b*E + e
				for k := 0; k < s.In*E; k += E {
					wk, yp, yq := block(wr, k+e), block(y, yi), block(y, yi+E)
					p0 += wk[0] * yp[0]
					p1 += wk[1] * yp[1]
					p2 += wk[2] * yp[2]
					p3 += wk[3] * yp[3]
					q0 += wk[0] * yq[0]
					q1 += wk[1] * yq[1]
					q2 += wk[2] * yq[2]
					q3 += wk[3] * yq[3]
					yi += B * E
				}
				*block(z, (r*B+b)*E+e) = [Block]T{p0, p1, p2, p3}
				*block(z, (r*B+b+1)*E+e) = [Block]T{q0, q1, q2, q3}
			}
			if b < B {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				for k := range s.In {
					wk, yp := block(wr, k*E+e), block(y, (k*B+b)*E+e)
					p0 += wk[0] * yp[0]
					p1 += wk[1] * yp[1]
					p2 += wk[2] * yp[2]
					p3 += wk[3] * yp[3]
				}
				*block(z, (r*B+b)*E+e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func forwardShared[T Float](z, w, x []T, s Shape) {
	E, B := s.Lanes, s.Batch
	for r := range s.Rows {
		wr := w[r*(s.In+1)*E : (r+1)*(s.In+1)*E]
		for e := 0; e < E; e += Block {
			bias := block(wr, s.In*E+e)
			for b := range B {
				p0, p1, p2, p3 := bias[0], bias[1], bias[2], bias[3]
				for k := range s.In {
					wk, v := block(wr, k*E+e), x[k*B+b]
					p0 += wk[0] * v
					p1 += wk[1] * v
					p2 += wk[2] * v
					p3 += wk[3] * v
				}
				*block(z, (r*B+b)*E+e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func input[T Float](dy, w, dz []T, s Shape) {
	E, B, stride := s.Lanes, s.Batch, (s.In+1)*s.Lanes
	for k := range s.In {
		for e := 0; e < E; e += Block {
			b := 0
			for ; b+2 <= B; b += 2 {
				var p0, p1, p2, p3, q0, q1, q2, q3 T
				zi := b*E + e
				for wi := k*E + e; wi < s.Rows*stride; wi += stride {
					wk, zp, zq := block(w, wi), block(dz, zi), block(dz, zi+E)
					p0 += wk[0] * zp[0]
					p1 += wk[1] * zp[1]
					p2 += wk[2] * zp[2]
					p3 += wk[3] * zp[3]
					q0 += wk[0] * zq[0]
					q1 += wk[1] * zq[1]
					q2 += wk[2] * zq[2]
					q3 += wk[3] * zq[3]
					zi += B * E
				}
				*block(dy, (k*B+b)*E+e) = [Block]T{p0, p1, p2, p3}
				*block(dy, (k*B+b+1)*E+e) = [Block]T{q0, q1, q2, q3}
			}
			if b < B {
				var p0, p1, p2, p3 T
				for r := range s.Rows {
					wk, zp := block(w, r*stride+k*E+e), block(dz, (r*B+b)*E+e)
					p0 += wk[0] * zp[0]
					p1 += wk[1] * zp[1]
					p2 += wk[2] * zp[2]
					p3 += wk[3] * zp[3]
				}
				*block(dy, (k*B+b)*E+e) = [Block]T{p0, p1, p2, p3}
			}
		}
	}
}

func weights[T Float](dw, dz, y []T, s Shape) {
	E, B := s.Lanes, s.Batch
	for r := range s.Rows {
		dwr, dzr := dw[r*(s.In+1)*E:(r+1)*(s.In+1)*E], dz[r*B*E:(r+1)*B*E]
		for e := 0; e < E; e += Block {
			k := 0
			for ; k+2 <= s.In; k += 2 {
				var p0, p1, p2, p3, q0, q1, q2, q3 T
				yi := k*B*E + e
				for zi := e; zi < B*E; zi += E {
					zb, yp, yq := block(dzr, zi), block(y, yi), block(y, yi+B*E)
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
				*block(dwr, k*E+e) = [Block]T{p0, p1, p2, p3}
				*block(dwr, (k+1)*E+e) = [Block]T{q0, q1, q2, q3}
			}
			if k < s.In {
				var p0, p1, p2, p3 T
				for b := range B {
					zb, yp := block(dzr, b*E+e), block(y, (k*B+b)*E+e)
					p0 += zb[0] * yp[0]
					p1 += zb[1] * yp[1]
					p2 += zb[2] * yp[2]
					p3 += zb[3] * yp[3]
				}
				*block(dwr, k*E+e) = [Block]T{p0, p1, p2, p3}
			}
			sumBlock(block(dwr, s.In*E+e), dzr, e, s)
		}
	}
}

func weightsShared[T Float](dw, dz, x []T, s Shape) {
	E, B := s.Lanes, s.Batch
	for r := range s.Rows {
		dwr, dzr := dw[r*(s.In+1)*E:(r+1)*(s.In+1)*E], dz[r*B*E:(r+1)*B*E]
		for e := 0; e < E; e += Block {
			for k := range s.In {
				var p0, p1, p2, p3 T
				zi := e
				for _, v := range x[k*B : (k+1)*B] {
					zb := block(dzr, zi)
					p0 += zb[0] * v
					p1 += zb[1] * v
					p2 += zb[2] * v
					p3 += zb[3] * v
					zi += E
				}
				*block(dwr, k*E+e) = [Block]T{p0, p1, p2, p3}
			}
			sumBlock(block(dwr, s.In*E+e), dzr, e, s)
		}
	}
}

// sumBlock sets out to the sum over the batch of one row of z̄: the gradient of its bias.
func sumBlock[T Float](out *[Block]T, dzr []T, e int, s Shape) {
	var p0, p1, p2, p3 T
	for zi := e; zi < s.Batch*s.Lanes; zi += s.Lanes {
		zb := block(dzr, zi)
		p0 += zb[0]
		p1 += zb[1]
		p2 += zb[2]
		p3 += zb[3]
	}
	*out = [Block]T{p0, p1, p2, p3}
}
