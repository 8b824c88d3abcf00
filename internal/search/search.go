package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eqlearner/eql/formula"
)

// Data is what a formula is searched for: columns X over the same rows, and the target.
type Data struct {
	X [][]float64
	Y []float64
	// W are root weights of the rows, what their errors are multiplied with before squares are summed, such as one
	// over their standard deviations; nil: all are 1.
	W []float64
}

// Options says how to search.
type Options struct {
	Names []string // of the inputs, for the formulas

	Without []formula.Func // functions that are never used: Sqrt stands for all powers that are not whole

	// Work is the budget in multiplications, which are counted, so that it does not depend on the
	// machine. 0: about 12 seconds of one core.
	Work float64

	// Spread runs f(0), …, f(n−1), maybe in parallel. Nil: in this goroutine, one after the other.
	Spread func(n int, f func(i int))

	Try func(stage string) // is told what is being tried; may be nil

	// Enough says whether a short formula that leaves nothing that a surrogate finds ends the search. Nil: it does.
	Enough func(formula.Expr) bool
}

// name returns the name of input j, x1, x2, … where none is given.
func (o Options) name(j int) string {
	if j < len(o.Names) {
		return o.Names[j]
	}
	return fmt.Sprint("x", j+1)
}

// Sizes of the samples.
const (
	screenRows = 200  // on which functions are compared
	quickRows  = 240  // on which guesses are fitted first
	searchRows = 2000 // on which candidates are compared

	defaultWork = 12e9
)

// searcher is the state of one search.
type searcher struct {
	ctx       context.Context
	spread    func(n int, f func(i int))
	tell      func(stage string)
	enough    func(formula.Expr) bool
	meter     meter
	units     units
	names     []string
	d         int // inputs that vary
	x, xs, xq [][]float64
	y, ys, yq []float64
	w, ws, wq []float64 // root weights of the rows, nil where all are 1
	n, ns     int       // rows of the search, and screening rows
	sd        float64
	floor     float64   // the least mean square error that counts
	sigma     float64   // estimated error of y
	sizes     []float64 // of y, by a surrogate of its logarithm; nil where that is no better than one of y

	coords    [][]float64 // of the surrogates
	logSpread []float64
	positive  []bool // inputs
	feats     []feature
	fv        [][]float64
	signs     []sign
	sep, none []bool    // separable inputs; and no input
	exponent  []float64 // of the separable inputs
	libs      map[libraryKey]*library
	cost      map[linkKind]float64 // best criterion of sums under a link
	summed    [len(links)]bool     // short sums under the link have been looked for
	peeled    map[string]bool
	pool      []candidate
	thorough  bool // what is quick to find has been looked for
	// the target is that of a part of a law: as smooth as the other parts are known, and found with few trees
	part   bool
	done   bool
	evs    sync.Pool
	within []string // how this table was reduced, and those before
}

// meter counts multiplications.
type meter struct {
	used  atomic.Int64
	limit int64
}

func (m *meter) add(n int64) { m.used.Add(n) }

// over tells whether the search must end: between pieces of work, so that it does not depend on
// how they are spread.
func (s *searcher) over() bool {
	return s.meter.used.Load() >= s.meter.limit || s.ctx.Err() != nil
}

func (s *searcher) evaluator() *evaluator {
	if ev, ok := s.evs.Get().(*evaluator); ok {
		return ev
	}
	return &evaluator{}
}

func (s *searcher) release(ev *evaluator) {
	s.meter.add(ev.work)
	ev.work = 0
	s.evs.Put(ev)
}

// blockSize is how many small tasks are done together.
const blockSize = 64

func (s *searcher) spreadBlocks(n int, f func(from, to int)) {
	s.spread((n+blockSize-1)/blockSize, func(i int) { f(i*blockSize, min(n, (i+1)*blockSize)) })
}

// units are the functions that may be used.
type units struct {
	without map[formula.Func]bool
	shape   [shapeCount]bool
	link    [len(links)]bool
	root    bool // exponents that are not whole numbers
}

func makeUnits(without []formula.Func) units {
	u := units{without: map[formula.Func]bool{}}
	for _, f := range without {
		u.without[f] = true
	}
	for g, row := range shapes {
		u.shape[g] = u.have(row.needs)
	}
	for l, row := range links {
		u.link[l] = u.have(row.needs)
	}
	u.root = !u.without[formula.Sqrt]
	return u
}

// have tells whether all functions may be used.
func (u units) have(needs []formula.Func) bool {
	return !slices.ContainsFunc(needs, func(f formula.Func) bool { return u.without[f] })
}

