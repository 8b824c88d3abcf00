package kernel

import "unsafe"

// The affine maps in portable Go. All of them are one product of matrices in each lane,
//
//	c[i,j] = (bias of row i of a) + Σ_k a[i,k]·b[k,j]
//
// formed in tiles of two rows and three columns: six sums and five loads for six multiply-adds fit
// the sixteen registers of amd64, where the compiler begins to spill at eight. What is left at the
// edges is done [Block] lanes at a time. Each sum runs over k in order, in a tile or not, so a
// lane's bits depend neither on its place nor on the shape.
//
// Bounds are checked once, when a function begins. In the inner loops they would cost as much as
// the arithmetic.

const tileRows, tileCols = 2, 3

// matrices are the operands of a product and what it steps by, in bytes.
type matrices[T Float] struct {
	c, a, b                unsafe.Pointer
	ci, cj, ai, ak, bj, bk int
	bias                   int // from a row of a to its bias; negative: there is none
	lane                   int // from a lane to the next in c and a
	laneB                  int // the same in b; 0 where all lanes share it
}

func (m matrices[T]) product(rows, cols, depth, lanes int) {
	i := 0
	for ; i+tileRows <= rows; i += tileRows {
		j := 0
		for ; j+tileCols <= cols; j += tileCols {
			m.tile(i, j, depth, lanes)
		}
		for ; j < cols; j++ {
			for r := i; r < i+tileRows; r++ {
				m.cell(r, j, depth, lanes)
			}
		}
	}
	for ; i < rows; i++ {
		for j := range cols {
			m.cell(i, j, depth, lanes)
		}
	}
}

// tile computes two rows and three columns, one lane after the other.
func (m *matrices[T]) tile(i, j, depth, lanes int) {
	ak, bk, cj, bias, step, stepB := m.ak, m.bk, m.cj, m.bias, m.lane, m.laneB
	a, b, c := unsafe.Add(m.a, i*m.ai), unsafe.Add(m.b, j*m.bj), unsafe.Add(m.c, i*m.ci+j*cj)
	a1, b1, b2, c1 := unsafe.Add(a, m.ai), unsafe.Add(b, m.bj), unsafe.Add(b, 2*m.bj), unsafe.Add(c, m.ci)
	for e := range lanes {
		x, y, z := e*step, e*stepB, e*step
		var p0, p1, p2, q0, q1, q2 T
		if bias >= 0 {
			p0, q0 = *(*T)(unsafe.Add(a, x+bias)), *(*T)(unsafe.Add(a1, x+bias))
			p1, p2, q1, q2 = p0, p0, q0, q0
		}
		for range depth {
			u, v := *(*T)(unsafe.Add(a, x)), *(*T)(unsafe.Add(a1, x))
			w := *(*T)(unsafe.Add(b, y))
			p0 += u * w
			q0 += v * w
			w = *(*T)(unsafe.Add(b1, y))
			p1 += u * w
			q1 += v * w
			w = *(*T)(unsafe.Add(b2, y))
			p2 += u * w
			q2 += v * w
			x += ak
			y += bk
		}
		*(*T)(unsafe.Add(c, z)), *(*T)(unsafe.Add(c1, z)) = p0, q0
		z += cj
		*(*T)(unsafe.Add(c, z)), *(*T)(unsafe.Add(c1, z)) = p1, q1
		z += cj
		*(*T)(unsafe.Add(c, z)), *(*T)(unsafe.Add(c1, z)) = p2, q2
	}
}

// cell computes one row and one column of all lanes.
func (m *matrices[T]) cell(i, j, depth, lanes int) {
	for e := 0; e < lanes; e += Block {
		a, b := unsafe.Add(m.a, i*m.ai+e*m.lane), unsafe.Add(m.b, j*m.bj+e*m.laneB)
		b1, b2, b3 := unsafe.Add(b, m.laneB), unsafe.Add(b, 2*m.laneB), unsafe.Add(b, 3*m.laneB)
		var p [Block]T
		if m.bias >= 0 {
			p = *(*[Block]T)(unsafe.Add(a, m.bias))
		}
		p0, p1, p2, p3 := p[0], p[1], p[2], p[3]
		x, y := 0, 0
		for range depth {
			u := (*[Block]T)(unsafe.Add(a, x))
			p0 += u[0] * *(*T)(unsafe.Add(b, y))
			p1 += u[1] * *(*T)(unsafe.Add(b1, y))
			p2 += u[2] * *(*T)(unsafe.Add(b2, y))
			p3 += u[3] * *(*T)(unsafe.Add(b3, y))
			x += m.ak
			y += m.bk
		}
		*(*[Block]T)(unsafe.Add(m.c, i*m.ci+j*m.cj+e*m.lane)) = [Block]T{p0, p1, p2, p3}
	}
}

func forward[T Float](z, w, y []T, s Shape) {
	d := distancesOf[T](s)
	m := matrices[T]{first(z, s.Rows*s.Batch*s.Lanes), first(w, s.Weights()), first(y, s.In*s.Batch*s.Lanes),
		d.row, d.lanes, d.weights, d.lanes, d.lanes, d.row, s.In * d.lanes, d.number, d.number}
	m.product(s.Rows, s.Batch, s.In, s.Lanes)
}

func forwardShared[T Float](z, w, x []T, s Shape) {
	d := distancesOf[T](s)
	m := matrices[T]{first(z, s.Rows*s.Batch*s.Lanes), first(w, s.Weights()), first(x, s.In*s.Batch),
		d.row, d.lanes, d.weights, d.lanes, d.number, s.Batch * d.number, s.In * d.lanes, d.number, 0}
	m.product(s.Rows, s.Batch, s.In, s.Lanes)
}

func input[T Float](dy, w, dz []T, s Shape) {
	d := distancesOf[T](s)
	m := matrices[T]{first(dy, s.In*s.Batch*s.Lanes), first(w, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes),
		d.row, d.lanes, d.lanes, d.weights, d.lanes, d.row, -1, d.number, d.number}
	m.product(s.In, s.Batch, s.Rows, s.Lanes)
}

func weights[T Float](dw, dz, y []T, s Shape) {
	d := distancesOf[T](s)
	m := matrices[T]{first(dw, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes), first(y, s.In*s.Batch*s.Lanes),
		d.weights, d.lanes, d.row, d.lanes, d.row, d.lanes, -1, d.number, d.number}
	m.product(s.Rows, s.In, s.Batch, s.Lanes)
	biases(dw, dz, s)
}

func weightsShared[T Float](dw, dz, x []T, s Shape) {
	d := distancesOf[T](s)
	m := matrices[T]{first(dw, s.Weights()), first(dz, s.Rows*s.Batch*s.Lanes), first(x, s.In*s.Batch),
		d.weights, d.lanes, d.row, d.lanes, s.Batch * d.number, d.number, -1, d.number, 0}
	m.product(s.Rows, s.In, s.Batch, s.Lanes)
	biases(dw, dz, s)
}

// biases adds up the rows of z̄: the gradient of the biases, which stand last in each row of W̄.
func biases[T Float](dw, dz []T, s Shape) {
	row := s.Batch * s.Lanes
	for r := range s.Rows {
		sum := dw[((r+1)*(s.In+1)-1)*s.Lanes:][:s.Lanes]
		clear(sum)
		for z := dz[r*row : (r+1)*row]; len(z) > 0; z = z[len(sum):] {
			for e := range sum {
				sum[e] += z[e]
			}
		}
	}
}
