package search

// featureKind says how a feature is made of inputs.
type featureKind int

const (
	featInput featureKind = iota
	featDifference
	featSum
)

// feature is an input i, or a difference or sum of the inputs i and j.
type feature struct {
	kind featureKind
	i, j int
}

// sign tells which signs the values of a feature have.
type sign int8

const (
	negative sign = -1
	mixed    sign = 0
	positive sign = 1
)

// Inputs up to which pairs are features: with more they are too many for the budget.
const (
	inputsWithSums        = 5
	inputsWithDifferences = 12
)

func (f feature) has(input int) bool { return f.i == input || f.kind != featInput && f.j == input }

func (f feature) values(x [][]float64) []float64 {
	v := append([]float64(nil), x[f.i]...)
	for r := range v {
		switch f.kind {
		case featDifference:
			v[r] -= x[f.j][r]
		case featSum:
			v[r] += x[f.j][r]
		}
	}
	return v
}

func (f feature) build(e *expr) int {
	a := e.variable(f.i)
	switch f.kind {
	case featDifference:
		return e.add(a, e.mul(e.fixed(-1), e.variable(f.j)))
	case featSum:
		return e.add(a, e.variable(f.j))
	}
	return a
}

func signOf(v []float64) sign {
	up, down := true, true
	for _, x := range v {
		up, down = up && x > 0, down && x < 0
	}
	switch {
	case up:
		return positive
	case down:
		return negative
	}
	return mixed
}

// makeFeatures fills the features: inputs first, then pairs. A difference is turned so that it is
// not negative everywhere.
func (s *searcher) makeFeatures() {
	add := func(f feature) {
		v := f.values(s.xs)
		if f.kind == featDifference && signOf(v) == negative {
			f.i, f.j = f.j, f.i
			v = f.values(s.xs)
		}
		s.feats, s.fv, s.signs = append(s.feats, f), append(s.fv, v), append(s.signs, signOf(v))
	}
	for j := range s.d {
		add(feature{featInput, j, 0})
	}
	if s.d > inputsWithDifferences {
		return
	}
	for i := range s.d {
		for j := i + 1; j < s.d; j++ {
			add(feature{featDifference, i, j})
			if s.d <= inputsWithSums {
				add(feature{featSum, i, j})
			}
		}
	}
}

// active returns the features none of whose inputs is left out.
func (s *searcher) active(without []bool) []int {
	var out []int
	for k, f := range s.feats {
		if !without[f.i] && (f.kind == featInput || !without[f.j]) {
			out = append(out, k)
		}
	}
	return out
}

// factor is a power of a feature.
type factor struct {
	feat int
	p    float64
}

// mono is a power product of features; without factors it is 1.
type mono []factor

func (m mono) with(f factor) mono {
	return append(append(make(mono, 0, len(m)+1), m...), f)
}

// times returns m with all exponents multiplied.
func (m mono) times(p float64) mono {
	out := append(mono(nil), m...)
	for i := range out {
		out[i].p *= p
	}
	return out
}

// signChanging returns the feature of m that has both signs, or −1.
func (s *searcher) signChanging(m mono) int {
	for _, f := range m {
		if s.signs[f.feat] == mixed {
			return f.feat
		}
	}
	return -1
}

// monoValues writes m on the screening rows into o.
func (s *searcher) monoValues(m mono, o []float64) {
	for r := range o {
		o[r] = 1
	}
	for _, f := range m {
		v := s.fv[f.feat]
		if f.p == 1 {
			for r := range o {
				o[r] *= v[r]
			}
			continue
		}
		for r := range o {
			o[r] *= power(v[r], f.p)
		}
	}
}

func (s *searcher) buildMono(e *expr, m mono) int {
	r := -1
	for _, f := range m {
		k := e.pow(s.feats[f.feat].build(e), f.p, true)
		if r >= 0 {
			k = e.mul(r, k)
		}
		r = k
	}
	if r < 0 {
		return e.fixed(1)
	}
	return r
}
