package formula

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// cLanguage prints expressions over double with math.h.
//
// Its reserved words are the keywords of all standards and of GCC, the functions that expressions call, and what
// compilers and math.h define as macros. C reserves names that begin with two underscores or one and a capital;
// math.h and that of POSIX and GNU define macros that begin with the other prefixes. Functions cannot have the names
// that math.h declares, each of which has two more variants, with f and l at the end.
var cLanguage = language{
	title:   "C",
	comment: "//",
	number:  floatLiteral,
	calls:   callsNamed(map[Func]string{Abs: "fabs", Min: "fmin", Max: "fmax"}),
	power:   powerRules{op: "pow", call: true},
	program: true,
	guards: []guard{ // fmin and fmax leave NaN out
		{"fmin", "smaller", "static double smaller(double u, double v) { return u != u || u < v ? u : v; }"},
		{"fmax", "larger", "static double larger(double u, double v) { return u != u || u > v ? u : v; }"},
	},
	names: nameRules{
		reserved: cKeywords + plainNames + "pow fabs fmin fmax smaller larger " +
			"AIX MSDOS PPC WIN32 WIN64 WINNT hpux i386 linux m68k mc68000 mips sgi sparc sun unix vax " +
			"DOMAIN EOF INFINITY MAXFLOAT NAN NULL OVERFLOW PLOSS SING TLOSS UNDERFLOW X_TLOSS math_errhandling",
		functions: regexp.MustCompile("^(" + strings.ReplaceAll(cFunctions+plainNames+"pow", " ", "|") + ")[fl]?$"),
		letter:    asciiLetter,
		refused:   regexp.MustCompile("^(__|_[A-Z]|DEC_|FP_|HUGE|MATH_|M_|SNAN)"),
	},
	wrap: function.c,
}

const cKeywords = "alignas alignof asm auto bool break case char const constexpr continue default do double else " +
	"enum extern false float for goto if inline int long nullptr register restrict return short signed sizeof static " +
	"static_assert struct " +
	"switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while "

const cFunctions = "main float_t double_t acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign " +
	"cosh daddl ddivl dfmal dmull drem dsqrtl dsubl erf erfc exp10 exp2 expm1 fabs fadd fdim fdiv ffma finite floor " +
	"fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num " +
	"fminimum_num fminmag fmod fmul fpclassify frexp fromfp fromfpx fsqrt fsub gamma getpayload hypot ilogb " +
	"iscanonical iseqsig isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal " +
	"issignaling issubnormal isunordered iszero j0 j1 jn ldexp lgamma lgamma_r llogb llrint llround log10 log1p log2 " +
	"logb lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup pow10 remainder remquo rint round " +
	"roundeven scalb scalbln scalbn setpayload setpayloadsig significand signbit signgam sinh sincos tgamma " +
	"totalorder totalordermag trunc ufromfp ufromfpx " +
	"y0 y1 yn "

// asciiLetter reports whether r is one of the 52 letters that every language has.
func asciiLetter(r rune) bool { return r < unicode.MaxASCII && unicode.IsLetter(r) }

func (f function) c() string {
	var params []string
	for _, in := range f.inputs {
		params = append(params, "double "+in)
	}
	var b strings.Builder
	b.WriteString("#include <math.h>\n\n")
	for _, g := range f.guards {
		b.WriteString(g + "\n\n")
	}
	if len(f.values) == 1 {
		if len(params) == 0 {
			params = []string{"void"}
		}
		fmt.Fprintf(&b, "double %s(%s)\n{\n    return %s;\n}\n", f.name, strings.Join(params, ", "), f.values[0])
		return b.String()
	}
	for _, out := range f.outputs {
		params = append(params, "double *"+out)
	}
	fmt.Fprintf(&b, "void %s(%s)\n{\n", f.name, strings.Join(params, ", "))
	for i, v := range f.values {
		fmt.Fprintf(&b, "    *%s = %s;\n", f.outputs[i], v)
	}
	b.WriteString("}\n")
	return b.String()
}
