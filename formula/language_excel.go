package formula

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// excelLanguage prints formulas over defined names, for spreadsheets in English.
//
// -2^2 is 4 there, so powers are calls. Exponentials do not overflow to infinity but to an error, so the sigmoid
// stops short of that. Names are not names that look like cells: x1, or r1c1 and its parts, in German and French as
// well.
var excelLanguage = language{
	title:  "Excel",
	number: excelLiteral,
	calls: map[Func]string{
		Sin: "SIN", Cos: "COS", Tan: "TAN", Exp: "EXP", Log: "LN", Sqrt: "SQRT", Tanh: "TANH",
		Asin: "ASIN", Acos: "ACOS", Atan: "ATAN", Sinh: "SINH", Cosh: "COSH", Abs: "ABS", Min: "MIN", Max: "MAX",
		Sigmoid: "(1/(1 + EXP(-MAX(%s, -700))))",
	},
	power:   powerRules{op: "POWER", call: true},
	program: true,
	names: nameRules{
		reserved: "TRUE FALSE SIN COS TAN EXP LN SQRT TANH ASIN ACOS ATAN SINH COSH ABS MIN MAX POWER AND OR NOT IF PI",
		letter:   plainLetter,
		refused:  regexp.MustCompile(`(?i)^([a-z]{1,3}[0-9]+|[rlz]?[0-9]*[cs]?[0-9]*|_*)$`),
		prefix:   "_",
		anyCase:  true,
		longest:  255,
	},
	comment: "#",
	wrap:    function.excel,
}

// excelLiteral writes the 15 digits that Excel reads.
func excelLiteral(v float64) string {
	const digits = 15
	if r := roundNumber(v, digits); !math.IsInf(r, 0) {
		v = r
	}
	return strings.ToUpper(formatNumber(v))
}

// excel explains the names and writes a formula for each output.
func (f function) excel() string {
	var b strings.Builder
	b.WriteString("# With decimal points, and commas between arguments, as spreadsheets in English have them.\n")
	if len(f.used) > 0 {
		fmt.Fprintf(&b, "# Give the cell or column of each input its name (Formulas, Define Name): %s\n",
			strings.Join(f.used, ", "))
	}
	for i, v := range f.values {
		fmt.Fprintf(&b, "# Enter in the cell of %s:\n=%s\n", f.outputs[i], v)
	}
	return b.String()
}
