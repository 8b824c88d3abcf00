package model

import "math"

// RemoveOrphans zeroes what cannot matter and folds what is constant, without changing the
// function: the rows of units that nothing reads, and units whose input is constant, which move
// into the biases of their readers. It repeats until nothing changes.
func (n *Network) RemoveOrphans() {
	for changed := true; changed; {
		changed = false
		for l := len(n.Arch.Hidden) - 1; l >= 0; l-- {
			for k := range n.Arch.Hidden[l].Width() {
				if n.outgoing(l, k) == 0 {
					changed = n.clearUnit(l, k) || changed
				} else if c, ok := n.constant(l, k); ok {
					n.foldUnit(l, k, c)
					changed = true
				}
			}
		}
	}
}

// clearUnit zeroes the rows of unit k and reports whether they held anything.
func (n *Network) clearUnit(l, k int) bool {
	u, r := n.Arch.Hidden[l].Unit(k)
	held := false
	for i := range u.Arity() {
		row := n.Weights[l].Row(r + i)
		for _, w := range row {
			held = held || w != 0
		}
		clear(row)
	}
	return held
}

// constant returns the value of a unit that does not depend on the inputs: no incoming weights,
// or a product with a factor that is zero.
func (n *Network) constant(l, k int) (value float64, ok bool) {
	u, r := n.Arch.Hidden[l].Unit(k)
	m := n.Weights[l]
	if u == Product && (isZero(m.Row(r)) || isZero(m.Row(r+1))) {
		return 0, true
	}
	if n.incoming(l, k) > 0 {
		return 0, false
	}
	if u == Product {
		return u.Value(m.Bias(r), m.Bias(r+1)), true
	}
	return u.Value(m.Bias(r), 0), true
}

func isZero(row []float64) bool {
	for _, w := range row {
		if w != 0 {
			return false
		}
	}
	return true
}

// foldUnit moves a unit of constant value c into the biases of the rows that read it.
func (n *Network) foldUnit(l, k int, c float64) {
	n.clearUnit(l, k)
	m := n.Weights[l+1]
	for r := range m.Rows {
		row := m.Row(r)
		row[m.Cols] += c * row[k]
		row[k] = 0
	}
}

// WithoutSmall returns a copy of the network in which weights below a size are zero, without the
// units that then do not matter. Biases stay. It is what drawings show.
func (n *Network) WithoutSmall(threshold float64) *Network {
	c := n.Clone()
	for _, m := range c.Weights {
		for r := range m.Rows {
			row := m.Row(r)
			for k := range m.Cols {
				if math.Abs(row[k]) < threshold {
					row[k] = 0
				}
			}
		}
	}
	c.RemoveOrphans()
	return c
}
