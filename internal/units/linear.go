package units

import "math"

// equation says that Σ of[k]·u_k is a dimension and, as far as it can hold, the logarithm of a size. The u_k are
// unknown.
type equation struct {
	of   []float64
	dim  Dim
	size float64 // its logarithm
}

// minus returns a − f·b.
func (a equation) minus(b equation, f float64) equation {
	of := make([]float64, len(a.of))
	for k := range of {
		of[k] = a.of[k] - f*b.of[k]
		if math.Abs(of[k]) < tolerance {
			of[k] = 0
		}
	}
	return equation{of, a.dim.Times(b.dim, -f), a.size - f*b.size}
}

// system is a set of equations that can all hold, each solved for an unknown of its own, its pivot, that stands in no
// other.
type system struct {
	unknowns int
	rows     []equation
	pivots   []int
}

// add adds an equation and reports whether it agrees with those before; if not, the system stays as it is.
func (s *system) add(e equation) bool {
	for i, r := range s.rows {
		if f := e.of[s.pivots[i]]; f != 0 {
			e = e.minus(r, f)
		}
	}
	pivot := -1
	for k, f := range e.of {
		if f != 0 && (pivot < 0 || math.Abs(f) > math.Abs(e.of[pivot])) {
			pivot = k
		}
	}
	if pivot < 0 {
		return e.dim.Zero()
	}
	e = equation{make([]float64, s.unknowns), Dim{}, 0}.minus(e, -1/e.of[pivot])
	e.of[pivot] = 1
	for i := range s.rows {
		if f := s.rows[i].of[pivot]; f != 0 {
			s.rows[i] = s.rows[i].minus(e, f)
		}
	}
	s.rows, s.pivots = append(s.rows, e), append(s.pivots, pivot)
	return true
}

// solve returns the unknowns. Those that nothing determines are made pure numbers, the first ones first.
func (s *system) solve() []Unit {
	for k := range s.unknowns {
		e := equation{of: make([]float64, s.unknowns)}
		e.of[k] = 1
		s.add(e)
	}
	list := make([]Unit, s.unknowns)
	for i, r := range s.rows {
		list[s.pivots[i]] = Unit{r.dim, math.Exp(r.size)}
	}
	return list
}
