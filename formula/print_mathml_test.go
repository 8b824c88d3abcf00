package formula

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMathML(t *testing.T) {
	const times, apply = `<mo rspace="0.167em">&#x2062;</mo>`, "<mo>&#x2061;</mo>"
	x1 := "<msub><mi>x</mi><mn>1</mn></msub>"
	tests := []struct {
		name   string
		digits int
		in     string
		want   string
	}{
		{"coefficient", 0, "0.5*x1", "<mn>0.5</mn>" + times + x1},
		{"minus", 0, "-sin(x1)", "<mo>−</mo><mrow><mi>sin</mi>" + apply + "<mrow><mo>(</mo>" + x1 +
			"<mo>)</mo></mrow></mrow>"},
		{"sum", 0, "x - y + 2", "<mi>x</mi><mo>−</mo><mi>y</mi><mo>+</mo><mn>2</mn>"},
		{"minus a sum", 0, "x - (y + 1)",
			"<mi>x</mi><mo>−</mo><mrow><mo>(</mo><mi>y</mi><mo>+</mo><mn>1</mn><mo>)</mo></mrow>"},
		{"fraction", 0, "-x/(2*y)", "<mo>−</mo><mfrac><mi>x</mi><mrow><mn>2</mn>" + times + "<mi>y</mi></mrow></mfrac>"},
		{"inverse", 0, "1/x", "<mfrac><mn>1</mn><mi>x</mi></mfrac>"},
		{"power", 0, "(x + 1)^2", "<msup><mrow><mo>(</mo><mi>x</mi><mo>+</mo><mn>1</mn><mo>)</mo></mrow><mn>2</mn></msup>"},
		{"power of a subscript", 0, "x1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"},
		{"power of a function", 0, "cos(x)^2", "<msup><mi>cos</mi><mn>2</mn></msup>" + apply +
			"<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>"},
		{"negative exponent", 0, "2^(-x)", "<msup><mn>2</mn><mrow><mo>−</mo><mi>x</mi></mrow></msup>"},
		{"root and logarithm", 0, "sqrt(x) + log(x)", "<msqrt><mi>x</mi></msqrt><mo>+</mo><mrow><mi>ln</mi>" + apply +
			"<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow>"},
		{"power of ten", 0, "1.5e-7*x",
			"<mn>1.5</mn><mo>⋅</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>7</mn></mrow></msup>" + times + "<mi>x</mi>"},
		{"negative power of ten", 0, "-1e9", "<mo>−</mo><msup><mn>10</mn><mn>9</mn></msup>"},
		{"number after factor", 0, "x*2^y", "<mi>x</mi><mo>⋅</mo><msup><mn>2</mn><mi>y</mi></msup>"},
		{"words", 0, "2*mass*speed^2*x",
			"<mn>2</mn>" + times + "<mi>mass</mi><mo>⋅</mo><msup><mi>speed</mi><mn>2</mn></msup>" + times + "<mi>x</mi>"},
		{"digits", 2, "0.123456*x", "<mn>0.12</mn>" + times + "<mi>x</mi>"},
		{"pi", 4, "sin(3.141592653589793*x)", "<mrow><mi>sin</mi>" + apply + "<mrow><mo>(</mo><mi>π</mi>" + times +
			"<mi>x</mi><mo>)</mo></mrow></mrow>"},
		{"names", 0, "speed_max + `a b`", "<msub><mi>speed</mi><mi>max</mi></msub><mo>+</mo><mi>a\u00a0b</mi>"},
		{"markup in a name", 0, "`<script>&\"'`", "<mi>&lt;script&gt;&amp;&quot;&#39;</mi>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Print(MustParse(tt.in), MathML, tt.digits); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// mathmlChildren is how many elements MathML Core wants in those that take a fixed number.
var mathmlChildren = map[string]int{"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3}

// TestMathMLIsWellFormed prints random expressions, and names of bytes that XML does not allow.
func TestMathMLIsWellFormed(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	r := rand.New(rand.NewPCG(5, 6))
	exprs := []Expr{Mul(Var("\x00\x01\xff<b>"), Var("a\tb\n")), Var(""), Var("\ufffe"), Var("x_"),
		Pow(number(1e-9), Var("]]>"))}
	for range 500 {
		exprs = append(exprs, randomExpr(r, 6))
	}
	for _, e := range exprs {
		for _, digits := range []int{0, 4} {
			text := Print(e, MathML, digits)
			if err := checkMathML("<math>" + text + "</math>"); err != nil {
				t.Errorf("%v: %v\n%s", e, err, text)
			}
		}
	}
}

func checkMathML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	var open []string
	count := []int{0}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			count[len(count)-1]++
			count = append(count, 0)
			open = append(open, token.Name.Local)
		case xml.EndElement:
			last := len(open) - 1
			if want, ok := mathmlChildren[open[last]]; ok && count[last+1] != want {
				return errors.New(open[last] + " has not as many elements in it as it needs")
			}
			open, count = open[:last], count[:last+1]
		}
	}
}
