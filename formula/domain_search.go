package formula

import (
	"container/heap"
	"math"
	"slices"
)

// The budget of a search. With 3000 boxes a condition, most polynomials of degree 4 in 3 inputs are decided; the total
// bounds the time for long expressions, at about 20 ns an instruction.
const (
	mostBoxes   = 3000
	mostPoints  = 512     // when boxes did not decide
	mostWork    = 6000000 // instructions, shared by the conditions of an expression
	workOfBox   = 8       // how often a box makes them all run
	narrowest   = 1e-10   // of the larger box: boxes that are not divided any more
	nearEnough  = 1e-3    // edges nearer by less are not looked for
	halvings    = 2200    // of a bisection, at most: from 1e300 to the smallest number
	closest     = 0x1p-70 // widths of the data: bisection ends
	newtonSteps = 80
	mostLost    = 50 // bisections that ended at no edge of the condition
)

// search looks for the point nearest to the data at which a condition is broken. Its points have the variables of the
// critical part only.
type search struct {
	critical Expr
	vars     []string
	index    []int // of vars among the inputs of the region
	all      []Interval
	data     []Interval
	outer    []Interval
	rows     [][]float64
	widths   []float64 // of the data, or what stands for it where they do not vary
	test     test
	boxes    int // left in the budget
	points   int
	lost     int
	good     [][]float64 // points that keep the condition, of the larger box when there are none in the data
	best     []float64   // the place found, nil when there is none
	from     []float64   // the point that it was reached from, nil when no point keeps the condition
	distance float64
	open     bool // something was neither proven nor found
}

// test is a condition that boxes and points keep or break.
type test interface {
	clear(box []Interval) bool // proven that no point of the box breaks it
	suspect() []float64        // where in the box that was not clear it may be broken; nil for no idea
	split() int                // the variable that matters most in the box that was not clear; -1 for no idea

	others(box []Interval) bool // the box cannot be clear, since other conditions are broken in it

	bad(p []float64) bool                     // broken by more than rounding
	alone(p []float64) bool                   // bad whatever holds elsewhere: not only of another sign
	behind(p []float64) bool                  // bad or nearer to it, for bisection
	simpler(p, middle []float64) []float64    // p with what does not matter moved to the middle
	zero(p []float64, within []Interval) bool // moves p to a touching zero next to it, in a box, that breaks it

	// edge returns the better of two points next to each other, one behind, and whether the condition begins to be
	// broken there: a sign that changes at a pole is not zero.
	edge(before, after []float64) (place []float64, ok bool)
}

func newSearch(critical Expr, region Region, data, outer []Interval, shares int) *search {
	s := &search{critical: critical, vars: Vars(critical), all: data, distance: math.Inf(1)}
	for _, name := range s.vars {
		i := slices.Index(region.Inputs, name)
		s.index = append(s.index, i)
		s.data = append(s.data, data[i])
		s.outer = append(s.outer, outer[i])
		s.widths = append(s.widths, widthOf(data[i], outer[i]))
		if len(region.Rows) > 0 {
			s.rows = append(s.rows, region.Rows[i])
		}
	}
	s.boxes = min(mostBoxes, 1+mostWork/(workOfBox*shares*(critical.size()+len(s.vars))))
	s.points = min(mostPoints, s.boxes)
	return s
}

// widthOf returns the unit in which distances from the data are measured.
func widthOf(data, outer Interval) float64 {
	switch {
	case data.width() > 0:
		return data.width()
	case outer.width() > 0:
		return outer.width()
	}
	return 1
}

func (s *search) found() bool { return s.best != nil }

// place returns the place found and how far it is beyond the data, by all inputs.
func (s *search) place() (place, beyond []float64) {
	place, beyond = s.point(s.best), make([]float64, len(s.all))
	for i, x := range place {
		beyond[i] = x - s.all[i].nearest(x)
	}
	return place, beyond
}

