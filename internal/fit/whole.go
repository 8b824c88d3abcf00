package fit

import (
	"slices"

	"github.com/eqlearner/eql/formula"
)

// hasIntegers reports whether a constant of the form is to be a whole number.
func (f Named) hasIntegers() bool {
	return slices.ContainsFunc(f.Constants, func(c formula.Parameter) bool { return c.Integer })
}

// wholeNumbers returns the constants that fit best with whole numbers where they are asked for, nil where none have
// finite values. best are the constants with these rounded. They are compared with the fit of the real numbers,
// rounded, from the same starts, and then with the neighbours of each whole number until none fits better. The other
// constants are fitted again each time.
func (f Named) wholeNumbers(x *expression, best []float64, starts [][]float64) []float64 {
	free := f
	free.Constants = slices.Clone(f.Constants)
	for i := range free.Constants {
		free.Constants[i].Integer = false
	}
	from := [][]float64{best}
	if reals, _ := free.best(x, starts); reals != nil {
		from = append(from, reals)
	}
	best, least := f.best(x, slices.DeleteFunc(from, func(p []float64) bool { return p == nil }))
	for improved := best != nil; improved; {
		improved = false
		for i, c := range f.Constants {
			for _, step := range []float64{-1, 1} {
				if p := slices.Clone(best); c.Integer && !c.Fixed() {
					p[i] += step
					if q, sse := f.best(x, [][]float64{p}); q != nil && !x.same(sse, least) {
						best, least, improved = q, sse, true
					}
				}
			}
		}
	}
	return best
}
