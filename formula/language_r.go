package formula

import (
	"fmt"
	"regexp"
	"strings"
)

// rLanguage prints expressions over numeric vectors. No function is called predict, which R calls for its own models.
var rLanguage = language{
	title:   "R",
	number:  formatNumber,
	calls:   callsNamed(map[Func]string{Min: "pmin", Max: "pmax"}),
	power:   powerRules{op: "^"},
	program: true,
	names: nameRules{
		reserved: "if else repeat while function for next break TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_ " +
			"NA_complex_ " +
			"NA_character_ in " + plainNames + "pmin pmax as list numeric",
		functions: regexp.MustCompile("^predict$"),
		letter:    asciiLetter, // what other letters are depends on the locale
		refused:   regexp.MustCompile("^_"),
	},
	comment: "#",
	wrap:    function.r,
}

// r converts the inputs first: products of integers overflow.
func (f function) r() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s <- function(%s) {\n", f.name, strings.Join(f.inputs, ", "))
	for _, in := range f.used {
		fmt.Fprintf(&b, "    %s <- as.numeric(%s)\n", in, in)
	}
	if len(f.values) == 1 {
		fmt.Fprintf(&b, "    %s\n}\n", f.values[0])
		return b.String()
	}
	for i, v := range f.values {
		f.values[i] = f.outputs[i] + " = " + v
	}
	fmt.Fprintf(&b, "    list(\n        %s\n    )\n}\n", strings.Join(f.values, ",\n        "))
	return b.String()
}
