package search

import "math"

// Settings of Levenberg–Marquardt.
const (
	firstDamping  = 1e-3
	leastDamping  = 1e-12
	easier        = 0.2 // factor of the damping after a step that helped
	harder        = 6   // and after one that did not
	tries         = 8   // steps tried with one Jacobian
	littleGain    = 1e-5
	patience      = 2    // iterations with little gain before it ends
	largestNumber = 1e12 // constants beyond this have diverged
)

// impossible is the sum of squares of what cannot be evaluated.
const impossible = 1e300

// fit adjusts the constants of e that are not fixed to y by Levenberg–Marquardt, and returns the
// sum of squares, or impossible. w are root weights of the rows, or nil.
func (ev *evaluator) fit(e expr, x [][]float64, y, w []float64, iterations int) float64 {
	n := len(y)
	var at []int
	for i, nd := range e {
		if !nd.fixed {
			at = append(at, i)
		}
	}
	if !ev.forward(e, x, n) {
		return impossible
	}
	cur := squares(y, ev.value(e), w)
	if !finite(cur) {
		return impossible
	}
	if len(at) == 0 {
		return cur
	}
	m := marquardt{ev: ev, e: e, x: x, y: y, w: w, at: at, cur: cur, damping: firstDamping}
	m.memory()
	for little := 0; iterations > 0 && little < patience; iterations-- {
		before := m.cur
		if !m.step() {
			break
		}
		if before-m.cur < littleGain*before {
			little++
		} else {
			little = 0
		}
	}
	return m.cur
}

// marquardt is the state of one fit.
type marquardt struct {
	ev           *evaluator
	e            expr
	x            [][]float64
	y, w         []float64
	at           []int // places of the constants
	cur, damping float64
	jac          [][]float64
	res, old     []float64
	h, a, b, s   []float64 // normal equations, and their damped copy
}

func (m *marquardt) memory() {
	p, n := len(m.at), len(m.y)
	m.jac = make([][]float64, p)
	for k := range m.jac {
		m.jac[k] = make([]float64, n)
	}
	m.res, m.old = make([]float64, n), make([]float64, p)
	m.h, m.a = make([]float64, p*p), make([]float64, p*p)
	m.b, m.s = make([]float64, p), make([]float64, p)
}

// step takes one step that lowers the sum of squares, and reports whether there was one.
func (m *marquardt) step() bool {
	m.normal()
	p := len(m.at)
	for k, i := range m.at {
		m.old[k] = m.e[i].c
	}
	for range tries {
		copy(m.a, m.h)
		for k := range p {
			m.a[k*p+k] = m.h[k*p+k]*(1+m.damping) + 1e-300
		}
		copy(m.s, m.b)
		if cholesky(m.a, p) {
			solve(m.a, p, m.s)
			if m.accept() {
				m.damping = max(m.damping*easier, leastDamping)
				return true
			}
		}
		m.damping = max(m.damping*harder, 1e-6)
	}
	for k, i := range m.at {
		m.e[i].c = m.old[k]
	}
	m.ev.forward(m.e, m.x, len(m.y))
	return false
}

// accept moves the constants by s and reports whether that helps.
func (m *marquardt) accept() bool {
	for k, i := range m.at {
		c := m.old[k] + m.s[k]
		if !(math.Abs(c) <= largestNumber) {
			return false
		}
		m.e[i].c = c
	}
	if !m.ev.forward(m.e, m.x, len(m.y)) {
		return false
	}
	sse := squares(m.y, m.ev.value(m.e), m.w)
	if !(sse < m.cur) {
		return false
	}
	m.cur = sse
	return true
}

// normal computes h = JᵀJ and b = Jᵀ(y − value).
func (m *marquardt) normal() {
	for r, v := range m.ev.value(m.e) {
		m.res[r] = m.y[r] - v
	}
	multiply(m.res, m.w)
	m.ev.backward(m.e)
	p := len(m.at)
	for k, i := range m.at {
		m.ev.derivative(m.e, i, m.jac[k])
		multiply(m.jac[k], m.w)
	}
	for k := range p {
		for l := range k + 1 {
			d := dot(m.jac[k], m.jac[l])
			m.h[k*p+l], m.h[l*p+k] = d, d
		}
		m.b[k] = dot(m.jac[k], m.res)
	}
	m.ev.work += int64(p * (p + 3) / 2 * len(m.y))
}

// squares sums the squares of differences, multiplied by root weights where there are some.
func squares(y, v, w []float64) float64 {
	s := 0.0
	if w != nil {
		for r := range y {
			d := w[r] * (y[r] - v[r])
			s += d * d
		}
		return s
	}
	for r := range y {
		d := y[r] - v[r]
		s += d * d
	}
	return s
}

// multiply multiplies a column by root weights, where there are some.
func multiply(col, w []float64) {
	for r := range w {
		col[r] *= w[r]
	}
}

// largest returns the size of the largest number of a column.
func largest(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// dot adds in four strands, which the processor runs side by side.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// subtract takes s times b off a.
func subtract(a, b []float64, s float64) {
	b = b[:len(a)]
	for i := range a {
		a[i] -= s * b[i]
	}
}

// cholesky replaces the lower half of a (n × n) by its factor; it reports whether a is positive
// definite.
func cholesky(a []float64, n int) bool {
	for j := range n {
		rj := a[j*n : j*n+j+1]
		s := rj[j] - dot(rj[:j], rj[:j])
		if !(s > 0) || math.IsInf(s, 1) {
			return false
		}
		s = math.Sqrt(s)
		rj[j] = s
		for i := j + 1; i < n; i++ {
			ri := a[i*n : i*n+j+1]
			ri[j] = (ri[j] - dot(ri[:j], rj[:j])) / s
		}
	}
	return true
}

// solve replaces b by the solution of A·x = b, a being what cholesky left.
func solve(a []float64, n int, b []float64) {
	for i := range n {
		b[i] = (b[i] - dot(a[i*n:i*n+i], b[:i])) / a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		s := b[i]
		for k := i + 1; k < n; k++ {
			s -= a[k*n+i] * b[k]
		}
		b[i] = s / a[i*n+i]
	}
}
