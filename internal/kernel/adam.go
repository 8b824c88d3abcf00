package kernel

import (
	"math"
	"unsafe"
)

// AdamStep holds what one update needs besides the arrays. With learning rate α and update
// number t, counted from one,
//
//	Rate = α·√(1−β₂ᵗ)/(1−β₁ᵗ)    Epsilon = ε·√(1−β₂ᵗ)
//
// which moves both bias corrections of Adam out of the loop.
type AdamStep[T Float] struct {
	Rate, Epsilon        T
	OneLessB1, OneLessB2 T // 1−β₁, 1−β₂
	Mask                 T // weights below Mask in size become zero and stay; 0: no mask
}

// Adam updates the weights of one affine map, its biases included (Kingma and Ba 2015):
//
//	g = W̄ + λ·sign(W)             biases: g = W̄
//	m ← β₁m + (1−β₁)g             v ← β₂v + (1−β₂)g²
//	W ← W − Rate·m/(√v + Epsilon)
//
// With a mask, a weight with |W| < Mask is set to zero with its moments and stays zero; biases
// are never masked. w, dw, m, v are (rows, in+1, lanes); lambda has one λ ≥ 0 a lane.
//
// Moments that have decayed are flushed to zero (m) or held at 1e-30 (v) before they become
// denormal numbers, which would slow every step; both are far below what ε lets through.
func Adam[T Float](w, dw, m, v, lambda []T, a AdamStep[T], s Shape) {
	s.Batch = 1 // of no matter here
	if !s.vectorised() {
		adam(w, dw, m, v, lambda, a, s)
		return
	}
	update := vector.adam
	if a.Mask > 0 {
		update = vector.adamMasked
	}
	d, n := distancesOf[T](s), s.Weights()
	wp, dwp, mp, vp, lp := first(w, n), first(dw, n), first(m, n), first(v, n), first(lambda, s.Lanes)
	for e := 0; e < s.Lanes; {
		vec, width := widest[T](s.Lanes - e)
		at := e * d.number
		update(vec, unsafe.Add(wp, at), unsafe.Add(dwp, at), unsafe.Add(mp, at), unsafe.Add(vp, at), unsafe.Add(lp, at),
			float64(a.Rate), float64(a.Epsilon), float64(a.OneLessB1), float64(a.OneLessB2),
			float64(a.Mask), s.Rows, s.In, d.lanes)
		e += width
	}
}

func adam[T Float](w, dw, m, v, lambda []T, a AdamStep[T], s Shape) {
	need(w, s.Weights())
	need(dw, s.Weights())
	need(m, s.Weights())
	need(v, s.Weights())
	row := (s.In + 1) * s.Lanes
	for r := range s.Rows {
		end := (r+1)*row - s.Lanes
		for i := r * row; i < end; i += s.Lanes {
			adamWeights(w[i:i+s.Lanes], dw[i:], m[i:], v[i:], lambda, a)
		}
		adamBiases(w[end:end+s.Lanes], dw[end:], m[end:], v[end:], a)
	}
}

const (
	flush = 1e-20 // adding and subtracting it rounds moments far below it to zero
	floor = 1e-30 // keeps the second moment normal in float32
)

func adamWeights[T Float](w, dw, m, v, lambda []T, a AdamStep[T]) {
	n := len(w)
	dw, m, v, lambda = dw[:n], m[:n], v[:n], lambda[:n]
	for e, x := range w {
		g := dw[e]
		if x != 0 && x == x { // signs are random: no branches on them
			g += T(math.Copysign(float64(lambda[e]), float64(x)))
		}
		mm := (m[e] + a.OneLessB1*(g-m[e]) + flush) - flush
		vv := v[e] + a.OneLessB2*(g*g+floor-v[e])
		next := x - a.Rate*mm/(sqrt(vv)+a.Epsilon)
		if x > -a.Mask && x < a.Mask || next > -a.Mask && next < a.Mask {
			next, mm, vv = 0, 0, 0
		}
		w[e], m[e], v[e] = next, mm, vv
	}
}

func adamBiases[T Float](w, dw, m, v []T, a AdamStep[T]) {
	n := len(w)
	dw, m, v = dw[:n], m[:n], v[:n]
	for e, x := range w {
		g := dw[e]
		mm := (m[e] + a.OneLessB1*(g-m[e]) + flush) - flush
		vv := v[e] + a.OneLessB2*(g*g+floor-v[e])
		w[e], m[e], v[e] = x-a.Rate*mm/(sqrt(vv)+a.Epsilon), mm, vv
	}
}

// sqrt compiles to one instruction in either type.
func sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }
