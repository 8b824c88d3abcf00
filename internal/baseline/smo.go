package baseline

import (
	"context"
	"math"
)

// smo solves the dual problem of ε-support vector regression, two coefficients at a time:
//
//	minimise D(β) = ½βᵀKβ − yᵀβ + ε·Σ|β_i|  subject to  Σβ_i = 0,  −C ≤ β_i ≤ C
//
// This is libsvm's problem in α and α*, with β = α − α*: at most one of the two is not 0, so one
// number a row is enough, and a move of α or α* never crosses β = 0, where |β| has its kink.
//
// With the residual r = y − Kβ, which is minus the gradient of the smooth part, the slopes of D are
//
//	raising β_i:   −(r_i + rise_i),  rise_i = −ε if β_i ≥ 0, ε if β_i < 0, −∞ if β_i = C
//	lowering β_j:    r_j + fall_j,   fall_j = −ε if β_j > 0, ε if β_j ≤ 0,  ∞ if β_j = −C
//
// Raising β_i and lowering β_j by δ keeps Σβ. D then falls at the rate (r_i + rise_i) − (r_j + fall_j),
// so β is optimal when no pair has a positive rate:
//
//	m = max_i (r_i + rise_i)  ≤  M = min_j (r_j + fall_j)
//
// and the solver stops at m − M ≤ tolerance, libsvm's rule of the maximal violating pair.
type smo struct {
	setting SVR
	column  func(i int) []float64 // of the kernel matrix, by row of the data
	y       []float64             // by row of the data
	tol     float64
	c       float64 // C of the present stage

	// By place: the first active places are the working rows, the others are shrunk, with r out of
	// date. order[k] is the row at place k.
	order            []int
	active           int
	beta, r          []float64
	rise, fall       []float64
	first            int     // the place where m is
	m, least         float64 // m and M over the active places
	iterations       int
	converged, again bool    // again: everything was looked at once more near the end
	pairWork         float64 // multiplications spent on pairs
	faceWork         float64 // and on faces
}

// newSMO returns the solver at its start, with the full C.
func newSMO(s SVR, column func(int) []float64, y []float64) *smo {
	n := len(y)
	o := &smo{
		setting: s, column: column, y: y, tol: s.Tolerance,
		order: make([]int, n), active: n, beta: make([]float64, n), r: make([]float64, n),
		rise: make([]float64, n), fall: make([]float64, n),
	}
	if o.tol == 0 {
		o.tol = DefaultTolerance
	}
	for k := range o.order {
		o.order[k] = k
	}
	o.start(s.C)
	return o
}

// start goes to β = 0, where r = y. All rows must be active.
func (o *smo) start(c float64) {
	o.c, o.again = c, false
	for k, row := range o.order {
		o.set(k, 0)
		o.r[k] = o.y[row]
	}
	o.extremes()
}

// set changes β at place k, and with it what may happen to it next.
func (o *smo) set(k int, b float64) {
	eps := o.setting.Epsilon
	o.beta[k], o.rise[k], o.fall[k] = b, -eps, eps
	if b < 0 {
		o.rise[k] = eps
	}
	if b > 0 {
		o.fall[k] = -eps
	}
	if b == o.c {
		o.rise[k] = math.Inf(-1)
	}
	if b == -o.c {
		o.fall[k] = math.Inf(1)
	}
}

const (
	lookEvery   = 256   // iterations between two looks at the context
	shrinkEvery = 1000  // iterations between two shrinkings, or as many as there are rows
	flat        = 1e-12 // the curvature that is taken for one of 0, libsvm's τ
)

// converge runs to the tolerance, the limit of iterations, or the end of ctx.
func (o *smo) converge(ctx context.Context) error {
	limit := o.setting.MaxIterations
	if limit == 0 {
		limit = max(minIterations, iterationsPerRow*len(o.y))
	}
	interval := min(len(o.y), shrinkEvery)
	countdown := interval
	for o.iterations < limit {
		if o.iterations%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if o.optimal() && o.active < len(o.y) {
			o.unshrink()
			countdown = 1
		}
		if o.optimal() {
			break
		}
		if countdown--; countdown == 0 {
			countdown = interval
			o.shrink()
			o.descend()
			continue
		}
		o.step()
		o.iterations++
	}
	o.unshrink()
	o.converged = o.optimal()
	return nil
}

// optimal tells whether the active rows are. NaN, from targets near the largest numbers, ends too.
func (o *smo) optimal() bool { return !(o.m-o.least > o.tol) }

// step changes one pair. With i the place of m, it takes the j for which the decrease of D along
// the pair, without regard to bounds, is largest: the second order rule (Fan, Chen, Lin 2005, WSS 2),
//
//	j = argmax b²/a over all places with b = m − (r_j + fall_j) > 0,  a = K_ii + K_jj − 2K_ij = 2 − 2K_ij
//
// D along the pair is ½aδ² − bδ, so δ = b/a, cut where a bound or the kink at 0 is. Then r loses
// δ·(K_i − K_j).
func (o *smo) step() {
	i := o.first
	ki := o.column(o.order[i])
	j, b := o.second(ki)
	kj := o.column(o.order[j])
	top, bottom := o.c, -o.c
	if o.beta[i] < 0 {
		top = 0
	}
	if o.beta[j] > 0 {
		bottom = 0
	}
	oldI, oldJ := o.beta[i], o.beta[j]
	delta := min(b/curvature(ki[o.order[j]]), top-oldI, oldJ-bottom)
	newI, newJ := oldI+delta, oldJ-delta
	if delta == top-oldI || newI > top { // exactly, or the bound would not be noticed
		newI = top
	}
	if delta == oldJ-bottom || newJ < bottom {
		newJ = bottom
	}
	o.set(i, newI)
	o.set(j, newJ)
	o.update(ki, kj, newI-oldI, newJ-oldJ)
	o.pairWork += float64(4 * o.active)
}

