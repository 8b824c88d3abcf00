package formula

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// pythonLanguage prints expressions over float64, or arrays of them, with NumPy as np.
var pythonLanguage = language{
	title:   "Python",
	comment: "#",
	number:  pythonLiteral,
	calls: prefixed("np.", map[Func]string{
		Asin: "np.arcsin", Acos: "np.arccos", Atan: "np.arctan", Min: "np.minimum", Max: "np.maximum",
	}),
	power:   powerRules{op: "**", base: floatLiteral}, // powers of integers are integers
	inf:     "np.inf",
	program: true,
	names:   nameRules{reserved: pythonWords + "np", letter: plainLetter, read: plainSign},
	wrap:    function.python,
}

// sympyLanguage prints expressions over symbols of the variables' names.
var sympyLanguage = language{
	comment: "#",
	number:  formatNumber,
	calls:   callsNamed(map[Func]string{Abs: "Abs", Min: "Min", Max: "Max"}),
	power:   powerRules{op: "**"},
	names: nameRules{
		reserved: pythonWords + "E I N O Q S C pi oo zoo nan beta gamma zeta " + plainNames + "Abs Min Max symbols",
		letter:   plainLetter,
		read:     plainSign,
	},
}

const pythonWords = "False None True __debug__ and as assert async await break class continue def del elif else " +
	"except " +
	"finally for from global if import in is lambda nonlocal not or pass raise return try while with yield "

// python converts the inputs first: integers overflow in arrays, have no negative powers there and raise errors at
// poles.
func (f function) python() string {
	var b strings.Builder
	if len(f.used) > 0 || slices.ContainsFunc(f.values, func(v string) bool { return strings.Contains(v, "np.") }) {
		b.WriteString("import numpy as np\n\n\n")
	}
	fmt.Fprintf(&b, "def %s(%s):\n", f.name, strings.Join(f.inputs, ", "))
	for _, in := range f.used {
		fmt.Fprintf(&b, "    %s = np.float64(%s)\n", in, in)
	}
	if len(f.values) == 1 {
		fmt.Fprintf(&b, "    return %s\n", f.values[0])
		return b.String()
	}
	for i, v := range f.values {
		fmt.Fprintf(&b, "    %s = %s\n", f.outputs[i], v)
	}
	fmt.Fprintf(&b, "    return %s\n", strings.Join(f.outputs, ", "))
	return b.String()
}

// plainLetter reports whether r is a letter that Python reads as it is.
func plainLetter(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(normalised, r) }

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
