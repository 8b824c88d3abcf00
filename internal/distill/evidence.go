package distill

import "github.com/eqlearner/eql/evidence"

// What the tests of a law say, as callers of the library see it.
type (
	Constant      = evidence.Constant
	Extrapolation = evidence.Extrapolation
	Structure     = evidence.Structure
)
