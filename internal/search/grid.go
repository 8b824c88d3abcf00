package search

import (
	"math"
	"slices"
)

// The grids of inner constants. Each is fine enough that golden section finds the best from its
// nearest point.

// decades are the c that bring c·m from 1/100 to 100.
func decades(m float64) []float64 {
	var out []float64
	for k := -8; k <= 8; k++ {
		out = append(out, math.Pow(10, float64(k)/4)/m)
	}
	return out
}

// gridOnePlus has both signs. With a minus, 1 + c·m stays positive, or its zero lies beyond the largest |m|, or below
// the least, or anywhere when the target has both signs. −1 is a point: it is likelier than its neighbours, and near
// the zero of 1 + c·m the next point of a grid is too far from it.
func gridOnePlus(m monoStats) []float64 {
	out := decades(m.median)
	for _, c := range out {
		if 1-c*m.nearTop > 0.003 {
			out = append(out, -c)
		}
	}
	if m.crossing {
		for k := -4; k <= 4; k++ {
			out = append(out, -math.Pow(10, float64(k)/8)/m.median)
		}
		out = append(out, -1.2/m.top, -1.5/m.top)
	}
	if m.top < 1 || m.lo > 1 {
		out = append(out, -1)
	}
	out = append(out, -0.97/m.top, -0.9/m.top)
	if m.nearTop < 0.98*m.top {
		out = append(out, -0.97/m.nearTop, -0.8/m.nearTop)
	}
	if m.lo > 0 && m.power > 0 {
		for _, f := range []float64{1.03, 1.1, 1.3, 2} {
			out = append(out, -f/m.lo)
		}
	}
	return out
}

// steepestExp is the largest c·m of an exponential.
const steepestExp = 200

func gridExp(m monoStats) []float64 {
	var out []float64
	for k := -3; k <= 7; k++ {
		if c := math.Pow(10, float64(k)/5) * 0.5 / m.median; c*m.top <= steepestExp {
			out = append(out, c)
		}
	}
	return out
}

func gridExpMinus(m monoStats) []float64 {
	out := gridExp(m)
	if m.lo > 0 {
		for _, c := range out {
			out = append(out, -c)
		}
	}
	return out
}

// gridTan stays on the branch about zero.
func gridTan(m monoStats) []float64 {
	var out []float64
	for _, z := range []float64{0.3, 0.6, 0.9, 1.1, 1.25, 1.4, 1.5} {
		out = append(out, z/m.top)
	}
	return out
}

// kinksAt are the quantiles of m at which a kink is tried.
var kinksAt = []float64{0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9}

// nearKink is how near to zero, as a share of the largest value, a kink is not tried: its constant is 1 over that.
const nearKink = 1e-3

func termsKink(m monoStats) []float64 {
	var out []float64
	for _, v := range m.inside {
		if math.Abs(v) > nearKink*m.top && !slices.Contains(out, 1/v) {
			out = append(out, 1/v)
		}
	}
	return out
}

func termsMixed(m monoStats) []float64 {
	if m.lo < 0 && m.hi > 0 {
		return []float64{1}
	}
	return nil
}

// reach is the range of m, or half its largest value where it hardly varies.
func (m monoStats) reach() float64 {
	if r := m.hi - m.lo; m.lo <= 0 {
		return r
	}
	return max(m.hi-m.lo, m.hi*0.5)
}

// phases are the c with which c·m runs through from … to in steps.
func phases(from, to, step, reach float64) []float64 {
	var out []float64
	for p := from; p < to; p += step {
		out = append(out, p/reach)
	}
	return out
}

func gridWave(m monoStats) []float64 {
	if m.power < 0 && m.factors <= 1 {
		return nil
	}
	to := 16.0
	if m.factors <= 2 {
		to = 40
	}
	return phases(1, to, 0.7, m.reach())
}

// scanWave are the frequencies that all directions of few factors are scanned with.
func scanWave(m monoStats) []float64 { return phases(1.5, 32, 0.6, m.reach()) }

func gridLog(m monoStats) []float64 {
	if m.lo > 0 && math.Abs(m.power) == 1 {
		return []float64{1}
	}
	return nil
}

func gridPair(m monoStats) []float64 {
	if m.pair && m.power == 1 {
		return []float64{1}
	}
	return nil
}

// Terms of sums: coarser, since every atom is a column of the library.

func termsWave(m monoStats) []float64 {
	r := m.hi - m.lo
	switch {
	case m.deep && m.factors > 3:
		return phases(1, 16, 1.1, r)
	case m.deep:
		return phases(1, 40, 1.1, r)
	case m.factors == 1 && !m.inverse:
		return phases(1, 30, 1.1, r)
	case !m.reciprocal:
		return phases(1, 14, 1.1, r)
	}
	return nil
}

// termsAngle are those of a whole wave and its constant, of one input: the multiples of angles that laws have. Other
// frequencies are reached from a wave.
func termsAngle(m monoStats) (c []float64) {
	if m.factors != 1 || m.power != 1 {
		return nil
	}
	for _, k := range []float64{0.5, 1, 2, math.Pi, 2 * math.Pi} {
		if r := k * (m.hi - m.lo); r >= 1 && r <= 30 {
			c = append(c, k)
		}
	}
	return c
}

func termsExp(m monoStats) []float64 {
	var out []float64
	for _, k := range []float64{0.3, 0.7, 1.5, 3} {
		out = append(out, k/m.mean, -k/m.mean)
	}
	return out
}

func termsStep(m monoStats) []float64 {
	var out []float64
	if m.lo > 0 || m.factors > 1 {
		for _, k := range []float64{0.3, 0.7, 1.5, 3} {
			out = append(out, k/m.mean)
		}
	}
	return out
}

func termsLog(m monoStats) []float64 {
	if m.lo > 0 && (m.factors > 1 || !m.inverse) {
		return []float64{1}
	}
	return nil
}

func termsOnePlus(m monoStats) []float64 {
	var out []float64
	if m.lo > 0 {
		for _, k := range []float64{0.1, 0.4, 1, 3, 10} {
			out = append(out, k/m.mean)
		}
	}
	return out
}

func termsBothSigns(m monoStats) []float64 {
	out := termsOnePlus(m)
	for _, c := range out {
		if -c*m.hi > -0.95 {
			out = append(out, -c)
		}
	}
	return out
}
