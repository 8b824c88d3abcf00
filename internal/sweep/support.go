package sweep

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

// supported reports whether a formula was found in two independent ways, or by the search in each of two halves of the
// rows, or has nothing but special values for constants.
func supported(e *Evidence) bool {
	return e.Support.Ways >= 2 || e.Support.Halves == Yes ||
		len(e.Constants) >= severalConstants && evidence.AllSpecial(e.Constants)
}

// severalConstants is how many constants, all of them special values, chance does not make: of one it does in one case
// of twenty.
const severalConstants = 3

// support counts how a formula was found.
func (p *problem) support(models []*Model, mine TargetModel, greedy bool, noise float64, o int) Support {
	var s Support
	for _, m := range models {
		if m.Form != "" && s.Form == "" && mine.sameCurve(m.Targets[o]) {
			s.Form = m.Form
		}
		if !m.trained() {
			continue
		}
		t := m.Targets[o]
		s.Networks++
		if t.raw != nil && sameForm(t.raw, mine.Formula) {
			s.Trained++
		}
		switch {
		case t.own != nil && p.sameFunction(t.own, mine.law, noise, o):
			s.Agree++
		case t.grown && t.Formula != nil && sameLaw(t.Formula, mine.Formula):
			s.Grown++
		}
	}
	s.Ways = s.Agree
	if greedy || s.Grown > 0 || s.Form != "" {
		s.Ways++ // the search, from nothing, from the parts of other formulas or from a list of forms
	}
	return s
}

// sameForm reports whether two formulas differ in nothing but constants.
func sameForm(a, b formula.Expr) bool {
	ca, cb := formula.Constants(a), formula.Constants(b)
	return len(ca) == len(cb) && formula.Equal(a, formula.WithConstants(b, ca))
}

const (
	boxOfRivals   = 1.5    // times the size of the data, in which formulas are compared
	comparedRows  = 500    // most rows of that comparison
	differsFrom   = 3      // times the noise: formulas that are farther apart predict differently
	sameFunctions = 1. / 3 // times the noise: formulas that are nearer are the same
	boxOfHalves   = 2      // the same, in which the formulas of halves of the rows are compared
	sameApart     = 0.03   // spreads of the target, by which those of the same size may differ there
	otherApart    = 0.01   // the same, of others: what has another form must predict the same all the better
	equalApart    = 0.001  // the same, of a law that is another one with its constants fitted to the same rows
)

// apart returns the root mean square difference of two laws in a box of some times the data's size, up to where the
// second has no values, in scaled units.
func (p *problem) apart(a, b *distill.Law, times float64, o int) float64 {
	d := p.target(o).AtMost(comparedRows)
	box := b.BeforePoles(d, distill.Stretched(d.X, times))
	if box.Rows() == 0 {
		return math.Inf(1)
	}
	pa, pb := p.valuesIn(box, a, o), p.valuesIn(box, b, o)
	for i := range pa {
		if pa[i] -= pb[i]; box.W != nil {
			pa[i] *= box.W[i]
		}
	}
	return fit.RMS(pa)
}

// valuesIn returns the values of a law in rows of scaled inputs. Where the law has none its formula may have one: x² is
// written as the exponential of a logarithm in some laws, and may be simplified in the formula.
func (p *problem) valuesIn(rows fit.Data, law *distill.Law, o int) []float64 {
	values := law.Predict(rows.X, rows.Rows())
	if !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return values
	}
	scale := p.scaleOf(len(p.inputs) + o)
	e := p.written(law, o, formula.Simplify)
	x, _ := unscaled(rows.X, p.scalesFromOrigins())
	written, err := evaluate(e, p.inputs, x, rows.Rows())
	if err != nil {
		return values
	}
	for i, v := range written {
		written[i] = scale.Apply(v)
	}
	return written
}

// differ reports whether two laws are different functions as far as the data can tell them apart.
func (p *problem) differ(a, b *distill.Law, noise float64, o int) bool {
	return !(p.apart(a, b, boxOfRivals, o) <= differsFrom*math.Max(noise, fit.NewCriterion(p.target(o)).Floor))
}

// sameFunction reports whether two laws are the same function as far as the data can tell.
func (p *problem) sameFunction(a, b *distill.Law, noise float64, o int) bool {
	return a == b || p.apart(a, b, boxOfRivals, o) <= sameFunctions*math.Max(noise, fit.NewCriterion(p.target(o)).Floor)
}

// noise returns the standard deviation of a target's noise in scaled units, estimated from above: the least that any
// formula leaves, each with the rows that its constants leave free, and what the residuals of nearest neighbours differ
// by.
func (r *runner) noise(models []*Model, neighbours float64, o int) float64 {
	least := neighbours
	look := func(t TargetModel) {
		if t.Formula != nil && t.law != nil && r.problem.train.Rows() >= freeRows*t.law.Params() {
			least = math.Min(least, t.residual)
		}
	}
	for _, m := range models {
		look(m.Targets[o])
	}
	for _, t := range r.replaced[o] {
		look(t)
	}
	return least
}

// freeRows is how many rows a formula must have for each constant for its error to say something about the noise.
const freeRows = 4

// foundInHalf is what the search finds in a half of the rows of a target, and these rows.
type foundInHalf struct {
	law   *distill.Law
	rows  fit.Data
	of    []int // which rows of the target they are
	again bool  // whether the search went on until it had found something as good as a law of all rows
}

