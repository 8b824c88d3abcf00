package report

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HeatMap is a table of numbers as colours, with the numbers written into the cells.
type HeatMap struct {
	Title string // above the figure; "" for none

	X, Y, Value Axis     // Value is the colour; of X and Y only the names count
	Columns     []string // below the columns, from left to right
	Rows        []string // beside the rows, from bottom to top
	// Values[row][column]; a value that is not finite, or not positive on a logarithmic scale, is a
	// grey cell.
	Values [][]float64

	Width, Height float64 // of the figure, in pixels; 0: from the number of cells
}

// Figure lays the map out.
func (m HeatMap) Figure() *Figure {
	var all []float64
	for _, row := range m.Values {
		all = append(all, row...)
	}
	value := newScale(m.Value, all)
	fr := frame{
		title: clean(m.Title),
		x:     cells(m.X, len(m.Columns)), y: cells(m.Y, len(m.Rows)),
		xTicks: names(m.Columns, cellWidth-4), yTicks: names(m.Rows, 2*cellWidth),
		width: size(m.Width, 140+cellWidth*float64(len(m.Columns))), height: size(m.Height, 90+30*float64(len(m.Rows))),
		right: barRoom, beside: colourBar(value),
		layers: []layer{heat{m, value}},
	}
	return fr.figure(m.words())
}

// cells is the scale of n cells, the first around 0.
func cells(a Axis, n int) scale {
	a.Min, a.Max, a.Log = -0.5, math.Max(float64(n), 1)-0.5, false
	return newScale(a, nil)
}

// cellWidth is the width of a cell, in pixels.
const cellWidth = 54

func names(of []string, room vg.Length) plot.ConstantTicks {
	style := textStyle(smallSize, ink, text.XCenter, text.YTop)
	ticks := plot.ConstantTicks{}
	for i, name := range of {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: fit(clean(name), style, room)})
	}
	return ticks
}

func (m HeatMap) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s and %s.", m.Value.text(), m.Y.text(), m.X.text())
	for i, row := range m.Values[:min(len(m.Values), len(m.Rows))] {
		fmt.Fprintf(&b, " %s:", clean(m.Rows[i]))
		for j, v := range row[:min(len(row), len(m.Columns))] {
			fmt.Fprintf(&b, " %s at %s;", short(v), clean(m.Columns[j]))
		}
	}
	return b.String()
}

// heat draws the cells.
type heat struct {
	HeatMap
	value scale
}

// Plot implements plot.Plotter.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	for i, row := range h.Values[:min(len(h.Values), len(h.Rows))] {
		for j, v := range row[:min(len(row), len(h.Columns))] {
			r := vg.Rectangle{
				Min: vg.Point{X: c.X(p.X.Norm(float64(j) - 0.5)), Y: c.Y(p.Y.Norm(float64(i) - 0.5))},
				Max: vg.Point{X: c.X(p.X.Norm(float64(j) + 0.5)), Y: c.Y(p.Y.Norm(float64(i) + 0.5))},
			}
			colour := grid
			if t := (h.value.at(v) - h.value.min) / (h.value.max - h.value.min); !math.IsNaN(t) {
				colour = valueColour(t)
			}
			c.SetColor(colour)
			c.Fill(r.Path())
			label := cellLabel(v)
			style := textStyle(textSize, textOn(colour), text.XCenter, text.YCenter)
			if room := r.Size().X - 4; style.Width(label) > room {
				style.Font.Size *= max(room/style.Width(label), 0.5)
			}
			c.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, label)
		}
	}
}

// cellLabel writes a number in two or three digits.
func cellLabel(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return minus(strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e").Replace(fmt.Sprintf("%.2g", v)))
}
