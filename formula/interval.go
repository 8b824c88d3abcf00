package formula

import "math"

// Interval is the numbers from Lo to Hi, both included.
type Interval struct{ Lo, Hi float64 }

// Contains reports whether x is one of the numbers.
func (a Interval) Contains(x float64) bool { return a.Lo <= x && x <= a.Hi }

func (a Interval) width() float64            { return a.Hi - a.Lo }
func (a Interval) middle() float64           { return a.Lo/2 + a.Hi/2 }
func (a Interval) nearest(x float64) float64 { return min(max(x, a.Lo), a.Hi) }

// span encloses the values of a part of an expression over a box: both the exact ones and those that floating-point
// arithmetic gives, which may be infinite. Points at which the part has no value count for nothing; the marks say
// whether there may be any. A span without numbers has lo > hi.
type span struct {
	lo, hi float64
	mark   mark
}

// mark is a set of what may happen somewhere in a box.
type mark uint8

const (
	cut  mark = 1 << iota // the part leaves the domain of an operation
	lost                  // it becomes NaN within all domains: Inf - Inf, 0·Inf
)

var whole = span{lo: math.Inf(-1), hi: math.Inf(1)}

func exactly(v float64) span { return span{lo: v, hi: v} }

func nowhere(m mark) span { return span{math.Inf(1), math.Inf(-1), m} }

func (a span) empty() bool { return !(a.lo <= a.hi) }

// finite reports whether all values are finite numbers.
func (a span) finite() bool {
	return a.mark&lost == 0 && (a.empty() || a.lo >= -math.MaxFloat64 && a.hi <= math.MaxFloat64)
}

func (a span) infinite() bool            { return math.IsInf(a.lo, 0) || math.IsInf(a.hi, 0) }
func (a span) has(v float64) bool        { return a.lo <= v && v <= a.hi }
func (a span) with(m mark) span          { a.mark |= m; return a }
func (a span) negative() span            { return span{-a.hi, -a.lo, a.mark} }
func (a span) magnitude() float64        { return max(math.Abs(a.lo), math.Abs(a.hi)) }
func (a span) hull(b span) span          { return span{min(a.lo, b.lo), max(a.hi, b.hi), a.mark | b.mark} }
func (a span) clamp(lo, hi float64) span { return span{max(a.lo, lo), min(a.hi, hi), a.mark} }

// loosened is a with its ends moved outward by some units in the last place, for functions that are not rounded
// correctly.
func (a span) loosened(ulps float64) span {
	const unit, least = 0x1p-53, math.SmallestNonzeroFloat64
	ulps *= unit // first, since the largest numbers have no multiples
	if math.Abs(a.lo) <= math.MaxFloat64 {
		a.lo -= math.Abs(a.lo)*ulps + least
	}
	if math.Abs(a.hi) <= math.MaxFloat64 {
		a.hi += math.Abs(a.hi)*ulps + least
	}
	return a
}

func (a span) add(b span) span {
	m := a.mark | b.mark
	if a.empty() || b.empty() {
		return nowhere(m)
	}
	if math.IsInf(a.hi, 1) && math.IsInf(b.lo, -1) || math.IsInf(a.lo, -1) && math.IsInf(b.hi, 1) {
		return whole.with(m | lost)
	}
	return span{addDown(a.lo, b.lo), -addDown(-a.hi, -b.hi), m}
}

func (a span) sub(b span) span { return a.add(b.negative()) }

func (a span) mul(b span) span {
	m := a.mark | b.mark
	if a.empty() || b.empty() {
		return nowhere(m)
	}
	if a.infinite() && b.has(0) || b.infinite() && a.has(0) {
		m |= lost
	}
	return corners(a, b, mulDown, m)
}

// square is a·a, whose factors are one number.
func (a span) square() span {
	switch {
	case a.empty():
		return a
	case a.lo < 0 && a.hi > 0:
		return span{0, max(-mulDown(-a.lo, a.lo), -mulDown(-a.hi, a.hi)), a.mark}
	}
	return corners(a, a, mulDown, a.mark)
}

// div is a/b where b is not zero.
func (a span) div(b span) span {
	m := a.mark | b.mark
	if a.empty() || b.empty() {
		return nowhere(m)
	}
	if a.infinite() && b.infinite() {
		m |= lost
	}
	if !b.has(0) {
		return corners(a, b, divDown, m)
	}
	m |= cut
	switch {
	case b.lo == 0 && b.hi == 0:
		return nowhere(m)
	case b.lo < 0 && b.hi > 0 || a.has(0):
		return whole.with(m)
	}
	far := b.lo // the end that is not zero; towards the other one the quotient grows beyond all numbers
	if b.lo == 0 {
		far = b.hi
	}
	r := corners(a, exactly(far), divDown, m)
	if (a.lo > 0) == (far > 0) {
		return span{r.lo, math.Inf(1), m}
	}
	return span{math.Inf(-1), r.hi, m}
}

