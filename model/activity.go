package model

import "math"

// activeThreshold is the paper's: a hidden unit counts when the product of the 1-norms of its
// incoming and outgoing weights exceeds it (Martius and Lampert 2016, Appendix A1).
const activeThreshold = 0.01

// Active reports, for each hidden layer and unit, whether the unit is active:
//
//	‖incoming weights‖₁ · ‖outgoing weights‖₁ > 0.01
//
// For a product the norms of its two rows are added. Biases do not count, and the weights are
// the scaled ones.
func (n *Network) Active() [][]bool {
	active := make([][]bool, len(n.Arch.Hidden))
	for l, layer := range n.Arch.Hidden {
		active[l] = make([]bool, layer.Width())
		for k := range active[l] {
			active[l][k] = n.incoming(l, k)*n.outgoing(l, k) > activeThreshold
		}
	}
	return active
}

// Sparsity returns s, the number of active hidden units over all hidden layers.
func (n *Network) Sparsity() int {
	s := 0
	for _, layer := range n.Active() {
		for _, a := range layer {
			if a {
				s++
			}
		}
	}
	return s
}

func (n *Network) incoming(l, k int) float64 {
	u, r := n.Arch.Hidden[l].Unit(k)
	m := n.Weights[l]
	norm := 0.0
	for i := range u.Arity() {
		for _, w := range m.Row(r + i)[:m.Cols] {
			norm += math.Abs(w)
		}
	}
	return norm
}

func (n *Network) outgoing(l, k int) float64 {
	m := n.Weights[l+1]
	norm := 0.0
	for r := range m.Rows {
		norm += math.Abs(m.Row(r)[k])
	}
	return norm
}
