package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

const (
	// Rows are outliers beyond so many standard deviations of the errors, or √(4·ln rows) where that is more: what a
	// constant of its own and the choice of the row cost by the criterion. Of 1000 rows with normal errors one in 7000
	// tables has such a row.
	outlierBound = 5
	// fewestForOutliers is from how many rows on outliers are looked for; of fewer, each decides.
	fewestForOutliers = 20
	// mostOutliers is up to which part of the rows may be outliers.
	mostOutliers = 0.1
	// grossBound is the same bound for what the neighbours of a row predict, where there is no law yet.
	grossBound = 8
	// neighboursOfRow is how many of them there are, and grossRows up to how many rows they are looked for.
	neighboursOfRow = 5
	grossRows       = 5000
)

// bound returns beyond how many standard deviations one of some rows is an outlier.
func bound(rows int) float64 {
	return math.Max(outlierBound, math.Sqrt(4*math.Log(float64(rows))))
}

// median sorts a list and returns its middle.
func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// gross returns the rows that are far from what their neighbours have, nil where there are none, or too many; of are
// the neighbours of each row. ordinary is whether the neighbours are rows like all others: where a function rises
// steeply, those of its largest values are large.
func gross(of [][]int, y []float64) (out []bool, ordinary bool) {
	n := len(y)
	if n < fewestForOutliers || of == nil {
		return nil, false
	}
	rest := make([]float64, n)
	for i, rows := range of {
		var near []float64
		for _, k := range rows {
			near = append(near, y[k])
		}
		rest[i] = y[i] - median(near)
	}
	limit := grossBound * fit.RobustSpread(rest, 0)
	if !(limit > 0) {
		return nil, false
	}
	middle := median(slices.Clone(y))
	var distances []float64
	for _, v := range y {
		distances = append(distances, math.Abs(v-middle))
	}
	sorted := slices.Sorted(slices.Values(distances))
	count, ranks, near := 0, 0.0, 0
	out = make([]bool, n)
	for i, e := range rest {
		if math.Abs(e) <= limit {
			continue
		}
		out[i] = true
		count++
		for _, k := range of[i] {
			if math.Abs(rest[k]) > limit {
				continue // another outlier says nothing of what rows are like there
			}
			at, _ := slices.BinarySearch(sorted, distances[k])
			ranks += float64(at) / float64(n)
			near++
		}
	}
	const highest = 0.75 // mean rank of the neighbours' distance from the median, 0.5 for rows at random places
	if count == 0 || float64(count) > mostOutliers*float64(n) {
		return nil, false
	}
	return out, ranks <= highest*float64(near)
}

// outlierLimit returns the size up to which errors of rows that a law was fitted to are none of outliers.
func outlierLimit(sizes []float64, constants int) float64 {
	return bound(len(sizes)) * fit.RobustSpread(sizes, constants)
}

// outliers returns the rows beyond the bound of a law, nil where there are none or too many. sizes are the errors
// over standard deviations on a common scale, of which the first rows are those that the law was fitted to.
func outliers(sizes []float64, fitted, constants int) []bool {
	if fitted < fewestForOutliers {
		return nil
	}
	limit := outlierLimit(sizes[:fitted], constants)
	out, count := make([]bool, len(sizes)), 0
	for i, e := range sizes {
		if !(math.Abs(e) <= limit) {
			out[i] = true
			count++
		}
	}
	if count == 0 || !(limit > 0) || float64(count) > mostOutliers*float64(len(sizes)) {
		return nil
	}
	return out
}

// readmit gives rows back that were left out as outliers of another law, where the chosen one explains them all, and
// reports whether there are any.
func (r *runner) readmit(res *Result) (changed bool) {
	p := r.problem
	for _, c := range res.Chosen {
		o := slices.Index(p.targets, c.Target)
		if c.law == nil || !p.explainsAll(o, c.law) {
			continue
		}
		changed, r.assessed = true, true
		e := p.errors[o]
		e.out = nil
		p.setErrors(o, e)
		r.tested[o] = tested{}
		for _, m := range res.Models {
			if t := &m.Targets[o]; t.law != nil && m != res.Baseline && !slices.Contains(r.forms, m) {
				p.setLaw(t, t.law, o)
			}
		}
		for i := range r.replaced[o] {
			if t := &r.replaced[o][i]; t.law != nil {
				p.setLaw(t, t.law, o)
			}
		}
	}
	return changed
}

// explainsAll reports whether a law leaves no more of the outliers of a target than of other rows.
func (p *problem) explainsAll(o int, law *distill.Law) bool {
	e := p.errors[o]
	if e.out == nil {
		return false
	}
	sizes := p.sizesOf(o, e, law)
	var used []float64
	for _, i := range p.kept(o, p.train.Rows()) {
		used = append(used, sizes[i])
	}
	limit := outlierLimit(used, law.Params())
	if e.sigma == nil { // what is left of exact rows is the arithmetic's
		limit = math.Max(limit, nearly*fit.NewCriterion(p.target(o)).Floor*p.factorOf(o))
	}
	for i, out := range e.out {
		if out && !(math.Abs(sizes[i]) <= limit) {
			return false
		}
	}
	return true
}

// scattered reports whether outliers are at random places: the nearest neighbour of hardly one is an outlier too, as
// many are where a law misses a part of the rows.
func scattered(of [][]int, out []bool) bool {
	if out == nil || of == nil {
		return true
	}
	count, pairs := 0, 0
	for i, o := range out {
		if o {
			count++
			if out[of[i][0]] {
				pairs++
			}
		}
	}
	return pairs <= 1+count/4
}

// leaves reports whether the rest of a law has no structure that can be seen, and the law explains a half of the
// variance, if the errors of a target are these.
func (p *problem) leaves(o int, e rowErrors, l *distill.Law) bool {
	d := p.dataWith(o, e)
	predicted := l.Predict(d.X, d.Rows())
	size, s := fit.RMS(d.Errors(l)), d.Spread()
	return size*size <= (1-evidence.LeastExplained)*s*s &&
		!fit.Residuals(p.near.fitted(e.out), d.Y, predicted, d.W).Fails()
}
