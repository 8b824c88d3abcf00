package formula

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Named is an expression with the name of what it computes.
type Named struct {
	Name string
	Expr Expr
}

// Function returns the text of a complete function in one of the [Programs], with all digits
// of the constants: one argument an input, in order, and the outputs as results (in C and Fortran,
// several outputs are arguments after the inputs). It includes the import of the
// mathematics that it needs; a Go file needs only its package clause before it, and Fortran a module around it.
//
// It is an error when there are no functions in the form, when there is no output or an input
// twice, or when an output has a variable that is not an input.
//
// The inputs in Python, R and MATLAB are numbers or arrays of any type; what is returned is float64. A function of
// Julia or Fortran takes numbers, and arrays when it is called with a dot in Julia or from a module in Fortran. Excel
// has no functions: it is a formula for each output, with the inputs as defined names. Where a formula has no value,
// the programs give NaN; Excel and Modelica, which have neither NaN nor infinities, stop with an error. Excel reads
// 15 digits of a constant.
func Function(form Form, name string, inputs []string, outputs []Named) (string, error) {
	if err := checkFunction(form, name, inputs, outputs); err != nil {
		return "", err
	}
	l := languages[form]
	if l.names.functions != nil && l.names.functions.MatchString(name) {
		name += "_"
	}
	wanted := slices.Concat([]string{name}, inputs)
	for _, out := range outputs {
		wanted = append(wanted, out.Name)
	}
	valid := l.names.distinct(wanted)
	f := function{name: valid[0], inputs: valid[1 : len(inputs)+1], outputs: valid[len(inputs)+1:]}
	vars := map[string]string{}
	for i, in := range inputs {
		vars[in] = f.inputs[i]
	}
	for _, out := range outputs {
		f.values = append(f.values, l.print(out.Expr, vars, true))
	}
	for _, in := range inputs {
		if slices.ContainsFunc(outputs, func(out Named) bool { return slices.Contains(Vars(out.Expr), in) }) {
			f.used = append(f.used, vars[in])
		}
	}
	f.guards = l.guardsIn(f.values)
	text := l.wrap(f)
	return l.changedNames(wanted[1:], valid[1:], text) + text, nil
}

// changedNames returns a comment on each changed name that occurs in the text.
func (l *language) changedNames(names, valid []string, text string) string {
	words := map[string]bool{}
	for _, w := range wordsOf(text) {
		words[w] = true
	}
	var b strings.Builder
	for i, name := range names {
		if name != valid[i] && words[valid[i]] {
			fmt.Fprintf(&b, "%s %s is %q\n", l.comment, valid[i], name)
		}
	}
	return b.String()
}

// wordsOf splits text where no name continues.
func wordsOf(text string) []string {
	apart := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(text, apart)
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
	valid := sympyLanguage.names.distinct(slices.Concat(vars, wanted))
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
		for _, word := range wordsOf(text) {
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
var sympyNames = append(slices.Collect(maps.Values(sympyLanguage.calls)), "pi")

// checkFunction finds what [Function] refuses.
func checkFunction(form Form, name string, inputs []string, outputs []Named) error {
	if !slices.Contains(Programs(), form) {
		return fmt.Errorf("no functions in form %q (want one of %s)", string(form), formNames(Programs()))
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
				return fmt.Errorf("output %s: variable %s is not an input (add it to the inputs)",
					quoteName(out.Name), quoteName(v))
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
	guards          []string // definitions of what the values call
}
