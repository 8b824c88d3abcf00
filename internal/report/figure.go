package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing that can be written.
type Figure struct {
	title, words  string // for those who cannot see it
	width, height vg.Length
	draw          func(draw.Canvas) vg.Rectangle // returns where the axes are, if there are any
	hover         *hover                         // what the page shows of a figure under the pointer; nil for nothing
}

// Words returns what the figure shows, in words.
func (f *Figure) Words() string {
	if f.title == "" {
		return f.words
	}
	return f.title + ". " + f.words
}

// WriteSVG writes the figure as an SVG document, which also stands inside HTML. Text stays text,
// in a sans-serif font of the reader; title and description hold what [Figure.Words] says.
func (f *Figure) WriteSVG(w io.Writer) error {
	text, _ := f.svg()
	_, err := io.WriteString(w, text)
	return err
}

// dotsPerInch makes two dots a pixel: a point of the canvas, 1/72 inch, is a pixel of the figure.
const dotsPerInch = 144

// WritePNG writes the figure as a PNG with two dots for each pixel of its size.
func (f *Figure) WritePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(paper))
	f.draw(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

var (
	svgHead = regexp.MustCompile(`(?s)^.*?<svg[^>]*>\n`)
	svgFont = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:normal;font-style:normal;`)
	svgGap  = regexp.MustCompile(`"\s*\n\s*style="`)
)

// svg returns the document, with a head that names the figure and without the repetitions that vgsvg writes, and where
// its axes are.
func (f *Figure) svg() (text string, axes vg.Rectangle) {
	c := vgsvg.New(f.width, f.height)
	axes = f.draw(draw.New(c))
	var b bytes.Buffer
	c.WriteTo(&b) //nolint:errcheck // a buffer never fails
	body := svgHead.ReplaceAllString(b.String(), "")
	body = svgFont.ReplaceAllString(body, "")
	body = svgGap.ReplaceAllString(body, `" style="`)
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.5g" height="%.5g" viewBox="0 0 %[1]g %[2]g" `+
		`role="img" aria-label="%s" font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`,
		f.width.Points(), f.height.Points(), html.EscapeString(f.Words()))
	title := ""
	if f.title != "" {
		title = "<title>" + html.EscapeString(f.title) + "</title>"
	}
	return head + "\n" + title + "<desc>" + html.EscapeString(f.words) + "</desc>\n" + body, axes
}

var svgStyle = regexp.MustCompile(`style="[^"]*"`)

// variables are the colours of figures by the names that the page gives them, so that it can
// change them in the dark.
var variables = func() *strings.Replacer {
	names := map[string]color.NRGBA{"paper": paper, "ink": ink, "faint": faint, "grid": grid, "shade": shade,
		"points": pointGrey, "haze": haze}
	for i, c := range curveColours {
		names[fmt.Sprintf("c%d", i+1)] = c
	}
	var pairs []string
	for name, c := range names {
		hex := fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
		pairs = append(pairs, hex, "var(--"+name+","+hex+")")
	}
	return strings.NewReplacer(pairs...)
}()

// inline returns the figure to stand in the page, whose colours it takes, with what its script shows under the pointer.
// Text holds no double quotes that are not escaped, so a style is never text.
func (f *Figure) inline() string {
	text, axes := f.svg()
	text = svgStyle.ReplaceAllStringFunc(text, variables.Replace)
	if f.hover == nil {
		return text
	}
	return strings.Replace(text, "<svg ", `<svg data-hover="`+html.EscapeString(f.hover.json(axes, f.height))+`" `, 1)
}
