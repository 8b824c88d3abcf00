package eql

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

var shareTables = flag.Int("share-tables", 0, "TestShareLearns learns from so many tables; 24 take minutes")

// lawTable is a table of 60 rows of y = law(x, z) with noise of 5 % of the spread.
type lawTable struct {
	name  string
	table *datasets.Table
	law   formula.Expr
}

// lawTables makes n tables of a law with constants of its own for each, c1, c2 and c3 in the text, drawn from ranges.
func lawTables(prefix, text string, n int, seed uint64, ranges [3][2]float64) []lawTable {
	const rows, noise = 60, 0.05
	var all []lawTable
	for k := range n {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		put := map[string]formula.Expr{}
		for i, between := range ranges {
			put[fmt.Sprintf("c%d", i+1)] = formula.Const(between[0] + (between[1]-between[0])*r.Float64())
		}
		t := lawTable{name: fmt.Sprintf("%s%02d", prefix, k), law: formula.Substitute(formula.MustParse(text), put)}
		x, z := make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i], z[i] = 4*r.Float64()-2, 4*r.Float64()-2
		}
		y := valuesOf(t.law, x, z)
		spread := 0.0
		for _, v := range y {
			spread += (v - mean(y)) * (v - mean(y)) / rows
		}
		for i := range y {
			y[i] += noise * math.Sqrt(spread) * r.NormFloat64()
		}
		t.table = &datasets.Table{Names: []string{"x", "z", "y"}, Cols: [][]float64{x, z, y}}
		all = append(all, t)
	}
	return all
}

func mean(y []float64) float64 {
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	return sum / float64(len(y))
}

func valuesOf(e formula.Expr, x, z []float64) []float64 {
	p, err := formula.Compile(e, []string{"x", "z"})
	if err != nil {
		panic(err) // of the test
	}
	y := make([]float64, len(x))
	p.EvalColumns(y, [][]float64{x, z})
	return y
}

// farError is the RMS of a formula in a box of twice the data's size, in standard deviations of the law there.
func (t lawTable) farError(e formula.Expr) float64 {
	r := rand.New(rand.NewPCG(9, 0))
	x, z := make([]float64, 400), make([]float64, 400)
	for i := range x {
		x[i], z[i] = 8*r.Float64()-4, 8*r.Float64()-4
	}
	got, want := valuesOf(e, x, z), valuesOf(t.law, x, z)
	sum, spread := 0.0, 0.0
	for i := range want {
		sum += (got[i] - want[i]) * (got[i] - want[i])
		spread += (want[i] - mean(want)) * (want[i] - mean(want))
	}
	return math.Sqrt(sum / spread)
}

func sourcesOf(tables []lawTable) iter.Seq2[string, Source] {
	return func(yield func(string, Source) bool) {
		for _, t := range tables {
			if !yield(t.name, func() (*datasets.Table, []Option, error) { return t.table, nil, nil }) {
				return
			}
		}
	}
}

