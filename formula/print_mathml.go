package formula

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printMathML prints what stands inside a math element: MathML Core, which browsers draw without
// a script. The terms of a sum are not wrapped into a row, so that a page may break a line there.
func printMathML(e Expr) string { return mathml(e).s }

// mathml prints like latex does. What has precAtom is one element.
func mathml(e Expr) printed {
	switch e := e.(type) {
	case number:
		return mathmlNumber(float64(e))
	case variable:
		return printed{mathmlName(string(e)), precAtom}
	case *sum:
		return printed{mathmlSum(e.terms), precSum}
	case *product:
		return mathmlProduct(e)
	case *power:
		if inDenominator(e) {
			return mathmlProduct(e)
		}
		return mathmlPower(e)
	case *call:
		return mathmlCall(e)
	}
	panic("formula: unknown kind of expression")
}

const (
	mathmlMinus = "<mo>−</mo>"
	mathmlTimes = "<mo>⋅</mo>"
	// What is not written between factors, and between a function and its argument.
	mathmlInvisible = `<mo rspace="0.167em">&#x2062;</mo>`
	mathmlApply     = "<mo>&#x2061;</mo>"
)

// mathmlIn is printed.in with parentheses that grow.
func mathmlIn(p printed, prec int) string {
	if p.prec >= prec {
		return p.s
	}
	return mathmlParens(p.s)
}

func mathmlParens(s string) string { return "<mrow><mo>(</mo>" + s + "<mo>)</mo></mrow>" }

// mathmlOne makes one element of it, for places that take one.
func mathmlOne(p printed) string {
	if p.prec == precAtom {
		return p.s
	}
	return "<mrow>" + p.s + "</mrow>"
}

func mathmlNumber(v float64) printed {
	prec, sign := precAtom, ""
	text, negative := strings.CutPrefix(formatNumber(v), "-")
	if negative {
		prec, sign = precProduct, mathmlMinus
	}
	mantissa, exp, found := strings.Cut(text, "e")
	number := "<mn>" + mantissa + "</mn>"
	if !found {
		return printed{sign + number, prec}
	}
	power := "<mn>" + exp + "</mn>"
	if digits, negative := strings.CutPrefix(exp, "-"); negative {
		power = "<mrow>" + mathmlMinus + "<mn>" + digits + "</mn></mrow>"
	}
	power = "<msup><mn>10</mn>" + power + "</msup>"
	switch {
	case mantissa != "1":
		return printed{sign + number + mathmlTimes + power, precProduct}
	case sign == "":
		return printed{power, precPower}
	}
	return printed{sign + power, precProduct}
}

func mathmlSum(terms []Expr) string {
	var b strings.Builder
	for i, t := range terms {
		switch {
		case i == 0:
			b.WriteString(mathml(t).s)
		case isNegative(t):
			b.WriteString(mathmlMinus + mathmlIn(mathml(Neg(t)), precProduct))
		default:
			b.WriteString("<mo>+</mo>" + mathml(t).s)
		}
	}
	return b.String()
}

func mathmlProduct(e Expr) printed {
	num, den := fraction(e)
	sign := ""
	if len(num) > 0 && isNegative(num[0]) {
		sign = mathmlMinus
		num, _ = fraction(Neg(Mul(num...)))
	}
	if len(den) == 0 {
		return printed{sign + mathmlFactors(num), precProduct}
	}
	return printed{sign + "<mfrac>" + mathmlOne(mathml(Mul(num...))) + mathmlOne(mathml(Mul(den...))) + "</mfrac>",
		precProduct}
}

func mathmlFactors(fs []Expr) string {
	var b strings.Builder
	for i, f := range fs {
		_, isNumber := f.(number)
		s := mathmlIn(mathml(f), precPower)
		if isNumber && !isNegative(f) {
			s = mathml(f).s // 2·10⁵ x, without parentheses
		}
		switch {
		case i == 0:
		case strings.HasPrefix(s, "<mn>"), strings.HasPrefix(s, "<msup><mn>"), isWord(fs[i-1]) && isWord(f):
			b.WriteString(mathmlTimes)
		default:
			b.WriteString(mathmlInvisible)
		}
		b.WriteString(s)
	}
	return b.String()
}

// isWord reports whether a factor is, or is a power of, a variable with a name of several letters,
// two of which side by side would read as one.
func isWord(f Expr) bool {
	base, _ := basePower(f)
	v, ok := base.(variable)
	if !ok || v == piName {
		return false
	}
	stem, _ := splitName(string(v))
	return utf8.RuneCountInString(stem) > 1
}

// mathmlPower writes sin(x)^2 with the exponent at the function.
func mathmlPower(e *power) printed {
	exp := mathmlOne(mathml(e.exp))
	_, whole := wholeNumber(e.exp)
	if c, ok := e.base.(*call); ok && whole && c.f.spelled() {
		return printed{"<msup>" + mathmlFunction(c.f) + exp + "</msup>" + mathmlApply + mathmlParens(mathmlArguments(c)),
			precPower}
	}
	base := mathmlIn(mathml(e.base), precAtom)
	if sub, ok := strings.CutPrefix(base, "<msub>"); ok { // the exponent stands above the subscript
		return printed{"<msubsup>" + strings.TrimSuffix(sub, "</msub>") + exp + "</msubsup>", precPower}
	}
	return printed{"<msup>" + base + exp + "</msup>", precPower}
}

func mathmlCall(e *call) printed {
	args := mathmlArguments(e)
	if !e.f.spelled() {
		return printed{callOf(e.f.info().mathml, args), precAtom}
	}
	return printed{"<mrow>" + mathmlFunction(e.f) + mathmlApply + mathmlParens(args) + "</mrow>", precAtom}
}

func mathmlArguments(e *call) string {
	args := make([]string, len(e.args))
	for i, x := range e.args {
		args[i] = mathml(x).s
	}
	return strings.Join(args, "<mo>,</mo>")
}

func mathmlFunction(f Func) string {
	return "<mi>" + cmp.Or(f.info().mathml, f.info().name) + "</mi>"
}

// mathmlName prints a name with its subscript, as [latexName] does.
func mathmlName(name string) string {
	if name == piName {
		return "<mi>π</mi>"
	}
	stem, sub := splitName(name)
	s := "<mi>" + mathmlEscape(stem) + "</mi>"
	switch {
	case sub == "":
		return s
	case digitRun(sub) == len(sub):
		return "<msub>" + s + "<mn>" + sub + "</mn></msub>"
	}
	return "<msub>" + s + "<mi>" + mathmlEscape(sub) + "</mi></msub>"
}

// mathmlEscape escapes what is markup. White space would be trimmed, and control characters are
// not allowed.
func mathmlEscape(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '\u00a0'
		case unicode.IsControl(r) || r == '\ufffe' || r == '\uffff':
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
	return mathmlEscapes.Replace(s)
}

var mathmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
