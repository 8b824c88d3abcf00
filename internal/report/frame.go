package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is a figure with two axes: a title, a legend, and layers of drawing between the axes.
type frame struct {
	title          string
	x, y           scale
	xTicks, yTicks plot.ConstantTicks // in place of those of the scales, when not nil
	legend         []entry
	layers         []layer
	marked         bool // marks have labels, which stand above the axes
	width, height  vg.Length
	right          vg.Length                           // kept free at the right, for a colour bar
	beside         func(c draw.Canvas, r vg.Rectangle) // draws there, beside the rectangle of the axes
}

// layer is what is drawn between the axes.
type layer = plot.Plotter

// points returns the coordinates of values.
func (f *frame) points(x, y []float64) []point {
	points := make([]point, min(len(x), len(y)))
	for i := range points {
		points[i] = point{f.x.at(x[i]), f.y.at(y[i])}
	}
	return points
}

func (f *frame) figure(words string) *Figure {
	return &Figure{title: f.title, words: words, width: f.width, height: f.height, draw: f.draw}
}

// outer is the room around everything.
const outer = 6

func (f *frame) draw(c draw.Canvas) vg.Rectangle {
	c.SetColor(paper)
	c.Fill(c.Path())
	c = draw.Crop(c, outer, -outer-f.right, outer, -outer)
	if f.title != "" {
		style := textStyle(titleSize, ink, text.XCenter, text.YTop)
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y}, f.title)
		c.Max.Y -= titleSize + 6
	}
	c.Max.Y -= drawLegend(c, f.legend)
	if f.marked {
		c.Max.Y -= smallSize + 2
	}
	p := f.plot()
	p.Draw(c)
	axes := p.DataCanvas(c).Rectangle
	if f.beside != nil {
		f.beside(c, axes)
	}
	return axes
}

// verticalRoom is how much longer vertical axes are at both ends than the values need.
const verticalRoom = 0.04

// plot returns the axes and layers as gonum knows them.
func (f *frame) plot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	x, y := f.x, f.y.padded(verticalRoom)
	for _, axis := range []struct {
		*plot.Axis
		scale
	}{{&p.X, x}, {&p.Y, y}} {
		a := axis.Axis
		a.Min, a.Max = axis.min, axis.max
		a.Padding = 0
		a.Color, a.Width = faint, 0.8
		a.Label.Text = axis.text()
		a.Label.Padding = 3
		a.Label.TextStyle = textStyle(textSize, ink, text.XCenter, text.YBottom)
		a.Tick.LineStyle = draw.LineStyle{Color: faint, Width: 0.8}
		a.Tick.Length = 4
		a.Tick.Marker = axis.scale
	}
	if f.xTicks != nil {
		p.X.Tick.Marker, p.X.Tick.Length = f.xTicks, 0
	}
	if f.yTicks != nil {
		p.Y.Tick.Marker, p.Y.Tick.Length = f.yTicks, 0
	}
	p.X.Label.Text = fit(p.X.Label.Text, p.X.Label.TextStyle, f.width-f.right-40)
	p.Y.Label.Text = fit(p.Y.Label.Text, p.Y.Label.TextStyle, f.height-50)
	p.X.Tick.Label = textStyle(smallSize, ink, text.XCenter, text.YTop)
	p.Y.Tick.Label = textStyle(smallSize, ink, text.XRight, text.YCenter)
	p.Add(f.layers...)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.min, x.max, y.min, y.max
	return p
}

// entry is a line of the legend.
type entry struct {
	label  string
	sample func(c draw.Canvas, at vg.Point) // draws in sampleWidth to the right of at
}

const sampleWidth = 20

// drawLegend draws the entries with labels in as many lines as they need, at the top of c, and
// returns their height.
func drawLegend(c draw.Canvas, entries []entry) vg.Length {
	const lineHeight, gap = textSize + 5, 12
	style := textStyle(smallSize, ink, text.XLeft, text.YCenter)
	at := vg.Point{X: c.Min.X, Y: c.Max.Y - lineHeight/2}
	lines := vg.Length(0)
	for _, e := range entries {
		if e.label == "" {
			continue
		}
		e.label = fit(e.label, style, c.Max.X-c.Min.X-sampleWidth-4)
		width := sampleWidth + 4 + style.Width(e.label)
		if lines == 0 {
			lines = 1
		} else if at.X+width > c.Max.X {
			at = vg.Point{X: c.Min.X, Y: at.Y - lineHeight}
			lines++
		}
		e.sample(c, at)
		c.FillText(style, vg.Point{X: at.X + sampleWidth + 4, Y: at.Y}, e.label)
		at.X += width + gap
	}
	if lines == 0 {
		return 0
	}
	return lines*lineHeight + 4
}

// swatch is the sample of a shaded range.
func swatch(colour color.Color) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		c.SetColor(colour)
		r := vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - 5}, Max: vg.Point{X: at.X + sampleWidth, Y: at.Y + 5}}
		c.Fill(r.Path())
	}
}

// sample draws a look for the legend.
func (l look) sample(c draw.Canvas, at vg.Point) {
	if l.line.Width > 0 {
		c.StrokeLine2(l.line, at.X, at.Y, at.X+sampleWidth, at.Y)
	}
	if l.radius > 0 {
		l.glyphs(c, []vg.Point{{X: at.X + sampleWidth/2, Y: at.Y}})
	}
}

// glyphs draws marks of a shape as one path: circles, squares, triangles and diamonds.
func (l look) glyphs(c draw.Canvas, at []vg.Point) {
	if len(at) == 0 {
		return
	}
	var p vg.Path
	for _, q := range at {
		corners := [][]vg.Point{nil,
			{{X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}},
			{{X: 0, Y: 1.3}, {X: -1.1, Y: -0.8}, {X: 1.1, Y: -0.8}},
			{{X: 0, Y: 1.3}, {X: -1.3, Y: 0}, {X: 0, Y: -1.3}, {X: 1.3, Y: 0}},
		}[l.shape%4]
		if corners == nil {
			p.Move(vg.Point{X: q.X + l.radius, Y: q.Y})
			p.Arc(q, l.radius, 0, 2*math.Pi)
		}
		for i, corner := range corners {
			if to := q.Add(corner.Scale(l.radius)); i == 0 {
				p.Move(to)
			} else {
				p.Line(to)
			}
		}
		p.Close()
	}
	c.SetColor(l.colour)
	c.Fill(p)
}
