package baseline

import (
	"context"
	"math"
	"slices"
)

const maxStages = 12 // over a factor of a million

// stageRatio is how much C rises from stage to stage.
var stageRatio = math.Sqrt(10)

// solve finds the optimum in stages with rising C, each from the last, the first with C about as large as
// the targets spread. It is the optimum that one stage would find: D is convex.
//
// With noise beyond ε most support vectors lie outside the tube and at ±C, whatever C is. When β rises in
// proportion to C, they stay there and need no search, and the few others settle on a face. D falls on
// that way up to β times
//
//	s = (yᵀβ − ε·Σ|β_i|) / βᵀKβ
//
// which is 1 plus C·Σ max(0, |y_i − f(x_i)| − ε)/βᵀKβ at an optimum. Once s is less than C rises, errors no
// longer decide; then the last stage starts at β = 0.
//
// Source: DeCoste and Wagstaff, Alpha seeding for support vector machines, KDD 2000.
func (o *smo) solve(ctx context.Context) error {
	spread := slices.Max(o.y) - slices.Min(o.y)
	stages := 0
	for c := o.setting.C / stageRatio; c > spread && stages < maxStages; c /= stageRatio {
		stages++
	}
	o.start(o.setting.C / math.Pow(stageRatio, float64(stages)))
	for {
		if err := o.converge(ctx); err != nil {
			return err
		}
		if stages == 0 || !o.converged { // β of a smaller C is feasible too
			return nil
		}
		stages--
		if o.scale() < stageRatio {
			stages = 0
			o.start(o.setting.C)
			continue
		}
		o.raise(o.setting.C / math.Pow(stageRatio, float64(stages)))
	}
}

// scale returns s. It is not a number when β = 0 is optimal.
func (o *smo) scale() float64 {
	gain, curvature := 0.0, 0.0
	for k, b := range o.beta {
		y := o.y[o.order[k]]
		gain += y*b - o.setting.Epsilon*math.Abs(b)
		curvature += b * (y - o.r[k])
	}
	return gain / curvature
}

// raise goes from the optimum of one C to a start for a larger one. Kβ = y − r rises with β.
func (o *smo) raise(c float64) {
	old, ratio := o.c, c/o.c
	o.c = c
	for k, b := range o.beta {
		if math.Abs(b) < old {
			b = min(max(b*ratio, -c), c)
		} else {
			b = math.Copysign(c, b) // exactly
		}
		o.set(k, b)
		y := o.y[o.order[k]]
		o.r[k] = y - ratio*(y-o.r[k])
	}
	o.again = false
	o.extremes()
	o.descend()
}
