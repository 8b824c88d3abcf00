package eql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
)

const (
	sharedRows      = 2000 // of a table that forms are fitted to
	sharedForms     = 32   // the most frequent, that are fitted to all tables
	sharedConstants = 12   // of a form, at most
	sharedStarts    = 8    // constants of other tables that a fit begins with
)

// sharing is the state of one call of [Share].
type sharing struct {
	workers int
	targets []string
	members []*member // in the order of the tables
}

// member is a target of a table.
type member struct {
	table, target string
	judge         *sweep.Elsewhere
	inputs        []string
	data          fit.Data
	skeleton      formula.Skeleton // of its own formula
	own           formula.Expr
	bic2          float64 // of its own form
	fails         bool    // the tests of the table refuse its own formula
}

// each calls f for 0 … n−1 on all workers until ctx is done.
func (s *sharing) each(ctx context.Context, n int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(s.workers, n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	workers.Wait()
}

// read reads the tables that have formulas.
func (s *sharing) read(
	ctx context.Context, tables iter.Seq2[string, Source], found map[string]map[string]formula.Expr, options []Option,
) error {
	type job struct {
		name   string
		source Source
	}
	var jobs []job
	for name, source := range tables {
		if len(found[name]) > 0 {
			jobs = append(jobs, job{name, source})
		}
	}
	members, errs := make([][]*member, len(jobs)), make([]error, len(jobs))
	s.each(ctx, len(jobs), func(i int) {
		members[i], errs[i] = jobs[i].source.members(jobs[i].name, found[jobs[i].name], options)
	})
	for _, of := range members {
		for _, m := range of {
			if !slices.Contains(s.targets, m.target) {
				s.targets = append(s.targets, m.target)
			}
			s.members = append(s.members, m)
		}
	}
	return errors.Join(errs...)
}

// members reads a table and makes its targets ready.
func (s Source) members(name string, found map[string]formula.Expr, options []Option) (members []*member, err error) {
	t, own, err := s()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if rows := t.Rows(); rows > sharedRows {
		t = t.Take(fit.Spread(rows, sharedRows))
	}
	c, t, err := newConfig(t, slices.Concat(options, own))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var errs []error
	for _, target := range c.targets {
		e := found[target]
		if e == nil || len(formula.Vars(e)) == 0 {
			continue
		}
		judge, err := sweep.NewElsewhere(c.task(t), *c.Settings, target, e)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		m := &member{
			table: name, target: target, judge: judge, inputs: judge.Inputs(), data: judge.Data(),
			own: e, skeleton: formula.SkeletonOf(e), bic2: math.Inf(1),
		}
		if weighed, _, err := judge.Weigh(e, 0); err != nil || fails(weighed) {
			m.fails = true
		}
		members = append(members, m)
	}
	return members, errors.Join(errs...)
}

// candidate is a form that may be a law, fitted to all tables.
type candidate struct {
	form   formula.Expr
	names  []string
	of     map[*member]bool // that led to it by themselves
	starts [][]float64      // constants of these
	values map[*member][]float64
	bic2   map[*member]float64
	weight map[*member]*weighed
}

// candidates returns the forms that tables led to, the most frequent first, fitted to all of those.
func (s *sharing) candidates(ctx context.Context, members []*member) []*candidate {
	var all []*candidate
	byText := map[string]*candidate{}
	for _, m := range members {
		text := m.skeleton.String()
		c := byText[text]
		if c == nil {
			c = newCandidate(m)
			byText[text], all = c, append(all, c)
		}
		c.add(m)
	}
	for _, c := range all {
		c.starts = spread(c.starts, sharedStarts)
	}
	of := func(m *member) *candidate { return byText[m.skeleton.String()] }
	values, bic2 := make([][]float64, len(members)), make([]float64, len(members))
	s.each(ctx, len(members), func(i int) { values[i], bic2[i] = of(members[i]).fit(members[i]) })
	for i, m := range members {
		m.bic2 = bic2[i]
		of(m).values[m], of(m).bic2[m] = values[i], bic2[i]
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(len(b.of), len(a.of)) })
	all = slices.DeleteFunc(all, func(c *candidate) bool { return len(c.names) == 0 || len(c.names) > sharedConstants })
	all = all[:min(len(all), sharedForms)]
	for _, c := range all {
		c.fitOthers(ctx, s, members)
	}
	return all
}

// newCandidate returns the form of a table's own formula, without constants that can be traded against others.
func newCandidate(m *member) *candidate {
	form, kept := fit.Independent(m.skeleton.Form, m.skeleton.Names, m.inputs, m.data, m.skeleton.Values)
	c := &candidate{
		names: m.skeleton.Names[:len(kept)], of: map[*member]bool{},
		values: map[*member][]float64{}, bic2: map[*member]float64{}, weight: map[*member]*weighed{},
	}
	rename := map[string]formula.Expr{}
	for i, k := range kept {
		rename[m.skeleton.Names[k]] = formula.Var(c.names[i])
	}
	c.form = formula.Substitute(form, rename)
	return c
}

// add adds a table that led to the form by itself, whose constants fits begin with.
func (c *candidate) add(m *member) {
	c.of[m] = true
	form, kept := fit.Independent(m.skeleton.Form, m.skeleton.Names, m.inputs, m.data, m.skeleton.Values)
	if len(kept) != len(c.names) || len(formula.Vars(form)) != len(formula.Vars(c.form)) {
		return // there other constants can be traded
	}
	start := make([]float64, len(kept))
	for i, k := range kept {
		start[i] = m.skeleton.Values[k]
	}
	c.starts = append(c.starts, start)
}

// spread returns at most n elements, spread over all.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	var some []T
	for _, i := range fit.Spread(len(all), n) {
		some = append(some, all[i])
	}
	return some
}

// inputs returns the columns that the form has.
func (c *candidate) inputs() []string {
	return slices.DeleteFunc(formula.Vars(c.form), func(name string) bool { return slices.Contains(c.names, name) })
}

// dataOf returns the columns of a table that the form has; false when one of them is missing or does not vary there.
func (c *candidate) dataOf(m *member) (fit.Data, bool) {
	d := m.data
	d.X = nil
	for _, name := range c.inputs() {
		j := slices.Index(m.inputs, name)
		if j < 0 {
			return d, false
		}
		d.X = append(d.X, m.data.X[j])
	}
	return d, true
}

// fit fits the form to a table.
func (c *candidate) fit(m *member) ([]float64, float64) {
	d, ok := c.dataOf(m)
	if !ok {
		return nil, math.Inf(1)
	}
	return fit.Apart(c.form, c.names, c.inputs(), d, c.starts)
}

// fitOthers fits the form to the tables that did not lead to it.
func (c *candidate) fitOthers(ctx context.Context, s *sharing, members []*member) {
	members = slices.DeleteFunc(slices.Clone(members), func(m *member) bool { return c.of[m] })
	values, bic2 := make([][]float64, len(members)), make([]float64, len(members))
	s.each(ctx, len(members), func(i int) { values[i], bic2[i] = c.fit(members[i]) })
	for i, m := range members {
		c.values[m], c.bic2[m] = values[i], bic2[i]
	}
}
