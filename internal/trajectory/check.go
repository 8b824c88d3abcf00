package trajectory

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// parts is into how many the trajectory is cut. Motions of a chaotic system part after some time whatever the errors
// are, so the whole trajectory is not a fair test.
const parts = 10

// Check integrates the formulas of the derivatives, by their names, from the first row of the trajectory on, and from
// the first row of each tenth to that of the next. It begins with smoothed states, and compares with the data.
func (p *Path) Check(formulas map[string]formula.Expr) (*evidence.Trajectory, error) {
	smooth := p.smooth()
	t := p.times()
	r := &evidence.Trajectory{Time: p.Time, Rows: len(t), Used: len(p.used(smooth)), Parts: parts, Until: t[len(t)-1],
		End: t[len(t)-1], States: p.described(smooth)}
	s, err := p.system(formulas, r.States)
	if err != nil {
		return nil, err
	}
	whole := s.deviations(p, smooth, 0, len(t))
	far := len(t)
	for k, d := range whole {
		away := func(v float64) bool { return !(math.Abs(v) <= evidence.NearTrajectory*s.spread[k]) }
		if i := slices.IndexFunc(d[:far], away); i >= 0 {
			far = i
		}
	}
	if far < len(t) {
		r.Until = t[max(0, far-1)]
	}
	for k := range r.States {
		r.States[k].Whole = fit.RMS(whole[k])
	}
	pieces := make([][]float64, len(p.States))
	for part := range parts {
		d := s.deviations(p, smooth, part*len(t)/parts, (part+1)*len(t)/parts)
		for k := range d {
			pieces[k] = append(pieces[k], d[k]...)
		}
	}
	for k := range r.States {
		r.States[k].Parts = fit.RMS(pieces[k])
	}
	return r, nil
}

// deviations returns by how much the motion from row a on, with smoothed states, differs from the data in rows a to b;
// +Inf from where there is none.
func (s *system) deviations(p *Path, smooth []smoothing, a, b int) [][]float64 {
	t := p.times()
	d := make([][]float64, len(smooth))
	state, there := make([]float64, len(smooth)), true
	for k := range smooth {
		state[k] = smooth[k].x[a]
	}
	for i := a; i < b; i++ {
		if i > a && there {
			state, there = s.advance(state, t[i-1], t[i])
		}
		for k, name := range p.States {
			x, _ := p.Table.Col(name)
			if there {
				d[k] = append(d[k], state[k]-x[i])
			} else {
				d[k] = append(d[k], math.Inf(1))
			}
		}
	}
	return d
}

// system returns the motion by formulas. Columns that are neither states nor the time are taken from the data, between
// rows on straight lines.
func (p *Path) system(formulas map[string]formula.Expr, states []evidence.StateError) (*system, error) {
	s := &system{}
	var programs []*formula.Program
	for _, state := range states {
		e := formulas[state.Rate]
		if e == nil {
			return nil, fmt.Errorf("there is no formula for %q", state.Rate)
		}
		program, err := formula.Compile(e, p.Table.Names)
		if err != nil {
			return nil, err
		}
		programs, s.spread = append(programs, program), append(s.spread, math.Max(state.Spread, math.SmallestNonzeroFloat64))
	}
	place := map[int]int{} // of columns among the states
	for k, name := range p.States {
		place[slices.Index(p.Table.Names, name)] = k
	}
	t, time := p.times(), slices.Index(p.Table.Names, p.Time)
	row := make([]float64, len(p.Table.Names))
	s.rates = func(now float64, x, dx []float64) {
		after := min(max(1, sort.SearchFloat64s(t, now)), len(t)-1)
		share := (now - t[after-1]) / (t[after] - t[after-1])
		for j, col := range p.Table.Cols {
			if k, isState := place[j]; isState {
				row[j] = x[k]
			} else if j == time {
				row[j] = now
			} else {
				row[j] = col[after-1] + share*(col[after]-col[after-1])
			}
		}
		for k, program := range programs {
			dx[k] = program.Eval(row)
		}
	}
	return s, nil
}
