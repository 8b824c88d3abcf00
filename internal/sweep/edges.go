package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
)

// observed returns a target on all rows, and what a formula of inputs counted from their origins says there.
func (p *problem) observed(e formula.Expr, o int) (y, predicted []float64) {
	return p.observedOn(p.rows, e, o)
}

// observedOn is observed on some rows.
func (p *problem) observedOn(rows *datasets.Table, e formula.Expr, o int) (y, predicted []float64) {
	n := len(p.inputs)
	y = rows.Cols[n+o]
	predicted, err := evaluate(e, p.inputs, rows.Cols[:n], rows.Rows())
	if err != nil {
		predicted = slices.Repeat([]float64{math.NaN()}, len(y)) // it has other variables
	}
	return y, predicted
}

// onRows returns the values of an expression of inputs counted from their origins on all rows.
func (p *problem) onRows(e formula.Expr) ([]float64, error) {
	return evaluate(e, p.inputs, p.rows.Cols[:len(p.inputs)], p.rows.Rows())
}

// hasValues reports whether a formula has a value on every row.
func (p *problem) hasValues(e formula.Expr) bool {
	y, err := p.onRows(e)
	return err == nil && allFinite(y)
}

func allFinite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// edges returns where a formula of inputs counted from their origins has no value, the nearest to the data first. Of
// each part that has none somewhere it is the nearest place, and where that is one value of one input, the nearest one
// that is not at the same end, too: tan(x) ends on both sides. A pole that the formula goes through, as sin(x)/x does
// at 0, is none. Where it has a limit and goes on in another way, as 1/sqrt(1 + 1/x^2) does with the sign of x lost, no
// row says anything of what is behind.
func (p *problem) edges(e formula.Expr) []Edge {
	region := formula.Region{Inputs: p.inputs, Rows: p.rows.Cols[:len(p.inputs)]}
	for _, col := range p.rows.Cols[:len(p.inputs)] {
		low, high := slices.Min(col), slices.Max(col)
		outer := twice(low, high)
		if distill.TwoValued(col) {
			outer = formula.Interval{Lo: low, Hi: high}
		}
		region.Data, region.Outer = append(region.Data, formula.Interval{Lo: low, Hi: high}), append(region.Outer, outer)
	}
	list := p.edgesIn(e, region)
	cut := false
	for i := range list {
		if x := &list[i]; ofOneInput(x) {
			cut = true
			j := slices.Index(p.inputs, x.Inputs[0])
			if x.Beyond[0] < 0 {
				region.Outer[j].Lo = region.Data[j].Lo
			} else {
				region.Outer[j].Hi = region.Data[j].Hi
			}
		}
	}
	if !cut {
		return list
	}
	for _, x := range p.edgesIn(e, region) {
		if ofOneInput(&x) {
			list = append(list, x)
		}
	}
	return list
}

// edgesIn returns the edges of a formula in a region.
func (p *problem) edgesIn(e formula.Expr, region formula.Region) []Edge {
	domain, err := formula.DomainOf(e, region)
	if err != nil {
		return nil
	}
	var list []Edge
	for _, found := range domain.Edges {
		if found.Through && found.Kind == formula.PoleEdge {
			continue
		}
		edge := Edge{
			Kind: found.Kind, Critical: p.forTable(found.Critical), Inside: found.Inside(), Inputs: found.Inputs,
			Among: found.Kind != formula.OverflowEdge && p.changesSign(found.Critical),
		}
		for _, name := range found.Inputs {
			j := slices.Index(p.inputs, name)
			edge.Place = append(edge.Place, p.origins[j]+found.Place[j])
			edge.Beyond = append(edge.Beyond, found.Beyond[j])
		}
		list = append(list, edge)
	}
	return list
}

// twice returns a range of twice the size about the same middle.
func twice(low, high float64) formula.Interval {
	half := (high - low) / 2
	return formula.Interval{Lo: low - half, Hi: high + half}
}

