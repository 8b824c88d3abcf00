package distill

import "github.com/eqlearner/eql/evidence"

// Constant and the other types here are those of package evidence, as callers of the library see them.
type (
	Constant      = evidence.Constant
	Extrapolation = evidence.Extrapolation
	Structure     = evidence.Structure
)
