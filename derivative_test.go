package eql_test

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// motionOf integrates formulas by small steps of Runge and Kutta and adds noise, in standard deviations of each state.
func motionOf(t *testing.T, states, rates []string, x []float64, dt float64, rows int, noise float64) *datasets.Table {
	t.Helper()
	var programs []*formula.Program
	for _, text := range rates {
		p, err := formula.Compile(formula.MustParse(text), states)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	after := func(x, k []float64, h float64) (y, rate []float64) {
		for i := range x {
			y = append(y, x[i]+h*k[i])
		}
		for _, p := range programs {
			rate = append(rate, p.Eval(y))
		}
		return y, rate
	}
	cols := make([][]float64, 1+len(x))
	const fine = 20
	for i := range rows {
		cols[0] = append(cols[0], float64(i)*dt)
		for k, v := range x {
			cols[k+1] = append(cols[k+1], v)
		}
		for range fine {
			h := dt / fine
			_, k1 := after(x, make([]float64, len(x)), 0)
			_, k2 := after(x, k1, h/2)
			_, k3 := after(x, k2, h/2)
			_, k4 := after(x, k3, h)
			for k := range x {
				k1[k] = (k1[k] + 2*k2[k] + 2*k3[k] + k4[k]) / 6
			}
			x, _ = after(x, k1, h)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, col := range cols[1:] {
		mean, squares := 0.0, 0.0
		for _, v := range col {
			mean += v / float64(rows)
		}
		for _, v := range col {
			squares += (v - mean) * (v - mean) / float64(rows)
		}
		for i := range col {
			col[i] += noise * math.Sqrt(squares) * rng.NormFloat64()
		}
	}
	table, err := datasets.New(append([]string{"t"}, states...), cols)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var long = flag.Bool("long", false, "run what learns for several seconds; .ci/run asks for it")

// TestDerivative finds the laws of motion of three systems again from trajectories with little noise: what was found
// predicts the derivatives within 1 % of their spread, and leads along the trajectory.
func TestDerivative(t *testing.T) {
	for _, c := range []struct {
		name          string
		states, rates []string
		start         []float64
		dt            float64
		rows          int
	}{
		{"pendulum", []string{"a", "v"}, []string{"v", "-9.81*sin(a) - 0.1*v"}, []float64{2.5, 0}, 0.02, 500},
		{"Lotka-Volterra", []string{"x", "y"}, []string{"x*(1.1 - 0.4*y)", "y*(0.1*x - 0.4)"}, []float64{10, 5}, 0.1, 300},
		{"Lorenz", []string{"x", "y", "z"}, []string{"10*(y - x)", "x*(28 - z) - y", "x*y - 8/3*z"},
			[]float64{-8, 7, 27}, 0.01, 2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !*long {
				t.Skip("seconds of training: -long")
			}
			table := motionOf(t, c.states, c.rates, c.start, c.dt, c.rows, 1e-3)
			dir := t.TempDir() + "/run"
			r, err := eql.Fit(context.Background(), table, eql.Derivative("t"), eql.Folder(dir))
			if err != nil {
				t.Fatal(err)
			}
			for k, state := range c.states {
				checkRate(t, r.Formulas["d"+state+"_dt"], formula.MustParse(c.rates[k]), table, c.states)
			}
			if m := r.Trajectory(); m == nil || !m.Follows() || len(m.States) != len(c.states) {
				t.Errorf("the formulas do not follow the trajectory: %+v", m)
			}
			loaded, err := eql.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := r.Trajectory(), loaded.Trajectory(); b == nil ||
				strings.Join(a.Sentences(), "") != strings.Join(b.Sentences(), "") {
				t.Errorf("the folder says of the trajectory %+v, want %+v", b, a)
			}
		})
	}
}

// checkRate compares a formula with the true one on the rows of a table.
func checkRate(t *testing.T, got, want formula.Expr, table *datasets.Table, states []string) {
	t.Helper()
	used, err := table.Select(states...)
	if err != nil {
		t.Fatal(err)
	}
	y := make([][]float64, 2)
	for i, e := range []formula.Expr{got, want} {
		p, err := formula.Compile(e, states)
		if err != nil {
			t.Fatal(err)
		}
		y[i] = make([]float64, table.Rows())
		p.EvalColumns(y[i], used.Cols)
	}
	errors, squares, mean := 0.0, 0.0, 0.0
	for i := range y[0] {
		mean += y[1][i] / float64(len(y[1]))
	}
	for i := range y[0] {
		errors += (y[0][i] - y[1][i]) * (y[0][i] - y[1][i])
		squares += (y[1][i] - mean) * (y[1][i] - mean)
	}
	if !(errors < 1e-4*squares) {
		t.Errorf("got %s, which errs by %.3g of the spread from %s", got, math.Sqrt(errors/squares), want)
	}
}

// TestDerivativeDoubts has the verdict of formulas that do not lead along the trajectory.
func TestDerivativeDoubts(t *testing.T) {
	m := &evidence.Trajectory{Parts: 10, States: []evidence.StateError{{Name: "x", Spread: 2, Parts: 0.02},
		{Name: "y", Spread: 1, Parts: 0.2}}}
	if m.Follows() {
		t.Error("20 % of the spread count as near")
	}
	if v := m.Doubt(); v.Level != evidence.Uncertain || !strings.Contains(v.Reason, "miss y by 20 %") {
		t.Errorf("the verdict is %+v", v)
	}
}

func TestDerivativeRefuses(t *testing.T) {
	table := motionOf(t, []string{"x"}, []string{"-x"}, []float64{1}, 0.1, 50, 0)
	for _, c := range []struct {
		name   string
		option eql.Option
		want   string
	}{
		{"test", eql.WithTest("far", table), "a table to test on cannot be combined with derivatives"},
		{"sigma", eql.Sigma("x"), "a column of errors or weights cannot be combined"},
		{"no such time", eql.Derivative("s"), `no column "s"`},
	} {
		if _, err := eql.Fit(context.Background(), table, eql.Derivative("t"), c.option); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q in it", c.name, err, c.want)
		}
	}
}
