package formula

import (
	"math"
	"slices"
)

// margin tests that a critical part keeps away from zero: its values have one sign.
type margin struct {
	x      *encloser
	must   must
	sign   float64 // -1 when the part is negative on the data, for a part that must not be zero
	size   float64 // its largest magnitude at the points known
	slopes []span
	edges  bool      // other conditions are broken, or may be
	worst  []float64 // suspect
	widest int       // split
}

// margin searches for where the critical part breaks its condition.
func (s *search) margin(rule must, edges bool) {
	m := &margin{x: newEncloser(s.critical, s.vars), must: rule, sign: 1, edges: edges}
	m.slopes = make([]span, len(s.vars))
	s.test = m
	points := s.extremeRows()
	points = append(points, middleOf(s.data))
	if len(s.vars) > 0 {
		points = append(points, spreadPoints(s.data, s.points/8)...)
	}
	if !m.survey(points) {
		m.survey(spreadPoints(s.outer, s.points/8))
	}
	s.run(points)
}

// survey learns the sign that the part has at most points, and its size. It reports whether there is a sign.
func (m *margin) survey(points [][]float64) bool {
	above, below := 0, 0
	for _, p := range points {
		v := m.at(p)
		if v.finite() && !v.empty() {
			m.size = max(m.size, v.magnitude())
		}
		if v.lo > 0 {
			above++
		} else if v.hi < 0 {
			below++
		}
	}
	if m.must == notZero && below > above {
		m.sign = -1
	}
	return above+below > 0
}

// extremeRows returns the rows with the smallest and the largest value of the critical part.
func (s *search) extremeRows() [][]float64 {
	p, err := Compile(s.critical, s.vars)
	if err != nil || len(s.rows) == 0 || len(s.rows[0]) == 0 {
		return nil
	}
	values := make([]float64, len(s.rows[0]))
	p.EvalColumns(values, s.rows)
	low, high := -1, -1
	for i, v := range values {
		if math.IsNaN(v) || !s.isData(i) {
			continue
		}
		if low < 0 || v < values[low] {
			low = i
		}
		if high < 0 || v > values[high] {
			high = i
		}
	}
	if low < 0 {
		return nil
	}
	points := make([][]float64, 2)
	for k, i := range []int{low, high} {
		for _, column := range s.rows {
			points[k] = append(points[k], column[i])
		}
	}
	return points
}

// isData reports whether a row is within the ranges of the data.
func (s *search) isData(row int) bool {
	for v, column := range s.rows {
		if !s.data[v].Contains(column[row]) {
			return false
		}
	}
	return true
}

// enclose returns the values over a box, with the sign that they should have.
func (m *margin) enclose(box []Interval) span {
	v := m.x.enclose(box)
	if m.sign < 0 {
		return v.negative()
	}
	return v
}

func (m *margin) at(p []float64) span { return m.enclose(pointBox(p)) }

// clear bounds the part from below in three ways: by its span; by that of the part of the box's boundary where it is
// smallest, since it is monotonic in some variables; and there by its value in the middle and its slopes.
func (m *margin) clear(box []Interval) bool {
	m.worst, m.widest = nil, -1
	v := m.enclose(box)
	switch {
	case v.empty() || v.lo > 0 || v.lo == 0 && m.must == notNegative:
		return true
	case v.mark != 0 || !v.finite():
		return false
	}
	m.x.slopesBy(m.slopes)
	face, most := slices.Clone(box), 0.0
	m.worst = make([]float64, len(box))
	for i, b := range box {
		d := m.slopes[i]
		if m.sign < 0 {
			d = d.negative()
			m.slopes[i] = d
		}
		m.worst[i] = b.Lo
		if d.lo+d.hi < 0 {
			m.worst[i] = b.Hi
		}
		if d.lo >= 0 || d.hi <= 0 {
			face[i] = Interval{m.worst[i], m.worst[i]}
		}
		if change := d.magnitude() * b.width(); change > most {
			m.widest, most = i, change
		}
	}
	low := max(v.lo, m.enclose(face).lo)
	middle := m.at(middleOf(face))
	change := 0.0
	for i, b := range face {
		if b.Lo < b.Hi {
			change += m.slopes[i].magnitude() * b.width()
		}
	}
	low = max(low, middle.lo-change/2*(1+1e-12))
	if m.must != notNegative {
		return low > 0
	}
	return low >= -8*(middle.hi-middle.lo)
}

func (m *margin) bad(p []float64) bool {
	v := m.at(p)
	if v.empty() || v.hi < 0 {
		return !v.empty()
	}
	return m.must != notNegative && v.has(0) && m.precise(v)
}

// precise reports whether a span at a point is no wider than rounding makes it where nothing much cancels.
func (m *margin) precise(v span) bool { return v.finite() && v.hi-v.lo <= 1e-12*m.size }

