package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// A frame says what monomials are made of beside products of inputs.
type frame struct {
	// Inputs that all monomials of P, or all of Q, are multiplied with, and that are in nothing else: what y is in
	// proportion to, or to a whole power of.
	above, below []int
	// Functions of the base that monomials may be multiplied with, one at a time, and their values.
	functions []int
	values    [][]float64
}

// functions returns a frame for each of the first few functions of the base that are functions of inputs alone, but one
// for all logarithms and one for all exponentials and roots: together they imitate each other.
func (s *quotients) functions() (frames []frame) {
	const most = 4
	curves := map[model.Unit]*frame{model.Log: {}, model.Exp: {}}
	for i, f := range s.base.functions {
		curve := curves[f.kind]
		ofFunctions := func(t product) bool {
			return slices.ContainsFunc(t.factors, func(factor int) bool { return factor >= s.base.inputs })
		}
		if curve == nil && (slices.ContainsFunc(f.arg, ofFunctions) || len(frames) == most) {
			continue
		}
		factor := s.base.inputs + i
		if values := s.g.dictionary.values(s.base, sum{{1, []int{factor}}}); finite(values) {
			if curve != nil {
				curve.functions, curve.values = append(curve.functions, factor), append(curve.values, values)
			} else {
				frames = append(frames, frame{functions: []int{factor}, values: [][]float64{values}})
			}
		}
	}
	for _, kind := range []model.Unit{model.Log, model.Exp} {
		if len(curves[kind].functions) > 0 {
			frames = append(frames, *curves[kind])
		}
	}
	return frames
}

// powers returns the frames of the inputs whose exponents in the power law next to |y| are nearly whole numbers, if
// there are any.
func (s *quotients) powers() []frame {
	const highest = 6
	power, ok := fit.Power(fit.Data{X: s.g.score.X, Y: fit.Magnitudes(s.rest), W: s.g.score.W})
	if !ok {
		return nil
	}
	var frames []frame
	// noise moves an exponent, more where y goes through zero, and a fit decides
	for _, near := range []float64{0.02, 0.1, 0.25} {
		var f frame
		for k, e := range power.Exponents {
			whole := math.Round(e)
			if math.Abs(e-whole) > near || math.Abs(whole) > highest {
				continue
			}
			for range int(math.Abs(whole)) {
				if whole > 0 {
					f.above = append(f.above, power.Inputs[k])
				} else {
					f.below = append(f.below, power.Inputs[k])
				}
			}
		}
		same := func(other frame) bool {
			return slices.Equal(f.above, other.above) && slices.Equal(f.below, other.below)
		}
		if len(f.above)+len(f.below) > 0 && !slices.ContainsFunc(frames, same) {
			frames = append(frames, f)
		}
	}
	return frames
}

// monomials returns those of at most a degree in the inputs that are not in the frame, and in its function once,
// times some factors; nil when there are none of that degree.
func (f frame) monomials(d *dictionary, degree int, times []int) (list []monomial) {
	inFrame := func(j int) bool { return slices.Contains(f.above, j) || slices.Contains(f.below, j) }
	highest := 0
	for _, m := range d.monomials {
		if len(m.factors) > degree || slices.ContainsFunc(m.factors, inFrame) {
			continue
		}
		highest = max(highest, len(m.factors))
		if len(times) > 0 {
			m = monomial{append(slices.Clone(m.factors), times...), slices.Clone(m.col)}
		}
		for _, j := range times {
			floats.Mul(m.col, d.data.X[j])
		}
		list = append(list, m)
		if len(m.factors) >= degree {
			continue
		}
		for i, function := range f.functions {
			of := monomial{append(slices.Clone(m.factors), function), slices.Clone(m.col)}
			floats.Mul(of.col, f.values[i])
			list = append(list, of)
		}
	}
	if highest < degree {
		return nil
	}
	return list
}
