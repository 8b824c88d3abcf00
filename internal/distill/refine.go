package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
)

// refineWork is how many multiplications [Refine] may take for one network, about; what was begun is
// finished. Of some 800 networks, for laws of all kinds, hardly one that needed more led to anything that a
// person would read, and those few were half of the time.
const refineWork = 5e8

// small is the size below which the weights of a trained network are dropped before the first
// fit, in scaled units. Training leaves many of them between its mask and this.
const small = 0.01

// Fit returns the law with its constants fitted to all rows, never worse than before.
func Fit(l *Law, d fit.Data) *Law {
	l, _ = l.fit(d, fit.FitSteps, fit.FitTol)
	return l
}

// Refine searches for the law that a trained network stands for: it fits the constants, prunes
// what the criterion says is not supported, and tries simpler units, on at most 2000 rows spread
// over all. The error may rise by what the criterion allows. A law that is not finite on the data
// is returned as it is, and one that takes too long as far as the search came.
func Refine(l *Law, d fit.Data) *Law {
	s := search{data: d.AtMost(fit.SearchRows), criterion: fit.NewCriterion(d), steps: 8, tol: 1e-3,
		budget: &meter{limit: refineWork}}
	if math.IsInf(l.SSE(d), 0) {
		return l
	}
	at := s.fit(l.withoutSmall(small))
	if whole := s.fit(l); whole.value < at.value {
		at = whole
	}
	return s.collapse(s.simplify(s.prune(at))).law
}

// Polish fits a refined law to all rows and prunes once more with the evidence of all of them.
func Polish(l *Law, d fit.Data) *Law { return polish(l, d, nil) }

// polish is Polish with the work charged to a meter. It ends when that is done, and not when the meter's work is.
func polish(l *Law, d fit.Data, m *meter) *Law {
	if math.IsInf(l.SSE(d), 0) {
		return l
	}
	s := search{data: d, criterion: fit.NewCriterion(d), steps: 20, tol: 1e-9,
		budget: &meter{limit: math.Inf(1), whole: m}}
	return s.prune(s.fit(l)).law
}

// Score returns the criterion of a law on the data, +Inf when the law is not finite on it.
func (l *Law) Score(d fit.Data) float64 {
	return fit.NewCriterion(d).Value(l.SSE(d)/float64(d.Rows()), l.Params())
}

// withoutSmall returns the law without the weights below a threshold.
func (l *Law) withoutSmall(threshold float64) *Law {
	c := l.clone()
	drop := func(a *affine) {
		a.terms = slices.DeleteFunc(a.terms, func(t term) bool { return math.Abs(t.w) < threshold })
	}
	for i := range c.units {
		for k := range c.units[i].args {
			drop(&c.units[i].args[k])
		}
	}
	drop(&c.out)
	return c.rebuilt(nil)
}
