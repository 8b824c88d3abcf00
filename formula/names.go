package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const pythonWords = "False None True __debug__ and as assert async await break class continue def del elif else except " +
	"finally for from global if import in is lambda nonlocal not or pass raise return try while with yield "

// reserved are words that no variable can be called in a form. Those of C are the keywords of all its standards and of
// GCC, the functions that expressions call, and what compilers and math.h define as macros.
var reserved = map[Form]string{
	Go: "break case chan const continue default defer else fallthrough for func go goto if import interface " +
		"map package range return select struct switch type var math float64 _",
	Python: pythonWords + "np",
	SymPy:  pythonWords + "E I N O Q S C pi oo zoo nan beta gamma zeta sin cos tan exp log sqrt tanh symbols",
	C: "alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false " +
		"float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct " +
		"switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while " +
		"sin cos tan exp log sqrt tanh pow " +
		"AIX MSDOS PPC WIN32 WIN64 WINNT hpux i386 linux m68k mc68000 mips sgi sparc sun unix vax " +
		"DOMAIN EOF INFINITY MAXFLOAT NAN NULL OVERFLOW PLOSS SING TLOSS UNDERFLOW X_TLOSS math_errhandling",
}

// reservedPrefixes are what no name in a form can begin with. C reserves those with underscores, and its math.h and
// that of POSIX and GNU define macros that begin with the others.
var reservedPrefixes = map[Form]*regexp.Regexp{
	C: regexp.MustCompile("^(__|_[A-Z]|DEC_|FP_|HUGE|MATH_|M_|SNAN)"),
}

// reservedFunctions are words that no function can be called in a form, though variables can. Those of C are what
// math.h declares; each has two more variants, with f and l at the end.
var reservedFunctions = map[Form]string{
	Go: "init main",
	C: "main float_t double_t acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cosh daddl ddivl " +
		"dfmal dmull drem dsqrtl dsubl erf erfc exp10 exp2 expm1 fabs fadd fdim fdiv ffma finite floor fma fmax fmaximum " +
		"fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag " +
		"fmod fmul fpclassify frexp fromfp fromfpx fsqrt fsub gamma getpayload hypot ilogb iscanonical iseqsig isfinite " +
		"isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal issignaling issubnormal isunordered " +
		"iszero j0 j1 jn ldexp lgamma lgamma_r llogb llrint llround log10 log1p log2 logb lrint lround modf nan nearbyint " +
		"nextafter nextdown nexttoward nextup pow10 remainder remquo rint round roundeven scalb scalbln scalbn setpayload " +
		"setpayloadsig significand signbit signgam sinh sincos tgamma totalorder totalordermag trunc ufromfp ufromfpx y0 y1 yn",
}

// reservedFunction reports whether no function can be called name in the form.
func reservedFunction(form Form, name string) bool {
	words := strings.Fields(reservedFunctions[form])
	if form != C {
		return slices.Contains(words, name)
	}
	words = append(words, strings.Fields(reserved[C])...)
	return slices.ContainsFunc([]string{"", "f", "l"}, func(suffix string) bool {
		short, ok := strings.CutSuffix(name, suffix)
		return ok && slices.Contains(words, short)
	})
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

// identifier replaces what cannot stand in an identifier by underscores, and puts an x before what cannot begin one.
func identifier(form Form, name string) string {
	var b strings.Builder
	for _, r := range name {
		if form == Python || form == SymPy {
			r = plainSign(r)
		}
		if r != '_' && (r < '0' || r > '9') && !isLetter(form, r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	id := b.String()
	prefix, ok := reservedPrefixes[form]
	if id == "" || '0' <= id[0] && id[0] <= '9' || ok && prefix.MatchString(id) {
		return "x" + id
	}
	return id
}

// isLetter reports whether r is a letter in the identifiers of a form: ASCII in C, and in Python only those that
// it reads as they are.
func isLetter(form Form, r rune) bool {
	switch form {
	case C:
		return r < unicode.MaxASCII && unicode.IsLetter(r)
	case Python, SymPy:
		return unicode.IsLetter(r) && !unicode.Is(normalised, r)
	}
	return unicode.IsLetter(r)
}

// plainSign returns the letter that Python reads in place of the sign of a unit: of micro, ohm, kelvin and ångström.
func plainSign(r rune) rune {
	switch r {
	case '\u00b5':
		return '\u03bc'
	case '\u2126':
		return '\u03a9'
	case '\u212a':
		return 'K'
	case '\u212b':
		return '\u00c5'
	}
	return r
}

// normalised holds all letters that the normal form NFKC changes, alone or beside another letter, and some others near
// them. Python takes names for equal when their normal forms are (PEP 3131). It also refuses U+2E2F, a letter by name.
var normalised = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xaa, 0xaa, 1}, {0xb5, 0xb5, 1}, {0xba, 0xba, 1}, {0x132, 0x133, 1}, {0x13f, 0x140, 1}, {0x149, 0x149, 1},
		{0x17f, 0x17f, 1}, {0x1c4, 0x1cc, 1}, {0x1f1, 0x1f3, 1}, {0x2b0, 0x2e4, 1}, {0x374, 0x37a, 1}, {0x3d0, 0x3d6, 1},
		{0x3f0, 0x3f9, 1}, {0x587, 0x587, 1}, {0x675, 0x678, 1}, {0x958, 0x95f, 1}, {0x9dc, 0x9df, 1}, {0xa33, 0xa5e, 1},
		{0xb5c, 0xb5d, 1}, {0xe33, 0xe33, 1}, {0xeb3, 0xf69, 1}, {0x10fc, 0x11ff, 1}, {0x1d2c, 0x1dbf, 1},
		{0x1e9a, 0x1e9b, 1}, {0x1f00, 0x214f, 1}, {0x2c7c, 0x2c7d, 1}, {0x2d6f, 0x2e2f, 1}, {0x309f, 0x309f, 1},
		{0x30ff, 0x30ff, 1}, {0x3131, 0x318e, 1}, {0xa69c, 0xa69d, 1}, {0xa770, 0xa770, 1}, {0xa7f2, 0xa7f9, 1},
		{0xa960, 0xa97c, 1}, {0xab5c, 0xab69, 1}, {0xd7b0, 0xd7fb, 1}, {0xf900, 0xffff, 1},
	},
	R32: []unicode.Range32{{0x10000, 0x10ffff, 1}},
}
