package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

// A run that has no time left, since its limit is over or since it is interrupted, ends its fits where they are, and
// then concludes once more and briefly: the laws there are, fitted to and judged on a sample of the rows, without
// growing any on. On few rows that takes less than a second or two, and so does a first round whose work is little.
// These are done under any limit, so that small tables have the same result on slow machines.

const (
	// briefRows is how many rows a brief conclusion is from: as many as structure is searched on. The special values of a
	// formula with forty constants take a second on them.
	briefRows = fit.SearchRows
	// littleWork is up to how many updates of a constant by a row a round is trained whatever the limit: at three
	// multiplications each about two seconds of a core, and four times what the first round of quick takes for ten inputs.
	littleWork = 1e10
)

// little reports whether a round is done, and concluded from, under any time limit.
func (r *runner) little(round []Job) bool {
	rows := r.problem.rows.Rows()
	return rows <= briefRows && costOf(r.settings, round)*float64(rows) <= littleWork
}

// following is how long it takes to conclude from what a further round brings: as long as the last time and, where that
// is not done under any limit, as long again for what is left to do with the choice.
func (r *runner) following(first []Job) time.Duration {
	if r.little(first) {
		return r.concluded
	}
	return 2 * r.concluded
}

// endFits lets fits to the rows end when ctx does.
func (r *runner) endFits(ctx context.Context) { r.problem.done = ctx.Done() }

// late reports whether there is no time left for fits.
func (r *runner) late() bool { return fit.Data{Done: r.problem.done}.Ended() }

// beBrief makes the runner one that concludes briefly.
func (r *runner) beBrief(res *Result, trained []*Model) {
	all := r.problem
	r.brief = true
	r.problem = all.sampled(briefRows)
	if n := r.problem.rows.Rows(); n < all.rows.Rows() {
		res.Warnings = append(res.Warnings, fmt.Sprintf(
			"there was no time to judge the formulas on all rows: constants and evidence are from %d of %d", n, all.rows.Rows()))
	}
	r.forms, r.bounded = nil, nil
	for o := range r.problem.targets {
		r.tested[o] = tested{}
		for i := range r.replaced[o] {
			r.judgeAgain(&r.replaced[o][i], o)
		}
	}
	if r.greedy != nil {
		trained = append(slices.Clip(trained), r.greedy)
	}
	for _, m := range trained {
		for o := range m.Targets {
			t := &m.Targets[o]
			if m == r.greedy && t.law != nil {
				t.law = distill.Polish(t.law, r.problem.target(o))
			}
			r.judgeAgain(t, o)
		}
	}
}

// judgeAgain judges a law of a target on the rows that there are now.
func (r *runner) judgeAgain(t *TargetModel, o int) {
	if t.law != nil && t.Formula != nil {
		r.problem.setLaw(t, t.law, o)
		t.polished = false
	}
}

// sampled returns the problem of a sample of the rows, so many at most of all, without an end of fits. The target of a
// form whose known part is given keeps all rows, since they are those of the form, too.
func (p *problem) sampled(most int) *problem {
	q := *p
	q.done = nil
	rows := p.rows.Rows()
	if rows <= most || p.known != nil {
		return &q
	}
	part := func(of, from int) []int {
		list := fit.Spread(of, max(1, int(math.Round(float64(of)*float64(most)/float64(rows)))))
		for k := range list {
			list[k] += from
		}
		return list
	}
	train := part(p.train.Rows(), 0)
	all := slices.Clone(train)
	q.train = p.train.Take(train)
	if p.validation != nil {
		held := part(p.validation.Rows(), 0)
		q.validation = p.validation.Take(held)
		for _, i := range held {
			all = append(all, p.train.Rows()+i)
		}
	}
	q.scaleRows()
	q.folds = foldsAmong(p.folds, train)
	q.origin = taken(p.origin, all)
	q.errors, q.data = make([]rowErrors, len(p.targets)), make([]fit.Data, len(p.targets))
	for o, e := range p.errors {
		e.sigma, e.out = taken(e.sigma, all), taken(e.out, all)
		q.setErrors(o, e)
	}
	return &q
}

// taken returns the given elements of a list, nil of nil.
func taken[T any](list []T, places []int) []T {
	if list == nil {
		return nil
	}
	some := make([]T, len(places))
	for k, i := range places {
		some[k] = list[i]
	}
	return some
}

// foldsAmong returns folds of rows that were taken, as places among them, without those of which none is left.
func foldsAmong(folds [][]int, rows []int) [][]int {
	place := map[int]int{}
	for k, i := range rows {
		place[i] = k
	}
	var of [][]int
	for _, fold := range folds {
		var list []int
		for _, i := range fold {
			if k, ok := place[i]; ok {
				list = append(list, k)
			}
		}
		if len(list) > 0 {
			of = append(of, list)
		}
	}
	return of
}
