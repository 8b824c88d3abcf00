package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// WithoutIdleKinks returns the law without the magnitudes, and the larger of a value and 0, that do nothing on the
// data: where the argument has one sign on all rows. The values on the rows stay the same. That a kink lies beyond the
// data, no row says.
func (l *Law) WithoutIdleKinks(d fit.Data) *Law {
	kinked := func(kind model.Unit) bool { return kind == model.Abs || kind == model.Max }
	low, high := slices.Repeat([]float64{math.Inf(1)}, len(l.units)), slices.Repeat([]float64{math.Inf(-1)}, len(l.units))
	idle := false
	l.arguments(d.X, d.Rows(), kinked, func(i, _ int, z []float64) {
		low[i], high[i] = math.Min(low[i], slices.Min(z)), math.Max(high[i], slices.Max(z))
	})
	for i, u := range l.units {
		idle = idle || kinked(u.kind) && (low[i] >= 0 || high[i] <= 0)
	}
	if !idle {
		return l
	}
	return l.rebuilt(func(b *Law, i int, kind model.Unit, args []affine) affine {
		switch {
		case kinked(kind) && low[i] >= 0:
			return args[0]
		case kind == model.Abs && high[i] <= 0:
			return constant(0).plus(args[0], -1)
		case kind == model.Max && high[i] <= 0:
			return constant(0)
		}
		return b.add(kind, args)
	}).canonical()
}
