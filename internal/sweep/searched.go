package sweep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/search"
	"github.com/eqlearner/eql/model"
)

const (
	searchWork       = 2e10 // multiplications of one general search, about twenty seconds of a core
	briefWork        = 1e9  // of one that comes first
	searchCandidates = 6    // formulas of a search that are made laws of
	likelyAlike      = 2    // difference of the criterion within which two laws are as good
)

// lawSearch looks for laws in some rows of a target and returns them fitted, the best by the criterion first.
type lawSearch func(ctx context.Context, d fit.Data, o int) []*distill.Law

// A way to search, and of which formulas it is not asked.
type way struct {
	look   lawSearch
	spared func(e *Evidence) bool
}

// searches are those that a target is looked for with, one after the other until its formula settles: where columns
// have units in groups without dimension first, which are fewer than the inputs, and then in the inputs. What costs
// little is asked of formulas that settle, too: a short search in the inputs finds most short laws.
func (r *runner) searches(o int) (list []way) {
	for _, look := range r.searchesInGroups(o) {
		list = append(list, way{look, beyondDoubt})
	}
	return append(list,
		way{r.briefSearch, func(e *Evidence) bool {
			return r.searchesFirst(o) || !settled(e) || mayImitate(e) || e.Exact || beyondDoubt(e)
		}},
		way{r.generalSearch, func(e *Evidence) bool { return settled(e) && !mayImitate(e) }})
}

// beyondDoubt reports whether a search that costs little is spared: the formula holds, and its constants are no product
// of chance.
func beyondDoubt(e *Evidence) bool { return e.Level == Holds && evidence.AllSpecial(e.Constants) }

// searchOn lets the next search look for laws of each target whose formula does not settle, and reports whether there
// was a search to be asked, and whether anything changed. Of a search that the time limit ends counts what it has found
// by then; one that is interrupted changes nothing.
func (r *runner) searchOn(ctx context.Context, res *Result) (asked, changed bool) {
	if r.settings.Extend == 0 { // nothing is looked for beyond the grid
		return false, false
	}
	ctx, cancel := r.limited(ctx, 0)
	defer cancel()
	for _, c := range res.Chosen {
		o := slices.Index(r.problem.targets, c.Target)
		if c.Evidence == nil || r.greedy == nil || ctx.Err() != nil {
			continue
		}
		all := r.searches(o)
		next := slices.IndexFunc(all[r.asked[o]:], func(w way) bool { return !w.spared(c.Evidence) })
		if next < 0 {
			continue
		}
		look := all[r.asked[o]+next].look
		r.asked[o] += next + 1
		asked = true
		laws := look(ctx, r.problem.target(o), o)
		if r.ctx.Err() != nil {
			return false, changed
		}
		if r.takeFound(&r.greedy.Targets[o], laws, o) {
			r.foundBy[o], r.ofHalves[o], changed = look, nil, true
		}
	}
	return asked && ctx.Err() == nil, changed
}

// takeFound puts the best of the laws that a search found in the place of the one that was grown, if the criterion
// prefers it or a person could not read the grown one, and keeps the others as rivals. It reports whether it did.
func (r *runner) takeFound(grown *TargetModel, laws []*distill.Law, o int) bool {
	found := make([]TargetModel, len(laws))
	for i, law := range laws {
		r.problem.setLaw(&found[i], law, o)
		found[i].Units = law.Units()
	}
	all := []*TargetModel{grown}
	for i := range found {
		all = append(all, &found[i])
	}
	r.weighSpecialOf(all, o)
	slices.SortStableFunc(found, TargetModel.compare)
	shortestFirst(found)
	better := len(found) > 0 && found[0].choosable() &&
		(!grown.choosable() || found[0].compare(*grown) < 0 && !grown.shorterAndAlike(found[0]))
	if better {
		*grown, found[0] = found[0], *grown
	}
	r.replaced[o] = append(r.replaced[o], found...)
	return better
}

// shorterAndAlike reports whether neither the criterion nor the validation rows can tell a formula from a longer one.
func (t TargetModel) shorterAndAlike(than TargetModel) bool {
	return t.exact == than.exact && t.value() <= than.value()+likelyAlike && t.Complexity < than.Complexity &&
		!worse(t.errors, than.errors, 1)
}

// shortestFirst brings the shortest of the laws that the criterion cannot tell from the first to the front.
func shortestFirst(found []TargetModel) {
	first := 0
	for i, t := range found {
		if t.Formula == nil || t.exact != found[0].exact || t.value() > found[0].value()+likelyAlike {
			break
		}
		if t.Complexity < found[first].Complexity {
			first = i
		}
	}
	if first > 0 {
		found[0], found[first] = found[first], found[0]
	}
}