// own are formulas as the tables may have led to them: the law with constants fitted to the rows, and for every n-th
// table another formula, fitted alike.
func own(t *testing.T, tables []lawTable, other string, nth int) map[string]map[string]formula.Expr {
	t.Helper()
	found := map[string]map[string]formula.Expr{}
	for k, table := range tables {
		e := table.law
		if nth > 0 && k%nth == 0 {
			e = formula.MustParse(other)
		}
		fit, err := Refit(e, "y", table.table, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		found[table.name] = map[string]formula.Expr{"y": fit.Formula}
	}
	return found
}

const (
	wave     = "c1*sin(c2*x) + c3*x*z"
	notAWave = "2*x - 0.3*x^3 + 0.1*x*z + 0.01*x^2" // the beginning of its series
	decay    = "c1*exp(c2*x) + c3*z"
)

var (
	waveRanges  = [3][2]float64{{0.8, 3}, {0.7, 2.5}, {-1.5, 1.5}}
	decayRanges = [3][2]float64{{0.8, 3}, {0.3, 1.2}, {-1.5, 1.5}}
)

func share(t *testing.T, tables []lawTable, found map[string]map[string]formula.Expr, options ...Option) []SharedLaw {
	t.Helper()
	laws, err := Share(context.Background(), sourcesOf(tables), found, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range laws {
		for _, table := range l.Tables {
			if table.Evidence.Level == evidence.Fails {
				t.Errorf("%s has the law %v, which its tests refuse: %s", table.Table, l.Form, table.Evidence.Sentence())
			}
		}
	}
	return laws
}

// One law: every table has it in the end, those that led to another formula, too.
func TestShare(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	tables := lawTables("t", wave, 8, 3, waveRanges)
	laws := share(t, tables, own(t, tables, notAWave, 4))
	if len(laws) != 1 || len(laws[0].Tables) != 8 || laws[0].Alone != 6 {
		t.Fatalf("got %+v, want one law of 8 tables, which 6 led to", laws)
	}
	if got := laws[0].Form.String(); got != wave {
		t.Errorf("got %s, want %s", got, wave)
	}
	if v := laws[0].Verdict(); v.Level != evidence.Holds {
		t.Errorf("its verdict is %s", v.Sentence())
	}
	for i, table := range laws[0].Tables {
		if far := tables[i].farError(table.Formula); far > 0.1 { // rows have errors of 5 %, and lie in a quarter of the box
			t.Errorf("%s: %v is off by %.2f far outside", table.Table, table.Formula, far)
		}
	}
	again := share(t, tables, own(t, tables, notAWave, 4), Workers(3))
	if a, b := fmt.Sprint(laws), fmt.Sprint(again); len(a) != len(b) || laws[0].Gap != again[0].Gap ||
		laws[0].Tables[5].BIC2 != again[0].Tables[5].BIC2 {
		t.Errorf("three workers come to %v, one a processor to %v", b, a)
	}
}

// Two laws among the tables of a folder are told apart, and a table of neither keeps its formula.
func TestShareTwoLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	waves, decays := lawTables("wave", wave, 6, 5, waveRanges), lawTables("decay", decay, 6, 6, decayRanges)
	odd := lawTables("odd", "c1*abs(x - 0.3) + c2*x*z^2 + c3", 1, 7, [3][2]float64{{2, 3}, {1, 2}, {1, 2}})
	found := own(t, waves, notAWave, 3)
	maps.Copy(found, own(t, decays, "1 + 2*x + x^2 + 0.3*x^3 + 0.5*z", 3))
	maps.Copy(found, own(t, odd, "", 0))
	laws := share(t, slices.Concat(waves, odd, decays), found)
	if len(laws) != 2 {
		t.Fatalf("got %d laws, want 2: %v", len(laws), laws)
	}
	for _, l := range laws {
		name := map[string]string{wave: "wave", decay: "decay"}[l.Form.String()]
		var got, want []string
		for k, table := range l.Tables {
			got, want = append(got, table.Table), append(want, fmt.Sprintf("%s%02d", name, k))
		}
		if len(got) != 6 || !slices.Equal(got, want) {
			t.Errorf("the law %v has the tables %v", l.Form, got)
		}
	}
}

// A constant that is the same in all tables becomes one number, with an interval that is narrower than any table's.
func TestShareCommonConstant(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	tables := lawTables("t", "c1*sin(1.3*x) + c3*x*z", 12, 8, waveRanges)
	laws := share(t, tables, own(t, tables, "", 0))
	if len(laws) != 1 || len(laws[0].Tables) != 12 {
		t.Fatalf("got %v, want one law of 12 tables", laws)
	}
	l := laws[0]
	for k, c := range l.Constants {
		if c.Common != (k == 1) {
			t.Fatalf("%s is common: %v, want that of c2 alone; law %v", c.Name, c.Common, l.Law())
		}
	}
	c := l.Constants[1]
	if !(c.Low <= 1.3 && 1.3 <= c.High && c.High-c.Low < 0.05) {
		t.Errorf("c2 is %.4f, between %.4f and %.4f, want 1.3", c.Value, c.Low, c.High)
	}
	if got := l.Law().String(); got != fmt.Sprintf("c1*sin(%v*x) + c3*x*z", c.Value) {
		t.Errorf("the law is %s", got)
	}
	for _, table := range l.Tables {
		if table.Constants[1] != c.Constant || table.Constants[0].Low >= table.Constants[0].High {
			t.Errorf("%s: constants %v", table.Table, table.Constants)
		}
	}
}

func TestShareErrors(t *testing.T) {
	tables := lawTables("t", wave, 3, 3, waveRanges)
	found := own(t, tables, "", 0)
	broken := fmt.Errorf("it is gone")
	laws, err := Share(context.Background(), func(yield func(string, Source) bool) {
		for name, source := range sourcesOf(tables) {
			if name == "t01" {
				source = func() (*datasets.Table, []Option, error) { return nil, nil, broken }
			}
			if !yield(name, source) {
				return
			}
		}
	}, found)
	if err == nil || err.Error() != "t01: it is gone" || len(laws) != 1 || len(laws[0].Tables) != 2 {
		t.Errorf("got %v and %v", laws, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	laws, err = Share(ctx, sourcesOf(tables), found)
	if laws != nil || err != context.Canceled { //nolint:errorlint // as it is
		t.Errorf("got %v and %v, want nothing and %v", laws, err, context.Canceled)
	}
}

// The whole of it: learned alone, some tables are wrong; together none is.
//
//	go test . -run TestShareLearns -v -share-tables 24 -timeout 1h
func TestShareLearns(t *testing.T) {
	if *shareTables == 0 {
		t.Skip("it takes minutes")
	}
	tables := lawTables("t", wave, *shareTables, 1, waveRanges)
	found := map[string]map[string]formula.Expr{}
	for name, f := range FitEach(context.Background(), sourcesOf(tables), Seed(1)) {
		if f.Err != nil {
			t.Fatal(f.Err)
		}
		found[name] = f.Result.Formulas
	}
	alone, together := 0, 0
	for _, table := range tables {
		if formula.SkeletonOf(found[table.name]["y"]).String() == wave {
			alone++
		} else {
			t.Logf("%s alone: %s", table.name, formula.Print(found[table.name]["y"], formula.Text, 4))
		}
	}
	laws := share(t, tables, found)
	for _, l := range laws {
		t.Logf("%v: %d tables, %d alone, gap %.0f, %s", l.Law(), len(l.Tables), l.Alone, l.Gap, l.Verdict().Sentence())
		if l.Form.String() == wave {
			together += len(l.Tables)
		}
	}
	t.Logf("%d of %d have the form of the law alone, %d together", alone, len(tables), together)
	if together < len(tables) {
		t.Errorf("%d of %d tables have the law", together, len(tables))
	}
}
