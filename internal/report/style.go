package report

import (
	"image/color"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// The colours of everything but data.
var (
	paper = rgb(0xFFFFFF)
	ink   = rgb(0x1F2933) // text, axes
	faint = rgb(0x616E7C) // ticks, marks, what is secondary
	grid  = rgb(0xD9DEE4)
	shade = rgb(0xE1EBF5) // the range of the data
	haze  = rgb(0xB4D2E7) // intervals around a curve
)

// The colours of curves (Okabe and Ito 2008), the darkest first; yellow is left out, which cannot
// be seen on white.
var curveColours = []color.NRGBA{
	rgb(0x0072B2), // blue
	rgb(0xD55E00), // vermilion
	rgb(0x009E73), // bluish green
	rgb(0xCC79A7), // reddish purple
	rgb(0xE69F00), // orange
	rgb(0x56B4E9), // sky blue
}

var curveDashes = [][]vg.Length{nil, {7, 3}, {2, 2}, {8, 3, 2, 3}, {4, 2}, {1, 2}}

func curveColour(i int) color.NRGBA { return curveColours[i%len(curveColours)] }

func rgb(c uint32) color.NRGBA {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 255}
}

// viridis holds the colours at 0, 0.1, … 1 of the map of that name (van der Walt and Smith 2015, CC0).
var viridis = [...]color.NRGBA{
	rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355F8D), rgb(0x2A788E), rgb(0x21918C),
	rgb(0x22A884), rgb(0x44BF70), rgb(0x7AD151), rgb(0xBDDF26), rgb(0xFDE725),
}

// valueColour returns the colour of t in [0, 1]; what lies outside has the colour of the end.
func valueColour(t float64) color.NRGBA {
	last := len(viridis) - 1
	at := min(max(t, 0), 1) * float64(last)
	i := min(int(at), last-1)
	part := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5) }
	a, b := viridis[i], viridis[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// textOn returns black or white, whichever can be read on a colour.
func textOn(c color.NRGBA) color.NRGBA {
	if 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 140 {
		return rgb(0x000000)
	}
	return paper
}

// The sizes of text.
const (
	textSize  = 12
	smallSize = 10
	titleSize = 13
)

// textStyle returns the style of text of a size and colour, with its alignment.
func textStyle(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: c, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
		Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
	}
}

// fit cuts a text to a width.
func fit(s string, style text.Style, room vg.Length) string {
	if style.Width(s) <= room {
		return s
	}
	letters := []rune(s)
	for len(letters) > 1 && style.Width(string(letters)+"…") > room {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}

// longestLabel is where names of columns are cut in figures, in characters.
const longestLabel = 40

// clean makes a foreign name fit for one line of a figure.
func clean(name string) string {
	name = visible(name)
	if r := []rune(name); len(r) > longestLabel {
		return string(r[:longestLabel-1]) + "…"
	}
	return name
}

// visible replaces characters that nobody sees by spaces.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
}
