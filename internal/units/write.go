package units

import "strings"

// A Writer writes units with the words that a table uses, such as kN/mm.
type Writer struct{ words []word }

type word struct {
	name string
	unit Unit
}

// NewWriter returns a writer with the words of several units. Unknown units are left out.
func NewWriter(texts ...string) *Writer {
	w := &Writer{}
	seen := map[string]bool{}
	for _, text := range texts {
		for _, name := range strings.FieldsFunc(text, func(r rune) bool { return !startsWord(r) }) {
			if u, ok := lookUp(name); ok && !u.Dim.Zero() && !seen[name] {
				seen[name] = true
				w.words = append(w.words, word{name, u})
			}
		}
	}
	return w
}

// mostExponents is how large the exponents of a unit may be together; others are written in SI.
const mostExponents = 6

// Text writes the unit behind a number: nothing for pure numbers, the shortest product of powers of the words that is
// the unit, SI without one, with its size before it where that is not 1.
func (w *Writer) Text(u Unit) string {
	if u.Dim.Zero() {
		return ""
	}
	for size := 1; size <= mostExponents; size++ {
		if powers := w.powers(u, 0, size); powers != nil {
			return writePowers(powers)
		}
	}
	text := u.String()
	if !u.Is(Unit{u.Dim, 1}) {
		text = "* " + text
	}
	return text
}

// powers returns powers of the words from a place on, with exponents of a size together, that make a unit.
func (w *Writer) powers(u Unit, from, size int) []power {
	if size == 0 || from == len(w.words) {
		if size == 0 && u.Is(Pure) {
			return []power{}
		}
		return nil
	}
	for n := size; n >= 0; n-- {
		for _, p := range []float64{float64(n), -float64(n)} {
			rest := w.powers(u.Times(w.words[from].unit, -p), from+1, size-n)
			if rest == nil {
				continue
			}
			if n > 0 {
				rest = append([]power{{w.words[from].name, p}}, rest...)
			}
			return rest
		}
	}
	return nil
}
