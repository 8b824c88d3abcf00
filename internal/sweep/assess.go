package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

// What errors are like is decided by laws: of the same rows, each assumption about their errors (equal, or in
// proportion to the prediction; with outliers or without) gets the law that is found under it, and the criterion of the
// two together decides. Root weights of mean 1 on a logarithmic scale make the criteria of equal and relative errors
// comparable, and each gets the best of the search and of the standard forms: the errors of a wrong formula grow where
// it misses most. An outlier costs as much as two constants, one for its error and one for the choice of the row.

const (
	assessRounds = 4 // searches for a law under one assumption, each with the errors and outliers that the last one shows
	// toldByRows is from how many rows a constant on the law of equal errors shows whether they are; with fewer it may
	// have taken their largest for its own.
	toldByRows = 20
	// leastRange is from which ratio of the 90th to the 10th percentile of a target on relative errors make a difference.
	leastRange = 2
	// nearly is up to how many times the smallest error that matters a law counts as exact.
	nearly = 10
)

// finder returns the best law for some rows, and others that were found on the way.
type finder func(d fit.Data) (law *distill.Law, others []*distill.Law)

// attempt is the law under an assumption about errors.
type attempt struct {
	errors rowErrors
	law    *distill.Law   // the best of what was found, and of the standard forms
	grown  *distill.Law   // what find returned
	others []*distill.Law // found on the way
	forms  []*distill.Law // the best standard forms
	robust []*distill.Law // those that are best but for a few rows
	value  float64        // of the criterion, with the price of outliers
}

// assess returns the law that find has for a target, and takes the errors of its rows for what they seem to be.
func (r *runner) assess(o int, find finder) (law *distill.Law, others []*distill.Law) {
	p, s := r.problem, r.settings
	if s.Errors == run.ErrorsRelative && p.errors[o].sigma == nil {
		p.setErrors(o, p.relative(o, p.errors[o], nil))
	}
	if law, others = find(p.target(o)); r.late() {
		return law, others
	}
	base := p.attempt(o, p.errors[o], law)
	base.grown, base.others = law, others
	if p.folds != nil && s.Outliers != "" {
		base = r.withForms(o, base)
	}
	if s.Outliers != "" && s.Outliers != run.OutliersKeep && !p.nearlyExact(o, base) {
		base.robust = r.robustForms(o, base.errors)
	}
	best := base
	for _, relative := range []bool{false, true} {
		if r.late() || !r.mayBe(o, relative, base) {
			continue
		}
		if best.law == base.law && base.forms == nil {
			base = r.withForms(o, base)
			best = base
		}
		next := r.suppose(o, relative, base, find)
		if next.law != nil && r.preferred(o, next, best) {
			best = next
		}
	}
	if best.law == base.law && !r.late() {
		best = r.withoutGross(o, base, find)
	}
	if r.late() {
		return base.grown, base.others
	}
	if best.law != base.law {
		p.setErrors(o, best.errors)
		r.assessed = true
		best.others = append(best.others, base.law)
	}
	return best.grown, best.others
}

// nearlyExact reports whether the law of an attempt leaves nothing to assumptions about errors.
func (p *problem) nearlyExact(o int, a attempt) bool {
	d := p.target(o)
	return math.Sqrt(a.law.SSE(d)/float64(d.Rows())) <= nearly*fit.NewCriterion(d).Floor
}

// mayBe reports whether it is worth to look at an assumption.
func (r *runner) mayBe(o int, relative bool, base attempt) bool {
	p, s := r.problem, r.settings
	d := p.target(o)
	if s.Outliers == "" || p.nearlyExact(o, base) {
		return false
	}
	fine := p.leaves(o, p.errors[o], base.law) && d.Rows() >= fewestForOutliers
	switch {
	case !relative && base.errors.kind == evidence.ErrorsRelative:
		return true // asked for: its scale is that of the law
	case !relative:
		return s.Outliers != run.OutliersKeep && (r.begin(o, base).value < base.value || !fine && p.gross(o, false) != nil)
	case s.Errors != run.ErrorsAuto || base.errors.sigma != nil || !p.mayBeRelative(o):
		return false
	case fine && d.Rows() >= toldByRows*base.law.Params():
		e, equal := p.relative(o, base.errors, base.law), base.value
		if s.Outliers != run.OutliersKeep {
			e.out, equal = p.outliersOf(o, e, base.law), r.begin(o, base).value
		}
		return p.attempt(o, e, distill.Polish(base.law, p.dataWith(o, e))).value < equal-fit.DecisiveErrors
	}
	return true
}

