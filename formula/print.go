package formula

import (
	"fmt"
	"slices"
	"strings"
)

// Form is a language that expressions are printed in.
type Form string

// The forms.
const (
	Text   Form = "text"   // plain infix, read back by Parse
	LaTeX  Form = "latex"  // for mathematics mode, with amsmath
	MathML Form = "mathml" // what stands inside a math element of a web page
	Go     Form = "go"     // an expression over float64, with package math
	Python Form = "python" // an expression over float64 or arrays of them, with NumPy as np
	SymPy  Form = "sympy"  // an expression over symbols of the variables' names
	C      Form = "c"      // an expression over double, with math.h
	JSON   Form = "json"   // the tree, read back by ParseJSON
)

// Forms returns all forms.
func Forms() []Form { return []Form{Text, LaTeX, MathML, Go, Python, SymPy, C, JSON} }

// UnmarshalText sets f to the form called text, and refuses other names.
func (f *Form) UnmarshalText(text []byte) error {
	if !slices.Contains(Forms(), Form(text)) {
		return fmt.Errorf("unknown form %q (want one of %s)", text, formNames())
	}
	*f = Form(text)
	return nil
}

// MarshalText returns the name of f.
func (f Form) MarshalText() ([]byte, error) {
	if !slices.Contains(Forms(), f) {
		return nil, fmt.Errorf("unknown form %q (want one of %s)", string(f), formNames())
	}
	return []byte(f), nil
}

func formNames() string {
	names := make([]string, 0, len(Forms()))
	for _, f := range Forms() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// Print returns e in a form, its constants rounded to the given number of significant
// digits; 0 keeps all digits, so that the value stays the same to the last bit. With digits, text,
// LaTeX, MathML and SymPy are for reading: constants that are fractions or multiples of π, exactly, are
// written so, as in (x + sin(2*pi*y + pi/8))/3.
// Names that mean something else in that language, or are no names there, are changed, and differ still.
// Print panics when form is none of the constants.
func Print(e Expr, form Form, digits int) string {
	names := languageNames(form, Vars(e))
	if digits <= 0 || form != Text && form != LaTeX && form != MathML && form != SymPy {
		return printNamed(Round(e, digits), form, names)
	}
	if names == nil {
		names = map[string]string{}
	}
	names[piName] = "pi"
	return printNamed(forReading(e, digits), form, names)
}

// printNamed prints with the given names of the variables; text, LaTeX, MathML and JSON have their own.
func printNamed(e Expr, form Form, names map[string]string) string {
	switch form {
	case LaTeX:
		return printLaTeX(e)
	case MathML:
		return printMathML(e)
	case JSON:
		return printJSON(e)
	}
	d, ok := dialects[form]
	if !ok {
		panic(fmt.Sprintf("formula: unknown form %q", string(form)))
	}
	if d.program {
		e = evaluated(e)
	}
	return infix{d, names}.print(e).s
}
