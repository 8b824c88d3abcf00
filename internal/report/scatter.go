package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scatter is points in the plane of two quantities, coloured by a third: instances by validation
// error, sparsity and extrapolation error.
type Scatter struct {
	Title string // above the figure; "" for none

	X, Y, Value Axis // Value is the colour
	// Xs, Ys and Values are the points, as many of each. A point whose value is not finite, or not
	// positive on a logarithmic scale, is a grey ring.
	Xs, Ys, Values []float64
	Chosen         []int    // indices of points that are ringed
	Notes          []string // written beside the points; may be shorter than Xs

	Width, Height float64 // of the figure, in pixels; 0: 420 and 300
}

// Figure lays the scatter out.
func (s Scatter) Figure() *Figure {
	value := newScale(s.Value, s.Values)
	fr := frame{
		title: clean(s.Title), x: newScale(s.X, s.Xs).padded(0.04), y: newScale(s.Y, s.Ys),
		width: size(s.Width, 420), height: size(s.Height, 300), right: barRoom,
		beside: colourBar(value),
	}
	points := fr.points(s.Xs, s.Ys)
	d := cloud{points: points, notes: s.Notes}
	for _, i := range s.Chosen {
		if i >= 0 && i < len(points) {
			d.chosen = append(d.chosen, points[i])
		}
	}
	for i := range points {
		t := math.NaN()
		if i < len(s.Values) {
			t = (value.at(s.Values[i]) - value.min) / (value.max - value.min)
		}
		d.values = append(d.values, t)
	}
	if len(d.chosen) > 0 {
		fr.legend = append(fr.legend, entry{"chosen", func(c draw.Canvas, at vg.Point) {
			ring(c, []vg.Point{{X: at.X + sampleWidth/2, Y: at.Y}}, chosenRing)
		}})
	}
	if slices.ContainsFunc(d.values, math.IsNaN) {
		fr.legend = append(fr.legend, entry{"not finite", func(c draw.Canvas, at vg.Point) {
			ring(c, []vg.Point{{X: at.X + sampleWidth/2, Y: at.Y}}, otherRing)
		}})
	}
	fr.layers = []layer{gridLines{}, d}
	return fr.figure(s.words(value))
}

func (s Scatter) words(value scale) string {
	return fmt.Sprintf("%d points: %s against %s, coloured by %s from %s to %s; %d are marked as chosen.",
		len(s.Xs), s.Y.text(), s.X.text(), s.Value.text(), short(value.value(value.min)),
		short(value.value(value.max)), len(s.Chosen))
}

// cloud draws coloured points.
type cloud struct {
	points, chosen []point
	values         []float64 // 0 to 1
	notes          []string
}

const (
	cloudRadius = 3
	chosenRing  = 6
	otherRing   = 2.6
	levels      = 40 // of colour: points of one are one path
)

// Plot implements plot.Plotter.
func (d cloud) Plot(c draw.Canvas, p *plot.Plot) {
	byLevel := make([][]vg.Point, levels)
	var none, chosen []vg.Point
	note := textStyle(smallSize, ink, text.XLeft, text.YCenter)
	for i, q := range d.points {
		at, ok := place(&c, p, q)
		if !ok || !c.Contains(at) {
			continue
		}
		if t := d.values[i]; math.IsNaN(t) {
			none = append(none, at)
		} else {
			k := min(max(int(t*levels), 0), levels-1)
			byLevel[k] = append(byLevel[k], at)
		}
		if i < len(d.notes) && d.notes[i] != "" {
			c.FillText(note, at.Add(vg.Point{X: 7}), clean(d.notes[i]))
		}
	}
	ring(c, none, otherRing)
	for k, at := range byLevel {
		look{colour: valueColour((float64(k) + 0.5) / levels), radius: cloudRadius}.glyphs(c, at)
	}
	for _, q := range d.chosen {
		if at, ok := place(&c, p, q); ok && c.Contains(at) {
			chosen = append(chosen, at)
		}
	}
	ring(c, chosen, chosenRing)
}

// ring draws circles.
func ring(c draw.Canvas, at []vg.Point, radius vg.Length) {
	var p vg.Path
	for _, q := range at {
		p.Move(vg.Point{X: q.X + radius, Y: q.Y})
		p.Arc(q, radius, 0, 2*math.Pi)
		p.Close()
	}
	style := draw.LineStyle{Color: faint, Width: 1}
	if radius == chosenRing {
		style = draw.LineStyle{Color: curveColour(1), Width: 1.8}
	}
	if len(p) > 0 {
		c.SetLineStyle(style)
		c.Stroke(p)
	}
}

const (
	barRoom  = 64 // at the right of a figure, for the colour bar
	barWidth = 12
)

// colourBar returns what draws the colours of a scale beside the axes.
func colourBar(s scale) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, r vg.Rectangle) {
		const parts = 50
		left := c.Max.X + 12
		height := r.Max.Y - r.Min.Y
		for i := range parts {
			low := r.Min.Y + height*vg.Length(i)/parts
			cell := vg.Rectangle{Min: vg.Point{X: left, Y: low},
				Max: vg.Point{X: left + barWidth, Y: min(low+height/parts+0.5, r.Max.Y)}}
			c.SetColor(valueColour((float64(i) + 0.5) / parts))
			c.Fill(cell.Path())
		}
		number := textStyle(smallSize, ink, text.XLeft, text.YCenter)
		for _, t := range s.Ticks(s.min, s.max) {
			at := (t.Value - s.min) / (s.max - s.min)
			if t.IsMinor() || at < -1e-9 || at > 1+1e-9 {
				continue
			}
			y := r.Min.Y + height*vg.Length(at)
			c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.8}, left+barWidth, y, left+barWidth+3, y)
			c.FillText(number, vg.Point{X: left + barWidth + 5, Y: y}, t.Label)
		}
		label := textStyle(textSize, ink, text.XRight, text.YBottom)
		c.FillText(label, vg.Point{X: c.Max.X + barRoom, Y: r.Max.Y + 4}, s.text())
	}
}
