package run

import (
	"errors"

	"github.com/eqlearner/eql/internal/units"
)

// Dimensions is what the units of the columns are for in the search.
type Dimensions string

// The choices. [DimensionsPrefer] is the default where columns have units: laws whose constants need no units are
// looked for and preferred. With [DimensionsRequire] no formula is chosen that does not agree with the units.
const (
	DimensionsPrefer  Dimensions = "prefer"
	DimensionsRequire Dimensions = "require"
	DimensionsOff     Dimensions = "off"
)

// UnmarshalText reads prefer, require or off.
func (d *Dimensions) UnmarshalText(text []byte) error {
	return choose(d, "use of dimensions", string(text), DimensionsPrefer, DimensionsRequire, DimensionsOff)
}

// checkUnits returns what is wrong with the units of the columns and their use.
func (s Settings) checkUnits() error {
	var errs []error
	if s.Dimensions != "" {
		errs = append(errs, new(Dimensions).UnmarshalText([]byte(s.Dimensions)))
	}
	if s.Dimensions == DimensionsRequire && len(s.UnitsOf) == 0 {
		errs = append(errs, errors.New("dimensions is require, and no column has a unit"))
	}
	if s.Known != nil && len(s.UnitsOf) > 0 {
		errs = append(errs, errors.New("units of columns cannot be combined with a form with unknown functions"))
	}
	_, err := units.ParseAll(s.UnitsOf)
	return errors.Join(append(errs, err)...)
}
