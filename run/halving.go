package run

import (
	"errors"
	"fmt"
)

// Halving is a choice among starts: more networks are begun than are trained to the end. All are
// trained for a part of the epochs, without penalty and on no connections but those they start
// with; the ones with the lowest error on the validation rows go on, with Adam begun anew and all
// connections free to grow.
type Halving struct {
	Starts int     `json:"starts"` // networks begun for each that is trained to the end; 0 or 1: no choice
	Part   float64 `json:"part"`   // of the epochs that they are trained for before the choice
}

// validate reports everything that is wrong, joined into one error.
func (h Halving) validate() error {
	var errs []error
	if h.Starts < 0 || h.Starts > maxStarts {
		errs = append(errs, fmt.Errorf("starts is %d, want 0 to %d", h.Starts, maxStarts))
	}
	if !(h.Part >= 0 && h.Part <= 1) {
		errs = append(errs, fmt.Errorf("the part of the epochs before the choice of starts is %g, want 0 to 1", h.Part))
	}
	return errors.Join(errs...)
}

// maxStarts bounds the networks begun for each that is trained.
const maxStarts = 1000

// Each returns the number of networks begun for each that is trained.
func (h Halving) Each() int { return max(h.Starts, 1) }

// Work returns what the choice costs for each network that is trained, in trainings.
func (h Halving) Work() float64 {
	if h.Each() == 1 {
		return 0
	}
	return float64(h.Starts) * h.Part
}
