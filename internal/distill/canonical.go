package distill

import (
	"math"

	"github.com/eqlearner/eql/model"
)

// canonical returns the law in a form in which no constant can be traded against another, which
// pruning by second derivatives needs: a flat direction would make every removal along it look
// free. The function does not change.
//
//   - The largest weight in each factor of a product, in a denominator, and in a logarithm but for its sign, is 1; the
//     scale is carried by the readers, that of a logarithm as a constant.
//   - The largest weight in a magnitude, and in the larger of z and 0, is 1, or −1 in the second; the readers carry the
//     scale.
//   - An exponential has no constant in its argument, unless that is large; it is a factor, which the readers carry.
//   - A sine or cosine has its phase in [−π/4, π/4], as the other of the two or with its sign
//     turned where that takes it there. A phase that is pruned then leaves a plain sine or cosine.
//   - Sines have a positive first weight, cosines too.
func (l *Law) canonical() *Law {
	return l.rebuilt(func(b *Law, _ int, kind model.Unit, args []affine) affine {
		switch kind {
		case model.Product, model.Reciprocal:
			scale := 1.0
			for k := range args {
				var s float64
				args[k], s = args[k].perLargest(true)
				scale *= s
			}
			if kind == model.Reciprocal {
				scale = 1 / scale
			}
			return constant(0).plus(b.add(kind, args), scale)
		case model.Log:
			arg, scale := args[0].perLargest(false)
			return constant(math.Log(scale)).plus(b.add(kind, []affine{arg}), 1)
		case model.Abs, model.Max:
			arg, scale := args[0].perLargest(kind == model.Abs)
			return constant(0).plus(b.add(kind, []affine{arg}), math.Abs(scale))
		case model.Exp:
			const largest = 100 // beyond, the factor's derivatives would overflow
			bias := args[0].bias
			if math.Abs(bias) > largest {
				break
			}
			args[0].bias = 0
			return constant(0).plus(b.add(kind, args), math.Exp(bias))
		case model.Sin, model.Cos:
			kind, arg, sign := normalPhase(kind, args[0])
			return constant(0).plus(b.add(kind, []affine{arg}), sign)
		}
		return b.add(kind, args)
	})
}

// perLargest returns an affine function divided by its largest weight, or by the size of that, and what it was divided
// by. One without a weight, or without one that is left, is divided by 1.
func (a affine) perLargest(signed bool) (divided affine, by float64) {
	if len(a.terms) == 0 {
		return a, 1
	}
	by = a.terms[a.largest()].w
	if !signed {
		by = math.Abs(by)
	}
	divided = constant(0).plus(a, 1/by)
	if len(divided.terms) == 0 {
		return a, 1
	}
	held := &divided.terms[divided.largest()].w
	*held = math.Copysign(1, *held) // to the last bit
	return divided, by
}

// normalPhase returns sine or cosine, argument and sign of an equal function whose phase is in
// [−π/4, π/4] and whose first weight is positive.
func normalPhase(kind model.Unit, a affine) (model.Unit, affine, float64) {
	// Everything is a sine for a moment: cos z = sin(z + π/2).
	phase := a.bias
	if kind == model.Cos {
		phase += math.Pi / 2
	}
	quarter := math.Round(phase / (math.Pi / 2))
	a.bias = phase - quarter*(math.Pi/2)
	// sin(z + q·π/2) is sin z, cos z, −sin z, −cos z for q = 0, 1, 2, 3 modulo 4.
	kind, sign := model.Sin, 1.0
	q := math.Mod(quarter, 4)
	if q < 0 {
		q += 4
	}
	if q == 1 || q == 3 {
		kind = model.Cos
	}
	if q >= 2 {
		sign = -1
	}
	if len(a.terms) > 0 && a.terms[0].w < 0 {
		a = constant(0).plus(a, -1)
		if kind == model.Sin {
			sign = -sign
		}
	}
	return kind, a, sign
}