// mayBeRelative reports whether a target has one sign and a range in which relative errors differ from equal ones.
func (p *problem) mayBeRelative(o int) bool {
	const fewest = 10 // rows that tell
	y := slices.Sorted(slices.Values(p.train.Cols[len(p.inputs)+o]))
	if len(y) < fewest || !(y[0]*y[len(y)-1] > 0) {
		return false
	}
	low, high := math.Abs(y[len(y)/10]), math.Abs(y[len(y)-1-len(y)/10])
	return math.Max(low, high) >= leastRange*math.Min(low, high)
}

// begin returns the attempt that is best, with the outliers that each of the laws that were found has, or the base
// itself: a long law may have taken an outlier for its own that a short one shows.
func (r *runner) begin(o int, base attempt) attempt {
	p, best := r.problem, base
	for _, law := range slices.Concat([]*distill.Law{base.law}, base.others, base.forms, base.robust) {
		e := base.errors
		if e.out = p.outliersOf(o, e, law); e.out == nil {
			continue
		}
		if next := p.attempt(o, e, distill.Polish(law, p.dataWith(o, e))); next.value < best.value {
			next.errors, next.law = base.errors, law
			best = next
		}
	}
	return best
}

// suppose searches for the law under an assumption.
func (r *runner) suppose(o int, relative bool, base attempt, find finder) attempt {
	p := r.problem
	relative = relative || base.errors.kind == evidence.ErrorsRelative
	e, law := base.errors, base.law
	switch {
	case relative && e.sigma == nil:
		law = nil
	case !relative:
		law = r.begin(o, base).law
	}
	if r.settings.Outliers != run.OutliersKeep && (law == nil || !p.leaves(o, e, law)) {
		e.out = p.gross(o, false)
	}
	var now attempt
	for range assessRounds {
		before := e
		if relative {
			e = p.relative(o, e, law)
		}
		if law != nil && r.settings.Outliers != run.OutliersKeep {
			if out := p.outliersOf(o, e, law); out != nil || now.law != nil {
				e.out = out
			}
		}
		if now.law != nil && slices.Equal(e.out, before.out) {
			break
		}
		now = r.find(o, e, find)
		law = now.law
	}
	if relative {
		e = p.relative(o, e, law)
	}
	last := p.attempt(o, e, distill.Polish(law, p.dataWith(o, e)))
	last.grown, last.others = distill.Polish(now.grown, p.dataWith(o, e)), now.others
	return last
}

// find returns what is found if the errors of a target are these: the best of the search and of the standard forms.
func (r *runner) find(o int, e rowErrors, find finder) attempt {
	grown, others := find(r.problem.dataWith(o, e))
	found := r.problem.attempt(o, e, grown)
	found.grown, found.others = grown, others
	return r.withForms(o, found)
}

// withForms returns an attempt with the standard forms, whose law is the best of them if it is better than the law.
func (r *runner) withForms(o int, found attempt) attempt {
	found.forms = r.bestForms(o, found.errors)
	for _, law := range found.forms {
		if next := r.problem.attempt(o, found.errors, law); next.value < found.value {
			found.law, found.value = next.law, next.value
		}
	}
	return found
}

// bestForms returns the best standard forms of a target as laws, if its errors are these.
func (r *runner) bestForms(o int, e rowErrors) []*distill.Law {
	const most = 4
	if r.problem.indicators != nil {
		return nil
	}
	q := r.problem.with(o, e)
	return q.asLaws(q.fitForms(q.rowsFromOrigins(o), math.Inf(1)), o, most, r.settings.Units)
}

// asLaws returns the first forms, so many at most, that are laws of some units with a value on all rows of a target.
func (p *problem) asLaws(fits []*formFit, o, most int, units []model.Unit) (laws []*distill.Law) {
	for _, f := range fits {
		law, err := distill.Compose(p.inScaledUnits(f.formula(), o), p.inputs, units)
		if err == nil && !math.IsInf(law.SSE(p.target(o)), 0) {
			laws = append(laws, law)
		}
		if len(laws) == most {
			break
		}
	}
	return laws
}