// point returns p by all inputs, with the middle of the data for those that are not in the critical part.
func (s *search) point(p []float64) []float64 {
	all := middleOf(s.all)
	for k, i := range s.index {
		all[i] = p[k]
	}
	return all
}

// limits reports whether the values of e tend to a number at the place found, and whether they go on behind it as they
// come, to the first order. They are looked at in steps, each a twentieth of the last, from which their changes shrink:
// those of a logarithm stay the same, those of a root of x shrink to 0.22. Where the values go on behind, the two sides
// differ by less and less, and the changes of their sums, in which a slope cancels, shrink to 1/400; at a kink to 1/20.
func (s *search) limits(e *Program) (bounded, through bool) {
	const steps, factor, shrinks, cancels, rounding = 4, 20, 0.7, 0.01, 1e-9
	if s.from == nil {
		return false, false
	}
	to, from := s.point(s.best), s.point(s.from)
	x := make([]float64, len(to))
	at := func(t float64) float64 {
		for i := range x {
			x[i] = to[i] + t*(from[i]-to[i])
		}
		return e.Eval(x)
	}
	var v, sums, differences [steps]float64
	size := 0.0
	for k := range v {
		t := math.Pow(factor, -float64(k+1))
		v[k] = at(t)
		behind := at(-t)
		sums[k], differences[k] = v[k]+behind, math.Abs(v[k]-behind)
		size = math.Max(size, math.Abs(v[k]))
	}
	before, after := math.Abs(v[steps-2]-v[steps-3]), math.Abs(v[steps-1]-v[steps-2])
	bounded = after <= before*shrinks || after <= rounding*math.Abs(v[steps-1])
	before, after = math.Abs(sums[steps-2]-sums[steps-3]), math.Abs(sums[steps-1]-sums[steps-2])
	meets := differences[steps-1] <= differences[steps-2]*shrinks || differences[steps-1] <= rounding*size
	return bounded, bounded && meets && (after <= before*cancels || after <= rounding*size)
}

// run searches the data and then the larger box.
func (s *search) run(points [][]float64) {
	s.keep(points)
	if len(s.good) == 0 {
		s.keep(spreadPoints(s.outer, s.points/8))
	}
	for _, p := range points {
		if s.try(p) {
			return
		}
	}
	later := s.boxes / 2
	s.boxes -= later
	s.branch([][]Interval{s.data}, s.data)
	if s.found() {
		return
	}
	s.boxes += later
	if !s.test.clear(s.outer) {
		s.branch(s.slabs(), s.outer)
	}
	if s.found() {
		s.open = false
	}
}

// keep adds the points that keep the condition to the good ones.
func (s *search) keep(points [][]float64) {
	for _, p := range points {
		if !s.test.behind(p) {
			s.good = append(s.good, p)
		}
	}
}

// slabs divides what the larger box has beyond the data.
func (s *search) slabs() [][]Interval {
	var list [][]Interval
	rest := slices.Clone(s.outer)
	for i := range rest {
		below, above := Interval{rest[i].Lo, s.data[i].Lo}, Interval{s.data[i].Hi, rest[i].Hi}
		for _, part := range []Interval{below, above} {
			if part.Lo < part.Hi {
				slab := slices.Clone(rest)
				slab[i] = part
				list = append(list, slab)
			}
		}
		rest[i] = s.data[i]
	}
	return list
}