// halves reports whether the search without networks finds, in each of two random halves of the rows, a law that
// predicts the same as this one in a box of twice the data's size. What the search makes of other noise and other rows
// shows how far the form is determined, as the intervals show it of the constants.
//
// A search ends with the first formula that leaves nothing of a half, and the law may be better there: one that can
// hardly be an imitation is looked for until something as good is found.
//
// A run that is interrupted, or has no time left, leaves it unanswered.
func (r *runner) halves(law *distill.Law, e *Evidence, o int) Answer {
	if r.ofHalves[o] == nil {
		if r.brief {
			return evidence.NotAsked
		}
		found := r.searchHalves(o)
		if r.ctx.Err() != nil || r.late() {
			return evidence.NotAsked
		}
		r.ofHalves[o] = found
	}
	few := !mayImitate(e)
	sure := few && (e.Extrapolation.Defined && e.Extrapolation.Doubt <= otherApart || evidence.AllSpecial(e.Constants))
	for k := range r.ofHalves[o] {
		half := &r.ofHalves[o][k]
		if r.sameInHalf(*half, law, sure, o) {
			continue
		}
		if !few || half.again {
			return No
		}
		r.searchAgain(half, law, sure, o)
		if r.ctx.Err() != nil || r.late() {
			return evidence.NotAsked
		}
		if !r.sameInHalf(*half, law, sure, o) {
			return No
		}
	}
	return Yes
}

// searchAgain lets the search in a half go on where a law, fitted to that half, is better than what was found there.
func (r *runner) searchAgain(half *foundInHalf, law *distill.Law, sure bool, o int) {
	own := distill.Polish(law, half.rows)
	better := func(l *distill.Law) bool { return r.bestOfHalf([]*distill.Law{l, own}, half.of, o) == l }
	if half.again = true; r.foundBy[o] == nil || better(half.law) {
		return
	}
	ctx, cancel := r.limited(r.ctx, 0)
	defer cancel()
	laws := r.searchInputs(ctx, half.rows, o, searchWork, func(l *distill.Law) bool {
		return r.sameInHalf(foundInHalf{law: l, rows: half.rows}, law, sure, o) || better(l)
	})
	half.law = r.bestOfHalf(append(laws, half.law), half.of, o)
}

// bestOfHalf returns the best of some laws by the criterion on some rows and what special values save there, as it is
// chosen of all rows.
func (r *runner) bestOfHalf(laws []*distill.Law, rows []int, o int) *distill.Law {
	p := r.problem
	half, table := p.target(o).Take(rows), p.inTable(o)
	special := r.settings.Snap == SnapAuto && table.Rows() == p.target(o).Rows()
	if special {
		table = table.Take(rows).AtMost(fit.SearchRows)
	}
	price := fit.NewCriterion(half).Price()
	slices.SortStableFunc(laws, func(a, b *distill.Law) int { return cmp.Compare(a.Score(half), b.Score(half)) })
	best, least := laws[0], math.Inf(1)
	for _, law := range laws {
		value := law.Score(half)
		if !(value-price*float64(law.Params()) < least) {
			continue
		}
		var t TargetModel
		if p.setLaw(&t, law, o); special && t.choosable() {
			c := r.constantsOf(t, o, table)
			value -= c.saved(price)
		}
		if value < least {
			best, least = law, value
		}
	}
	return best
}

// sameInHalf reports whether the law of a half of the rows predicts the same as a law in a box of twice the data's
// size, or is the law itself, fitted to that half, if its constants are sure. One of another form must predict it all
// the better, unless the law, fitted to that half, predicts that well what it does on all rows and fits the half nearly
// as well: then chance decided which of the two was found.
func (r *runner) sameInHalf(half foundInHalf, law *distill.Law, sure bool, o int) bool {
	p, own := r.problem, sync.OnceValue(func() *distill.Law { return distill.Polish(law, half.rows) })
	near := func(a *distill.Law, most float64) bool { return p.apart(a, law, boxOfHalves, o) <= most*p.spreadOf(o) }
	switch {
	case sure && p.apart(half.law, own(), boxOfHalves, o) <= equalApart*p.spreadOf(o):
		return true
	case !near(half.law, sameApart):
		return false
	case half.law.Units() == law.Units() && half.law.Params() == law.Params() || near(half.law, otherApart):
		return true
	}
	return own().Score(half.rows) < half.law.Score(half.rows)+evidence.SmallestGap && near(own(), otherApart)
}

// searchHalves returns what the search without networks finds in each of two random halves of the rows. Growth has half
// of the work for each, as they have half of the rows.
func (r *runner) searchHalves(o int) []foundInHalf {
	d := r.problem.target(o)
	order := rand.New(rand.NewPCG(r.settings.Seed, halvesStream)).Perm(d.Rows())
	growth := r.growth(greedyWork/2, r.work, len(r.problem.targets))
	found := make([]foundInHalf, 2)
	r.spread(len(found), func(k int) {
		rows := slices.Clone(order[k*len(order)/2 : (k+1)*len(order)/2])
		slices.Sort(rows)
		half := d.Take(rows)
		var laws []*distill.Law
		if look := r.foundBy[o]; look != nil { // the search that found the law looks again
			laws = look(r.ctx, half, o)
		}
		if len(laws) == 0 || !r.settles(laws[0], half, o) {
			grown, _ := r.grow(growth, half)
			laws = append(laws, grown)
		}
		if law := r.formOf(rows, o); law != nil {
			laws = append(laws, law)
		}
		found[k] = foundInHalf{law: r.bestOfHalf(laws, rows, o), rows: half, of: rows}
	})
	return found
}
