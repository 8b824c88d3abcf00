package report

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/eqlearner/eql/formula"
)

// mathOf returns a formula as math elements, between which a line may break: at the signs between the terms of its sum,
// and between the factors of a long term. The page sets it smaller where the widest of them is wider than its room; a
// formula so wide that it would be too small to read is set as text.
func mathOf(name string, e formula.Expr, digits int) template.HTML {
	var pieces []string
	if name != "" {
		pieces = append(pieces, formula.Print(formula.Var(name), formula.MathML, 0)+`<mo form="infix">=</mo>`)
	}
	source := formula.Print(e, formula.MathML, digits)
	widest := 0.0
	for i, piece := range breakable(source) {
		pieces = append(pieces, sourceOf(source, piece, i > 0))
		widest = math.Max(widest, widthOf(piece, true))
	}
	if widest > widestMath {
		text := template.HTMLEscapeString(textOf(name, e, digits))
		return template.HTML("<code>" + text + "</code>") //nolint:gosec // escaped
	}
	for i, p := range pieces {
		pieces[i] = `<math display="inline" displaystyle="true">` + p + "</math>"
	}
	// of our own printer, which escapes names
	return template.HTML(fmt.Sprintf(`<span class="fit" style="--em:%.1f">`, widest) + //nolint:gosec // see above
		strings.Join(pieces, "&#8203;") + "</span>") // of no width, where a line may break
}

// textOf returns a formula as text, with the name of what it is for unless that is empty.
func textOf(name string, e formula.Expr, digits int) string {
	text := formula.Print(e, formula.Text, digits)
	if name == "" {
		return text
	}
	return formula.Print(formula.Var(name), formula.Text, 0) + " = " + text
}

// Widths in the size of the letters.
const (
	widestMath = 60
	longTerm   = 14 // which may break between its factors
)

// mathNode is an element of MathML: what it holds, and where it stands in the source.
type mathNode struct {
	tag, text  string
	kids       []mathNode
	start, end int64
}

// times is what is not written between factors.
const times = "\u2062"

// mathNodes reads MathML of our printer.
func mathNodes(mathml string) []mathNode {
	d := xml.NewDecoder(strings.NewReader("<r>" + mathml + "</r>"))
	const before = int64(len("<r>"))
	open := []mathNode{{}}
	for at := int64(0); ; at = d.InputOffset() - before {
		token, err := d.Token()
		top := len(open) - 1
		switch t := token.(type) {
		case nil:
			if err != nil || top != 0 {
				return open[0].kids
			}
		case xml.StartElement:
			open = append(open, mathNode{tag: t.Name.Local, start: at})
		case xml.EndElement:
			done := open[top]
			done.end = d.InputOffset() - before
			open = open[:top]
			if top == 1 {
				return done.kids
			}
			open[top-1].kids = append(open[top-1].kids, done)
		case xml.CharData:
			open[top].text += string(t)
		}
	}
}

// sourceOf returns the source of a piece; the sign that a later one begins with stands between it and the one before.
func sourceOf(source string, piece []mathNode, later bool) string {
	first, end := piece[0], piece[len(piece)-1].end
	if !later {
		return source[first.start:end]
	}
	sign := first.text
	if sign == times {
		sign = "⋅"
	}
	return `<mo form="infix">` + sign + "</mo>" + source[first.end:end]
}

// breakable cuts a formula before each plus and minus between the terms of its outermost sum, and long terms before
// each sign of their products, written or not.
func breakable(mathml string) (pieces [][]mathNode) {
	for _, term := range cut(mathNodes(mathml), "+", "−") {
		if widthOf(term, true) > longTerm {
			pieces = append(pieces, cut(term, times, "⋅")...)
		} else {
			pieces = append(pieces, term)
		}
	}
	return pieces
}

// cut cuts a row before operators that are not its first.
func cut(row []mathNode, operators ...string) (parts [][]mathNode) {
	start := 0
	for i, n := range row {
		if n.tag != "mo" || i == start {
			continue
		}
		for _, operator := range operators {
			if n.text == operator {
				parts = append(parts, row[start:i])
				start = i
			}
		}
	}
	return append(parts, row[start:])
}

// widthOf estimates how wide a row is, in the size of its letters.
func widthOf(row []mathNode, display bool) (width float64) {
	for _, n := range row {
		width += n.width(display)
	}
	return width
}

func (n mathNode) width(display bool) float64 {
	const small = 0.71 // of scripts
	kid := func(i int) float64 {
		if i >= len(n.kids) {
			return 0
		}
		return n.kids[i].width(display)
	}
	switch n.tag {
	case "mn", "mi", "mtext":
		return 0.53 * float64(utf8.RuneCountInString(n.text))
	case "mo":
		switch n.text {
		case "+", "−", "=":
			return 1.15
		case times, "\u2061":
			return 0.17
		}
		return 0.45 * float64(utf8.RuneCountInString(n.text))
	case "mfrac":
		size := 1.0
		if !display {
			size = small
		}
		display = false
		return 0.2 + size*math.Max(kid(0), kid(1))
	case "msup", "msub":
		return kid(0) + small*kid(1)
	case "msubsup":
		return kid(0) + small*math.Max(kid(1), kid(2))
	case "msqrt":
		return 0.9 + widthOf(n.kids, display)
	}
	return widthOf(n.kids, display)
}
