package saved

import (
	"math"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/trajectory"
)

// Trajectory says how the formulas for the derivatives of a trajectory, integrated, follow it: [evidence.Trajectory] as
// it is kept.
type Trajectory struct {
	Time   string  `json:"time"` // the column of times
	Rows   int     `json:"rows"`
	Used   int     `json:"used"` // of the rows
	Parts  int     `json:"parts"`
	Until  float64 `json:"until"`
	End    float64 `json:"end"`
	States []State `json:"states"`
}

// State is how a state of a trajectory was smoothed, and how far from it the motion by the formulas is.
type State struct {
	Name       string   `json:"name"`
	Derivative string   `json:"derivative"`
	Degree     int      `json:"degree"`
	Window     int      `json:"window"`
	Noise      float64  `json:"noise"`
	Spread     float64  `json:"spread"`
	RMS        *float64 `json:"rms"`       // from the first row on
	RMSParts   *float64 `json:"rms_parts"` // from the start of each part on
}

// Follow returns how the formulas of a run follow the trajectory that its derivatives are of.
func Follow(path *trajectory.Path, formulas map[string]formula.Expr) (*evidence.Trajectory, error) {
	if path == nil {
		return nil, nil
	}
	return path.Check(formulas)
}

func writeTrajectory(t *evidence.Trajectory) *Trajectory {
	if t == nil {
		return nil
	}
	w := &Trajectory{Time: t.Time, Rows: t.Rows, Used: t.Used, Parts: t.Parts, Until: t.Until, End: t.End}
	for _, s := range t.States {
		w.States = append(w.States, State{s.Name, s.Rate, s.Degree, s.Window, s.Noise, s.Spread, number(s.Whole),
			number(s.Parts)})
	}
	return w
}

// Read returns what is kept of a trajectory, nil of none.
func (t *Trajectory) Read() *evidence.Trajectory {
	if t == nil {
		return nil
	}
	r := &evidence.Trajectory{Time: t.Time, Rows: t.Rows, Used: t.Used, Parts: t.Parts, Until: t.Until, End: t.End}
	for _, s := range t.States {
		r.States = append(r.States, evidence.StateError{
			Name: s.Name, Rate: s.Derivative, Degree: s.Degree, Window: s.Window, Noise: s.Noise, Spread: s.Spread,
			Whole: value(s.RMS, math.Inf(1)), Parts: value(s.RMSParts, math.Inf(1)),
		})
	}
	return r
}