func (m *margin) behind(p []float64) bool {
	v := m.at(p)
	return v.empty() || !(v.lo+v.hi > 0) && !(m.must == notNegative && v.lo+v.hi == 0)
}

func (m *margin) edge(before, after []float64) ([]float64, bool) {
	box := pointBox(before)
	for i := range box {
		box[i] = Interval{min(before[i], after[i]), max(before[i], after[i])}
	}
	if v := m.enclose(box); v.mark&cut != 0 || !v.finite() {
		b, a := m.at(before), m.at(after)
		return before, m.must != notZero && !b.empty() && !a.empty() && a.hi < 0
	}
	if m.at(before).magnitude() < m.at(after).magnitude() {
		return before, true
	}
	return after, true
}

func (m *margin) others(box []Interval) bool { return m.edges && m.enclose(box).mark&cut != 0 }

func (m *margin) alone(p []float64) bool { return m.must != notZero || m.at(p).has(0) }

func (m *margin) suspect() []float64 { return m.worst }
func (m *margin) split() int         { return m.widest }

// zero takes Newton's steps along the slopes. Where a part touches zero they halve the distance.
func (m *margin) zero(p []float64, within []Interval) bool {
	if m.must == notNegative {
		return false
	}
	for range newtonSteps {
		v := m.at(p)
		if v.empty() || !v.finite() {
			return false
		}
		if v.has(0) && m.precise(v) || m.vanishes(v, p, within) {
			return true
		}
		m.at(p)
		m.x.slopesBy(m.slopes)
		total := 0.0
		for i, d := range m.slopes {
			w := within[i].width()
			total += d.middle() * d.middle() * w * w
		}
		if !(total > 0) {
			return false
		}
		for i, d := range m.slopes {
			w := within[i].width()
			p[i] = within[i].nearest(p[i] - m.sign*v.middle()*d.middle()*w*w/total)
			if math.IsNaN(p[i]) {
				p[i] = within[i].Lo
			}
		}
	}
	return false
}

// vanishes reports whether a small value v at p is next to a zero that is computed without rounding, as that of x^2 +
// y^2: a millionth of the box away, values are a million times as large. Those of exp(-x) are not.
func (m *margin) vanishes(v span, p []float64, within []Interval) bool {
	const tiny, away = 1e-24, 1e-6
	if v.magnitude() > tiny*m.size {
		return false
	}
	for i, x := range p {
		for _, step := range [2]float64{-away, away} {
			p[i] = within[i].nearest(x + step*within[i].width())
			far := m.at(p)
			p[i] = x
			if !far.empty() && far.finite() && far.magnitude()*away > v.magnitude() {
				return true
			}
		}
	}
	return false
}

func (m *margin) simpler(p, _ []float64) []float64 { return p }

func (a span) middle() float64 { return a.lo/2 + a.hi/2 }

// overflows tests that the value of a whole expression is a finite number, wherever its parts are within their domains.
type overflows struct {
	x     *encloser
	edges bool // the expression has other edges, or may have: boxes around them are theirs
}

// overflow searches for where the expression overflows.
func (s *search) overflow(edges bool) *overflows {
	o := &overflows{newEncloser(s.critical, s.vars), edges}
	s.test = o
	points := s.extremeRows()
	s.run(append(points, middleOf(s.data)))
	return o
}

func (o *overflows) clear(box []Interval) bool {
	if o.x.enclose(box).finite() {
		return true
	}
	_, found, poles := o.x.overflow()
	return !found && poles && o.edges
}

func (o *overflows) bad(p []float64) bool {
	if o.x.enclose(pointBox(p)).finite() {
		return false
	}
	_, found, poles := o.x.overflow()
	return found || poles && !o.edges // a denominator that is too small a number is none of the other edges
}

func (o *overflows) others([]Interval) bool          { return false }
func (o *overflows) alone([]float64) bool            { return true }
func (o *overflows) behind(p []float64) bool         { return o.bad(p) }
func (o *overflows) suspect() []float64              { return nil }
func (o *overflows) split() int                      { return -1 }
func (o *overflows) zero([]float64, []Interval) bool { return false }

// edge returns the first point that overflows, of which [overflows.part] knows the part.
func (o *overflows) edge(_, after []float64) ([]float64, bool) { return after, true }

// simpler moves the variables to the middle of which the part that overflows does not depend.
func (o *overflows) simpler(p, middle []float64) []float64 {
	moved := slices.Clone(middle)
	vars := Vars(o.part(p))
	for i, in := range o.x.code {
		if in.op == opVar && slices.Contains(vars, string(o.x.parts[i].(variable))) {
			moved[in.a] = p[in.a]
		}
	}
	if o.bad(moved) {
		return moved
	}
	return p
}

// part returns the part that overflows at a point.
func (o *overflows) part(p []float64) Expr {
	o.x.enclose(pointBox(p))
	reg, _, _ := o.x.overflow()
	return o.x.part(reg)
}
