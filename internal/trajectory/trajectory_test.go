package trajectory

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// motion is a system with a motion of it.
type motion struct {
	name   string
	states []string
	rates  []string
	start  []float64
	end    float64
	rows   int
}

var motions = []motion{
	{"Lotka-Volterra", []string{"x", "y"}, []string{"x*(1.1 - 0.4*y)", "y*(0.1*x - 0.4)"}, []float64{10, 5}, 30, 300},
	{"pendulum", []string{"a", "v"}, []string{"v", "-9.81*sin(a) - 0.1*v"}, []float64{2.5, 0}, 10, 500},
	{"Lorenz", []string{"x", "y", "z"}, []string{"10*(y - x)", "x*(28 - z) - y", "x*y - 8/3*z"},
		[]float64{-8, 7, 27}, 20, 2000},
}

// table returns a motion by steps of Runge and Kutta of the fourth order, with noise in spreads of the states, and the
// true derivatives.
func (m motion) table(t *testing.T, noise float64) (table *datasets.Table, rates [][]float64) {
	t.Helper()
	var programs []*formula.Program
	for _, text := range m.rates {
		p, err := formula.Compile(formula.MustParse(text), m.states)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	f := func(x []float64) []float64 {
		dx := make([]float64, len(x))
		for k, p := range programs {
			dx[k] = p.Eval(x)
		}
		return dx
	}
	plus := func(x []float64, h float64, dx []float64) []float64 {
		sum := make([]float64, len(x))
		for k := range x {
			sum[k] = x[k] + h*dx[k]
		}
		return sum
	}
	cols := make([][]float64, 1+len(m.states))
	rates = make([][]float64, len(m.states))
	x, dt := m.start, m.end/float64(m.rows-1)
	const fine = 50
	for i := range m.rows {
		cols[0] = append(cols[0], float64(i)*dt)
		for k, d := range f(x) {
			cols[k+1], rates[k] = append(cols[k+1], x[k]), append(rates[k], d)
		}
		for range fine {
			h := dt / fine
			k1 := f(x)
			k2 := f(plus(x, h/2, k1))
			k3 := f(plus(x, h/2, k2))
			k4 := f(plus(x, h, k3))
			x = plus(plus(plus(plus(x, h/6, k1), h/3, k2), h/3, k3), h/6, k4)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, col := range cols[1:] {
		size := noise * fit.StandardDeviation(col)
		for i := range col {
			col[i] += size * rng.NormFloat64()
		}
	}
	table, err := datasets.New(append([]string{"t"}, m.states...), cols)
	if err != nil {
		t.Fatal(err)
	}
	return table, rates
}

// TestSlopes compares derivatives of columns with noise with the true ones. The limits are a fifth above the errors
// with the best of all windows, in spreads of the derivative, as computed with this polynomial for each window.
func TestSlopes(t *testing.T) {
	for i, limits := range [][3]float64{{3.6e-5, 0.0035, 0.021}, {1.1e-7, 0.0018, 0.0113}, {1.4e-5, 0.0043, 0.0233}} {
		if testing.Short() && i > 0 {
			break // half a second each
		}
		for j, noise := range []float64{0, 1e-3, 1e-2} {
			m := motions[i]
			table, rates := m.table(t, noise)
			s := smooth(table.Cols[0], table.Cols[1])
			var d []float64
			for row, e := range s.spread {
				if e < mostErr*fit.MedianSize(s.spread) {
					d = append(d, s.slope[row]-rates[0][row])
				}
			}
			if e := fit.RMS(d) / fit.StandardDeviation(rates[0]); !(e <= limits[j]) {
				t.Errorf("%s with noise %g: slopes err by %.3g with a window of %d, want at most %g",
					m.name, noise, e, s.window, limits[j])
			}
			if n := s.noise / fit.StandardDeviation(table.Cols[1]); noise > 0 && math.Abs(n/noise-1) > 0.15 {
				t.Errorf("%s with noise %g: the noise is estimated as %.3g", m.name, noise, n)
			}
		}
	}
}

// TestPolynomial has slopes of a polynomial on uneven times exactly.
func TestPolynomial(t *testing.T) {
	var times, x, want []float64
	for i := range 40 {
		u := float64(i)/10 + 0.03*math.Sin(float64(7*i))
		times, x = append(times, u), append(x, 1+2*u-u*u*u+0.1*math.Pow(u, 6))
		want = append(want, 2-3*u*u+0.6*math.Pow(u, 5))
	}
	for i, slope := range smoothWith(times, x, 15).slope {
		if math.Abs(slope-want[i]) > 1e-7*math.Max(1, math.Abs(want[i])) {
			t.Errorf("slope at %g is %g, want %g", times[i], slope, want[i])
		}
	}
}

// TestCheck integrates right formulas and wrong ones.
func TestCheck(t *testing.T) {
	for i, m := range motions {
		if testing.Short() && i > 0 {
			break // half a second each
		}
		table, _ := m.table(t, 1e-3)
		p, err := New(table, "t", m.states)
		if err != nil {
			t.Fatal(err)
		}
		right, wrong := map[string]formula.Expr{}, map[string]formula.Expr{}
		for k := range m.states {
			right[p.Rates[k]] = formula.MustParse(m.rates[k])
			wrong[p.Rates[k]] = formula.Mul(formula.Const(0.9), right[p.Rates[k]])
		}
		good, err := p.Check(right)
		if err != nil {
			t.Fatal(err)
		}
		bad, err := p.Check(wrong)
		if err != nil {
			t.Fatal(err)
		}
		if _, share := good.Worst(); !good.Follows() || share > 0.01 {
			t.Errorf("%s: the right formulas miss by %.3g of the spread", m.name, share)
		}
		if bad.Follows() {
			t.Errorf("%s: formulas that are too slow by a tenth follow the trajectory", m.name)
		}
		if m.name == "Lorenz" && !(good.Until > 1 && good.Until < good.End) {
			t.Errorf("the Lorenz system is followed to %g of %g; it is chaotic, and begins with noise", good.Until, good.End)
		}
		if m.name != "Lorenz" && good.Until != good.End {
			t.Errorf("%s: the right formulas are followed to %g of %g only", m.name, good.Until, good.End)
		}
	}
}

// TestAdvance compares with the exact motion of a harmonic oscillator, and ends where a motion does.
func TestAdvance(t *testing.T) {
	circle := system{func(_ float64, x, dx []float64) { dx[0], dx[1] = x[1], -x[0] }, []float64{1, 1}}
	if x, ok := circle.advance([]float64{0, 1}, 0, 20); !ok || math.Abs(x[0]-math.Sin(20)) > 1e-6 {
		t.Errorf("x(20) = %v, %v, want %g", x, ok, math.Sin(20))
	}
	explodes := system{func(_ float64, x, dx []float64) { dx[0] = x[0] * x[0] }, []float64{1}}
	if x, ok := explodes.advance([]float64{1}, 0, 2); ok {
		t.Errorf("1/(1 - t) has the value %v at 2", x)
	}
}

func TestNewRefuses(t *testing.T) {
	up := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		return x
	}
	back := up(30)
	back[20] = 3
	for _, c := range []struct {
		name, time string
		states     []string
		table      datasets.Table
		want       string
	}{
		{"two trajectories", "t", []string{"x"}, datasets.Table{Names: []string{"t", "x"}, Cols: [][]float64{back, up(30)}},
			"row 21 has 3 after 19, but times must increase"},
		{"few rows", "t", []string{"x"}, datasets.Table{Names: []string{"t", "x"}, Cols: [][]float64{up(10), up(10)}},
			"of 10 rows is too short"},
		{"no such column", "s", []string{"x"}, datasets.Table{Names: []string{"t", "x"}, Cols: [][]float64{up(30), up(30)}},
			`no column "s"`},
		{"time as a state", "t", []string{"t"}, datasets.Table{Names: []string{"t", "x"}, Cols: [][]float64{up(30), up(30)}},
			"its own derivative is 1"},
		{"name taken", "t", []string{"x"}, datasets.Table{Names: []string{"t", "x", "dx_dt"},
			Cols: [][]float64{up(30), up(30), up(30)}}, `a column "dx_dt"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(&c.table, c.time, c.states); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q in it", err, c.want)
			}
		})
	}
}
