package formula

import (
	"cmp"
	"maps"
	"regexp"
	"strings"
)

// language is a row of the table of infix languages: all that is particular to one. The tests walk the table.
type language struct {
	title       string                 // of those with functions, as people write it
	number      func(v float64) string // writes a constant, a negative one with its minus
	calls       map[Func]string        // names, or whole calls with %s for the argument; others are written out
	times, over string                 // operators of products and quotients; * and / unless given
	power       powerRules
	inf         string // what stands for 1/0 where that is an error
	program     bool   // computes with float64, not with symbols
	guards      []guard
	names       nameRules
	comment     string                // what begins a comment
	wrap        func(function) string // writes a complete function; nil where there are expressions only
}

// powerRules say how powers are written.
type powerRules struct {
	op    string // the operator, or the function to call
	call  bool
	atoms bool                   // a^(b^c) needs its parentheses: a^b^c means (a^b)^c, or nothing
	whole bool                   // whole exponents are integers, which negative bases need
	base  func(v float64) string // writes a constant base; number unless given
}

// guard is what a complete function calls instead of a function or power of the language that is an error, or complex,
// where a formula has no value.
type guard struct {
	of         string // what it stands for
	name       string
	definition string
}

// nameRules say what variables and functions can be called.
type nameRules struct {
	reserved  string            // words that mean something else
	functions *regexp.Regexp    // names that no function can have, though variables can
	letter    func(r rune) bool // reports what names consist of, beside digits and underscores; nil without any rules
	read      func(r rune) rune // returns what the language reads for r; r itself unless given
	refused   *regexp.Regexp    // names that look like something else
	prefix    string            // put before what cannot begin a name; x unless given
	anyCase   bool              // upper and lower case are the same
	longest   int               // most letters; 0 for any number
}

// languages is the table of the infix languages.
var languages = map[Form]*language{
	Text: &textLanguage, SymPy: &sympyLanguage, Go: &goLanguage, Python: &pythonLanguage, C: &cLanguage,
	Julia: &juliaLanguage, MATLAB: &matlabLanguage, R: &rLanguage, Excel: &excelLanguage, Fortran: &fortranLanguage,
	Stan: &stanLanguage, Modelica: &modelicaLanguage,
}

// plainNames are the usual names of functions, and callsNamed those and what a language says differently. A function
// that it has no name for is written out.
const plainNames = "sin cos tan exp log sqrt tanh asin acos atan sinh cosh abs min max "

func callsNamed(except map[Func]string) map[Func]string {
	calls := map[Func]string{}
	maps.Copy(calls, except)
	for _, name := range strings.Fields(plainNames) {
		f, _ := funcByName(name)
		if _, ok := calls[f]; !ok {
			calls[f] = name
		}
	}
	return calls
}

// prefixed returns names with a prefix for [callsNamed].
func prefixed(prefix string, except map[Func]string) map[Func]string {
	calls := callsNamed(except)
	for f, name := range calls {
		if _, ok := except[f]; !ok {
			calls[f] = prefix + name
		}
	}
	return calls
}

var textLanguage = language{number: formatNumber, calls: textCalls(), power: powerRules{op: "^"}}

// textCalls are the names that Parse knows.
func textCalls() map[Func]string {
	calls := make(map[Func]string, len(funcs))
	for f, info := range funcs {
		calls[Func(f)] = info.name
	}
	return calls
}

// callOf returns the call of a function that is named, or written with %s.
func callOf(name, arg string) string {
	if before, after, ok := strings.Cut(name, "%s"); ok {
		return before + arg + after
	}
	return name + "(" + arg + ")"
}

// guarded returns the guard of what is called name, or name itself.
func (l *language) guarded(name string) string {
	for _, g := range l.guards {
		if g.of == name {
			return g.name
		}
	}
	return name
}

// guardsIn returns the definitions of the guards that values call.
func (l *language) guardsIn(values []string) []string {
	var definitions []string
	all := strings.Join(values, " ")
	for _, g := range l.guards {
		if strings.Contains(all, g.name+"(") {
			definitions = append(definitions, g.definition)
		}
	}
	return definitions
}

// multiply and divide return the operators.
func (l *language) multiply() string { return cmp.Or(l.times, "*") }
func (l *language) divide() string   { return cmp.Or(l.over, "/") }
