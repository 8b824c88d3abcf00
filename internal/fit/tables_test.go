package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// The equations of groups, solved group by group, give the step that they give as one matrix.
func TestGroupEquations(t *testing.T) {
	gs := groupsOf(5, 12, 0.1, func(g int, x float64) float64 { return float64(g+1)*math.Exp(-x) + 0.3*x })
	e := formula.MustParse("2*exp(-1.2*x) + 0.5*x + 0.1")
	for _, own := range [][]bool{
		{true, false, true, false}, {false, false, false, false}, {true, true, true, true}, {false, true, true, true},
	} {
		f, err := gs.newFit(e)
		if err != nil {
			t.Fatal(err)
		}
		problem := &groupProblem{groupFit: f, own: own, at: f.places(own)}
		r := rand.New(rand.NewPCG(3, 0))
		p := make([]float64, problem.at.count())
		for i := range p {
			p[i] = r.NormFloat64()
		}
		eq := problem.Normal(p)
		got, ok := eq.step(0.1)
		if !ok {
			t.Fatalf("%v: no step", own)
		}
		n := len(p)
		whole := newNormal(n)
		for g, x := range problem.parts {
			one := x.Normal(problem.of(p, g))
			whole.SSE += one.SSE
			for k, i := range problem.at[g] {
				whole.JTR[i] += one.JTR[k]
				for l := k; l < problem.constants; l++ {
					j := problem.at[g][l]
					whole.JTJ.Data[min(i, j)*n+max(i, j)] += one.JTJ.Data[k*problem.constants+l]
				}
			}
		}
		want, ok := whole.step(0.1)
		if !ok || math.Abs(eq.squares()-whole.squares()) > 1e-9*whole.squares() {
			t.Fatalf("%v: SSE %g, want %g", own, eq.squares(), whole.squares())
		}
		length := mat.Norm(mat.NewVecDense(n, want), 2)
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*length) {
				t.Errorf("%v: step %v, want %v", own, got, want)
				break
			}
		}
	}
}

// tablesOf makes tables of a law y = f(g, x), each with noise of another size.
func tablesOf(n, rows int, seed uint64, noise float64, f func(g int, x float64) float64) Tables {
	r := rand.New(rand.NewPCG(seed, 2))
	ts := Tables{Inputs: []string{"x"}}
	for g := range n {
		d := Data{X: [][]float64{nil}}
		for range rows {
			x := 0.2 + 2*r.Float64()
			d.X[0] = append(d.X[0], x)
			d.Y = append(d.Y, f(g, x)+noise*float64(1+g%3)*r.NormFloat64())
		}
		ts.Data = append(ts.Data, d)
	}
	return ts
}

// What all tables have in common becomes one constant, with an interval that holds it as often as it says, and what
// differs does not.
func TestTablesTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	const tables, rate = 12, 1.3
	s := formula.SkeletonOf(formula.MustParse("2*exp(-x) + 0.5"))
	rateAt := slices.IndexFunc(s.Names, func(name string) bool { return name == "c3" })
	for name, law := range map[string]func(g int, x float64) float64{
		"one rate": func(g int, x float64) float64 { return float64(g+1)*math.Exp(-rate*x) + float64(g*g%7) },
		"rates that differ": func(g int, x float64) float64 {
			return 3*math.Exp(-(rate+0.2*float64(g%2))*x) + float64(g*g%7)
		},
	} {
		shared, inside := 0, 0
		const runs = 20
		for seed := range uint64(runs) {
			ts := tablesOf(tables, 60, seed, 0.01, law)
			var values [][]float64
			for g, d := range ts.Data {
				p, score := Apart(s.Form, s.Names, ts.Inputs, d, [][]float64{s.Values})
				if math.IsInf(score, 0) {
					t.Fatalf("table %d: no fit", g)
				}
				values = append(values, p)
			}
			c, err := ts.Together(s.Form, s.Names, values)
			if err != nil {
				t.Fatal(err)
			}
			if c.Is[rateAt] {
				shared++
				if math.Abs(c.Values[0][rateAt]+rate) <= 1.96*c.Errors[rateAt] {
					inside++
				}
			}
		}
		switch {
		case name == "one rate" && (shared < 16 || inside < shared-4): // 95 % of 20, less two standard deviations
			t.Errorf("%s: it is one constant in %d of %d runs, and within its interval in %d", name, shared, runs, inside)
		case name != "one rate" && shared > 0:
			t.Errorf("%s: it is one constant in %d of %d runs", name, shared, runs)
		}
	}
}

// A constant that another makes good is put in as a number, a factor of 1 before others.
func TestIndependent(t *testing.T) {
	d := tablesOf(1, 60, 1, 0.01, func(_ int, x float64) float64 { return math.Exp(x) }).Data[0]
	for text, want := range map[string]string{
		"1/(x + 3)":      "1/(c2 + c3*x)",
		"2*exp(x + 0.5)": "2*exp(c2 + c3*x)",
		"sin(2*x) + 1":   "c1 + c2*sin(c3*x)",
		"sqrt(x + 2)":    "sqrt(c2 + c3*x)",
	} {
		s := formula.SkeletonOf(formula.MustParse(text))
		got, kept := Independent(s.Form, s.Names, []string{"x"}, d, s.Values)
		if fmt.Sprint(got) != want || len(kept) != len(formula.Vars(got))-1 {
			t.Errorf("%s: got %v with constants %v, want %s", text, got, kept, want)
		}
	}
}
