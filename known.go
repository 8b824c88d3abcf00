package eql

import (
	"math"

	"github.com/eqlearner/eql/run"
)

// PartlyKnown gives the form of the law, see [ParseForm]; Fit searches for its unknown functions. The form names target
// and inputs, in place of [Targets] and [Inputs].
func PartlyKnown(f KnownForm) Option {
	return func(c *config) {
		c.known, c.targets, c.inputs = &f, []string{f.Target}, f.Inputs
		c.adjust = append(c.adjust, func(s *run.Settings) { s.Known = knownSettings(f) })
	}
}

// knownSettings writes a form as settings have it.
func knownSettings(f KnownForm) *run.Known {
	said := &run.Known{Form: f.Text}
	number := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	for _, c := range f.Constants {
		k := run.KnownConstant{Name: c.Name, Start: number(c.Start), Low: number(c.Low), High: number(c.High),
			Integer: c.Integer}
		if k != (run.KnownConstant{Name: c.Name}) {
			said.Constants = append(said.Constants, k)
		}
	}
	return said
}
