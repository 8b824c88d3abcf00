package sweep

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

var (
	long   = flag.Bool("long", false, "all rows of the tables of tests; .ci/run asks for them")
	tables = flag.Int("tables", 1, "tables of each law, where a test draws some; .ci/full asks for more")
)

// groupedTable has 6 groups of 15 rows of y = f(k, x) with noise, k in values, and an input for each group.
func groupedTable(values []float64, seed uint64,
	f func(k, x float64) float64) (t *datasets.Table, indicators []string) {
	const rows, noise = 15, 0.03
	r := rand.New(rand.NewPCG(seed, 1))
	t = &datasets.Table{Names: []string{"x"}, Cols: make([][]float64, len(values)+2)}
	for g := range values {
		indicators = append(indicators, fmt.Sprintf("g=%d", g))
	}
	t.Names = append(append(t.Names, indicators...), "y")
	for g, k := range values {
		for range rows {
			x := 0.1 + 2.9*r.Float64()
			t.Cols[0] = append(t.Cols[0], x)
			for i := range values {
				t.Cols[1+i] = append(t.Cols[1+i], map[bool]float64{true: 1}[i == g])
			}
			last := len(t.Cols) - 1
			t.Cols[last] = append(t.Cols[last], f(k, x)+noise*r.NormFloat64())
		}
	}
	return t, indicators
}

func TestOneFormForGroups(t *testing.T) {
	laws := []struct {
		name string
		form string // with k for the constant that differs
		f    func(k, x float64) float64
	}{
		{"a slope beside a cubic term", "k*x + 0.5*x^3", func(k, x float64) float64 { return k*x + 0.5*x*x*x }},
		{"Michaelis-Menten", "k*x/(x + 1.5)", func(k, x float64) float64 { return 4 * k * x / (x + 1.5) }},
		{"a power law", "k*x^1.7", func(k, x float64) float64 { return k * math.Pow(x, 1.7) }},
		{"a rate", "5*exp(k*x)", func(k, x float64) float64 { return 5 * math.Exp(-0.5*k*x) }},
		{"a decay on a background", "k*exp(-1.2*x) + 0.7", func(k, x float64) float64 { return 2*k*math.Exp(-1.2*x) + 0.7 }},
		{"rates on a background", "4*exp(k*x) + 0.7", func(k, x float64) float64 { return 4*math.Exp(-k*x) + 0.7 }},
	}
	values := []float64{1, 1.5, 2.2, 0.7, 3, 1.2}
	if *tables == 1 {
		laws = laws[:1]
	}
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			if !*long {
				t.Skip("long: TestSearchInGroups and the script fit_groups find such a form in less")
			}
			right := 0
			for seed := range *tables {
				if groupsFound(t, law.form, values, uint64(seed), law.f) {
					right++
				}
			}
			if 10*right < 9**tables {
				t.Errorf("found in %d of %d tables, want 9 of 10", right, *tables)
			}
		})
	}
}

// groupsFound reports whether the law is found: its form, one constant that differs, and values beyond the data.
func groupsFound(t *testing.T, form string, values []float64, seed uint64, f func(k, x float64) float64) bool {
	table, indicators := groupedTable(values, seed, f)
	s := run.Quick(table.Rows(), len(indicators)+1)
	s.Extend = 0
	s.Layers, s.Lambda, s.Restarts = []int{2}, s.Lambda[:2], 1 // few networks: the search without them finds the law
	res, err := Run(t.Context(), Task{Inputs: table.Names[:len(indicators)+1], Targets: []string{"y"}, Groups: indicators,
		Data: table}, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := res.Chosen[0]
	g, ok := formula.ByGroup(c.Formula, indicators)
	want := len(formula.Constants(formula.MustParse(form)))
	if !ok || len(g.Names) != 1 || len(formula.Constants(g.Form)) > want {
		t.Logf("seed %d: %s (%s), want the form %s", seed, g.Form, c.Formula, form)
		return false
	}
	for i, k := range values {
		at := map[string]float64{"x": 4.5, g.Names[0]: g.Values[i][0]}
		got, err := formula.Eval(g.Form, at)
		if exact := f(k, 4.5); err != nil || math.Abs(got-exact) > 0.05*math.Abs(exact)+0.1 {
			t.Logf("seed %d: group %d at x = 4.5 is %g, want %g (%s)", seed, i, got, exact, g.Form)
			return false
		}
	}
	return true
}
