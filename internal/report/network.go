package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/eqlearner/eql/model"
)

// Drawing is a network, layers from left to right: inputs and outputs as boxes with their names,
// units as circles with their function and biases, weights on the edges between them. Weights
// below 0.01 in size are left out, and then the units that nothing reaches or that reach nothing,
// as in the figures of Martius and Lampert 2016. Weights are those of the scaled problem.
//
// A network that is not sparse is drawn by its largest weights alone, at most 150, and at most 24
// units of a layer; the figure then says how many there are.
type Drawing struct {
	Title   string // above the figure; "" for none
	Network *model.Network
}

const (
	smallWeight = 0.01
	mostEdges   = 150
	mostUnits   = 24 // of a layer
	mostLabels  = 60 // edges, for their weights to be written on them
)

// Figure lays the drawing out.
func (d Drawing) Figure() *Figure {
	l := newLayout(d.Network)
	l.arrange()
	if l.title = clean(d.Title); l.title != "" {
		l.height += titleSize + 6
	}
	return &Figure{title: l.title, words: l.words(), width: l.width, height: l.height, draw: l.draw}
}

// node is an input, a unit, or an output.
type node struct {
	label  string
	biases []float64 // as many as the node has rows
	box    bool      // an input or an output
	at     vg.Point
}

// edge is a weight between two nodes of neighbouring layers.
type edge struct {
	layer    int // of nodes, that it starts from
	from, to int // in their layers
	weight   float64
	second   bool // it leads to the second factor of a product
}

// layout is a network as it is drawn.
type layout struct {
	title        string
	layers       [][]*node // inputs, hidden layers, outputs
	edges        []edge    // largest first
	units, drawn int       // hidden units that matter, and that are drawn
	weights      int       // that matter
	width        vg.Length
	height       vg.Length
	radius       vg.Length
}

// newLayout collects the nodes and edges to draw.
func newLayout(n *model.Network) *layout {
	n = n.WithoutSmall(smallWeight)
	l := &layout{}
	l.addNodes(n)
	for k, m := range n.Weights {
		for r := range m.Rows {
			to, second := r, false
			if k < len(n.Arch.Hidden) {
				to, second = unitOfRow(n.Arch.Hidden[k], r)
			}
			for from, w := range m.Row(r)[:m.Cols] {
				if w != 0 {
					l.edges = append(l.edges, edge{k, from, to, w, second})
				}
			}
		}
	}
	l.weights, l.units = len(l.edges), l.hidden()
	slices.SortStableFunc(l.edges, func(a, b edge) int { return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight)) })
	l.limit()
	l.drawn = l.hidden()
	return l
}

func (l *layout) addNodes(n *model.Network) {
	var inputs []*node
	for _, name := range n.Inputs {
		inputs = append(inputs, &node{label: clean(name), box: true})
	}
	l.layers = append(l.layers, inputs)
	for k, layer := range n.Arch.Hidden {
		units := make([]*node, layer.Width())
		for i := range units {
			u, r := layer.Unit(i)
			units[i] = &node{label: unitLabel(u)}
			for j := range u.Arity() {
				units[i].biases = append(units[i].biases, n.Weights[k].Bias(r+j))
			}
		}
		l.layers = append(l.layers, units)
	}
	var outputs []*node
	for o, name := range n.Outputs {
		outputs = append(outputs, &node{label: clean(name), box: true,
			biases: []float64{n.Weights[len(n.Weights)-1].Bias(o)}})
	}
	l.layers = append(l.layers, outputs)
}

func unitLabel(u model.Unit) string {
	switch u {
	case model.Product:
		return "×"
	case model.Sigmoid:
		return "sigm"
	}
	return u.String()
}

// unitOfRow returns the unit that a row of pre-activations belongs to.
func unitOfRow(layer model.Layer, row int) (unit int, second bool) {
	if row < 2*layer.Products {
		return len(layer.Unary) + row/2, row%2 == 1
	}
	return row - 2*layer.Products, false
}

// limit keeps the largest weights, and of each layer the units with the largest ones.
func (l *layout) limit() {
	l.edges = l.edges[:min(len(l.edges), mostEdges)]
	for k := range l.layers {
		var order []int // nodes by their largest edge
		for _, e := range l.edges {
			for _, i := range e.in(k) {
				if !slices.Contains(order, i) {
					order = append(order, i)
				}
			}
		}
		if len(order) > mostUnits {
			kept := order[:mostUnits]
			l.edges = slices.DeleteFunc(l.edges, func(e edge) bool {
				return slices.ContainsFunc(e.in(k), func(i int) bool { return !slices.Contains(kept, i) })
			})
		}
	}
}

// in returns the nodes of layer k that the edge touches.
func (e edge) in(k int) []int {
	switch k {
	case e.layer:
		return []int{e.from}
	case e.layer + 1:
		return []int{e.to}
	}
	return nil
}

// used returns the nodes of layer k that are drawn, in the order of the network: those with an
// edge, and outputs in any case.
func (l *layout) used(k int) []int {
	has := make([]bool, len(l.layers[k]))
	for _, e := range l.edges {
		for _, i := range e.in(k) {
			has[i] = true
		}
	}
	var used []int
	for i := range has {
		if has[i] || k == len(l.layers)-1 && i < mostUnits {
			used = append(used, i)
		}
	}
	return used
}

