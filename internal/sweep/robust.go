package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

const (
	// robustRows is on how many rows forms are fitted robustly, and robustForms how many of them are offered.
	robustRows  = 100
	robustForms = 4
)

// robustForms returns the standard forms that explain the rows of a target best but for a few, as laws, if its errors
// are these. Least squares hides an outlier that is large beside the spread of the target: it bends short forms towards
// it, and long ones have a pole or a step there.
func (r *runner) robustForms(o int, e rowErrors) (laws []*distill.Law) {
	q := r.problem.with(o, e)
	d := q.rowsFromOrigins(o)
	if q.indicators != nil || d.Rows() < fewestForOutliers {
		return nil
	}
	some := d.AtMost(robustRows)
	middle := withoutEnds(d) // the rules of where constants begin are not robust
	criterion := criterionOf(some, d.Rows())
	fits := beginForms(q.formsFor(d), q.inputs, d, func(f *formFit, from map[string]float64) bool {
		if len(f.named.Constants) >= manyConstants {
			return false
		}
		places := slices.Concat(f.form.Places(d.X, d.Y, from), f.form.Places(middle.X, middle.Y, from))
		values, spread, err := f.named.Robust(places, some)
		f.values, f.criterion = values, smallValue(criterion, spread*spread, len(values))+price(f.form)
		return err == nil
	})
	return q.asLaws(fits, o, robustForms, r.settings.Units)
}

// withoutEnds returns the rows without those that may be outliers by their target alone, the tenth that is farthest
// from the median.
func withoutEnds(d fit.Data) fit.Data {
	at := median(slices.Clone(d.Y))
	rows := make([]int, d.Rows())
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(math.Abs(d.Y[a]-at), math.Abs(d.Y[b]-at)) })
	rows = rows[:len(rows)-int(mostOutliers*float64(len(rows)))]
	slices.Sort(rows)
	return d.Take(rows)
}