// Find searches for formulas over the names of the inputs and returns what it found, best first, some dozens at most.
// Their constants are as fitted, but for exponents and ±1. When ctx ends it returns what there is.
func Find(ctx context.Context, d Data, o Options) []formula.Expr {
	var out []formula.Expr
	for _, r := range find(ctx, d, o) {
		out = append(out, r.formula)
	}
	return out
}

func find(ctx context.Context, d Data, o Options) []result {
	s := newSearcher(ctx, d, o)
	if s == nil {
		return constantOf(d)
	}
	s.search()
	return s.results(d)
}

// constantOf is what is found where nothing varies.
func constantOf(d Data) []result {
	if len(d.Y) == 0 {
		return nil
	}
	mean, sd := moments(d.Y)
	if !finite(mean) || !finite(sd) {
		return nil
	}
	n := float64(len(d.Y))
	if d.W != nil {
		mean, sd = weightedMoments(d.Y, d.W)
	}
	return []result{{expr{{op: opPar, c: mean}}, formula.Const(mean), n * sd * sd, 0, "constant"}}
}

// leastSpread is the least standard deviation of a column that varies, as a share of its size.
const leastSpread = 1e-12

func varies(v []float64) bool {
	mean, sd := moments(v)
	return finite(sd) && sd > leastSpread*(math.Abs(mean)+1e-300) && sd > 1e-150
}

// newSearcher samples the rows; it is nil when nothing varies.
func newSearcher(ctx context.Context, d Data, o Options) *searcher {
	if len(d.Y) == 0 || !varies(d.Y) {
		return nil
	}
	s := &searcher{ctx: ctx, spread: o.Spread, tell: o.Try, enough: o.Enough, units: makeUnits(o.Without),
		cost: map[linkKind]float64{}, libs: map[libraryKey]*library{}, peeled: map[string]bool{}}
	if s.spread == nil {
		s.spread = func(n int, f func(i int)) {
			for i := range n {
				f(i)
			}
		}
	}
	if s.tell == nil {
		s.tell = func(string) {}
	}
	if s.enough == nil {
		s.enough = func(formula.Expr) bool { return true }
	}
	if s.meter.limit = int64(o.Work); o.Work == 0 {
		s.meter.limit = defaultWork
	}
	var x [][]float64
	for j, v := range d.X {
		if varies(v) {
			x, s.names = append(x, v), append(s.names, o.name(j))
		}
	}
	if s.d = len(x); s.d == 0 {
		return nil
	}
	s.sample(x, d.Y, d.W)
	return s
}

// sample chooses the rows of each kind.
func (s *searcher) sample(x [][]float64, y, w []float64) {
	n := len(y)
	spread := func(most int) []int {
		rows := make([]int, min(n, most))
		for k := range rows {
			rows[k] = k * n / len(rows)
		}
		return rows
	}
	all := spread(searchRows)
	s.x, s.y, s.w = take(x, y, w, all)
	s.xq, s.yq, s.wq = take(x, y, w, spread(quickRows))
	order := make([]int, n) // screening rows lie evenly over the target
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
	rows := spread(screenRows)
	for k := range rows {
		rows[k] = order[rows[k]]
	}
	s.xs, s.ys, s.ws = take(x, y, w, rows)
	s.n, s.ns = len(s.y), len(s.ys)
	_, s.sd = weightedMoments(s.y, s.w)
	s.floor = floorShare * s.sd * s.sd
}

// floorShare is the mean square error that counts as none, as a share of the variance.
const floorShare = 1e-10

func take(x [][]float64, y, w []float64, rows []int) (tx [][]float64, ty, tw []float64) {
	tx, ty = make([][]float64, len(x)), make([]float64, len(rows))
	for j := range x {
		tx[j] = make([]float64, len(rows))
		for k, r := range rows {
			tx[j][k] = x[j][r]
		}
	}
	for k, r := range rows {
		ty[k] = y[r]
		if w != nil {
			tw = append(tw, w[r])
		}
	}
	return tx, ty, tw
}

// prepare finds the errors of y, the features and the separable inputs.
func (s *searcher) prepare() {
	s.coords, s.logSpread, s.positive = coordinates(s.x)
	s.makeFeatures()
	s.none = make([]bool, s.d)
	s.estimateErrors()
	s.sep, s.exponent = s.separable()
}

// leastError is the least error of y that rows are weighed with, as a share of its spread.
const leastError = 1e-5
