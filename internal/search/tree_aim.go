package search

import (
	"math"
	"slices"
)

// aim is what a tree may be the straight line of: the target under a link, perhaps with powers of inputs divided out. A
// row weighs what its error does in the target itself.
type aim struct {
	l      link
	powers []float64 // of the inputs that are divided out
	t, w   []float64 // on the screening rows; w are root weights
	top    float64   // the largest of w
	nodes  int       // of the link
	some   columns   // t and w² on the rows of the forest
	best   float64   // cost of the law of its best tree
}

// columns are what the fit of a straight line needs of an aim on some rows.
type columns struct {
	t, w2    []float64 // t about its weighted mean
	sum, all float64   // Σw², Σw²t²
}

// likelyError is the largest error of the target, as a share of its spread, that rows are distrusted for.
const likelyError = 0.01

// usefulRows is the least number of rows, as a share, that an aim's weights may rest on.
const usefulRows = 0.15

// aims returns the links, and links of links, that the target can have, without those that come to the same. A part of
// a law has no links of links.
func (s *searcher) aims(powers []float64, rows []int) []aim {
	var out []aim
	y, sigma, noise := slices.Clone(s.ys), make([]float64, s.ns), min(s.sigma, likelyError*s.sd)
	for r := range sigma {
		sigma[r] = noise
		if s.ws != nil {
			sigma[r] /= s.ws[r]
		}
	}
	for j, p := range powers {
		if p == 0 {
			continue
		}
		for r, x := range s.xs[j] {
			z := power(x, p)
			y[r] /= z
			sigma[r] /= math.Abs(z)
		}
	}
	for inner := range linkOdds { // trees have quotients of their own
		for kind := range linkOdds {
			if inner != linkNone && (kind == linkNone || s.part) || !s.units.link[kind] || !s.units.link[inner] {
				continue
			}
			a := aim{l: link{kind: kind, inner: inner}, powers: powers, best: math.Inf(1)}
			a.nodes = btoi(kind != linkNone) + btoi(inner != linkNone)
			var ok bool
			if a.t, a.w, ok = a.l.apply(y, sigma); !ok {
				continue
			}
			a.l.distrust(y, sigma, a.w)
			for r := range a.w {
				a.w[r] = noise / a.w[r]
			}
			if links[kind].clip || links[inner].clip {
				most := clipSumWeight * median(a.w)
				for r := range a.w {
					a.w[r] = min(a.w[r], most)
				}
			}
			if a.prepare(rows) && !a.among(out) {
				out = append(out, a)
			}
		}
	}
	return out
}

// prepare fills what a fit needs. It reports whether enough rows count.
func (a *aim) prepare(rows []int) bool {
	sum, fourth := 0.0, 0.0
	for _, w := range a.w {
		a.top = max(a.top, w)
		sum += w * w
		fourth += w * w * w * w
	}
	if !(sum > 0) || !finite(fourth) || sum*sum < usefulRows*float64(len(a.w))*fourth {
		return false
	}
	mean := 0.0
	for _, r := range rows {
		w2 := a.w[r] * a.w[r]
		a.some.w2 = append(a.some.w2, w2)
		a.some.sum += w2
		mean += w2 * a.t[r]
	}
	mean /= a.some.sum
	for i, r := range rows {
		d := a.t[r] - mean
		a.some.t = append(a.some.t, d)
		a.some.all += a.some.w2[i] * d * d
	}
	return a.some.all > 0
}

// sameAim is the difference of two aims, as a share of their size, that is none.
const (
	sameAim      = 1e-9
	littleWeight = 1e-3 // of a row that does not count in this, beside the largest
)

// among tells whether one of the aims is a straight line of a.
func (a *aim) among(others []aim) bool {
	return slices.ContainsFunc(others, func(o aim) bool {
		num, den := 0.0, 0.0
		for i, t := range a.some.t {
			num += t * o.some.t[i]
			den += o.some.t[i] * o.some.t[i]
		}
		b, off, size := num/den, 0.0, 0.0
		shift := a.t[0] - b*o.t[0]
		for r, t := range a.t {
			if a.w[r] < littleWeight*a.top {
				continue
			}
			off = max(off, math.Abs(t-shift-b*o.t[r]))
			size = max(size, math.Abs(t-a.t[0]))
		}
		return off <= sameAim*size
	})
}

// line fits t = c·u + d to the screening rows.
func (a *aim) line(u []float64) (c, d float64) {
	var sw, su, st float64
	for r, w := range a.w {
		w *= w
		sw += w
		su += w * u[r]
		st += w * a.t[r]
	}
	mu, mt := su/sw, st/sw
	var uu, ut float64
	for r, w := range a.w {
		w *= w
		x := u[r] - mu
		uu += w * x * x
		ut += w * x * (a.t[r] - mt)
	}
	c = ut / (uu + 1e-300)
	return c, mt - c*mu
}

// express writes the target of which a tree's line is the aim.
func (s *searcher) express(a *aim, c, d float64, put func(e *expr) int) expr {
	var e expr
	u := put(&e)
	root := a.l.undo(&e, e.add(e.par(d), e.mul(e.par(c), u)))
	for j, p := range a.powers {
		if p != 0 {
			root = e.mul(root, e.pow(e.variable(j), p, true))
		}
	}
	return e.compact(root)
}
