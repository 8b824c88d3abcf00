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
				if len(args[k].terms) > 0 {
					held := args[k].largest()
					s := args[k].terms[held].w
					args[k] = constant(0).plus(args[k], 1/s)
					args[k].terms[held].w = 1 // to the last bit
					scale *= s
				}
			}
			if kind == model.Reciprocal {
				scale = 1 / scale
			}
			return constant(0).plus(b.add(kind, args), scale)
		case model.Log:
			if len(args[0].terms) == 0 {
				break
			}
			scale := math.Abs(args[0].terms[args[0].largest()].w)
			z := constant(0).plus(args[0], 1/scale)
			if len(z.terms) == 0 {
				break
			}
			held := &z.terms[z.largest()].w
			*held = math.Copysign(1, *held) // to the last bit
			args[0] = z
			return constant(math.Log(scale)).plus(b.add(kind, args), 1)
		case model.Abs, model.Max:
			held := args[0].largest()
			w := args[0].terms[held].w
			scale := math.Abs(w)
			if kind == model.Abs {
				scale = w
			}
			args[0] = constant(0).plus(args[0], 1/scale)
			args[0].terms[held].w = w / scale // to the last bit
			return constant(0).plus(b.add(kind, args), math.Abs(scale))
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
