package sweep

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// sound is evidence that nothing speaks against, of a formula of two constants from 1000 rows.
func sound() (*Evidence, *suspicions) {
	return &Evidence{
		Fitted: formula.MustParse("2.1*sin(x1)"), Gap: math.Inf(1), Explained: 1,
		Support:       Support{Networks: 32, Agree: 4, Ways: 4},
		Constants:     []evidence.Constant{{Value: 2.1, Low: 2, High: 2.2, Snapped: 2.1}},
		Extrapolation: evidence.Extrapolation{Defined: true, Ratio: 1, Limit: 1.1, Inner: evidence.FirstInner},
		Structure:     evidence.Structure{Defined: true, Z: 1, Limit: 3.5},
	}, &suspicions{params: 2, rows: 1000, told: 40, nodes: 9}
}

// Each reason has evidence that it, and no reason before it, is found in, and says so in a sentence.
func TestEachReasonOfAVerdict(t *testing.T) {
	pole := Edge{Kind: formula.PoleEdge, Critical: formula.MustParse("x1 - 3"), Inputs: []string{"x1"},
		Place: []float64{3}, Beyond: []float64{0.5}}
	among := pole
	among.Among, among.Inside, among.Beyond = true, true, []float64{0}
	spoil := map[Code]func(e *Evidence, s *suspicions){
		"constant":    func(e *Evidence, _ *suspicions) { e.Fitted = formula.Const(3) },
		"unexplained": func(e *Evidence, _ *suspicions) { e.Explained = 0.3 },
		"power-law": func(e *Evidence, _ *suspicions) {
			e.Power = Power{Formula: formula.MustParse("x1^1.5"), Validation: 0.1, Better: true}
		},
		"outer-rows": func(e *Evidence, _ *suspicions) { e.Extrapolation.Ratio = 2 },
		"structure":  func(e *Evidence, _ *suspicions) { e.Structure.Z = 6 },
		"units":      func(e *Evidence, _ *suspicions) { e.Mismatch = "the term x1 has the unit m" },
		switching:    func(_ *Evidence, s *suspicions) { s.jumps = true },
		"few-rows":   func(_ *Evidence, s *suspicions) { s.rows = 15 },
		"untested":   func(e *Evidence, _ *suspicions) { e.Extrapolation = evidence.Extrapolation{} },
		"pole":       func(e *Evidence, _ *suspicions) { e.Edges = []Edge{among} },
		"vague-edge": func(e *Evidence, s *suspicions) { e.Edges, s.vague = []Edge{pole}, true },
		"redundant":  func(_ *Evidence, s *suspicions) { s.redundant = true },
		"open":       func(_ *Evidence, s *suspicions) { s.open = []evidence.Constant{{Value: 1, Low: -1, High: 3}} },
		"untelling": func(e *Evidence, _ *suspicions) {
			x := &e.Extrapolation
			x.Inflation, x.Limit, x.Doubt = 3, 4, 0.01
		},
		"rough":    func(e *Evidence, _ *suspicions) { e.Extrapolation.Doubt = 0.07 },
		"exponent": func(e *Evidence, _ *suspicions) { e.Fitted = formula.MustParse("x1/(x2 + 1)^64.5") },
		"smooth":   func(_ *Evidence, s *suspicions) { s.told = 10 },
		"rival":    func(e *Evidence, _ *suspicions) { e.Gap = 3 },
		"faint": func(e *Evidence, s *suspicions) {
			s.faint, e.Constants = 2, []evidence.Constant{{Value: 0.1, Snapped: 0.1}, {Value: 0.2, Snapped: 0.2}}
		},
		unsupported: func(e *Evidence, _ *suspicions) { e.Support = Support{Networks: 32, Agree: 1, Ways: 1} },
	}
	if e, s := sound(); verdict(e, s).Level != Holds {
		t.Fatalf("sound evidence gives %s", verdict(e, s).Sentence())
	}
	for _, c := range checks {
		e, s := sound()
		if spoil[c.code] == nil {
			t.Errorf("%s: no evidence for it in this test", c.code)
			continue
		}
		spoil[c.code](e, s)
		if c.code == "untelling" && c.kind == TooFew {
			e.Extrapolation.Inflation = 1.1
		}
		v := verdict(e, s)
		if v.Code != c.code || v.Level != c.level || v.Kind != c.kind {
			t.Errorf("%s: verdict %s (%s)", c.code, v.Code, v.Sentence())
		}
		if text := v.Sentence(); !strings.HasPrefix(text, string(c.level)+", "+string(c.kind)+": ") ||
			strings.Contains(text, "%!") {
			t.Errorf("%s: says %q", c.code, text)
		}
		e.Exact = true
		if v := verdict(e, s); (v.Code == c.code) != c.exact {
			t.Errorf("%s, of an exact formula: %s", c.code, v.Sentence())
		}
	}
}