// corners is the hull of an operation that is monotonic in each operand. down rounds its result towards -Inf.
func corners(a, b span, down func(x, y float64) float64, m mark) span {
	r := nowhere(m)
	for _, x := range [2]float64{a.lo, a.hi} {
		for _, y := range [2]float64{b.lo, b.hi} {
			if lo, hi := down(x, y), -down(-x, y); lo <= hi { // neither is NaN
				r.lo, r.hi = min(r.lo, lo), max(r.hi, hi)
			}
		}
	}
	if r.empty() {
		return whole.with(m)
	}
	return r
}

// pow is a^b where that is a number: a is not negative, unless b is one whole number.
func (a span) pow(b span) span {
	if b.lo == b.hi {
		return a.powNumber(b.lo).with(b.mark)
	}
	m := a.mark | b.mark
	if a.empty() || b.empty() {
		return nowhere(m)
	}
	if a.lo < 0 || a.lo == 0 && b.lo < 0 {
		m |= cut
	}
	if a.hi < 0 {
		return nowhere(m)
	}
	if a.infinite() || b.infinite() {
		return span{0, math.Inf(1), m | lost}
	}
	a = a.clamp(0, math.Inf(1))
	r := nowhere(m)
	for _, x := range [2]float64{a.lo, a.hi} {
		for _, y := range [2]float64{b.lo, b.hi} {
			r = r.hull(exactly(math.Pow(x, y)))
		}
	}
	return r.loosened(8+b.magnitude()).clamp(0, math.Inf(1))
}

// powNumber is a^c.
func (a span) powNumber(c float64) span {
	isWhole, even := c == math.Trunc(c), math.Mod(c, 2) == 0
	switch {
	case math.IsNaN(c) || math.IsInf(c, 0):
		return whole.with(a.mark | cut | lost)
	case a.empty() || c == 1:
		return a
	case c == 0:
		return span{1, 1, a.mark}
	case c < 0:
		return exactly(1).div(a.powNumber(-c)).loosened(4)
	case c == 2:
		return a.square()
	case !isWhole && a.hi < 0:
		return nowhere(a.mark | cut)
	case !isWhole && a.lo < 0:
		a = a.clamp(0, a.hi).with(cut)
	}
	lo, hi := pow(a.lo, c), pow(a.hi, c)
	r := span{min(lo, hi), max(lo, hi), a.mark}.loosened(8 + c)
	switch {
	case isWhole && even && a.has(0):
		r.lo = 0
	case even || !isWhole || a.lo >= 0:
		r.lo = max(r.lo, 0)
	case a.hi <= 0:
		r.hi = min(r.hi, 0)
	}
	return r
}

// addDown returns x + y rounded towards -Inf: exact sums stay (Knuth's error of a sum).
func addDown(x, y float64) float64 {
	s := x + y
	t := s - x
	if err := (x - (s - t)) + (y - t); err < 0 {
		return math.Nextafter(s, math.Inf(-1))
	}
	return s
}

// smallest is the size below which the error of a product is itself rounded.
const smallest = 0x1p-960

// mulDown returns x·y rounded towards -Inf: exact products stay, and no sign changes.
func mulDown(x, y float64) float64 {
	p := x * y
	switch {
	case x == 0 || y == 0, math.IsInf(p, 0):
		return p
	case math.Abs(p) < smallest:
		if (x > 0) == (y > 0) {
			return max(0, math.Nextafter(p, math.Inf(-1)))
		}
		return math.Nextafter(p, math.Inf(-1))
	case math.FMA(x, y, -p) < 0:
		return math.Nextafter(p, math.Inf(-1))
	}
	return p
}

// divDown returns x/y rounded towards -Inf: exact quotients stay, and no sign changes.
func divDown(x, y float64) float64 {
	q := x / y
	switch {
	case x == 0, math.IsInf(y, 0), math.IsInf(q, 0):
		return q
	case math.Abs(q) < smallest || math.Abs(x) < smallest:
		if (x > 0) == (y > 0) {
			return max(0, math.Nextafter(q, math.Inf(-1)))
		}
		return math.Nextafter(q, math.Inf(-1))
	}
	if r := math.FMA(-q, y, x); r < 0 && y > 0 || r > 0 && y < 0 {
		return math.Nextafter(q, math.Inf(-1))
	}
	return q
}