// branch divides boxes until each is clear, those nearest to the data first, and the larger first of equals.
func (s *search) branch(boxes [][]Interval, within []Interval) {
	q := &queue{}
	for _, b := range boxes {
		q.add(b, s.distanceOf(b))
	}
	for len(q.order) > 0 {
		next := heap.Pop(q).(queued)
		if next.distance >= s.distance*(1-nearEnough) {
			return
		}
		if s.boxes == 0 {
			s.sample(within)
			s.open = s.open || !s.test.others(next.box) || !q.all(s.test.others)
			return
		}
		s.boxes--
		if s.test.clear(next.box) {
			continue
		}
		i, suspect := s.widest(next.box, s.test.split()), slices.Clone(s.test.suspect())
		middle := middleOf(next.box)
		if suspect != nil {
			s.try(suspect)
		}
		s.try(middle)
		s.try(s.near(next.box))
		if s.found() && s.distance == 0 {
			return
		}
		if i < 0 {
			s.narrow(next.box, within)
			continue
		}
		for _, half := range []Interval{{next.box[i].Lo, middle[i]}, {middle[i], next.box[i].Hi}} {
			b := slices.Clone(next.box)
			b[i] = half
			q.add(b, s.distanceOf(b))
		}
	}
}

// widest returns the variable to divide a box by: the one that matters most, if it can be divided, or the widest;
// -1 when the box is as narrow as boxes become.
func (s *search) widest(box []Interval, first int) int {
	share := func(i int) float64 {
		if w := s.outer[i].width(); w > 0 {
			return box[i].width() / w
		}
		return 0
	}
	if first >= 0 && share(first) > narrowest {
		return first
	}
	best := -1
	for i := range box {
		if share(i) > narrowest && (best < 0 || share(i) > share(best)) {
			best = i
		}
	}
	return best
}

// narrow decides what cannot be divided: there is a zero next to it, or it stays open unless that is because of another
// condition.
func (s *search) narrow(box, within []Interval) {
	p := middleOf(box)
	if s.test.zero(p, within) {
		s.note(p, s.nearestGood(p))
	}
	s.open = s.open || !s.found() && !s.test.others(box)
}

// sample tries points of a box when the budget is spent, and the zeros next to some of them.
func (s *search) sample(box []Interval) {
	for k, p := range spreadPoints(box, s.points) {
		s.try(p)
		if k < s.points/16 && !s.found() && s.test.zero(p, box) {
			s.note(p, s.nearestGood(p))
		}
	}
}

// try notes, for a point that breaks the condition, the place between it and the data where it begins to, if that is
// nearer than what was found before. It reports whether the place is inside the data.
func (s *search) try(p []float64) bool {
	if s.lost == mostLost || s.distanceOf(pointBox(p)) >= s.distance || !s.test.bad(p) {
		return false
	}
	p = s.test.simpler(p, middleOf(s.data))
	if from := s.clamped(p); s.test.bad(from) {
		p = from // it breaks the condition inside the data, so the way to it begins there
	} else if !s.test.behind(from) && s.way(from, p) {
		return s.distance == 0
	}
	before, from := s.distance, s.nearestGood(p)
	switch {
	case s.test.alone(p) && (from == nil || s.isInside(p) && !s.isInside(from)):
		s.note(p, nil) // all the data that are known break it
	case from != nil:
		s.way(from, p)
	}
	if s.distance == before {
		s.lost++
	}
	return s.distance == 0
}

func (s *search) isInside(p []float64) bool { return s.distanceOf(pointBox(p)) == 0 }

// way notes the edge between a good point and a bad one, if it is one of this condition.
func (s *search) way(good, bad []float64) bool {
	place, ok := s.test.edge(s.bisect(good, bad))
	if ok {
		s.note(place, good)
	}
	return ok
}

// note keeps a place if it is the nearest, with the point that it was reached from.
func (s *search) note(place, from []float64) {
	if d := s.distanceOf(pointBox(place)); d < s.distance {
		s.best, s.from, s.distance = slices.Clone(place), slices.Clone(from), d
	}
}

// nearestGood returns the good point that is nearest to p, nil without any.
func (s *search) nearestGood(p []float64) []float64 {
	var best []float64
	least := math.Inf(1)
	for _, g := range s.good {
		d := 0.0
		for i := range p {
			d = max(d, math.Abs(p[i]-g[i])/s.widths[i])
		}
		if d < least {
			best, least = g, d
		}
	}
	return best
}

