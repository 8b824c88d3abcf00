package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (l *layout) draw(c draw.Canvas) vg.Rectangle {
	c.SetColor(paper)
	c.Fill(c.Path())
	inner := draw.Crop(c, outer, -outer, outer, -outer)
	if l.title != "" {
		c.FillText(textStyle(titleSize, ink, text.XCenter, text.YTop), vg.Point{X: inner.Center().X, Y: inner.Max.Y}, l.title)
		inner.Max.Y -= titleSize + 6
	}
	drawLegend(inner, l.legend())
	if note := l.note(); note != "" {
		c.FillText(textStyle(smallSize, faint, text.XLeft, text.YBottom), inner.Min, note)
	}
	largest := 0.0
	if len(l.edges) > 0 {
		largest = math.Abs(l.edges[0].weight)
	}
	for i := len(l.edges) - 1; i >= 0; i-- { // the largest on top
		from, to := l.ends(l.edges[i])
		c.StrokeLine2(l.edges[i].style(largest), from.X, from.Y, to.X, to.Y)
	}
	taken := l.drawNodes(c)
	if len(l.edges) <= mostLabels {
		l.drawWeights(c, taken)
	}
	return vg.Rectangle{}
}

// legend says what colours and dashes mean, of those that occur.
func (l *layout) legend() []entry {
	var positive, negative, second bool
	for _, e := range l.edges {
		positive = positive || e.weight > 0
		negative = negative || e.weight < 0
		second = second || e.second
	}
	line := func(s draw.LineStyle) func(draw.Canvas, vg.Point) {
		return func(c draw.Canvas, at vg.Point) { c.StrokeLine2(s, at.X, at.Y, at.X+sampleWidth, at.Y) }
	}
	var entries []entry
	if positive {
		entries = append(entries, entry{"weight > 0", line(edge{weight: 1}.style(1))})
	}
	if negative {
		entries = append(entries, entry{"weight < 0", line(edge{weight: -1}.style(1))})
	}
	if second {
		style := edge{weight: 1, second: true}.style(1)
		style.Color = faint
		entries = append(entries, entry{"second factor", line(style)})
	}
	return entries
}

// style is the line of an edge: colour by sign, width by size.
func (e edge) style(largest float64) draw.LineStyle {
	s := draw.LineStyle{Color: curveColour(0), Width: vg.Length(0.6 + 2*math.Sqrt(math.Abs(e.weight)/largest))}
	if e.weight < 0 {
		s.Color = curveColour(1)
	}
	if e.second {
		s.Dashes = []vg.Length{5, 3}
	}
	return s
}

// ends returns where an edge begins and ends, at the sides of its nodes.
func (l *layout) ends(e edge) (from, to vg.Point) {
	a, b := l.layers[e.layer][e.from], l.layers[e.layer+1][e.to]
	from, to = a.at, b.at
	from.X += l.halfWidth(a)
	to.X -= l.halfWidth(b)
	return from, to
}

func (l *layout) halfWidth(n *node) vg.Length {
	if !n.box {
		return l.radius
	}
	return n.boxText(l.radius)/2 + 4
}

// boxText returns the width of the text of a box.
func (n *node) boxText(radius vg.Length) vg.Length {
	width := labelStyle(radius).Width(n.label)
	if radius > smallUnit {
		for _, label := range n.biasLabels() {
			width = max(width, biasStyle.Width(label))
		}
	}
	return min(max(width, 10), 2*boxRoom-8)
}

// biasLabels returns what is written of the biases: nothing when all are zero.
func (n *node) biasLabels() []string {
	var labels []string
	written := false
	for _, b := range n.biases {
		label := weightLabel(b)
		if n.box && b > 0 {
			label = "+" + label
		}
		labels = append(labels, label)
		written = written || math.Abs(b) >= smallWeight/2
	}
	if !written {
		return nil
	}
	return labels
}

// biasStyle is the text of biases, which units of up to smallUnit have no room for.
var biasStyle = textStyle(smallSize-1, faint, text.XCenter, text.YCenter)

