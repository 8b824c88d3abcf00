package trainer

import (
	"errors"
	"fmt"
	"math"
)

// DType is the precision of training. Whatever follows training is float64.
type DType uint8

// The precisions. Float32 finds the law as often as Float64 and is faster.
const (
	Float32 DType = iota
	Float64
)

// String returns float32 or float64.
func (d DType) String() string { return [...]string{"float32", "float64"}[d] }

// MarshalText writes the precision's name.
func (d DType) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads float32 or float64.
func (d *DType) UnmarshalText(text []byte) error {
	switch string(text) {
	case "float32":
		*d = Float32
	case "float64":
		*d = Float64
	default:
		return fmt.Errorf("unknown dtype %q (there are float32, float64)", text)
	}
	return nil
}

// Config is everything that decides how a network is trained, apart from its architecture, λ
// and start.
type Config struct {
	Epochs    int     `json:"epochs"`     // T: passes over the training rows
	Batch     int     `json:"batch"`      // rows a step; an incomplete last batch is dropped
	LearnRate float64 `json:"learn_rate"` // Adam's α
	Beta1     float64 `json:"beta1"`      // Adam's decay of the first moment
	Beta2     float64 `json:"beta2"`      // Adam's decay of the second moment
	Epsilon   float64 `json:"epsilon"`    // Adam's ε
	Mask      float64 `json:"mask"`       // weights below it are zero in masked phases
	// HoldZeros keeps weights that start at exactly zero there, in every phase: a start then says
	// which units and connections a network has. Biases are free.
	HoldZeros bool     `json:"hold_zeros,omitempty"`
	Schedule  Schedule `json:"schedule"`
	DType     DType    `json:"dtype"`
	Seed      uint64   `json:"seed"` // of the order of the rows
}

// PaperConfig returns the settings of Martius and Lampert 2016, §3.2 and §4: α = 0.001, batches
// of 20, 10,000 epochs, mask at 0.001, Adam's own defaults for the rest, and double precision,
// so that the protocol's numbers are not those of rounding.
func PaperConfig() Config {
	return Config{
		Epochs: 10000, Batch: 20, LearnRate: 0.001, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8,
		Mask: 0.001, Schedule: PaperSchedule(), DType: Float64,
	}
}

// Validate reports every invalid field, joined into one error.
func (c Config) Validate() error {
	var errs []error
	if c.Epochs < 1 {
		errs = append(errs, fmt.Errorf("epochs is %d, want at least 1", c.Epochs))
	}
	if c.Batch < 1 {
		errs = append(errs, fmt.Errorf("batch is %d, want at least 1", c.Batch))
	}
	if !(c.LearnRate > 0) || math.IsInf(c.LearnRate, 0) { // negated, so that NaN is refused
		errs = append(errs, fmt.Errorf("learning rate is %g, want a positive number", c.LearnRate))
	}
	for _, b := range []struct {
		name  string
		value float64
	}{{"beta1", c.Beta1}, {"beta2", c.Beta2}} {
		if !(b.value >= 0 && b.value < 1) {
			errs = append(errs, fmt.Errorf("%s is %g, want at least 0 and below 1", b.name, b.value))
		}
	}
	if !(c.Epsilon > 0) {
		errs = append(errs, fmt.Errorf("epsilon is %g, want > 0", c.Epsilon))
	}
	if !(c.Mask >= 0) || math.IsInf(c.Mask, 0) {
		errs = append(errs, fmt.Errorf("mask threshold is %g, want a number of at least 0", c.Mask))
	}
	if c.DType > Float64 {
		errs = append(errs, fmt.Errorf("dtype %d does not exist", c.DType))
	}
	return errors.Join(append(errs, c.Schedule.Validate())...)
}
