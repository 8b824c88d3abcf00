package model

// Forward computes the network on one row in scaled units: x has Arch.Inputs numbers. The
// result lives in s until its next use.
func (n *Network) Forward(s *Scratch, x []float64) []float64 {
	for l, m := range n.Weights {
		z := s.z[l]
		for r := range z {
			row := m.Row(r)
			sum := row[m.Cols]
			for k, v := range x {
				if w := row[k]; w != 0 { // most are, after training; and 0·∞ must not spoil the sum
					sum += w * v
				}
			}
			z[r] = sum
		}
		if l == len(n.Arch.Hidden) {
			return z
		}
		layer := n.Arch.Hidden[l]
		for k := range s.y[l] {
			u, r := layer.Unit(k)
			if u == Product {
				s.y[l][k] = z[r] * z[r+1]
			} else {
				s.y[l][k] = u.Value(z[r], 0)
			}
		}
		x = s.y[l]
	}
	return x
}

// Scratch is the memory that [Network.Forward] works in. It must not be shared by goroutines.
type Scratch struct {
	z, y [][]float64 // pre-activations and outputs of each layer
	in   []float64
}

// NewScratch returns working memory for networks of the given architecture.
func NewScratch(a Arch) *Scratch {
	s := &Scratch{in: make([]float64, a.Inputs)}
	for l := range a.Layers() {
		s.z = append(s.z, make([]float64, a.Rows(l)))
		if l < len(a.Hidden) {
			s.y = append(s.y, make([]float64, a.Hidden[l].Width()))
		}
	}
	return s
}

// Predict returns the outputs for columns of inputs, in the user's units: cols[j][i] is row i of
// input j, and result[o][i] row i of output o.
func (n *Network) Predict(cols [][]float64) [][]float64 {
	rows := len(cols[0])
	out := make([][]float64, n.Arch.Outputs)
	for o := range out {
		out[o] = make([]float64, rows)
	}
	s := NewScratch(n.Arch)
	for i := range rows {
		for j, col := range cols {
			s.in[j] = n.inScale(j).Apply(col[i])
		}
		for o, y := range n.Forward(s, s.in) {
			out[o][i] = n.outScale(o).Invert(y)
		}
	}
	return out
}

func (n *Network) inScale(j int) Scale {
	if n.InScale == nil {
		return Scale{}
	}
	return n.InScale[j]
}

func (n *Network) outScale(o int) Scale {
	if n.OutScale == nil {
		return Scale{}
	}
	return n.OutScale[o]
}
