package sweep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/search"
	"github.com/eqlearner/eql/model"
)

const (
	searchWork       = 6e9 // multiplications of one general search, about six seconds of a core
	searchCandidates = 6   // formulas of a search that are made laws of
)

// searchOn lets the general search look for laws of the targets whose formulas do not settle, each target once. A law
// that the criterion prefers takes the place of the one that was grown; the others are kept as rivals. A search
// that the time limit ends changes nothing. It reports whether anything changed.
func (r *runner) searchOn(ctx context.Context, res *Result) bool {
	if r.settings.Extend == 0 { // nothing is looked for beyond the grid
		return false
	}
	ctx, cancel := r.limited(ctx, 0)
	defer cancel()
	changed := false
	for _, c := range res.Chosen {
		o := slices.Index(r.problem.targets, c.Target)
		if c.Evidence == nil || settled(c.Evidence) || r.greedy == nil || r.searchedFor[o] || ctx.Err() != nil {
			continue
		}
		r.searchedFor[o] = true
		laws := r.generalSearch(ctx, r.problem.target(o))
		if ctx.Err() != nil {
			break
		}
		for i, law := range laws {
			var t TargetModel
			r.problem.setLaw(&t, law, o)
			if grown := &r.greedy.Targets[o]; i == 0 && t.Formula != nil && t.Criterion < grown.Criterion {
				t.Units = law.Units()
				r.replaced[o] = append(r.replaced[o], *grown)
				*grown = t
				r.bySearch[o], r.ofHalves[o] = true, nil
				changed = true
				continue
			}
			r.replaced[o] = append(r.replaced[o], t)
		}
	}
	return changed
}

// generalSearch returns the laws that the general search finds in some rows, the best by the criterion first.
func (r *runner) generalSearch(ctx context.Context, d distill.Data) []*distill.Law {
	names := inputNames(len(d.X))
	found := search.Find(ctx, search.Data{X: d.X, Y: d.Y}, search.Options{
		Names: names, Without: r.notSearched(), Work: searchWork, Spread: r.spread,
		Try: func(stage string) { r.progress(0, "searching: "+stage) },
	})
	type scored struct {
		law   *distill.Law
		score float64
	}
	laws := make([]scored, min(len(found), searchCandidates))
	r.spread(len(laws), func(i int) {
		laws[i].score = math.Inf(1)
		if law, err := distill.Compose(found[i], names, r.settings.Units); err == nil {
			law = distill.Polish(law, d)
			laws[i] = scored{law, law.Score(d)}
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
