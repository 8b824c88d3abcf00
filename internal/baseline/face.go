package baseline

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// face is the working rows with 0 < |β| < C. While none of them reaches a bound or 0, D is a quadratic
// function of their β with gradient −v and second derivatives K, where
//
//	v_k = r_k + rise_k = r_k + fall_k
//
// and it is least, for a fixed Σβ, when all v are equal. Pairs go there slowly when the kernel is wide,
// since K is then nearly singular; conjugate gradients do not, and stay cheap because these rows are few:
// most support vectors are at ±C.
//
// Source: Moré and Toraldo, On the solution of large quadratic programming problems with bound
// constraints, SIAM J. Optimization 1(1), 1991, who alternate so between finding a face and minimising
// on it.
type face struct {
	at       []int     // their places
	k        []float64 // kernel matrix among them
	beta, v  []float64
	low, top []float64 // how far β may go
	stuck    []bool    // at low or top, no longer moved
	g, p, q  []float64 // projected gradient, direction, K·p
}

const (
	faceRows   = 2048 // rows of a face at most, for a matrix of 32 MiB
	faceSteps  = 32   // steps that pairs must have earned before a face is begun
	faceCredit = 8    // steps taken at most for each step earned
)

// descend minimises on the face of the working rows. It waits until pairs have taken as much work as faces
// so far and some steps of this one, so that neither takes more than its share of the time for long.
func (o *smo) descend() {
	f := o.newFace()
	n := len(f.at)
	steps := (o.pairWork - o.faceWork) / float64(n*n)
	if n < 2 || n > faceRows || steps < faceSteps {
		return
	}
	o.loadFace(f)
	taken := f.minimise(o.tol/10, int(min(faceCredit*steps, float64(2*n))))
	for i, k := range f.at {
		d := f.beta[i] - o.beta[k]
		if d == 0 {
			continue
		}
		o.set(k, f.beta[i])
		col := o.column(o.order[k])
		for l, row := range o.order[:o.active] {
			o.r[l] -= d * col[row]
		}
	}
	o.faceWork += float64(n) * (float64(taken*n) + float64(o.active))
	o.extremes()
}

func (o *smo) newFace() *face {
	f := &face{}
	for k, b := range o.beta[:o.active] {
		if b != 0 && math.Abs(b) < o.c {
			f.at = append(f.at, k)
		}
	}
	return f
}

// loadFace fills in the numbers.
func (o *smo) loadFace(f *face) {
	n := len(f.at)
	f.k, f.stuck = make([]float64, n*n), make([]bool, n)
	for _, v := range []*[]float64{&f.beta, &f.v, &f.low, &f.top, &f.g, &f.p, &f.q} {
		*v = make([]float64, n)
	}
	for i, k := range f.at {
		f.beta[i], f.v[i] = o.beta[k], o.r[k]+o.rise[k]
		if f.beta[i] > 0 {
			f.top[i] = o.c
		} else {
			f.low[i] = -o.c
		}
		col := o.column(o.order[k])
		for j, l := range f.at {
			f.k[i*n+j] = col[o.order[l]]
		}
	}
}

// minimise goes along conjugate directions with Σp = 0 until all v are equal within tol, or it has taken
// that many steps, and returns how many. A step that ends at a bound leaves that row there, and the next
// direction is the gradient's.
func (f *face) minimise(tol float64, steps int) (taken int) {
	size, spread := f.gradient()
	copy(f.p, f.g)
	for taken < steps && spread > tol && size > 0 {
		taken++
		length, hit := f.length(size / f.multiply())
		for i, p := range f.p {
			f.beta[i] = min(max(f.beta[i]+length*p, f.low[i]), f.top[i])
			f.v[i] -= length * f.q[i]
		}
		before := size
		if hit >= 0 {
			f.stop(hit)
			before = math.Inf(1)
		}
		size, spread = f.gradient()
		for i, g := range f.g {
			f.p[i] = g + size/before*f.p[i]
		}
	}
	return taken
}

// gradient sets g = v − mean v, over the rows that are not stuck, and returns ‖g‖² and max v − min v.
func (f *face) gradient() (size, spread float64) {
	sum, n := 0.0, 0
	least, most := math.Inf(1), math.Inf(-1)
	for i, v := range f.v {
		if !f.stuck[i] {
			sum += v
			n++
			least, most = min(least, v), max(most, v)
		}
	}
	for i, v := range f.v {
		f.g[i] = 0
		if !f.stuck[i] {
			f.g[i] = v - sum/float64(n)
			size += f.g[i] * f.g[i]
		}
	}
	return size, most - least
}

// multiply sets q = K·p and returns pᵀKp.
func (f *face) multiply() float64 {
	n := len(f.p)
	for i := range f.q {
		f.q[i] = floats.Dot(f.k[i*n:(i+1)*n], f.p)
	}
	return floats.Dot(f.p, f.q)
}

// length returns the best length of a step along p, or the largest that no bound cuts, and then whose
// bound it is, else −1. Where rounding left no curvature, best is not positive or infinite.
func (f *face) length(best float64) (length float64, hit int) {
	length, hit = best, -1
	if !(length > 0) {
		length = math.Inf(1)
	}
	for i, p := range f.p {
		room := math.Inf(1)
		if p > 0 {
			room = (f.top[i] - f.beta[i]) / p
		} else if p < 0 {
			room = (f.low[i] - f.beta[i]) / p
		}
		if room < length {
			length, hit = room, i
		}
	}
	return length, hit
}

// stop leaves row i at the bound that it goes to.
func (f *face) stop(i int) {
	f.stuck[i] = true
	if f.p[i] > 0 {
		f.beta[i] = f.top[i]
	} else {
		f.beta[i] = f.low[i]
	}
}