// changesSign reports whether an expression is negative on some rows and positive on others.
func (p *problem) changesSign(e formula.Expr) bool {
	v, err := p.onRows(e)
	return err == nil && slices.Min(v) < 0 && slices.Max(v) > 0
}

// poleAmong says where a formula has a pole with rows on both sides, "" when it has none.
func poleAmong(e *Evidence) string {
	i := slices.IndexFunc(e.Edges, func(x Edge) bool { return x.Among })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("it has %s among the data, at %s", article(e.Edges[i].Kind), place(&e.Edges[i]))
}

// article writes a kind of edge with its article.
func article(k formula.EdgeKind) string {
	if k == formula.OverflowEdge || k == formula.ArcEdge {
		return fmt.Sprintf("an %s", k)
	}
	return fmt.Sprintf("a %s", k)
}

// reachOf says how far a formula has values, "" when it has them in the whole box of twice the size: up to the edge
// that is nearest to the data and, where that is of one input, up to the nearest at the other end, or of another input.
func reachOf(e *Evidence) string {
	if len(e.Edges) == 0 {
		return ""
	}
	first := &e.Edges[0]
	ends, none := reachTo(first), noneAt(first)
	for i := range e.Edges {
		if other := &e.Edges[i]; ofOneInput(first) && ofOneInput(other) && !sameEnd(first, other) {
			ends += " and " + reachTo(other)
			if noneAt(other) != none {
				none = "no value there or farther out"
			}
			break
		}
	}
	return ends + "; " + none
}

// ofOneInput reports whether an edge is outside the data, and where one input alone has a certain value.
func ofOneInput(x *Edge) bool { return !x.Inside && len(x.Inputs) == 1 }

// sameEnd reports whether two edges of one input each are at the same end of the same input.
func sameEnd(a, b *Edge) bool {
	return a.Inputs[0] == b.Inputs[0] && (a.Beyond[0] < 0) == (b.Beyond[0] < 0)
}

// reachTo says that a formula has values up to an edge.
func reachTo(at *Edge) string {
	switch {
	case at.Inside:
		return fmt.Sprintf("but for %s in the range of the data, at %s", article(at.Kind), place(at))
	case len(at.Inputs) > 1:
		return fmt.Sprintf("as far as %s, %s beyond the data", place(at), farthest(at))
	case at.Beyond[0] < 0:
		return fmt.Sprintf("down to %s, %.3g below the data", place(at), -at.Beyond[0])
	default:
		return fmt.Sprintf("up to %s, %.3g beyond the data", place(at), at.Beyond[0])
	}
}

// noneAt says where a formula has no value: a root has one on its edge, for an argument of 0.
func noneAt(x *Edge) string {
	if x.Kind == formula.RootEdge || x.Kind == formula.ArcEdge {
		return "no value farther out"
	}
	return "no value there"
}

// place writes the values of the inputs on an edge.
func place(x *Edge) string {
	var parts []string
	for k, name := range x.Inputs {
		parts = append(parts, fmt.Sprintf("%s = %.*g", formula.Print(formula.Var(name), formula.Text, 0),
			placeDigits(x.Place[k], x.Beyond[k]), x.Place[k]))
	}
	return strings.Join(parts, ", ")
}

// placeDigits returns how many digits tell a place from the end of the data.
func placeDigits(place, beyond float64) int {
	const fewest, most = 4, 15
	digits := math.Ceil(math.Log10(math.Abs(place/beyond))) + 2
	if !(digits > fewest) || beyond == 0 {
		return fewest
	}
	return int(math.Min(digits, most))
}

// farthest writes by how much the inputs that leave their range do so.
func farthest(x *Edge) string {
	var parts []string
	for k, name := range x.Inputs {
		if x.Beyond[k] != 0 {
			parts = append(parts,
				fmt.Sprintf("%.3g in %s", math.Abs(x.Beyond[k]), formula.Print(formula.Var(name), formula.Text, 0)))
		}
	}
	return strings.Join(parts, " and ")
}
