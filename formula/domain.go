package formula

import (
	"cmp"
	"fmt"
	"slices"
)

// Region says where [DomainOf] looks for values: over the data, and from there on to the ends of a larger box.
type Region struct {
	Inputs []string    // the names of the variables, in the order of everything else
	Data   []Interval  // the range of each input in the data
	Outer  []Interval  // the range of each input in the larger box
	Rows   [][]float64 // the data: one column an input, or nil; rows outside Data do not count
}

// Domain is what is known about where an expression has values in a [Region].
type Domain struct {
	Edges []Edge // where it has none, the edges inside the data first, then those nearest to it
	Open  []Expr // critical parts whose edges were neither found nor excluded; e itself when it may overflow
}

// Free reports whether it is proven that the expression has a value everywhere in the region. Where a root's argument
// touches zero within rounding, as that of sqrt(x^2 - 2*x + 1) does, it counts as zero.
func (d Domain) Free() bool { return len(d.Edges) == 0 && len(d.Open) == 0 }

// Edge is a place where an expression stops having a value. There is at most one for each condition, the nearest to the
// data that was found: one pole stands for all of 1/sin(x).
type Edge struct {
	Kind     EdgeKind
	Part     Expr      // the part that has no value there: a power, a function or what overflows
	Critical Expr      // what decides: the denominator, the cosine of a tangent's argument, the argument, what overflows
	Inputs   []string  // the variables of Critical; none when it has no value anywhere
	Place    []float64 // a point on the edge, in the order of Region.Inputs; inputs not in Inputs are in mid-range
	Beyond   []float64 // Place minus the nearest value in the range of the data, for each input
	Distance float64   // the largest of |Beyond|, each divided by the width of that range; 0 inside the data
	Bounded  bool      // the values of the whole expression tend to a number there, as those of x*log(x) do
	// Through is whether the values, besides, continue smoothly on the other side. Those of sin(x)/x do, those of
	// x/sqrt(1 + 1/x^2) do not.
	Through bool
}

// Inside reports whether the edge is within the box of the data, ends included.
func (e Edge) Inside() bool { return e.Distance == 0 }

// EdgeKind is the reason why there is no value.
type EdgeKind uint8

// The kinds of edges.
const (
	PoleEdge     EdgeKind = iota // a denominator is zero
	LogEdge                      // the argument of a logarithm is zero; it is negative behind
	RootEdge                     // the argument of a root, or the base of a fractional power, becomes negative
	ArcEdge                      // the argument of an inverse sine or cosine leaves [-1, 1]
	OverflowEdge                 // the value is beyond the largest floating-point number
)

// String returns "pole", "logarithm", "root", "end of an inverse sine or cosine" or "overflow".
func (k EdgeKind) String() string {
	names := [...]string{"pole", "logarithm", "root", "end of an inverse sine or cosine", "overflow"}
	if int(k) >= len(names) {
		return fmt.Sprintf("EdgeKind(%d)", uint8(k))
	}
	return names[k]
}

// DomainOf finds where e has no value in a region. Every condition on a part of e is one of three: proven by interval
// arithmetic over ever smaller boxes, broken at a place that is then found by bisection, or open when the budget is
// spent. The budget counts arithmetic, so results do not depend on the machine.
//
// It is an error when e has a variable that is not among the inputs, or when an input has no range. Infinite ranges
// are cut at 1e300; the larger box is extended by the data where it does not contain it.
//
// Sources: Moore, Kearfott and Cloud, Introduction to Interval Analysis, SIAM 2009 (monotonicity, mean value form,
// smear); Roberts's R-sequence for the points when boxes do not decide.
func DomainOf(e Expr, region Region) (Domain, error) {
	data, outer, err := region.boxes()
	if err != nil {
		return Domain{}, err
	}
	program, err := Compile(e, region.Inputs)
	if err != nil {
		return Domain{}, err
	}
	var d Domain
	list := conditions(e, region.Inputs, outer)
	for i := range list {
		c := &list[i]
		s := newSearch(c.critical, region, data, outer, len(list)+1)
		s.margin(c.must, !d.Free())
		d.add(s, program, *c)
	}
	s := newSearch(e, region, data, outer, len(list)+1)
	o := s.overflow(!d.Free())
	c := condition{kind: OverflowEdge, critical: e, part: e}
	if s.found() {
		c.part = o.part(s.best)
		c.critical = c.part
		if f, ok := c.part.(*call); ok {
			c.critical = f.args[0]
		}
	}
	d.add(s, program, c)
	slices.SortStableFunc(d.Edges, func(a, b Edge) int { return cmp.Compare(a.Distance, b.Distance) })
	return d, nil
}

// farthest is the largest magnitude of a coordinate, so that distances are finite numbers.
const farthest = 1e300

// boxes returns the two boxes as the search needs them.
func (r Region) boxes() (data, outer []Interval, err error) {
	if len(r.Data) != len(r.Inputs) || len(r.Outer) != len(r.Inputs) {
		return nil, nil, fmt.Errorf("%d inputs with %d ranges of the data and %d larger ones (give one of each an input)",
			len(r.Inputs), len(r.Data), len(r.Outer))
	}
	for _, column := range r.Rows {
		if len(r.Rows) != len(r.Inputs) || len(column) != len(r.Rows[0]) {
			return nil, nil, fmt.Errorf("%d inputs with %d columns (give one each, all of one length, or none)",
				len(r.Inputs), len(r.Rows))
		}
	}
	limited := func(a Interval) Interval { return Interval{max(a.Lo, -farthest), min(a.Hi, farthest)} }
	for i, name := range r.Inputs {
		a, b := limited(r.Data[i]), limited(r.Outer[i])
		if !(a.Lo <= a.Hi) || !(b.Lo <= b.Hi) {
			return nil, nil, fmt.Errorf("input %s has no range: %v in the data, %v in the larger box", quoteName(name),
				r.Data[i], r.Outer[i])
		}
		data = append(data, a)
		outer = append(outer, Interval{min(a.Lo, b.Lo), max(a.Hi, b.Hi)})
	}
	return data, outer, nil
}

// add notes what a search came to.
func (d *Domain) add(s *search, e *Program, c condition) {
	if !s.found() {
		if s.open {
			d.Open = append(d.Open, c.critical)
		}
		return
	}
	edge := Edge{Kind: c.kind, Part: c.part, Critical: c.critical, Inputs: Vars(c.critical), Distance: s.distance}
	edge.Place, edge.Beyond = s.place()
	if c.kind != OverflowEdge {
		edge.Bounded, edge.Through = s.limits(e)
	}
	d.Edges = append(d.Edges, edge)
}