// mayImitate reports whether a formula has so many constants without a special value that it may stand for another
// function, as a quotient does for an arctangent: more than two, or two if only one way led to it; or so high a power,
// as 1/cosh(x)^440 stands for exp(-220*x^2).
func mayImitate(e *Evidence) bool {
	most := 2
	if e.Support.Ways < 2 {
		most = 1
	}
	return !e.Exact && (evidence.Free(e.Constants) > most || highestPower(e.Fitted) > largestHalf)
}

// generalSearch is [runner.searchInputs] with all its work, and briefSearch with a small part of it.
func (r *runner) generalSearch(ctx context.Context, d fit.Data, o int) []*distill.Law {
	return r.searchInputs(ctx, d, o, searchWork, nil)
}

func (r *runner) briefSearch(ctx context.Context, d fit.Data, o int) []*distill.Law {
	return r.searchInputs(ctx, d, o, briefWork, nil)
}

// searchInputs is the general search in the units of the table, inputs counted from their origins: there angles are
// angles, products have no constant added to them, and constants are the numbers that people write. The laws are in
// scaled ones. A law that leaves nothing ends the search where it is enough; nil says where its tests do not contradict
// it.
func (r *runner) searchInputs(
	ctx context.Context, d fit.Data, o int, work float64, enough func(*distill.Law) bool,
) []*distill.Law {
	p, names := r.problem, inputNames(len(d.X))
	data, scale := search.Data{Y: slices.Clone(d.Y), W: d.W}, p.scaleOf(len(p.inputs)+o)
	if !scale.Identity() {
		for i, y := range data.Y {
			data.Y[i] = scale.Invert(y)
		}
	}
	x, values := unscaled(d.X, p.scalesFromOrigins())
	data.X = x
	scaled := map[string]formula.Expr{}
	for j, name := range names {
		scaled[name] = values[j]
	}
	options := r.searchOptions(names, "searching: ", work)
	inScaledUnits := func(e formula.Expr) formula.Expr { return scaledBy(scale, formula.Substitute(e, scaled)) }
	if enough == nil {
		enough = func(l *distill.Law) bool { return !p.contradicted(l, d, o) }
	}
	options.Enough = func(e formula.Expr) bool {
		laws := r.lawsOf([]formula.Expr{inScaledUnits(e)}, d)
		return len(laws) > 0 && enough(laws[0])
	}
	found := search.Find(ctx, data, options)
	for i, e := range found {
		found[i] = inScaledUnits(e)
	}
	return r.lawsOf(found, d)
}

// scaledBy returns a formula of a target as one of the scaled target.
func scaledBy(s model.Scale, e formula.Expr) formula.Expr {
	if s.Identity() {
		return e
	}
	return formula.Div(formula.Sub(e, formula.Const(s.Shift)), formula.Const(s.Factor))
}

// lawsOf makes laws of the first formulas of the scaled inputs and fits them to rows, the best by the criterion first.
func (r *runner) lawsOf(formulas []formula.Expr, d fit.Data) []*distill.Law {
	type scored struct {
		law   *distill.Law
		score float64
	}
	laws := make([]scored, min(len(formulas), searchCandidates))
	zeros := r.problem.zeros()
	r.spread(len(laws), func(i int) {
		laws[i].score = math.Inf(1)
		for _, law := range distill.ComposeBoth(formulas[i], inputNames(len(d.X)), r.settings.Units, zeros) {
			law = distill.Polish(law, d).WithoutIdleKinks(d)
			if score := law.Score(d); score < laws[i].score {
				laws[i] = scored{law, score}
			}
		}
	})
	laws = slices.DeleteFunc(laws, func(s scored) bool { return math.IsInf(s.score, 1) })
	slices.SortStableFunc(laws, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	list := make([]*distill.Law, len(laws))
	for i, s := range laws {
		list[i] = s.law
	}
	return list
}

// searchOptions are those of a search over inputs with the given names. Progress is told what it tries.
func (r *runner) searchOptions(names []string, telling string, work float64) search.Options {
	return search.Options{
		Names: names, Without: r.notSearched(), Work: work, Spread: r.spread,
		Try: func(stage string) { r.progress(0, telling+stage) },
	}
}

// inputNames returns names for the inputs of formulas in scaled units: x1, x2, …
func inputNames(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	return names
}

// notSearched returns the functions that no unit of the run computes.
func (r *runner) notSearched() []formula.Func {
	has := func(u model.Unit) bool { return slices.Contains(r.settings.Units, u) }
	composed := map[formula.Func]bool{ // of other units, see [distill.Compose]
		formula.Sqrt: has(model.Exp) && has(model.Log), formula.Tanh: has(model.Tanh) || has(model.Sigmoid),
		formula.Acos: has(model.Asin), formula.Min: has(model.Max), formula.Max: has(model.Max),
	}
	return slices.DeleteFunc(formula.Funcs(), func(f formula.Func) bool {
		u, ok := model.UnitOf(f)
		return composed[f] || ok && has(u)
	})
}
