package model

import (
	"fmt"
	"slices"
)

// A Matrix holds one affine map: rows × (cols+1) numbers, row-major, the bias last in each row.
type Matrix struct {
	Rows, Cols int
	W          []float64
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, cols int) Matrix {
	return Matrix{Rows: rows, Cols: cols, W: make([]float64, rows*(cols+1))}
}

// Row returns the weights and the bias of row r; changing it changes the matrix.
func (m Matrix) Row(r int) []float64 { return m.W[r*(m.Cols+1) : (r+1)*(m.Cols+1)] }

// Bias returns the bias of row r.
func (m Matrix) Bias(r int) float64 { return m.W[r*(m.Cols+1)+m.Cols] }

// A Scale maps a column to the units a network is trained in: scaled = (x − Shift)/Factor.
// The zero value means no scaling.
type Scale struct {
	Shift  float64 `json:"shift"`
	Factor float64 `json:"factor"`
}

// Identity reports whether the scale changes nothing.
func (s Scale) Identity() bool { return s.Shift == 0 && (s.Factor == 0 || s.Factor == 1) }

// Apply returns the scaled value of x.
func (s Scale) Apply(x float64) float64 {
	if s.Identity() {
		return x
	}
	return (x - s.Shift) / s.Factor
}

// Invert returns the value in the user's units of a scaled y.
func (s Scale) Invert(y float64) float64 {
	if s.Identity() {
		return y
	}
	return y*s.Factor + s.Shift
}

// A Network is one learned network: an architecture and its weights, with the names and scales
// of the columns it was learned from. Weights are those of the scaled problem; [Network.Predict]
// and [Network.Formulas] fold the scales in and speak the user's units.
type Network struct {
	Arch     Arch
	Weights  []Matrix // one a layer, the read-out last
	Inputs   []string // column names
	Outputs  []string
	InScale  []Scale // one an input; nil: no scaling
	OutScale []Scale // one an output; nil: no scaling
}

// New returns a network of zeros whose columns are named x1, x2, … and y, or y1, y2, ….
func New(a Arch) *Network {
	n := &Network{Arch: a, Inputs: numbered("x", a.Inputs), Outputs: []string{"y"}}
	if a.Outputs > 1 {
		n.Outputs = numbered("y", a.Outputs)
	}
	for l := range a.Layers() {
		n.Weights = append(n.Weights, NewMatrix(a.Rows(l), a.In(l)))
	}
	return n
}

func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(prefix, i+1)
	}
	return names
}

// Clone returns a network that shares nothing that may change with n.
func (n *Network) Clone() *Network {
	c := *n
	c.Arch.Hidden = slices.Clone(n.Arch.Hidden)
	c.Weights = slices.Clone(n.Weights)
	for l := range c.Weights {
		c.Weights[l].W = slices.Clone(n.Weights[l].W)
	}
	return &c
}

// Output returns the network that computes output o alone, without the units that only the
// other outputs need.
func (n *Network) Output(o int) *Network {
	c := n.Clone()
	last := len(c.Weights) - 1
	readout := NewMatrix(1, c.Weights[last].Cols)
	copy(readout.W, n.Weights[last].Row(o))
	c.Weights[last] = readout
	c.Arch.Outputs = 1
	c.Outputs = []string{n.Outputs[o]}
	if n.OutScale != nil {
		c.OutScale = []Scale{n.OutScale[o]}
	}
	c.RemoveOrphans()
	return c
}

// NonZero returns the number of weights and biases that are not zero.
func (n *Network) NonZero() int {
	count := 0
	for _, m := range n.Weights {
		for _, w := range m.W {
			if w != 0 {
				count++
			}
		}
	}
	return count
}