// A test that tells little says why: few rows, constants that are uncertain, or inner rows beside the outer ones.
func TestVerdictOfUntellingTests(t *testing.T) {
	for _, c := range []struct {
		inflation, limit, inner, doubt float64
		want                           string
	}{
		{1.05, 1.75, 0.7, 0.002, "uncertain, too few rows to say: of 1000 rows the test on the outer ones would pass a law " +
			"that misses them by 75 % more than others"},
		{3, 4, 0.7, 0.01, "uncertain, not tested: fitted to the inner rows alone, its constants are too uncertain for a " +
			"test on the outer rows"},
		{1.02, 1.41, 0.5, 0.011, "uncertain, not tested: the test on the outer rows takes inner rows next to them, and " +
			"over twice the range of the data the errors of its constants amount to 1.1 % of the standard deviation of the " +
			"target"},
	} {
		e, s := sound()
		e.Support.Agree, e.Constants = 0, []evidence.Constant{{Value: 2.7, Snapped: 2.7}}
		e.Extrapolation = evidence.Extrapolation{Defined: true, Ratio: 1.01, Inflation: c.inflation, Limit: c.limit,
			Inner: c.inner, Doubt: c.doubt}
		if v := verdict(e, s); v.Sentence() != c.want {
			t.Errorf("inflation %g, limit %g: %q, want %q", c.inflation, c.limit, v.Sentence(), c.want)
		}
	}
}

// An edge outside the data is named, and the level stays.
func TestVerdictNamesEdges(t *testing.T) {
	above := Edge{Kind: formula.PoleEdge, Inputs: []string{"a"}, Place: []float64{1.571}, Beyond: []float64{0.571}}
	below := Edge{Kind: formula.PoleEdge, Inputs: []string{"a"}, Place: []float64{-1.571}, Beyond: []float64{-0.58}}
	farther := Edge{Kind: formula.LogEdge, Inputs: []string{"a"}, Place: []float64{2}, Beyond: []float64{1}}
	for _, c := range []struct {
		name string
		edge Edge
		want string
	}{
		{"above", Edge{Kind: formula.PoleEdge, Inputs: []string{"celsius"}, Place: []float64{277.5}, Beyond: []float64{2.5}},
			"holds up to celsius = 277.5, 2.5 beyond the data; no value there"},
		{"below", Edge{Kind: formula.LogEdge, Inputs: []string{"r"}, Place: []float64{0}, Beyond: []float64{-0.1}},
			"holds down to r = 0, 0.1 below the data; no value there"},
		{"close", Edge{Kind: formula.RootEdge, Inputs: []string{"x"}, Place: []float64{1000.00231},
			Beyond: []float64{0.00031}}, "holds up to x = 1000.00231, 0.00031 beyond the data; no value farther out"},
		{"two inputs", Edge{Kind: formula.PoleEdge, Inputs: []string{"a", "b"}, Place: []float64{3, 4},
			Beyond: []float64{0, 1}}, "holds as far as a = 3, b = 4, 1 in b beyond the data; no value there"},
		{"inside, no rows beyond",
			Edge{Kind: formula.PoleEdge, Inside: true, Inputs: []string{"a", "b"}, Place: []float64{1, 1},
				Beyond: []float64{0, 0}}, "holds but for a pole in the range of the data, at a = 1, b = 1; no value there"},
	} {
		e, s := sound()
		e.Edges = []Edge{c.edge}
		if v := verdict(e, s); v.Level != Holds || v.Sentence() != c.want {
			t.Errorf("%s: %q, want %q", c.name, v.Sentence(), c.want)
		}
	}
	root := Edge{Kind: formula.RootEdge, Inputs: []string{"a"}, Place: []float64{-1.571}, Beyond: []float64{-0.58}}
	e, s := sound()
	e.Edges = []Edge{above, root}
	if got, want := verdict(e, s).Sentence(), "holds up to a = 1.571, 0.571 beyond the data and down to a = -1.571, "+
		"0.58 below the data; no value there or farther out"; got != want {
		t.Errorf("a pole and a root: %q, want %q", got, want)
	}
	e, s = sound()
	e.Edges = []Edge{above, farther, below}
	if got, want := verdict(e, s).Sentence(), "holds up to a = 1.571, 0.571 beyond the data and down to a = -1.571, "+
		"0.58 below the data; no value there"; got != want {
		t.Errorf("at both ends: %q, want %q", got, want)
	}
}