// preferred reports whether an assumption is better than another.
func (r *runner) preferred(o int, next, than attempt) bool {
	p := r.problem
	asked := r.settings.Outliers == run.OutliersDrop && next.errors.out != nil && next.errors.kind == than.errors.kind ||
		next.errors.kind == evidence.ErrorsRelative && than.errors.kind == evidence.ErrorsRelative && next.errors.out == nil
	return asked || next.value < than.value-fit.DecisiveErrors && p.leaves(o, next.errors, next.law) &&
		scattered(p.near.neighbours(), next.errors.out)
}

// withoutGross returns the law for the rows without those that differ from their neighbours, where the law of all rows
// leaves structure and no assumption gave one that does not: what trains and searches later is spared these rows.
func (r *runner) withoutGross(o int, base attempt, find finder) attempt {
	p := r.problem
	e := base.errors
	if r.settings.Outliers == run.OutliersKeep || r.settings.Outliers == "" || p.leaves(o, p.errors[o], base.law) {
		return base
	}
	if e.out = p.gross(o, true); e.out == nil {
		return base
	}
	if next := r.find(o, e, find); next.value < base.value-fit.DecisiveErrors {
		return next
	}
	return base
}

// attempt returns a law with the criterion of it and its errors, at the price that standard forms have. The errors are
// of the rows that it was fitted to: a row that decides, as the first of a decay does, is predicted badly by any law
// that is fitted without it, and relative errors would only seem better since such a row counts for little among them.
func (p *problem) attempt(o int, e rowErrors, law *distill.Law) attempt {
	d := p.dataWith(o, e)
	rows := p.train.Rows()
	c := fit.NewCriterion(d)
	c.N = rows
	spared := float64(max(1, d.Rows()-law.Params()))
	value := smallValue(c, law.SSE(d)/spared, law.Params()+2*(rows-d.Rows()))
	if d.W != nil {
		value += law.SpentOnConstants(d)
	}
	return attempt{errors: e, law: law, value: value}
}

// with returns the problem if the errors of a target were these.
func (p *problem) with(o int, e rowErrors) *problem {
	q := *p
	q.errors, q.data = slices.Clone(p.errors), slices.Clone(p.data)
	q.setErrors(o, e)
	return &q
}

// dataWith returns the rows of a target that laws are fitted to, if its errors were these.
func (p *problem) dataWith(o int, e rowErrors) fit.Data { return p.with(o, e).target(o) }

// predictions returns what a law says on all rows, in the user's units.
func (p *problem) predictions(o int, law *distill.Law) []float64 {
	n := len(p.inputs)
	x := slices.Clone(p.scaled.X)
	if p.validation != nil {
		for j, col := range p.validation.Cols[:n] {
			x[j] = slices.Concat(x[j], scaledColumn(col, p.scaleOf(j)))
		}
	}
	f := law.Predict(x, p.rows.Rows())
	for i, v := range f {
		if s := p.scaleOf(n + o); !s.Identity() {
			f[i] = s.Invert(v)
		}
	}
	return f
}

// outliersOf returns the rows that a law does not explain.
func (p *problem) outliersOf(o int, e rowErrors, law *distill.Law) []bool {
	return outliers(p.sizesOf(o, e, law), p.train.Rows(), law.Params())
}

// sizesOf returns what a law leaves of all rows, in the user's units or in standard deviations on a common scale.
func (p *problem) sizesOf(o int, e rowErrors, law *distill.Law) []float64 {
	sizes := p.predictions(o, law)
	for i, y := range p.rows.Cols[len(p.inputs)+o] {
		sizes[i] -= y
		if e.sigma != nil {
			sizes[i] /= e.sigma[i]
		}
	}
	return sizes
}

// gross returns the rows that differ from their neighbours, if it matters only those whose neighbours are ordinary.
func (p *problem) gross(o int, ordinary bool) []bool {
	found := p.near.gross[o]()
	if ordinary && !found.ordinary {
		return nil
	}
	return found.out
}

// relative returns errors in proportion to what a law predicts, see [fit.RelativeErrors].
func (p *problem) relative(o int, e rowErrors, law *distill.Law) rowErrors {
	var predicted []float64
	if law != nil {
		predicted = p.predictions(o, law)
	}
	var used []int
	for i := range p.train.Rows() {
		if e.out == nil || !e.out[i] {
			used = append(used, i)
		}
	}
	e.kind = evidence.ErrorsRelative
	e.sigma, e.floor = fit.RelativeErrors(p.rows.Cols[len(p.inputs)+o], predicted, used)
	return e
}
