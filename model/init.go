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

// Sparse describes the starts that [Network.InitSparse] draws.
type Sparse struct {
	Reach   []float64 // largest |x| of each input, in scaled units
	Inputs  int       // inputs that a nonlinear row of the first layer sees, or all when there are fewer
	Removed float64   // probability that a nonlinear unit is left out, in [0, 1]
}

// InitSparse draws a start in which nonlinear rows see few inputs.
//
// In the first layer they see s.Inputs of them, the units of a type in turn through a random order
// of the inputs, each with a weight from N(0, f²/s.Inputs), and have a phase uniform in [−π, π].
// Here f = SparseFrequency/reach. Deeper ones see two units below, drawn at random, with weights
// from N(0, 1). Identity rows, factors and the read-out are drawn as in [Network.Init].
//
// A unit that is left out has no weights, incoming or outgoing. All weights of the others that are
// zero are those of inputs that their rows do not see; [Network.Release] lets them grow.
func (n *Network) InitSparse(rng *rand.Rand, s Sparse) {
	n.Init(rng)
	for l, layer := range n.Arch.Hidden {
		var turn inTurn
		below := n.present(l - 1)
		for k, u := range layer.Unary {
			if u == Identity {
				continue
			}
			if k > 0 && layer.Unary[k-1] != u {
				turn = inTurn{}
			}
			m := n.Weights[l]
			_, r := layer.Unit(k)
			row := m.Row(r)
			clear(row)
			if n.removable(l, k) && rng.Float64() < s.Removed {
				for r := range n.Weights[l+1].Rows {
					n.Weights[l+1].Row(r)[k] = 0
				}
				continue
			}
			if l > 0 {
				for range 2 {
					row[below[rng.IntN(len(below))]] = rng.NormFloat64()
				}
				continue
			}
			inputs := min(s.Inputs, m.Cols)
			for seen := 0; seen < inputs; {
				in := turn.next(rng, m.Cols)
				if row[in] != 0 {
					continue
				}
				row[in] = SparseFrequency / s.Reach[in] / math.Sqrt(float64(inputs)) * rng.NormFloat64()
				seen++
			}
			row[m.Cols] = math.Pi * (2*rng.Float64() - 1)
		}
	}
}

// inTurn takes numbers below n in turn, in an order that is drawn anew whenever all were taken.
type inTurn struct{ left []int }

func (t *inTurn) next(rng *rand.Rand, n int) int {
	if len(t.left) == 0 {
		t.left = rng.Perm(n)
	}
	i := t.left[0]
	t.left = t.left[1:]
	return i
}

// removable reports whether the layer can do without unit k: the first of its units stays.
func (n *Network) removable(l, k int) bool {
	layer := n.Arch.Hidden[l]
	return k > 0 || layer.Products > 0
}

// present returns the units of layer l that have a weight, the inputs for l = −1.
func (n *Network) present(l int) []int {
	var units []int
	for k := range n.Arch.In(l + 1) {
		if l < 0 || n.incoming(l, k) > 0 {
			units = append(units, k)
		}
	}
	return units
}

// released is what [Network.Release] makes of a zero: as good as zero, and another number.
const released = 1e-9

// Release makes all zero weights between units that are present free to grow where training holds
// zeros: it gives them a value that is not zero and far below all that matters. Units without
// incoming weights, which is how those that were left out look, stay as they are.
func (n *Network) Release() {
	for l, m := range n.Weights {
		below := n.present(l - 1)
		for r := range m.Rows {
			row := m.Row(r)
			if isZero(row[:m.Cols]) {
				continue
			}
			for _, k := range below {
				if row[k] == 0 {
					row[k] = released
				}
			}
		}
	}
}
