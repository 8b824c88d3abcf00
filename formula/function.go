package formula

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Named is an expression with the name of what it computes.
type Named struct {
	Name string
	Expr Expr
}

// Function returns the text of a complete function in [Go], [Python] or [C], with all digits
// of the constants: one argument an input, in order, and the outputs as results (in C,
// several outputs are pointers after the inputs). It includes the import of the
// mathematics that it needs; a Go file needs only its package clause before it.
//
// It is an error when the form is none of the three, when there is no output or an input
// twice, or when an output has a variable that is no input.
//
// The inputs of a Python function are numbers or arrays of any type; what it returns is float64.
func Function(form Form, name string, inputs []string, outputs []Named) (string, error) {
	if err := checkFunction(form, name, inputs, outputs); err != nil {
		return "", err
	}
	if reservedFunction(form, name) {
		name += "_"
	}
	f, vars := function{}, map[string]string{}
	wanted := append([]string{name}, inputs...)
	for _, out := range outputs {
		wanted = append(wanted, out.Name)
	}
	valid := distinctNames(form, wanted)
	f.name, f.inputs, f.outputs = valid[0], valid[1:len(inputs)+1], valid[len(inputs)+1:]
	for i, in := range inputs {
		vars[in] = f.inputs[i]
	}
	for _, out := range outputs {
		f.values = append(f.values, printNamed(out.Expr, form, vars))
	}
	for _, in := range inputs {
		if slices.ContainsFunc(outputs, func(out Named) bool { return slices.Contains(Vars(out.Expr), in) }) {
			f.used = append(f.used, vars[in])
		}
	}
	switch form {
	case Go:
		return f.golang(), nil
	case Python:
		return f.python(), nil
	}
	return f.c(), nil
}

// SymPyScript returns a script that makes outputs expressions of SymPy, with symbols for their variables. The
// constants are as [Print] writes them, those of output i with digits[i] significant digits.
func SymPyScript(outputs []Named, digits []int) string {
	var vars, wanted []string
	for _, out := range outputs {
		wanted = append(wanted, out.Name)
		for _, v := range Vars(out.Expr) {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	valid := distinctNames(SymPy, append(slices.Clone(vars), wanted...))
	symbols, targets := valid[:len(vars)], valid[len(vars):]
	var body strings.Builder
	for i, v := range vars {
		if v != symbols[i] {
			fmt.Fprintf(&body, "# %s is %q\n", symbols[i], v)
		}
	}
	if len(vars) > 0 {
		fmt.Fprintf(&body, "%s = symbols(%q)\n", strings.Join(symbols, ", "), strings.Join(symbols, " "))
	}
	names := map[string]string{piName: "pi"}
	for i, v := range vars {
		names[v] = symbols[i]
	}
	var used []string
	if len(vars) > 0 {
		used = append(used, "symbols")
	}
	for i, out := range outputs {
		text := printNamed(forReading(out.Expr, digits[i]), SymPy, names)
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if slices.Contains(sympyNames, word) && !slices.Contains(used, word) {
				used = append(used, word)
			}
		}
		if out.Name != targets[i] {
			fmt.Fprintf(&body, "# %s is %q\n", targets[i], out.Name)
		}
		fmt.Fprintf(&body, "%s = %s\n", targets[i], text)
	}
	if len(used) == 0 {
		return body.String()
	}
	slices.Sort(used)
	return "from sympy import " + strings.Join(used, ", ") + "\n\n" + body.String()
}

// sympyNames are the names of SymPy that printed expressions use; none is given to a variable.
var sympyNames = []string{"cos", "exp", "log", "pi", "sin", "sqrt", "tan", "tanh"}

// checkFunction finds what [Function] refuses.
func checkFunction(form Form, name string, inputs []string, outputs []Named) error {
	if form != Go && form != Python && form != C {
		return fmt.Errorf("no functions in form %q (want %s, %s or %s)", string(form), Go, Python, C)
	}
	if len(outputs) == 0 {
		return fmt.Errorf("function %s has no output", name)
	}
	for i, in := range inputs {
		if slices.Contains(inputs[:i], in) {
			return fmt.Errorf("input %s is given twice", quoteName(in))
		}
	}
	for _, out := range outputs {
		for _, v := range Vars(out.Expr) {
			if !slices.Contains(inputs, v) {
				return fmt.Errorf("output %s: variable %s is not an input (add it to the inputs)", quoteName(out.Name), quoteName(v))
			}
		}
	}
	return nil
}

// function is a function whose parts are printed already.
type function struct {
	name            string
	inputs, outputs []string
	used            []string // inputs that the values have
	values          []string
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

// python converts the inputs first: integers overflow in arrays, have no negative powers there and raise errors at poles.
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

func (f function) c() string {
	var params []string
	for _, in := range f.inputs {
		params = append(params, "double "+in)
	}
	var b strings.Builder
	b.WriteString("#include <math.h>\n\n")
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
