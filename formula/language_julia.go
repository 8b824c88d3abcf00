package formula

import (
	"fmt"
	"regexp"
	"strings"
)

// juliaLanguage prints expressions over Float64. The function takes numbers; with a dot, as in predict.(x, y), it
// takes columns.
//
// Julia stops with an error where others have NaN, so the function has guards of the same names inside. It reads
// names in a normal form of its own, and refuses to read those of underscores alone.
var juliaLanguage = language{
	title:   "Julia",
	number:  floatLiteral,
	calls:   callsNamed(nil),
	power:   powerRules{op: "^", whole: true},
	program: true,
	guards: []guard{
		{"sin", "sin", "sin(u) = isfinite(u) ? Base.sin(u) : NaN"},
		{"cos", "cos", "cos(u) = isfinite(u) ? Base.cos(u) : NaN"},
		{"tan", "tan", "tan(u) = isfinite(u) ? Base.tan(u) : NaN"},
		{"log", "log", "log(u) = u < 0 ? NaN : Base.log(u)"},
		{"sqrt", "sqrt", "sqrt(u) = u < 0 ? NaN : Base.sqrt(u)"},
		{"asin", "asin", "asin(u) = abs(u) <= 1 ? Base.asin(u) : NaN"},
		{"acos", "acos", "acos(u) = abs(u) <= 1 ? Base.acos(u) : NaN"},
		{"^", "power", "power(u, v) = u < 0 && !isinteger(v) ? NaN : u^v"},
	},
	names: nameRules{
		reserved: "abstract as baremodule begin break catch ccall const continue do else elseif end export false " +
			"finally for function global if import in isa let local macro module mutable new outer primitive public quote " +
			"return struct true try type typealias using var where while " +
			plainNames + "power float isfinite isinteger Base Core Main NaN",
		letter:  func(r rune) bool { return plainLetter(r) && r != '\u025b' }, // ɛ, which is read as ε
		read:    plainSign,
		refused: regexp.MustCompile("^_+$"),
	},
	comment: "#",
	wrap:    function.julia,
}

// julia converts the inputs first: integers overflow.
func (f function) julia() string {
	var b strings.Builder
	fmt.Fprintf(&b, "function %s(%s)\n", f.name, strings.Join(f.inputs, ", "))
	for _, in := range f.used {
		fmt.Fprintf(&b, "    %s = float(%s)\n", in, in)
	}
	for _, g := range f.guards {
		fmt.Fprintf(&b, "    %s\n", g)
	}
	if len(f.values) == 1 {
		fmt.Fprintf(&b, "    return %s\nend\n", f.values[0])
		return b.String()
	}
	for i, v := range f.values {
		fmt.Fprintf(&b, "    %s = %s\n", f.outputs[i], v)
	}
	fmt.Fprintf(&b, "    return %s\nend\n", strings.Join(f.outputs, ", "))
	return b.String()
}
