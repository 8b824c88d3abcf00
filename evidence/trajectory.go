package evidence

import (
	"fmt"
	"strings"
)

// NearTrajectory is how far, in standard deviations of a state, a motion may be from the data to count as following it.
const NearTrajectory = 0.05

// Trajectory tells how well the integrated formulas for the derivatives of a trajectory follow it.
type Trajectory struct {
	Time       string // the column of times
	States     []StateError
	Rows, Used int // of the table; those that formulas were learned from
	Parts      int // into which the trajectory was cut
	// Until is the time up to which the motion from the first row on is within NearTrajectory of the data, and End
	// that of the last row.
	Until, End float64
}

// StateError tells how a state was smoothed, and how far the motion is from its data. All but Degree and Window are in
// the units of the state; errors are +Inf if the motion ends before the data do.
type StateError struct {
	Name, Rate     string // of the state and of its derivative
	Degree, Window int    // of the polynomials, and rows that each is fitted to
	Noise          float64
	Spread         float64 // standard deviation of the state
	Whole          float64 // RMS of the motion that begins in the first row
	Parts          float64 // RMS of the motions that begin anew in each part
}

// Worst returns the state whose motions in parts are farthest from its data, and how far in standard deviations.
func (t *Trajectory) Worst() (name string, share float64) {
	share = -1
	for _, s := range t.States {
		if of := s.Parts / s.Spread; of > share {
			name, share = s.Name, of
		}
	}
	return name, share
}

// Follows reports whether the motions in parts are near the data.
func (t *Trajectory) Follows() bool {
	_, share := t.Worst()
	return share <= NearTrajectory
}

// Doubt is the verdict on formulas that do not follow the trajectory.
func (t *Trajectory) Doubt() Verdict {
	name, share := t.Worst()
	return Verdict{Level: Uncertain, Code: "trajectory", Kind: Doubtful, Reason: fmt.Sprintf(
		"integrated from the start of each of %d parts of the trajectory, "+
			"the formulas miss %s by %.2g %% of its spread (at most %g %%)",
		t.Parts, name, 100*share, 100*NearTrajectory)}
}

// Sentences describes how derivatives were computed, and how well the formulas follow.
func (t *Trajectory) Sentences() []string {
	var smooth, whole, parts []string
	for _, s := range t.States {
		smooth = append(smooth, fmt.Sprintf("%s over %d rows (degree %d, noise %.2g)", s.Name, s.Window, s.Degree, s.Noise))
		whole = append(whole, fmt.Sprintf("%s %.3g (%.2g %% of its spread)", s.Name, s.Whole, 100*s.Whole/s.Spread))
		parts = append(parts, fmt.Sprintf("%s %.3g (%.2g %%)", s.Name, s.Parts, 100*s.Parts/s.Spread))
	}
	until := fmt.Sprintf("the motion is within %g %% of the spread up to the end, %s = %.6g",
		100*NearTrajectory, t.Time, t.End)
	if t.Until < t.End {
		until = fmt.Sprintf("the motion is within %g %% of the spread up to %s = %.6g of %.6g",
			100*NearTrajectory, t.Time, t.Until, t.End)
	}
	return []string{
		"derivatives: slopes of polynomials fitted to the rows around each row, " + strings.Join(smooth, ", ") +
			fmt.Sprintf("; formulas are learned from %d of %d rows", t.Used, t.Rows),
		"integrated from the first row: RMS error " + strings.Join(whole, ", ") + "; " + until,
		fmt.Sprintf("integrated from the start of each of %d parts: RMS error ", t.Parts) + strings.Join(parts, ", "),
	}
}
