package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// parallel runs tasks in several goroutines, the last first.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(n - 1 - i) })
	}
	wg.Wait()
}

func lawCalled(t *testing.T, name string) law {
	t.Helper()
	for _, l := range slices.Concat(missedLaws, knownLaws, ownLaws) {
		if l.name == name {
			return l
		}
	}
	t.Fatalf("no law %s", name)
	return law{}
}

func text(found []result) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintln(&b, f.formula, f.sse, f.criterion, f.how)
	}
	return b.String()
}

func TestSpreadChangesNothing(t *testing.T) {
	tb := lawCalled(t, "I.12.11").draw(t, 300, 0, 0.01)
	o := Options{Names: tb.names, Work: 1e8}
	want := text(find(context.Background(), tb.near, o))
	o.Spread = parallel
	if got := text(find(context.Background(), tb.near, o)); got != want {
		t.Errorf("in parallel:\n%s\nwant:\n%s", got, want)
	}
}

func TestBudgetIsKept(t *testing.T) {
	tb := lawCalled(t, "I.37.4").draw(t, 1000, 0, 0.01)
	for _, work := range []float64{1e7, 2e8} {
		s := newSearcher(context.Background(), tb.near, Options{Names: tb.names, Work: work})
		s.search()
		found := s.results(tb.near)
		// A piece of work that has begun is finished, and the best are fitted to the end.
		const piece = 2.5e8
		if used := float64(s.meter.used.Load()); used > work+piece {
			t.Errorf("used %.3g multiplications of %.3g", used, work)
		}
		if len(found) == 0 {
			t.Errorf("found nothing with %g", work)
		}
	}
}

func TestCancelledSearchReturnsWhatThereIs(t *testing.T) {
	tb := lawCalled(t, "I.37.4").draw(t, 200, 0, 0.01)
	ctx, cancel := context.WithCancel(context.Background())
	stages := 0
	o := Options{Names: tb.names, Try: func(string) {
		if stages++; stages == 2 {
			cancel()
		}
	}}
	if found := Find(ctx, tb.near, o); len(found) == 0 || stages != 2 {
		t.Errorf("found %d formulas in %d stages", len(found), stages)
	}
}

// A search that is told that nothing is enough goes on after a short law.
func TestEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	tb := lawCalled(t, "own1").draw(t, 200, 0, 0.01)
	stages := func(enough func(formula.Expr) bool) (n int) {
		Find(context.Background(), tb.near, Options{Names: tb.names, Work: 1e9, Enough: enough, Try: func(string) { n++ }})
		return n
	}
	asked := 0
	short, long := stages(nil), stages(func(formula.Expr) bool { asked++; return false })
	if asked == 0 || long <= short {
		t.Errorf("%d stages, and %d after %d laws that were not enough", short, long, asked)
	}
}

func TestUnitsLeftOutNeverAppear(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	tb := lawCalled(t, "own1").draw(t, 200, 0, 0.01)
	for _, kept := range [][]formula.Func{{}, {formula.Exp}, {formula.Sqrt}, {formula.Sin, formula.Log}} {
		without := slices.DeleteFunc(formula.Funcs(), func(f formula.Func) bool { return slices.Contains(kept, f) })
		for _, f := range Find(context.Background(), tb.near, Options{Names: tb.names, Without: without, Work: 1e8}) {
			s := f.String()
			for _, w := range without {
				if strings.Contains(s, w.String()+"(") || w == formula.Sqrt && regexp.MustCompile(`\^\(?-?\d*\.`).MatchString(s) {
					t.Errorf("with %v: %s", kept, s)
				}
			}
		}
	}
}

func TestOddTables(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	column := func(n int, f func(r int) float64) []float64 {
		v := make([]float64, n)
		for r := range v {
			v[r] = f(r)
		}
		return v
	}
	random := func(n int) []float64 { return column(n, func(int) float64 { return rng.NormFloat64() }) }
	uniform := func(n int) []float64 { return column(n, func(int) float64 { return 1 + rng.Float64() }) }
	columns := func(d, n int, f func(int) []float64) [][]float64 {
		x := make([][]float64, d)
		for j := range x {
			x[j] = f(n)
		}
		return x
	}
	coins := func(n int) []float64 { return column(n, func(int) float64 { return float64(rng.IntN(2)) }) }
	zero := func(n int) []float64 { return make([]float64, n) }
	tests := []struct {
		name string
		d    Data
	}{
		{"no rows", Data{X: columns(2, 0, zero)}},
		{"one row", Data{X: columns(2, 1, uniform), Y: uniform(1)}},
		{"two rows", Data{X: columns(1, 2, uniform), Y: uniform(2)}},
		{"six rows", Data{X: columns(2, 6, random), Y: random(6)}},
		{"no inputs", Data{Y: random(20)}},
		{"constant target", Data{X: columns(2, 20, random), Y: zero(20)}},
		{"constant input", Data{X: [][]float64{zero(50), uniform(50)}, Y: random(50)}},
		{"equal inputs", Data{X: slices.Repeat(columns(1, 50, uniform), 3), Y: uniform(50)}},
		{"target is an input", Data{X: columns(2, 50, random), Y: nil}},
		{"huge and tiny", Data{X: [][]float64{column(50, func(r int) float64 { return 1e150 * float64(r+1) }),
			column(50, func(r int) float64 { return 1e-150 * float64(r+1) })},
			Y: column(50, func(r int) float64 { return 1e100 * float64(r) })}},
		{"zeros and ones", Data{X: columns(3, 60, coins), Y: coins(60)}},
		{"an outlier", Data{X: columns(1, 40, random), Y: append(make([]float64, 39), 1)}},
		{"30 inputs", Data{X: columns(30, 100, uniform), Y: uniform(100)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "target is an input" {
				tt.d.Y = slices.Clone(tt.d.X[1])
			}
			names := make([]string, len(tt.d.X))
			for j := range names {
				names[j] = fmt.Sprint("x", j+1)
			}
			found := find(context.Background(), tt.d, Options{Names: names, Work: 3e7})
			if len(found) == 0 != (len(tt.d.Y) == 0) {
				t.Errorf("found %d formulas for %d rows", len(found), len(tt.d.Y))
			}
			for _, f := range found {
				if f.formula == nil || math.IsNaN(f.sse) || math.IsInf(f.sse, 0) || math.IsNaN(f.criterion) {
					t.Errorf("found %+v", f)
				}
			}
			if tt.name == "target is an input" && found[0].formula.String() != "x2" {
				t.Errorf("found %v, want x2", found[0].formula)
			}
		})
	}
}

func TestManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 rows")
	}
	l := law{name: "many", text: "x1*exp(-x2)/x3"}
	tb := l.draw(t, 100_000, 10, 0.01)
	found := find(context.Background(), tb.near, Options{Names: tb.names})
	if rms := math.Sqrt(found[0].sse/1e5) / tb.sd; rms > 0.0101 || found[0].e.parameters() > 2 {
		t.Errorf("error %g with %v", rms, found[0].formula)
	}
}
