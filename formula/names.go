package formula

import (
	"fmt"
	"strings"
	"unicode"
)

// reserved are words that no variable can be called in a form.
var reserved = map[Form]string{
	Go: "break case chan const continue default defer else fallthrough for func go goto if import interface " +
		"map package range return select struct switch type var math float64 _",
	Python: "False None True and as assert async await break class continue def del elif else except finally for " +
		"from global if import in is lambda nonlocal not or pass raise return try while with yield np",
	SymPy: "False None True and as assert async await break class continue def del elif else except finally for " +
		"from global if import in is lambda nonlocal not or pass raise return try while with yield " +
		"E I N O Q S C pi oo zoo nan beta gamma zeta sin cos tan exp log sqrt tanh symbols",
	C: "auto break case char const continue default do double else enum extern float for goto if inline int long " +
		"register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
		"sin cos tan exp log sqrt tanh pow asm typeof linux unix NAN INFINITY HUGE_VAL M_PI M_E EOF NULL",
}

// reservedFunctions are words that no function can be called in a form, though variables can.
var reservedFunctions = map[Form]string{
	Go: "init main",
	C: "main acos acosh asin asinh atan atan2 atanh cbrt ceil cosh erf erfc exp2 expm1 fabs fdim floor fma fmax fmin " +
		"fmod frexp gamma hypot j0 j1 jn ldexp lgamma log10 log1p log2 logb modf nan rint round sinh tgamma trunc y0 y1 yn",
}

// languageNames returns a valid name in the form for each variable. For forms without rules
// of their own it returns nil.
func languageNames(form Form, vars []string) map[string]string {
	if _, ok := reserved[form]; !ok {
		return nil
	}
	names := make(map[string]string, len(vars))
	for i, id := range distinctNames(form, vars) {
		names[vars[i]] = id
	}
	return names
}

// distinctNames returns a valid name in the form for each of names, all different. Those that
// are valid already keep themselves, the first of equals before the others.
func distinctNames(form Form, names []string) []string {
	taken := map[string]bool{}
	for w := range strings.FieldsSeq(reserved[form]) {
		taken[w] = true
	}
	valid := make([]string, len(names))
	for i, name := range names {
		if identifier(form, name) == name && !taken[name] {
			valid[i], taken[name] = name, true
		}
	}
	for i, name := range names {
		if valid[i] != "" {
			continue
		}
		id := identifier(form, name)
		for k := 2; taken[id]; k++ {
			id = fmt.Sprintf("%s_%d", identifier(form, name), k)
		}
		valid[i], taken[id] = id, true
	}
	return valid
}

// identifier replaces what cannot stand in an identifier by underscores.
func identifier(form Form, name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == 'µ' && form != Go { // the micro sign, which Python reads as the letter
			r = 'μ'
		}
		letter := r == '_' || unicode.IsLetter(r) && (form != C || r < unicode.MaxASCII) && r != unicode.ReplacementChar
		digit := '0' <= r && r <= '9'
		switch {
		case digit && b.Len() == 0:
			b.WriteString("x" + string(r))
		case letter || digit:
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "x"
	}
	return b.String()
}