const smallUnit = 12 // radius

func labelStyle(radius vg.Length) text.Style {
	return textStyle(min(textSize, radius*0.62+1), ink, text.XCenter, text.YCenter)
}

// drawNodes draws all nodes with an edge, and returns the rectangles that they take.
func (l *layout) drawNodes(c draw.Canvas) (taken []vg.Rectangle) {
	for k := range l.layers {
		for _, i := range l.used(k) {
			n := l.layers[k][i]
			taken = append(taken, l.drawNode(c, n))
		}
	}
	return taken
}

func (l *layout) drawNode(c draw.Canvas, n *node) vg.Rectangle {
	half := vg.Point{X: l.halfWidth(n), Y: l.radius}
	if n.box {
		half.Y = min(l.radius, 14)
	}
	r := vg.Rectangle{Min: n.at.Sub(half), Max: n.at.Add(half)}
	path := r.Path()
	if !n.box {
		path = nil
		path.Move(vg.Point{X: n.at.X + l.radius, Y: n.at.Y})
		path.Arc(n.at, l.radius, 0, 2*math.Pi)
		path.Close()
	}
	var fill color.Color = paper
	if n.box {
		fill = shade
	}
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: faint, Width: 1})
	c.Stroke(path)
	l.drawLines(c, n)
	return r
}

// drawLines writes into a node: its label, and below it the biases that are not zero.
func (l *layout) drawLines(c draw.Canvas, n *node) {
	style, label := labelStyle(l.radius), n.label
	if room := 2*l.halfWidth(n) - 4; style.Width(label) > room {
		style.Font.Size *= max(room/style.Width(label), 0.75)
		label = fit(label, style, room)
	}
	lines := []struct {
		text  string
		style text.Style
	}{{label, style}}
	if l.radius > smallUnit {
		for _, label := range n.biasLabels() {
			lines = append(lines, struct {
				text  string
				style text.Style
			}{label, biasStyle})
		}
	}
	height := vg.Length(0)
	for _, line := range lines {
		height += line.style.Font.Size
	}
	y := n.at.Y + height/2
	for _, line := range lines {
		c.FillText(line.style, vg.Point{X: n.at.X, Y: y - line.style.Font.Size/2}, line.text)
		y -= line.style.Font.Size
	}
}

// mostCovered is the fraction of a number that others may cover.
const mostCovered = 0.15

// drawWeights writes the weight on each edge, the largest first, where it does not cover another or
// a node. Where there is no such place it is left out; colour and width of the edge still show it.
func (l *layout) drawWeights(c draw.Canvas, taken []vg.Rectangle) {
	style := textStyle(smallSize-0.5, ink, text.XCenter, text.YCenter)
	for _, e := range l.edges {
		from, to := l.ends(e)
		label := weightLabel(e.weight)
		half := vg.Point{X: style.Width(label)/2 + 1.5, Y: style.Font.Size/2 + 0.5}
		best, least := vg.Rectangle{}, math.Inf(1)
		for _, t := range []vg.Length{0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8, 0.15, 0.85} {
			at := from.Add(to.Sub(from).Scale(t))
			r := vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
			if covered := overlap(r, taken); covered < least {
				best, least = r, covered
			}
		}
		if least > mostCovered*float64(4*half.X*half.Y) {
			continue // it would make two numbers unreadable
		}
		taken = append(taken, best)
		c.SetColor(paper)
		c.Fill(best.Path())
		c.FillText(style, vg.Point{X: (best.Min.X + best.Max.X) / 2, Y: (best.Min.Y + best.Max.Y) / 2}, label)
	}
}

// overlap returns the area of a rectangle that others cover.
func overlap(r vg.Rectangle, others []vg.Rectangle) float64 {
	area := 0.0
	for _, o := range others {
		w := min(r.Max.X, o.Max.X) - max(r.Min.X, o.Min.X)
		h := min(r.Max.Y, o.Max.Y) - max(r.Min.Y, o.Min.Y)
		if w > 0 && h > 0 {
			area += float64(w * h)
		}
	}
	return area
}