func TestLevelsOfEarlierRuns(t *testing.T) {
	for text, want := range map[string]Level{
		"holds": Holds, "uncertain": Uncertain, "fails": Fails,
		"holds outside the data as far as can be told": Holds, "do not extrapolate": Fails,
	} {
		var got Level
		if err := json.Unmarshal([]byte(`"`+text+`"`), &got); err != nil || got != want {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	var l Level
	if err := json.Unmarshal([]byte(`"perhaps"`), &l); err == nil {
		t.Error("perhaps is read as a level")
	}
}

// A formula is exact when it meets the data as written, and chance would not.
func TestExact(t *testing.T) {
	of := func(n int, f func(i int) float64) []float64 {
		y := make([]float64, n)
		for i := range y {
			y[i] = f(i)
		}
		return y
	}
	third := func(i int) float64 { return float64(i*i) / 3 }
	rounded := func(i int) float64 { return math.Round(1e4*third(i)) / 1e4 }
	for _, c := range []struct {
		name             string
		y, predicted     []float64
		nodes, constants int
		want             bool
	}{
		{"six rows of x + 1", of(6, func(i int) float64 { return float64(i + 1) }),
			of(6, func(i int) float64 { return float64(i + 1) }), 3, 1, true},
		{"but for rounding", of(40, third), of(40, func(i int) float64 { return third(i) * (1 + 1e-15) }), 5, 1, true},
		{"four decimals", of(40, rounded), of(40, third), 5, 1, true},
		{"worse than the decimals", of(40, rounded), of(40, func(i int) float64 { return third(i) + 2e-4 }), 5, 1, false},
		{"whole numbers with a spread of a few", of(40, func(i int) float64 { return math.Round(float64(i) / 9) }),
			of(40, func(i int) float64 { return float64(i) / 9 }), 3, 1, false},
		{"as many constants as rows", of(6, third), of(6, third), 3, 6, false},
		{"long, from few rows", of(8, third), of(8, third), 40, 2, false},
		{"an approximation", of(1000, third), of(1000, func(i int) float64 { return third(i) + 1e-4*math.Sin(float64(i)) }),
			5, 1, false},
		{"without values", of(40, third), of(40, func(int) float64 { return math.NaN() }), 5, 1, false},
	} {
		if got := exact(c.y, c.predicted, c.nodes, c.constants); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// A limit far above 1 is rough: a law that misses it by little is not tested, one that misses it by far fails.
func TestVerdictOfRoughLimits(t *testing.T) {
	for ratio, want := range map[float64]Code{7: "untelling", 8: "untelling", 70: "outer-rows"} {
		e, s := sound()
		e.Extrapolation.Ratio, e.Extrapolation.Limit = ratio, 7.7
		if got := verdict(e, s); got.Code != want {
			t.Errorf("ratio %g, limit 7.7: %s, want %s", ratio, got.Sentence(), want)
		}
		if ratio < 7.7 {
			continue // with special values alone it passes
		}
		e.Constants[0].Snapped = 2
		if got := verdict(e, s); got.Code != want {
			t.Errorf("ratio %g, limit 7.7, special values alone: %s, want %s", ratio, got.Sentence(), want)
		}
	}
}

// A law that has no value on outer rows misses them by no number.
func TestVerdictWithoutValues(t *testing.T) {
	for _, ratio := range []float64{math.Inf(1), math.NaN()} {
		e, s := sound()
		e.Extrapolation.Ratio = ratio
		got := verdict(e, s)
		if got.Code != "outer-rows" || strings.Contains(got.Reason, "NaN") || strings.Contains(got.Reason, "Inf") {
			t.Errorf("with a ratio of %g the verdict is %s", ratio, got.Sentence())
		}
	}
}