// hidden counts the hidden units with an edge.
func (l *layout) hidden() int {
	n := 0
	for k := 1; k < len(l.layers)-1; k++ {
		n += len(l.used(k))
	}
	return n
}

// The distances of nodes.
const (
	columnGap = 92
	widestGap = 190
	boxRoom   = 34 // half of the widest box
)

// gaps returns the distance of each layer to the next, which grows with the edges between them.
func (l *layout) gaps() []vg.Length {
	gaps := make([]vg.Length, len(l.layers)-1)
	for k := range gaps {
		gaps[k] = columnGap
	}
	for _, e := range l.edges {
		gaps[e.layer] = min(gaps[e.layer]+3, widestGap)
	}
	return gaps
}

// arrange places the nodes.
func (l *layout) arrange() {
	order := make([][]int, len(l.layers))
	most := 1
	for k := range l.layers {
		order[k] = l.used(k)
		most = max(most, len(order[k]))
	}
	l.uncross(order)
	l.radius = 20
	switch {
	case most > 16:
		l.radius = 10
	case most > 9:
		l.radius = 17
	}
	spacing := 2*l.radius + 10
	height := vg.Length(most) * spacing
	gaps := l.gaps()
	x := vg.Length(outer + boxRoom)
	l.height = height + 2*outer + legendRoom
	for k, nodes := range order {
		gap := min(height/vg.Length(max(len(nodes), 1)), 2.2*spacing)
		top := outer + legendRoom/2 + height/2 + gap*vg.Length(len(nodes))/2
		for i, which := range nodes {
			l.layers[k][which].at = vg.Point{X: x, Y: top - gap*(vg.Length(i)+0.5)}
		}
		if k < len(gaps) {
			x += gaps[k]
		}
	}
	l.width = max(x+boxRoom+outer, legendWidth)
}

// legendWidth is what the widest legend needs.
const legendWidth = 270

// legendRoom is kept free for the legend and for a note below.
const legendRoom = 40

// uncross orders the units of each hidden layer by the mean place of their neighbours, which
// leaves few edges that cross (Sugiyama, Tagawa and Toda 1981).
func (l *layout) uncross(order [][]int) {
	last := len(l.layers) - 1
	for round := range 4 {
		for step := 1; step < last; step++ {
			k, beside := step, step-1
			if round%2 == 1 {
				k, beside = last-step, last-step+1
			}
			centre := map[int]float64{}
			for _, i := range order[k] {
				centre[i] = l.centre(k, i, beside, order[beside])
			}
			slices.SortStableFunc(order[k], func(a, b int) int { return cmp.Compare(centre[a], centre[b]) })
		}
	}
}

// centre returns the mean place, 0 to 1, of the neighbours of a node in a layer; 0.5 without any.
func (l *layout) centre(k, i, beside int, order []int) float64 {
	sum, n := 0.0, 0.0
	for _, e := range l.edges {
		if slices.Contains(e.in(k), i) && len(e.in(beside)) > 0 {
			sum += (float64(slices.Index(order, e.in(beside)[0])) + 0.5) / float64(len(order))
			n++
		}
	}
	if n == 0 {
		return 0.5
	}
	return sum / n
}

// note says what is left out.
func (l *layout) note() string {
	if len(l.edges) == l.weights {
		return ""
	}
	return fmt.Sprintf("the %d largest of %d weights, %d of %d units", len(l.edges), l.weights, l.drawn, l.units)
}

// words lists the network.
func (l *layout) words() string {
	const most = 40 // edges that a listener has the patience for
	var b strings.Builder
	fmt.Fprintf(&b, "Network with %d units and %d weights of at least %g in size", l.units, l.weights, smallWeight)
	if note := l.note(); note != "" {
		fmt.Fprintf(&b, "; drawn are %s", note)
	}
	b.WriteString(".")
	for k := 1; k < len(l.layers); k++ {
		for _, i := range l.used(k) {
			n := l.layers[k][i]
			fmt.Fprintf(&b, " %s reads", l.name(k, i))
			count := 0
			for _, e := range l.edges {
				if e.layer == k-1 && e.to == i {
					fmt.Fprintf(&b, " %s times %s,", short(e.weight), l.name(k-1, e.from))
					count++
				}
			}
			if count == 0 {
				b.WriteString(" nothing,")
			}
			fmt.Fprintf(&b, " bias %s.", biasText(n.biases, " and "))
		}
		if len(l.edges) > most {
			fmt.Fprintf(&b, " And so on.")
			break
		}
	}
	return b.String()
}

// name names a node in words.
func (l *layout) name(k, i int) string {
	n := l.layers[k][i]
	if n.box {
		return n.label
	}
	return fmt.Sprintf("%s %d of layer %d", n.label, i+1, k)
}

func biasText(biases []float64, and string) string {
	var parts []string
	for _, b := range biases {
		parts = append(parts, weightLabel(b))
	}
	return strings.Join(parts, and)
}

// weightLabel writes a weight in two or three digits.
func weightLabel(w float64) string {
	if math.Abs(w) < smallWeight/2 {
		return "0"
	}
	digits := 2
	if math.Abs(w) >= 1 {
		digits = 3
	}
	s := fmt.Sprintf("%.*g", digits, w)
	return minus(s)
}
