package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/formula"
)

// groupsOf makes rows of a law y = f(g, x) for each of n groups, with noise.
func groupsOf(n, rows int, noise float64, f func(g int, x float64) float64) Groups {
	r := rand.New(rand.NewPCG(1, 2))
	gs := Groups{Inputs: []string{"x"}}
	for g := range n {
		gs.Indicators = append(gs.Indicators, fmt.Sprintf("g%d", g))
		d := Data{X: [][]float64{nil}}
		for range rows {
			x := 0.2 + 2*r.Float64()
			d.X[0] = append(d.X[0], x)
			d.Y = append(d.Y, f(g, x)+noise*r.NormFloat64())
		}
		gs.Data = append(gs.Data, d)
	}
	return gs
}

func TestGroupsFit(t *testing.T) {
	k := []float64{1, 1.5, 2.2, 3, 0.7, 4}
	for _, tt := range []struct {
		name, form string
		law        func(g int, x float64) float64
		want       string // with the constants of the second group put in
	}{
		{"one of its own", "2*x + 3*x^3", func(g int, x float64) float64 { return k[g]*x + 4*x*x*x }, "1.5*x + 4*x^3"},
		{"all of its own", "2*exp(-1.2*x) + 0.5", func(g int, x float64) float64 { return k[g]*math.Exp(-x/k[g]) + k[5-g] },
			"1.5*exp(-0.666667*x) + 0.7"},
		{"a rate", "2*exp(-1.2*x) + 0.5", func(g int, x float64) float64 { return 3*math.Exp(-k[g]*x) + 1 },
			"3*exp(-1.5*x) + 1"},
		{"none", "2*x/(x + 0.5)", func(_ int, x float64) float64 { return 5 * x / (x + 2) }, "5*x/(x + 2)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			gs := groupsOf(len(k), 15, 0, tt.law)
			got, score := gs.Fit(formula.MustParse(tt.form))
			if math.IsInf(score, 0) {
				t.Fatal("no fit")
			}
			of := map[string]formula.Expr{}
			for g, name := range gs.Indicators {
				of[name] = formula.Const(map[bool]float64{true: 1}[g == 1])
			}
			second := formula.Round(formula.Simplify(formula.Substitute(got, of)), 6)
			if want := formula.Simplify(formula.MustParse(tt.want)); second.String() != want.String() {
				t.Errorf("got %s, want %s; all: %s", second, want, got)
			}
		})
	}
}

// What the groups have in common is one constant: noise alone gives no constants of their own.
func TestGroupsShareWhatTheyHave(t *testing.T) {
	k := []float64{1, 1.5, 2.2, 3, 0.7, 4}
	gs := groupsOf(len(k), 15, 0.05, func(g int, x float64) float64 { return k[g]*x + 4*x*x*x })
	got, _ := gs.Fit(formula.MustParse("2*x + 3*x^3 + 0.1"))
	if n := len(formula.Constants(got)); n > len(k)+2 {
		t.Errorf("%s has %d constants, want at most one for each group and two", got, n)
	}
}

// TestGroupWidths compares with least squares of lines through zero, y = k·x with one noise for all groups: half an
// interval is the quantile of Student's t times s/√Σx².
func TestGroupWidths(t *testing.T) {
	k := []float64{1, 1.5, 2.2}
	gs := groupsOf(len(k), 15, 0.05, func(g int, x float64) float64 { return k[g] * x })
	d := Data{X: make([][]float64, 1+len(k))}
	fitted := make([]float64, len(k))
	squares, sse := make([]float64, len(k)), 0.0
	for g, of := range gs.Data {
		xy := 0.0
		for i, x := range of.X[0] {
			d.Y, d.X[0] = append(d.Y, of.Y[i]), append(d.X[0], x)
			for j := range k {
				d.X[1+j] = append(d.X[1+j], map[bool]float64{true: 1}[j == g])
			}
			squares[g], xy = squares[g]+x*x, xy+x*of.Y[i]
		}
		fitted[g] = xy / squares[g]
		for i, x := range of.X[0] {
			miss := of.Y[i] - fitted[g]*x
			sse += miss * miss
		}
	}
	text := fmt.Sprintf("x*(%v*g0 + %v*g1 + %v*g2)", fitted[0], fitted[1], fitted[2])
	inputs := append([]string{"x"}, gs.Indicators...)
	for _, tt := range []struct {
		name string
		held int // a group whose constant is known; -1: none
		free float64
	}{{"all free", -1, 3}, {"one known", 1, 2}} {
		got := GroupWidths(formula.MustParse(text), inputs, gs.Indicators, d, func(v float64) bool {
			return tt.held >= 0 && v == fitted[tt.held]
		})
		dof := float64(len(d.Y)) - tt.free
		for g := range k {
			want := distuv.StudentsT{Sigma: 1, Nu: dof}.Quantile(0.975) * math.Sqrt(sse/dof/squares[g])
			if g == tt.held {
				want = 0
			}
			if math.Abs(got[g][0]-want) > 1e-6*want {
				t.Errorf("%s: group %d has ± %g, want %g", tt.name, g, got[g][0], want)
			}
		}
	}
	if got := GroupWidths(formula.MustParse("2*x"), inputs, gs.Indicators, d,
		func(float64) bool { return false }); got != nil {
		t.Errorf("a formula without groups has %v", got)
	}
}