// curvature returns a of a pair with that kernel. Rows that coincide have none.
func curvature(kij float64) float64 {
	if a := 2 - 2*kij; a > 0 {
		return a
	}
	return flat
}

// second returns the partner of the place of m and how much the pair violates optimality. There
// is one while m > M.
func (o *smo) second(ki []float64) (j int, violation float64) {
	order := o.order[:o.active]
	r, fall := o.r[:len(order)], o.fall[:len(order)]
	best, m := -1.0, o.m
	for k, row := range order {
		b := m - (r[k] + fall[k])
		if b > 0 {
			if gain := b * b / curvature(ki[row]); gain > best {
				best, j, violation = gain, k, b
			}
		}
	}
	return j, violation
}

// update subtracts di·K_i + dj·K_j from the residual of the active places and finds m and M anew.
func (o *smo) update(ki, kj []float64, di, dj float64) {
	order := o.order[:o.active]
	r, rise, fall := o.r[:len(order)], o.rise[:len(order)], o.fall[:len(order)]
	first, m, least := 0, math.Inf(-1), math.Inf(1)
	for k, row := range order {
		v := r[k] - (di*ki[row] + dj*kj[row])
		r[k] = v
		if up := v + rise[k]; up > m {
			first, m = k, up
		}
		if down := v + fall[k]; down < least {
			least = down
		}
	}
	o.first, o.m, o.least = first, m, least
}

// extremes finds m and M over the active places.
func (o *smo) extremes() {
	o.first, o.m, o.least = 0, math.Inf(-1), math.Inf(1)
	for k := range o.active {
		if up := o.r[k] + o.rise[k]; up > o.m {
			o.first, o.m = k, up
		}
		o.least = min(o.least, o.r[k]+o.fall[k])
	}
}

// shrink takes rows out of the working set that can be in no violating pair as things stand,
//
//	r_k + rise_k < M  and  r_k + fall_k > m
//
// These are rows inside the tube with β = 0 and rows outside it with |β| = C; the others have
// rise = fall, and that number is in [M, m]. Near the end it looks at all rows once more before,
// since the first choices were made far from the optimum.
func (o *smo) shrink() {
	if o.setting.NoShrinking {
		return
	}
	if !o.again && o.m-o.least <= 10*o.tol {
		o.again = true
		o.unshrink()
	}
	for k := 0; k < o.active; {
		if o.r[k]+o.rise[k] < o.least && o.r[k]+o.fall[k] > o.m {
			o.active--
			o.swap(k, o.active)
		} else {
			k++
		}
	}
	o.extremes()
}

func (o *smo) swap(k, l int) {
	o.order[k], o.order[l] = o.order[l], o.order[k]
	for _, v := range [][]float64{o.beta, o.r, o.rise, o.fall} {
		v[k], v[l] = v[l], v[k]
	}
}

// unshrink makes all rows active, computing r = y − Kβ of those that were not.
func (o *smo) unshrink() {
	if o.active == len(o.y) {
		return
	}
	for k := o.active; k < len(o.y); k++ {
		o.r[k] = o.y[o.order[k]]
	}
	for l, b := range o.beta {
		if b == 0 {
			continue
		}
		col := o.column(o.order[l])
		for k := o.active; k < len(o.y); k++ {
			o.r[k] -= b * col[o.order[k]]
		}
	}
	o.active = len(o.y)
	o.extremes()
}

// coefficients returns β by row of the data.
func (o *smo) coefficients() []float64 {
	beta := make([]float64, len(o.beta))
	for k, b := range o.beta {
		beta[o.order[k]] = b
	}
	return beta
}

// bias returns b. Where 0 < |β| < C, rise = fall and f errs by exactly ε, so b = r + rise there; it is
// the mean over those rows. Without any, every b in [m, M] is optimal, and it is the middle. This is
// libsvm's −ρ.
func (o *smo) bias() float64 {
	sum, n := 0.0, 0
	for k, b := range o.beta {
		if b != 0 && math.Abs(b) < o.c {
			sum += o.r[k] + o.rise[k]
			n++
		}
	}
	if n > 0 {
		return sum / float64(n)
	}
	return (o.m + o.least) / 2
}

// objective returns D(β): with Kβ = y − r it is ε·Σ|β_i| − ½Σβ_i(y_i + r_i).
func (o *smo) objective() float64 {
	sum := 0.0
	for k, b := range o.beta {
		sum += o.setting.Epsilon*math.Abs(b) - b*(o.y[o.order[k]]+o.r[k])/2
	}
	return sum
}
