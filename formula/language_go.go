package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// goLanguage prints expressions over float64 with package math.
var goLanguage = language{
	title:   "Go",
	comment: "//",
	number:  goLiteral,
	calls: map[Func]string{
		Sin: "math.Sin", Cos: "math.Cos", Tan: "math.Tan", Exp: "math.Exp", Log: "math.Log", Sqrt: "math.Sqrt",
		Tanh: "math.Tanh", Asin: "math.Asin", Acos: "math.Acos", Atan: "math.Atan", Sinh: "math.Sinh", Cosh: "math.Cosh",
		Abs: "math.Abs", Min: "min", Max: "max",
	},
	power:   powerRules{op: "math.Pow", call: true},
	inf:     "math.Inf(1)",
	program: true,
	names: nameRules{
		reserved: "break case chan const continue default defer else fallthrough for func go goto if import " +
			"interface " +
			"map package range return select struct switch type var math float64 min max _",
		functions: regexp.MustCompile("^(init|main)$"),
		letter:    unicode.IsLetter,
	},
	wrap: function.golang,
}

func (f function) golang() string {
	var b strings.Builder
	if slices.ContainsFunc(f.values, func(v string) bool { return strings.Contains(v, "math.") }) {
		b.WriteString("import \"math\"\n\n")
	}
	params := ""
	if len(f.inputs) > 0 {
		params = strings.Join(f.inputs, ", ") + " float64"
	}
	if len(f.values) == 1 {
		fmt.Fprintf(&b, "func %s(%s) float64 {\n\treturn %s\n}\n", f.name, params, f.values[0])
		return b.String()
	}
	fmt.Fprintf(&b, "func %s(%s) (%s float64) {\n", f.name, params, strings.Join(f.outputs, ", "))
	for i, v := range f.values {
		fmt.Fprintf(&b, "\t%s = %s\n", f.outputs[i], v)
	}
	b.WriteString("\treturn\n}\n")
	return b.String()
}
