package units

import (
	"strings"
	"unicode"
)

// Seconds returns how many seconds a unit is, and whether it is one of time.
func (u Unit) Seconds() (seconds float64, ok bool) {
	return u.Size, u.Dim.Is(si(1, 0, 0, 1).Dim)
}

// InName returns the unit of time that the name of a column says, as day, hours, time (days) and t_years do: a word of
// its own of three letters or more. A rate, as km per hour, is none, and min is more often a minimum.
func InName(column string) (u Unit, ok bool) {
	const shortest = 3
	for _, word := range strings.FieldsFunc(strings.ToLower(column), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if word == "per" {
			return Pure, false
		}
		if len(word) < shortest || word == "min" || ok {
			continue
		}
		if of, found := lookUp(word); found {
			if _, isTime := of.Seconds(); isTime {
				u, ok = of, true
			}
		}
	}
	return u, ok
}
