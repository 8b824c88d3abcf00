package trajectory

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/fit"
)

// LeastRows is the least number of rows of a trajectory.
const LeastRows = 20

// leastSigma is the least standard deviation of a slope, in spreads of the slopes: that of the arithmetic.
const leastSigma = 1e-12

// mostErr is the largest error of a slope, in medians of the column: those at the ends are fitted from one side.
const mostErr = 2

// Path is a trajectory.
type Path struct {
	Time   string   // the column of times
	States []string // the columns whose derivatives are learned
	Rates  []string // the names of these
	Errors []string // and of their standard deviations
	Table  *datasets.Table
}

// New checks the trajectory in a table and returns it.
func New(rows *datasets.Table, time string, states []string) (*Path, error) {
	for _, name := range append([]string{time}, states...) {
		if _, err := rows.Select(name); err != nil {
			return nil, err
		}
	}
	if slices.Contains(states, time) {
		return nil, fmt.Errorf("column %q is the time, and its own derivative is 1 (leave it out of the targets)", time)
	}
	p := &Path{Time: time, States: states, Table: rows}
	for _, state := range states {
		name := "d" + state + "_d" + time
		p.Rates, p.Errors = append(p.Rates, name), append(p.Errors, name+"_sigma")
		for _, taken := range []string{name, name + "_sigma"} {
			if slices.Contains(rows.Names, taken) {
				return nil, fmt.Errorf("there is a column %q, which is a name that the derivative of %q needs (rename the column)",
					taken, state)
			}
		}
	}
	t := p.times()
	for i := 1; i < len(t); i++ {
		if !(t[i] > t[i-1]) {
			return nil, fmt.Errorf("column %q: row %d has %g after %g, but times must increase "+
				"(if another trajectory begins there, give each a file of its own)", time, i+1, t[i], t[i-1])
		}
	}
	if len(t) < LeastRows {
		return nil, fmt.Errorf("a trajectory of %d rows is too short for derivatives (at least %d are needed)",
			len(t), LeastRows)
	}
	return p, nil
}

func (p *Path) times() []float64 {
	t, _ := p.Table.Col(p.Time)
	return t
}

// Slopes returns a table with a row for each time at which all derivatives are known about as well as they can be, and
// the numbers of these rows. States are smoothed, other columns as they are, and behind them are the derivatives
// and their standard deviations. Rows are so far apart that their derivatives share hardly any noise.
func (p *Path) Slopes() (*datasets.Table, []int) {
	smooth := p.smooth()
	rows := p.used(smooth)
	names, cols := slices.Clone(p.Table.Names), slices.Clone(p.Table.Cols)
	for k, state := range p.States {
		cols[slices.Index(names, state)] = smooth[k].x
	}
	for _, s := range smooth {
		cols = append(cols, s.slope)
	}
	for _, s := range smooth {
		sigma := make([]float64, len(s.slope))
		for i := range sigma {
			sigma[i] = math.Max(s.sigma(i), leastSigma*fit.StandardDeviation(s.slope))
		}
		cols = append(cols, sigma)
	}
	names = slices.Concat(names, p.Rates, p.Errors)
	return (&datasets.Table{Names: names, Cols: cols}).Take(rows), rows
}

// SlopesOf is Slopes, with an error where these are fewer rows than are needed.
func (p *Path) SlopesOf(needed int) (*datasets.Table, []int, error) {
	rates, rows := p.Slopes()
	if len(rows) < needed {
		return nil, nil, fmt.Errorf("the derivatives of only %d rows are independent, and at least %d are needed "+
			"(the trajectory is too short, or too noisy)", len(rows), needed)
	}
	return rates, rows, nil
}

// used returns the rows that are learned from.
func (p *Path) used(smooth []smoothing) (rows []int) {
	step := 1
	for _, s := range smooth {
		step = max(step, s.apart)
	}
	most := make([]float64, len(smooth))
	for k, s := range smooth {
		most[k] = mostErr * fit.MedianSize(s.spread)
	}
	for i := p.Table.Rows() % step / 2; i < p.Table.Rows(); i += step {
		known := true
		for k, s := range smooth {
			known = known && s.spread[i] <= most[k]
		}
		if known {
			rows = append(rows, i)
		}
	}
	return rows
}

func (p *Path) smooth() []smoothing {
	var list []smoothing
	for _, state := range p.States {
		x, _ := p.Table.Col(state)
		list = append(list, smooth(p.times(), x))
	}
	return list
}

// described returns how the states are smoothed.
func (p *Path) described(smooth []smoothing) []evidence.StateError {
	var list []evidence.StateError
	for k, s := range smooth {
		x, _ := p.Table.Col(p.States[k])
		list = append(list, evidence.StateError{
			Name: p.States[k], Rate: p.Rates[k], Degree: degree, Window: s.window, Noise: s.noise,
			Spread: fit.StandardDeviation(x),
		})
	}
	return list
}
