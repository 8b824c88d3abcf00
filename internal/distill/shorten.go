package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
)

// Shorten returns the laws that a person might prefer to l where no law is to be had: it removes
// the constants that the fit misses least, refits, and goes on, whether or not the criterion
// falls. It returns every law on the way whose size is at most nodes, fitted to all rows, the
// largest first, down to a single constant. Laws that the data does not fit are left out.
//
// The first part of the way is taken on at most 2000 rows, several constants at a time.
func Shorten(l *Law, d fit.Data, nodes int) []*Law {
	s := search{data: d.AtMost(fit.SearchRows), criterion: fit.NewCriterion(d), steps: 8, tol: 1e-3}
	if math.IsInf(l.SSE(d), 0) {
		return nil
	}
	var laws []*Law
	at := s.fit(l)
	for at.law.Params() > 1 && !s.over() {
		order := s.order(at)
		if len(order) == 0 {
			break
		}
		bulk, steps := 1, s.steps
		if at.law.Size() > nodes {
			bulk, steps = 1+len(order)/bulkPart, firstSteps
		}
		c := at.law.clone()
		ps := c.params()
		for _, r := range order[:min(bulk, len(order))] {
			*ps[r.param] = 0
		}
		next := s
		next.steps = steps
		at = next.fit(c.rebuilt(nil))
		if size := at.law.Size(); size <= nodes {
			if fitted := Fit(at.law, d); !math.IsInf(fitted.SSE(d), 0) {
				laws = append(laws, fitted)
			}
		}
	}
	return laws
}

// bulkPart is the part of the constants, one in so many, that is removed at once from a law that
// is too large.
const bulkPart = 8

// Number returns the law that is a number.
func Number(d fit.Data, value float64) *Law { return &Law{inputs: len(d.X), out: affine{bias: value}} }

// WithInputs returns a law with a term for each of some inputs that it does not read, fitted to the data; the law
// itself when it reads them all.
func WithInputs(l *Law, inputs []int, d fit.Data) *Law {
	const start = 1e-3 // anything but 0, which would be no term
	c := l.clone()
	for _, j := range inputs {
		if !l.reads(j) {
			c.out = c.out.plus(source(j), start)
		}
	}
	if len(c.out.terms) == len(l.out.terms) {
		return l
	}
	return Fit(c, d)
}

// reads reports whether a law reads an input.
func (l *Law) reads(input int) bool {
	has := func(a affine) bool {
		return slices.ContainsFunc(a.terms, func(t term) bool { return t.from == input })
	}
	return has(l.out) || slices.ContainsFunc(l.units, func(u unit) bool { return slices.ContainsFunc(u.args, has) })
}
