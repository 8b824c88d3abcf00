package formula

import "fmt"

// Placeholder returns the name of a variable that stands for something while an expression is worked on. It is the name
// of no column and of nothing that [Parse] reads; different texts make different names.
func Placeholder(text string) string { return hiddenMark + text }

// hiddenMark is what the names of placeholders begin with.
const hiddenMark = "\x00"

// Open returns e with variables in place of its constants, the names of these and their values, in the order of
// [Constants]. The names are placeholders that begin with the prefix. [Parametrize] takes other names.
func Open(e Expr, prefix string) (open Expr, names []string, values []float64) {
	values = Constants(e)
	for i := range values {
		names = append(names, Placeholder(fmt.Sprint(prefix, i)))
	}
	return Parametrize(e, names), names, values
}
