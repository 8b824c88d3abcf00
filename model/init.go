package model

import (
	"math"
	"math/rand/v2"
)

// Init draws the paper's start: weights from N(0, 1/(k′+d)), biases zero, where an affine map
// has k′ inputs and d rows; the read-out likewise with its own size (Martius and Lampert 2016,
// §3.3; it is Glorot's rule with half its variance).
func (n *Network) Init(rng *rand.Rand) {
	for _, m := range n.Weights {
		sd := math.Sqrt(1 / float64(m.Cols+m.Rows))
		for r := range m.Rows {
			row := m.Row(r)
			for k := range m.Cols {
				row[k] = sd * rng.NormFloat64()
			}
			row[m.Cols] = 0
		}
	}
}

// SparseFrequency is the standard deviation of the weights that [Network.InitSparse] draws for
// an input whose largest size is 1. Frequencies of a few periods over the range must be there at
// the start, since gradient descent hardly moves a frequency to another basin.
const SparseFrequency = 6.0

// InitSparse draws a start in which the nonlinear units of the first layer see one input each,
// the units of a type in turn through a random order of the inputs, with a weight from N(0, f²)
// and a phase uniform in [−π, π]. Here f = SparseFrequency/reach, and reach is the largest |x| of
// that input in scaled units. Deeper nonlinear rows start on two inputs drawn at random; identity
// rows, factors and the read-out are drawn as in [Network.Init]. It is a start, not a mask: the
// zero weights are free to grow.
func (n *Network) InitSparse(rng *rand.Rand, reach []float64) {
	n.Init(rng)
	for l, layer := range n.Arch.Hidden {
		m := n.Weights[l]
		var order []int
		for k, u := range layer.Unary {
			if u == Identity {
				continue
			}
			_, r := layer.Unit(k)
			row := m.Row(r)
			if l == 0 {
				clear(row)
				if len(order) == 0 || k > 0 && layer.Unary[k-1] != u {
					order = rng.Perm(m.Cols)
				}
				in := order[0]
				order = order[1:]
				row[in] = SparseFrequency / reach[in] * rng.NormFloat64()
				row[m.Cols] = math.Pi * (2*rng.Float64() - 1)
				continue
			}
			sparse := make([]float64, len(row))
			for range 2 {
				sparse[rng.IntN(m.Cols)] = rng.NormFloat64()
			}
			copy(row, sparse)
		}
	}
}
