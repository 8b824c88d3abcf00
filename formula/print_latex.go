package formula

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printLaTeX prints for mathematics mode: fractions, roots, subscripts, powers of ten.
func printLaTeX(e Expr) string { return latex(e).s }

func latex(e Expr) printed {
	switch e := e.(type) {
	case number:
		return latexNumber(float64(e))
	case variable:
		return printed{latexName(string(e)), precAtom}
	case *sum:
		return printed{latexSum(e.terms), precSum}
	case *product:
		return latexProduct(e)
	case *power:
		if inDenominator(e) {
			return latexProduct(e)
		}
		return latexPower(e)
	case *call:
		return latexCall(e)
	}
	panic("formula: unknown kind of expression")
}

// latexIn is printed.in with parentheses that grow.
func latexIn(p printed, prec int) string {
	if p.prec >= prec {
		return p.s
	}
	return latexParens(p.s)
}

func latexParens(s string) string { return `\left(` + s + `\right)` }

func latexNumber(v float64) printed {
	prec := precAtom
	if isNegative(number(v)) {
		prec = precProduct
	}
	mantissa, exp, found := strings.Cut(formatNumber(v), "e")
	switch power := "10^{" + exp + "}"; {
	case !found:
		return printed{mantissa, prec}
	case mantissa == "1":
		return printed{power, precPower}
	case mantissa == "-1":
		return printed{"-" + power, precProduct}
	default:
		return printed{mantissa + ` \cdot ` + power, precProduct}
	}
}

func latexSum(terms []Expr) string {
	var b strings.Builder
	for i, t := range terms {
		switch {
		case i == 0:
			b.WriteString(latex(t).s)
		case isNegative(t):
			b.WriteString(" - " + latexIn(latex(Neg(t)), precProduct))
		default:
			b.WriteString(" + " + latex(t).s)
		}
	}
	return b.String()
}

func latexProduct(e Expr) printed {
	num, den := fraction(e)
	sign := ""
	if len(num) > 0 && isNegative(num[0]) {
		sign = "-"
		num, _ = fraction(Neg(Mul(num...)))
	}
	if len(den) == 0 {
		return printed{sign + latexFactors(num), precProduct}
	}
	return printed{sign + `\frac{` + latexWhole(num) + "}{" + latexWhole(den) + "}", precProduct}
}

// latexWhole prints the factors where a single one needs no parentheses.
func latexWhole(fs []Expr) string { return latex(Mul(fs...)).s }

func latexFactors(fs []Expr) string {
	var b strings.Builder
	for i, f := range fs {
		_, isNumber := f.(number)
		s := latexIn(latex(f), precPower)
		if isNumber && !isNegative(f) {
			s = latex(f).s // 2 \cdot 10^{5} x, without parentheses
		}
		switch {
		case i == 0:
		case s[0] >= '0' && s[0] <= '9':
			b.WriteString(` \cdot `)
		default:
			b.WriteString(` \, `)
		}
		b.WriteString(s)
	}
	return b.String()
}

// latexPower writes sin(x)^2 as \sin^{2}(x).
func latexPower(e *power) printed {
	exp := "^{" + latex(e.exp).s + "}"
	_, whole := wholeNumber(e.exp)
	if c, ok := e.base.(*call); ok && whole && c.f.spelled() {
		return printed{c.f.info().latex + exp + latexParens(latexArguments(c)), precPower}
	}
	return printed{latexIn(latex(e.base), precAtom) + exp, precPower}
}

func latexCall(e *call) printed {
	name, args := e.f.info().latex, latexArguments(e)
	if e.f.spelled() {
		return printed{name + latexParens(args), precAtom}
	}
	return printed{callOf(name, args), precAtom}
}

func latexArguments(e *call) string {
	args := make([]string, len(e.args))
	for i, x := range e.args {
		args[i] = latex(x).s
	}
	return strings.Join(args, ", ")
}

// latexName prints a name with what follows its first letters as a subscript: x1 is x_{1},
// speed_max is \mathrm{speed}_{max}.
func latexName(name string) string {
	if name == piName {
		return `\pi`
	}
	stem, sub := splitName(name)
	s := latexEscape(stem)
	if letter := greekLetter(stem); letter != "" {
		s = `\` + letter
	} else if r, n := utf8.DecodeRuneInString(stem); n != len(stem) || !unicode.IsLetter(r) {
		s = `\mathrm{` + s + "}"
	}
	switch {
	case sub == "":
		return s
	case len(sub) == 1 || digitRun(sub) == len(sub):
		return s + "_{" + latexEscape(sub) + "}"
	}
	return s + `_{\mathrm{` + latexEscape(sub) + "}}"
}

// greek are the letters that LaTeX has commands for, the name of each before it, but for that of the number π.
var greek = strings.Fields("alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu " +
	"μ nu ν xi ξ rho ρ " +
	"sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ " +
	"Phi Φ Psi Ψ Omega Ω")

// greekLetter returns the name of a letter that is written by its name or as itself, "" for all else.
func greekLetter(s string) string {
	if i := slices.Index(greek, s); i >= 0 {
		return greek[i-i%2]
	}
	return ""
}

var latexEscapes = strings.NewReplacer(append([]string{
	`\`, `\backslash{}`, "{", `\{`, "}", `\}`, "_", `\_`, "^", `\hat{}`, "~", `\sim{}`,
	"$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, " ", `\ `}, greekCommands()...)...)

func greekCommands() []string {
	var pairs []string
	for i := 0; i < len(greek); i += 2 {
		pairs = append(pairs, greek[i+1], `\`+greek[i]+"{}")
	}
	return pairs
}

func latexEscape(s string) string { return latexEscapes.Replace(s) }

// splitName splits a name into what comes first and its subscript: x1 into x and 1, speed_max into
// speed and max.
func splitName(name string) (stem, sub string) {
	if i := strings.IndexByte(name, '_'); i > 0 && i < len(name)-1 {
		return name[:i], name[i+1:]
	}
	if d := strings.TrimRight(name, "0123456789"); d != "" && d != name && !strings.HasSuffix(d, "_") {
		return d, name[len(d):]
	}
	return name, ""
}
