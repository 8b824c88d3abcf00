package model

import (
	"fmt"
	"io"
	"strings"
)

// dotThreshold is what the paper's figures leave out: edges with |w| below it, and then the
// units that nothing reaches or that reach nothing.
const dotThreshold = 0.01

// WriteDOT draws the network in Graphviz's language as the paper does: inputs at the bottom, one
// node a unit with its function and bias, weights on the edges, small weights and orphans left
// out.
func (n *Network) WriteDOT(w io.Writer) error {
	d := n.WithoutSmall(dotThreshold)

	var b strings.Builder
	b.WriteString("digraph eql {\n\trankdir=BT;\n\tnode [shape=circle, fontname=\"Helvetica\"];\n\tedge " +
		"[fontname=\"Helvetica\", fontsize=10];\n")
	for j, name := range n.Inputs {
		if d.Arch.Layers() == 1 || d.read(0, j) {
			fmt.Fprintf(&b, "\tx%d [label=%s, shape=box];\n", j, dotQuote(name))
		}
	}
	for l, layer := range d.Arch.Hidden {
		for k := range layer.Width() {
			if d.outgoing(l, k) == 0 {
				continue
			}
			u, r := layer.Unit(k)
			d.dotUnit(&b, l, k, u, r)
		}
	}
	last := len(d.Arch.Hidden)
	for o, name := range d.Outputs {
		fmt.Fprintf(&b, "\ty%d [label=%s, shape=box];\n", o, dotQuote(name+"\n"+dotNumber(d.Weights[last].Bias(o))))
		d.dotEdges(&b, last, o, fmt.Sprintf("y%d", o), "")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// read reports whether any row of layer l reads input j.
func (n *Network) read(l, j int) bool {
	m := n.Weights[l]
	for r := range m.Rows {
		if m.Row(r)[j] != 0 {
			return true
		}
	}
	return false
}

func (n *Network) dotUnit(b *strings.Builder, l, k int, u Unit, r int) {
	id := fmt.Sprintf("h%d_%d", l+1, k)
	m := n.Weights[l]
	label := u.String()
	for i := range u.Arity() {
		label += "\n" + dotNumber(m.Bias(r+i))
	}
	fmt.Fprintf(b, "\t%s [label=%s];\n", id, dotQuote(label))
	for i := range u.Arity() {
		style := ""
		if i == 1 {
			style = ", style=dashed" // the second factor
		}
		n.dotEdges(b, l, r+i, id, style)
	}
}

func (n *Network) dotEdges(b *strings.Builder, l, r int, to, style string) {
	m := n.Weights[l]
	for k, w := range m.Row(r)[:m.Cols] {
		if w == 0 {
			continue
		}
		from := fmt.Sprintf("x%d", k)
		if l > 0 {
			from = fmt.Sprintf("h%d_%d", l, k)
		}
		fmt.Fprintf(b, "\t%s -> %s [label=\"%s\"%s];\n", from, to, dotNumber(w), style)
	}
}

func dotNumber(x float64) string { return fmt.Sprintf("%.3g", x) }

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
