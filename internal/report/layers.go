package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// point is a place in coordinates of the axes; NaN is nowhere.
type point struct{ x, y float64 }

// place returns where a point is on the canvas, ok = false when nowhere. What is far outside is
// brought nearer, so that the arithmetic of clipping has no infinities.
func place(c *draw.Canvas, p *plot.Plot, q point) (at vg.Point, ok bool) {
	const far = 1e3
	x, y := p.X.Norm(q.x), p.Y.Norm(q.y)
	if math.IsNaN(x) || math.IsNaN(y) {
		return at, false
	}
	return vg.Point{X: c.X(min(max(x, -far), far)), Y: c.Y(min(max(y, -far), far))}, true
}

// series draws a line, glyphs, or both.
type series struct {
	points []point
	look
}

// Plot implements plot.Plotter.
func (s series) Plot(c draw.Canvas, p *plot.Plot) {
	var runs [][]vg.Point
	var run, glyphs []vg.Point
	for _, q := range s.points {
		at, ok := place(&c, p, q)
		if !ok {
			runs, run = append(runs, run), nil
			continue
		}
		run = append(run, at)
		if c.Contains(at) {
			glyphs = append(glyphs, at)
		}
	}
	runs = append(runs, run)
	if s.line.Width > 0 {
		strokeAll(c, s.line, c.ClipLinesXY(runs...))
	}
	if s.radius > 0 {
		s.glyphs(c, glyphs)
	}
}

// strokeAll draws lines as one path.
func strokeAll(c draw.Canvas, style draw.LineStyle, lines [][]vg.Point) {
	var path vg.Path
	for _, line := range lines {
		for i, at := range line {
			if i == 0 {
				path.Move(at)
			} else {
				path.Line(at)
			}
		}
	}
	if len(path) == 0 {
		return
	}
	c.SetLineStyle(style)
	c.Stroke(path)
}

// band shades a range of x.
type band struct{ from, to float64 }

// Plot implements plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	from, to := p.X.Norm(b.from), p.X.Norm(b.to)
	if math.IsNaN(from) || math.IsNaN(to) {
		return
	}
	r := c.Rectangle
	r.Min.X, r.Max.X = c.X(min(max(from, 0), 1)), c.X(min(max(to, 0), 1))
	c.SetColor(shade)
	c.Fill(r.Path())
}

// ribbon shades what is between two curves over the same x, where both are.
type ribbon struct{ low, high []point }

// Plot implements plot.Plotter.
func (r ribbon) Plot(c draw.Canvas, p *plot.Plot) {
	var low, high []vg.Point
	fill := func() {
		if len(low) > 1 {
			slices.Reverse(high)
			c.FillPolygon(haze, c.ClipPolygonXY(append(low, high...)))
		}
		low, high = nil, nil
	}
	for i := range r.low {
		from, below := place(&c, p, r.low[i])
		to, above := place(&c, p, r.high[i])
		if !below || !above {
			fill()
			continue
		}
		low, high = append(low, from), append(high, to)
	}
	fill()
}

// mark is a vertical line with its label above the axes.
type mark struct {
	at    float64
	label string
}

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	at := p.X.Norm(m.at)
	if !(at >= 0 && at <= 1) {
		return
	}
	x := c.X(at)
	c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.9, Dashes: []vg.Length{1.5, 2.5}}, x, c.Min.Y, x, c.Max.Y)
	c.FillText(textStyle(smallSize, faint, text.XCenter, text.YBottom), vg.Point{X: x, Y: c.Max.Y + 2}, m.label)
}

// gridLines draws a horizontal line at each labelled tick of y.
type gridLines struct{}

// Plot implements plot.Plotter.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	var lines [][]vg.Point
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := p.Y.Norm(t.Value); !t.IsMinor() && at >= 0 && at <= 1 {
			lines = append(lines, []vg.Point{{X: c.Min.X, Y: c.Y(at)}, {X: c.Max.X, Y: c.Y(at)}})
		}
	}
	strokeAll(c, draw.LineStyle{Color: grid, Width: 0.8}, lines)
}
