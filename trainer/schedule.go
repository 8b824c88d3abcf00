package trainer

import (
	"errors"
	"fmt"
)

// A Phase is a stretch of training under one regime.
type Phase struct {
	Name    string  `json:"name"`
	End     float64 `json:"end"`     // the fraction of all update steps at which it ends
	Penalty bool    `json:"penalty"` // the L1 penalty λ·Σ|W| is on
	Mask    bool    `json:"mask"`    // small weights are zero and stay zero (L0)
}

// Schedule is the phases in order. The last ends at 1.
type Schedule []Phase

// PaperSchedule is the paper's (Martius and Lampert 2016, §3.2): free for t < T/4, so that
// weights can find their sign and place; with the penalty up to 19T/20, so that a sparse
// structure emerges; then without the penalty, which biases what it leaves, and with the L0 norm
// held by keeping small weights at zero.
func PaperSchedule() Schedule {
	return Schedule{
		{Name: "free", End: 1.0 / 4},
		{Name: "penalty", End: 19.0 / 20, Penalty: true},
		{Name: "masked", End: 1, Mask: true},
	}
}

// At returns the phase of update step t, counted from zero, of total steps.
func (s Schedule) At(t, total int) Phase {
	for _, p := range s {
		if float64(t) < p.End*float64(total) {
			return p
		}
	}
	return s[len(s)-1]
}

// Validate reports everything that is wrong, joined into one error.
func (s Schedule) Validate() error {
	if len(s) == 0 {
		return errors.New("schedule has no phases")
	}
	var errs []error
	last := 0.0
	for i, p := range s {
		if !(p.End > last && p.End <= 1) {
			errs = append(errs, fmt.Errorf("schedule[%d] (%s) ends at %g, want more than %g and at most 1",
				i, p.Name, p.End, last))
		}
		last = p.End
	}
	if last != 1 {
		errs = append(errs, fmt.Errorf("schedule ends at %g, want 1", last))
	}
	return errors.Join(errs...)
}
