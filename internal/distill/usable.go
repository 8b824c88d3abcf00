package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// sides says which signs a denominator had.
type sides struct{ positive, negative, zero bool }

func (s *sides) note(v []float64) {
	for _, z := range v {
		s.positive, s.negative, s.zero = s.positive || z > 0, s.negative || z < 0, s.zero || z == 0
	}
}

// noteTangents notes on which side of the poles next to zero the argument of a tangent is.
func (s *sides) noteTangents(v []float64) {
	for _, z := range v {
		turns := math.Floor(z/math.Pi + 0.5)
		s.positive, s.negative = s.positive || turns != 0, s.negative || turns == 0
	}
}

// begin forgets the signs of denominators.
func (e *evaluator) begin() { clear(e.sides) }

// usable reports whether a law can be used on the rows that it was computed on since [evaluator.begin], with the given
// sum of squared errors: it is finite on all of them, and has no pole between them. A denominator that has another sign
// in one row than in another says that there is one, and a fitted constant can put it between any two rows. The pole of
// x/y at y = 0 is among the rows of a law that has it; and a law that meets each row has its poles where the data do.
func (e *evaluator) usable(d fit.Data, sse float64) bool {
	if math.IsNaN(sse) {
		return false
	}
	among := false
	for i, s := range e.sides {
		if s.zero {
			return false
		}
		among = among || s.positive && s.negative && !e.l.ofInputs(e.l.units[i])
	}
	return !among || e.meets(d, sse)
}

// meets reports whether a law leaves nothing of any row but errors of the arithmetic, and has few constants for it.
func (e *evaluator) meets(d fit.Data, sse float64) bool {
	const rowsPerConstant = 4
	n := d.Rows()
	if len(e.places)*rowsPerConstant > n || !(sse <= fit.ArithmeticError*fit.ArithmeticError*floats.Dot(d.Y, d.Y)) {
		return false
	}
	usual := fit.MedianSize(d.Y)
	for from := 0; from < n; from += fit.BlockRows {
		for r, v := range e.forward(d.X, from, min(from+fit.BlockRows, n)) {
			y := d.Y[from+r]
			if !(math.Abs(v-y) <= fit.ArithmeticError*math.Max(math.Abs(y), usual)) {
				return false
			}
		}
	}
	return true
}

// ofInputs reports whether the argument of a reciprocal is an input or a product of inputs.
func (l *Law) ofInputs(u unit) bool {
	if u.kind != model.Reciprocal && u.kind != model.Product {
		return false
	}
	return !slices.ContainsFunc(u.args, func(a affine) bool {
		if len(a.terms) != 1 || a.bias != 0 && !l.fromZero(&a) {
			return true
		}
		from := a.terms[0].from
		return from >= l.inputs && (l.units[from-l.inputs].kind != model.Product || !l.ofInputs(l.units[from-l.inputs]))
	})
}
