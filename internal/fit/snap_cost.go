package fit

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// costs reports whether a special value makes the formula worse by itself: next is the fit with it, at that without.
func (s *snapping) costs(c specialValue, at, next fit) bool {
	x := s.x
	if s.negligible(next.eq.SSE) {
		return false
	}
	rise := (next.eq.SSE - at.eq.SSE) / (x.noise * x.noise) // z² in a linear formula
	if odds := c.odds * math.Exp((rise-c.z*c.z)/2); odds >= snapOdds {
		return true
	}
	if within := x.quantile(s.free, s.free); rise > within*within {
		return true
	}
	return endsMove(s.roles[c.constant]) && x.farthest(at.p, next.p) > x.noise
}

// negligible reports whether an SSE is not above that of all constants free, or at the level of the arithmetic, whose
// errors are none.
func (s *snapping) negligible(sse float64) bool { return sse <= s.sse || s.exact(sse) }

// exact reports whether an SSE is at the level of the arithmetic.
func (s *snapping) exact(sse float64) bool {
	floor := NewCriterion(s.x.data).Floor
	return sse <= float64(s.x.data.Rows())*floor*floor
}

// significantlyWorse is the F-test, or where the noise is known that of χ², of the constants that are held being what
// they are, against the fit with all of them free.
func (s *snapping) significantlyWorse(sse float64) bool {
	return s.worse(sse, s.free-s.x.free(), costly)
}

// worse is that test of so many constants that are held, at a level.
func (s *snapping) worse(sse float64, held int, level float64) bool {
	dof, k := s.x.data.Rows()-s.free, float64(held)
	if dof <= 0 || s.negligible(sse) {
		return false
	}
	if s.x.known {
		return !(distuv.ChiSquared{K: k}.Survival((sse-s.sse)/(s.x.noise*s.x.noise)) >= level)
	}
	f := (sse - s.sse) / k / s.x.data.variance(s.sse, dof)
	return !(distuv.F{D1: k, D2: float64(dof)}.Survival(f) >= level) // NaN where f is infinite
}
