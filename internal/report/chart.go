package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Axis is a quantity along a side of a figure, or in colours.
type Axis struct {
	Label string // the name of a column
	Unit  string // written behind it, in parentheses; "" without
	Log   bool   // logarithmic; values that are not positive are left out
	// Min < Max fix the range. Otherwise it is that of the data, and a vertical axis leaves out
	// where curves run far away from it.
	Min, Max float64
}

// text returns the label with its unit.
func (a Axis) text() string {
	if a.Unit == "" {
		return clean(a.Label)
	}
	return clean(a.Label) + " (" + clean(a.Unit) + ")"
}

// Style is how a series is drawn.
type Style uint8

// The styles.
const (
	Curve  Style = iota // a line through the points, in order of X as given; NaN breaks it
	Dots                // a mark at each point
	Joined              // marks joined by a line
	Truth               // the line of what is known: thin, dashed, in the colour of text
	Faint               // marks in grey, behind all others: the data
)

// Series is one set of points of a [Chart].
type Series struct {
	Name  string    // in the legend; "" for none
	X, Y  []float64 // as many of each
	Style Style
	// Low and High are the ends of an interval around each Y, shaded behind a curve; nil for none.
	Low, High []float64
	Interval  string // in the legend
	// On a page the pointer shows the values of a point, with a label and its number, such as row 12. A click on it leads
	// to the element whose id is Link and the number, where Link is not empty.
	Label   string
	Numbers []int
	Link    string
}

// Band is a range of X that is shaded, such as that of the training data.
type Band struct {
	From, To float64
	Label    string
}

// Mark is a vertical line at a value of X.
type Mark struct {
	At    float64
	Label string
}

// Chart is curves and points over one quantity.
type Chart struct {
	Title  string // above the figure; "" for none
	X, Y   Axis
	Series []Series // curves and dots take colours in this order
	Bands  []Band
	Marks  []Mark

	Width, Height float64 // of the figure, in pixels; 0: 360 and 260
}

const (
	defaultWidth  = 360
	defaultHeight = 260
)

// Figure lays the chart out.
func (c Chart) Figure() *Figure {
	fr := frame{
		title: clean(c.Title), x: newScale(c.X, c.xs()), y: newScale(c.Y, c.ys()),
		width: size(c.Width, defaultWidth), height: size(c.Height, defaultHeight),
	}
	var behind, front []layer
	for _, b := range c.Bands {
		behind = append(behind, band{fr.x.at(b.From), fr.x.at(b.To)})
		fr.legend = append(fr.legend, entry{clean(b.Label), swatch(shade)})
	}
	behind = append(behind, gridLines{})
	for _, m := range c.Marks {
		behind = append(behind, mark{fr.x.at(m.At), clean(m.Label)})
		fr.marked = fr.marked || m.Label != ""
	}
	colour, glyphs := 0, false
	for _, s := range c.Series {
		look := s.Style.look(colour)
		if s.Style != Truth && s.Style != Faint {
			colour++
		}
		glyphs = glyphs || look.radius > 0
		if s.Low != nil {
			behind = append(behind, ribbon{fr.points(s.X, s.Low), fr.points(s.X, s.High)})
		}
		l := series{points: fr.points(s.X, s.Y), look: look}
		if s.Style == Faint {
			behind = append(behind, l)
		} else {
			front = append(front, l)
		}
		fr.legend = append(fr.legend, entry{clean(s.Name), look.sample})
		if s.Low != nil {
			fr.legend = append(fr.legend, entry{clean(s.Interval), swatch(haze)})
		}
	}
	if glyphs { // which would lie on the axis
		fr.x = fr.x.padded(0.03)
	}
	fr.layers = append(behind, front...)
	f := fr.figure(c.words())
	f.hover = &hover{fr.x, fr.y.padded(verticalRoom), c.Series}
	return f
}

func size(given, standard float64) vg.Length {
	if given > 0 {
		return vg.Length(given)
	}
	return vg.Length(standard)
}

// xs returns all values of X.
func (c Chart) xs() (all []float64) {
	for _, s := range c.Series {
		all = append(all, s.X...)
	}
	for _, b := range c.Bands {
		all = append(all, b.From, b.To)
	}
	for _, m := range c.Marks {
		all = append(all, m.At)
	}
	return all
}

// runaway is how far, in spans of the values that matter, a curve may lead the vertical axis away
// from them.
const runaway = 1.0

// ys returns the values of Y that the axis shows: those of dots and of the truth, else of the curves
// inside the first band, else all; and of the other curves what lies near them.
func (c Chart) ys() []float64 {
	var matter, inside, all []float64
	for _, s := range c.Series {
		all = append(append(all, s.Low...), s.High...)
		for i, y := range s.Y[:min(len(s.X), len(s.Y))] {
			all = append(all, y)
			if s.Style != Curve {
				matter = append(matter, y)
			} else if len(c.Bands) > 0 && s.X[i] >= c.Bands[0].From && s.X[i] <= c.Bands[0].To {
				inside = append(inside, y)
			}
		}
	}
	if len(matter) == 0 {
		matter = inside
	}
	if c.Y.Log || len(matter) == 0 {
		return all
	}
	low, high := bounds(matter)
	reach := runaway * (high - low)
	near := slices.Clone(matter)
	for _, y := range all {
		near = append(near, math.Min(math.Max(y, low-reach), high+reach))
	}
	return near
}

// words says what the chart shows.
func (c Chart) words() string {
	var b strings.Builder
	x, y := newScale(c.X, c.xs()), newScale(c.Y, c.ys())
	fmt.Fprintf(&b, "%s against %s. %s %s, %s %s.", c.Y.text(), c.X.text(),
		c.X.text(), ends(x.value(x.min), x.value(x.max)), c.Y.text(), ends(y.value(y.min), y.value(y.max)))
	for _, s := range c.Series {
		if s.Name == "" {
			continue
		}
		what := "Curve"
		if s.Style == Dots || s.Style == Joined || s.Style == Faint {
			what = fmt.Sprintf("%d points", len(s.X))
		}
		fmt.Fprintf(&b, " %s: %s.", what, clean(s.Name))
	}
	for _, s := range c.Series {
		if s.Low != nil {
			fmt.Fprintf(&b, " Shaded around the curve: %s.", clean(s.Interval))
		}
	}
	for _, band := range c.Bands {
		fmt.Fprintf(&b, " Shaded: %s, %s.", clean(band.Label), ends(band.From, band.To))
	}
	return b.String()
}

// look is how a series is drawn: a line, glyphs, or both.
type look struct {
	line   draw.LineStyle // of width 0: none
	colour color.Color    // of the glyphs
	radius vg.Length      // 0: none
	shape  int
}

func (s Style) look(i int) look {
	c := curveColour(i)
	line := draw.LineStyle{Color: c, Width: 1.8, Dashes: curveDashes[i%len(curveDashes)]}
	switch s {
	case Dots:
		return look{colour: c, radius: 2.4, shape: i}
	case Joined:
		return look{line: draw.LineStyle{Color: c, Width: 1.2}, colour: c, radius: 2.6, shape: i}
	case Truth:
		return look{line: draw.LineStyle{Color: ink, Width: 1.2, Dashes: []vg.Length{4, 3}}}
	case Faint:
		return look{colour: pointGrey, radius: 1.8}
	}
	return look{line: line}
}

// pointGrey is the colour of data behind curves.
var pointGrey = rgb(0x9AA5B1)