// bisect returns two points next to each other on the way from a good one to a bad one: the last before the edge and
// the first behind it. Next to zero, where numbers never end, near is enough, and zero itself is tried.
func (s *search) bisect(good, bad []float64) (before, after []float64) {
	before, after = slices.Clone(good), slices.Clone(bad)
	middle := make([]float64, len(good))
	for range halvings {
		gap := 0.0
		for i, w := range s.widths {
			middle[i] = before[i]/2 + after[i]/2
			d := math.Abs(after[i]-before[i]) / w
			if before[i]*after[i] < 0 && d < 1e-6 {
				middle[i] = 0
			}
			gap = max(gap, d)
		}
		if gap < closest || slices.Equal(middle, before) || slices.Equal(middle, after) {
			break
		}
		if s.test.behind(middle) {
			copy(after, middle)
		} else {
			copy(before, middle)
		}
	}
	return before, after
}

// clamped returns the point of the data that is nearest to p.
func (s *search) clamped(p []float64) []float64 {
	q := make([]float64, len(p))
	for i, x := range p {
		q[i] = s.data[i].nearest(x)
	}
	return q
}

// near returns the point of a box that is nearest to the middle of the data.
func (s *search) near(box []Interval) []float64 {
	p := middleOf(s.data)
	for i, b := range box {
		p[i] = b.nearest(p[i])
	}
	return p
}

// distanceOf returns how far a box is beyond the data, in widths of the data: the largest over the variables.
func (s *search) distanceOf(box []Interval) float64 {
	d := 0.0
	for i, b := range box {
		d = max(d, (b.Lo-s.data[i].Hi)/s.widths[i], (s.data[i].Lo-b.Hi)/s.widths[i])
	}
	return d
}

func middleOf(box []Interval) []float64 {
	p := make([]float64, len(box))
	for i, b := range box {
		p[i] = b.middle()
	}
	return p
}

func pointBox(p []float64) []Interval {
	box := make([]Interval, len(p))
	for i, x := range p {
		box[i] = Interval{x, x}
	}
	return box
}

// spreadPoints returns points that fill a box evenly: multiples of powers of the root of x^(d+1) = x + 1, modulo 1
// (Roberts 2018).
func spreadPoints(box []Interval, n int) [][]float64 {
	root := 2.0
	for range 60 {
		root = math.Pow(1+root, 1/float64(len(box)+1))
	}
	points := make([][]float64, n)
	for k := range points {
		p, step := make([]float64, len(box)), 1.0
		for i, b := range box {
			step /= root
			_, t := math.Modf(0.5 + float64(k+1)*step)
			p[i] = b.nearest((1-t)*b.Lo + t*b.Hi)
		}
		points[k] = p
	}
	return points
}

// queue holds boxes, those nearest to the data first and then in the order in which they came.
type queue struct {
	order []queued
	next  int
}

type queued struct {
	box      []Interval
	distance float64
	number   int
}

func (q *queue) add(box []Interval, distance float64) {
	heap.Push(q, queued{box, distance, q.next})
	q.next++
}

// all reports whether f is true of all boxes that wait.
func (q *queue) all(f func(box []Interval) bool) bool {
	return !slices.ContainsFunc(q.order, func(o queued) bool { return !f(o.box) })
}

func (q *queue) Len() int { return len(q.order) }
func (q *queue) Less(i, j int) bool {
	a, b := q.order[i], q.order[j]
	return a.distance < b.distance || a.distance == b.distance && a.number < b.number
}
func (q *queue) Swap(i, j int) { q.order[i], q.order[j] = q.order[j], q.order[i] }
func (q *queue) Push(x any)    { q.order = append(q.order, x.(queued)) }
func (q *queue) Pop() any {
	last := q.order[len(q.order)-1]
	q.order = q.order[:len(q.order)-1]
	return last
}
