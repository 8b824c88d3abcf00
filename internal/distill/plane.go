package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// maxPlanes is how many pairs of inputs are scanned together.
const maxPlanes = 66

// maxChirps is up to how many inputs the squares of inputs are looked for in their waves.
const maxChirps = 2

// planes scans sines of sums and differences of two inputs, times nothing or an input.
func (s *scans) planes(d *dictionary, t *tangentSpace) []candidate {
	inputs := len(s.inputs)
	if inputs*(inputs-1)/2 > maxPlanes {
		return nil
	}
	multipliers := d.multipliers()
	return slices.Concat(collect(d.each, len(multipliers), func(i int) []candidate {
		d, t := d.own(), t.own()
		size := planeSize
		if i == 0 { // by themselves
			size = d.planes
		}
		var axes []axis
		for j, tab := range s.inputs {
			axes = append(axes, axis{tab.lowest(size), []int{j}})
		}
		var list []candidate
		for j, a := range axes {
			list = append(list, d.planesOf(t, multipliers[i], a, axes[j+1:])...)
		}
		return list
	})...)
}

// chirps scans sines of an input and a product of two, by themselves.
func (s *scans) chirps(d *dictionary, t *tangentSpace) []candidate {
	if len(s.inputs) > maxChirps {
		return nil
	}
	var axes []axis
	for i, tab := range s.products {
		axes = append(axes, axis{tab, d.products()[i].factors})
	}
	var list []candidate
	for j, tab := range s.inputs {
		list = append(list, d.planesOf(t, d.monomials[0], axis{tab.lowest(nestedSize), []int{j}}, axes)...)
	}
	return list
}

// axis is a product of inputs with the table of its waves.
type axis struct {
	table
	factors []int
}

// planesOf returns the best wave m·sin(ωa ± ηb + φ) of each two axes a and b, and of each sign.
func (d *dictionary) planesOf(t *tangentSpace, m monomial, a axis, others []axis) []candidate {
	if len(others) == 0 {
		return nil
	}
	r := make([]float64, len(m.col))
	floats.MulTo(r, t.along, m.col)
	sin, cos := weighted(a.sin, r), weighted(a.cos, r)
	var list []candidate
	for _, b := range others {
		ss, sc, cs, cc := times(sin, b.sin), times(sin, b.cos), times(cos, b.sin), times(cos, b.cos)
		for _, sign := range []float64{1, -1} {
			if k := d.plane(t, m, a, b, sign, highest(ss, sc, cs, cc, sign)); !math.IsInf(k.change, 1) {
				list = append(list, k)
			}
		}
	}
	return list
}

// plane scores m·wave(ω_g·a ± ω_h·b).
func (d *dictionary) plane(t *tangentSpace, m monomial, a, b axis, sign float64, at [2]int) candidate {
	sa, ca := a.row(a.sin, at[0]), a.row(a.cos, at[0])
	sb, cb := b.row(b.sin, at[1]), b.row(b.cos, at[1])
	for r, v := range m.col {
		d.left[r] = v * (sa[r]*cb[r] + sign*ca[r]*sb[r])
		d.right[r] = v * (ca[r]*cb[r] - sign*sa[r]*sb[r])
	}
	arg := termOf(a.omega[at[0]], a.factors...).plus(termOf(sign*b.omega[at[1]], b.factors...), 1)
	return d.wave(t, outUnit, m.factors, nil, arg, d.left, d.right)
}

// lowest returns the table of the lowest frequencies.
func (t table) lowest(size int) table {
	size = min(size, len(t.omega))
	t.omega, t.sin.Rows, t.cos.Rows = t.omega[:size], size, size
	return t
}

// weighted returns the rows of m, each times r.
func weighted(m blas64.General, r []float64) blas64.General {
	w := blas64.General{Rows: m.Rows, Cols: m.Cols, Stride: m.Cols, Data: make([]float64, m.Rows*m.Cols)}
	for g := range m.Rows {
		floats.MulTo(w.Data[g*m.Cols:(g+1)*m.Cols], m.Data[g*m.Stride:g*m.Stride+m.Cols], r)
	}
	return w
}

// times returns a·bᵀ.
func times(a, b blas64.General) blas64.General {
	p := blas64.General{Rows: a.Rows, Cols: b.Rows, Stride: b.Rows, Data: make([]float64, a.Rows*b.Rows)}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, p)
	return p
}

// highest returns the frequencies at which sine and cosine of the sum (sign 1) or the difference
// (sign −1) agree most with the residual.
func highest(ss, sc, cs, cc blas64.General, sign float64) [2]int {
	best, at := -1.0, [2]int{}
	for g := range ss.Rows {
		for h := range ss.Cols {
			i := g*ss.Stride + h
			s, c := sc.Data[i]+sign*cs.Data[i], cc.Data[i]-sign*ss.Data[i]
			if power := s*s + c*c; power > best {
				best, at = power, [2]int{g, h}
			}
		}
	}
	return at
}
