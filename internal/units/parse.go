package units

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// UnknownError reports an unknown word in a unit.
type UnknownError struct {
	Word string
	Near []string // known units that are spelt nearly so
}

func (e *UnknownError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("the unit %q is unknown", e.Word)
	}
	return fmt.Sprintf("the unit %q is unknown (similar ones are: %s)", e.Word, strings.Join(e.Near, ", "))
}

// Parse reads a unit such as m/s^2, kg·m²/s, kJ/mol, W m^-2 K^-1, 1/min, % or 1. A product written with a space or
// without a sign binds tighter than a quotient, so J/kg K is J/(kg·K). Brackets around it are left out, and an empty
// text is the unit of numbers.
func Parse(text string) (Unit, error) {
	inner := strings.TrimSpace(text)
	if n := len(inner); n >= 2 && strings.Contains("[] () {}", inner[:1]+inner[n-1:]) {
		inner = inner[1 : n-1]
	}
	if utf8.RuneCountInString(inner) > longest {
		return Pure, fmt.Errorf("a unit has at most %d characters, and this has more", longest)
	}
	p := parser{rest: strings.TrimSpace(inner)}
	if p.rest == "" || slices.Contains(withoutUnit, strings.ToLower(strings.ReplaceAll(p.rest, " ", ""))) {
		return Pure, nil
	}
	u, err := p.quotient(0)
	switch {
	case err != nil:
		return Pure, err
	case p.rest != "":
		return Pure, fmt.Errorf("%q is not a unit from %q on", text, p.rest)
	case !(u.Size > 0) || math.IsInf(u.Size, 0):
		return Pure, fmt.Errorf("%q is not a unit: its size must be a finite number above 0", text)
	}
	return u, nil
}

// ParseAll reads the units of columns; without any it returns nil. The error lists all that are not units.
func ParseAll(texts map[string]string) (map[string]Unit, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var errs []error
	all := map[string]Unit{}
	for _, column := range slices.Sorted(maps.Keys(texts)) {
		u, err := Parse(texts[column])
		if err != nil {
			errs = append(errs, fmt.Errorf("the unit of column %q: %w", column, err))
		}
		all[column] = u
	}
	return all, errors.Join(errs...)
}

// FromOwnZero reports whether a unit is counted from a zero of its own, as °C is, and not only as a part of another.
func FromOwnZero(text string) bool { return fromZero[strings.Trim(strings.TrimSpace(text), "[](){}")] }

// withoutUnit are what says that numbers have no unit that is known, without spaces.
var withoutUnit = []string{"a.u.", "arb.u.", "arb.units", "arb.unit", "arbitraryunits", "unitless", "dimensionless"}

const (
	longest = 60 // characters of a unit
	deepest = 10 // brackets within brackets
)

type parser struct{ rest string }

// space skips spaces and reports whether there were any.
func (p *parser) space() bool {
	before := len(p.rest)
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	return len(p.rest) < before
}

// sign skips one of several signs and reports whether it was there.
func (p *parser) sign(signs ...string) bool {
	p.space()
	for _, s := range signs {
		if rest, ok := strings.CutPrefix(p.rest, s); ok {
			p.rest = rest
			return true
		}
	}
	return false
}

// quotient reads products with signs and quotients, from left to right.
func (p *parser) quotient(depth int) (Unit, error) {
	u, err := p.juxtaposed(depth)
	for err == nil {
		var v Unit
		switch {
		case p.sign("/", "÷"):
			v, err = p.juxtaposed(depth)
			u = u.Times(v, -1)
		case p.sign("·", "⋅", "×", "∙", ".", "*"):
			v, err = p.juxtaposed(depth)
			u = u.Times(v, 1)
		default:
			return u, nil
		}
	}
	return u, err
}

// juxtaposed reads powers with nothing but spaces between them.
func (p *parser) juxtaposed(depth int) (Unit, error) {
	u, err := p.power(depth)
	for err == nil {
		p.space()
		first, _ := utf8.DecodeRuneInString(p.rest)
		if p.rest == "" || !startsWord(first) && first != '(' {
			return u, nil
		}
		var v Unit
		if v, err = p.power(depth); err == nil {
			u = u.Times(v, 1)
		}
	}
	return u, err
}

func startsWord(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%‰°", r) }

// power reads a word, a number or a bracket with its exponent.
func (p *parser) power(depth int) (Unit, error) {
	p.space()
	var u Unit
	var err error
	if p.sign("(") {
		if depth++; depth > deepest {
			return u, errors.New("a unit has too many brackets within brackets")
		}
		if u, err = p.quotient(depth); err == nil && !p.sign(")") {
			err = errors.New("a unit lacks a closing bracket")
		}
	} else {
		u, err = p.word()
	}
	if err != nil {
		return u, err
	}
	e, err := p.exponent()
	return Pure.Times(u, e), err
}

// word reads a unit with its prefix, or a number.
func (p *parser) word() (Unit, error) {
	if n := strings.IndexFunc(p.rest, func(r rune) bool { return !strings.ContainsRune("0123456789.", r) }); n != 0 {
		if n < 0 {
			n = len(p.rest)
		}
		v, err := strconv.ParseFloat(p.rest[:n], 64)
		if err != nil || v == 0 {
			if n == len(p.rest) && n == 0 {
				return Pure, errors.New("the unit ends where a factor should stand")
			}
			return Pure, fmt.Errorf("%q is not a factor of a unit", p.rest[:max(n, 1)])
		}
		p.rest = p.rest[n:]
		return Unit{Size: v}, nil
	}
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !startsWord(r) && r != '-' && r != '–' && r != '_' })
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	if i := strings.IndexAny(word, "-–"); i > 0 { // m-2, kg-m
		word = word[:i]
	}
	if word == "" {
		return Pure, fmt.Errorf("a unit is missing before %q", p.rest)
	}
	p.rest = p.rest[len(word):]
	if u, ok := lookUp(word); ok {
		return u, nil
	}
	return Pure, &UnknownError{word, near(word)}
}

// lookUp finds a word in the table, as it is or with a prefix.
func lookUp(word string) (Unit, bool) {
	if r, ok := known[word]; ok {
		return r.unit, true
	}
	for _, prefix := range prefixes {
		if name, ok := strings.CutPrefix(word, prefix.name); ok {
			if r, ok := known[name]; ok && r.prefix {
				return Unit{r.unit.Dim, r.unit.Size * prefix.size}, true
			}
		}
	}
	return Pure, false
}

// superscripts are digits and signs that are raised.
var superscripts = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
	"⁸", "8", "⁹", "9", "⁻", "-", "⁺", "")

// exponent reads ^2, **-1, ^(1/2), ², or digits right behind a word; without any it is 1.
func (p *parser) exponent() (float64, error) {
	raised := strings.IndexFunc(p.rest, func(r rune) bool { return !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", r) })
	if raised < 0 {
		raised = len(p.rest)
	}
	if raised > 0 {
		digits := superscripts.Replace(p.rest[:raised])
		p.rest = p.rest[raised:]
		return exponentOf(digits)
	}
	marked := p.sign("^", "**")
	if marked && p.sign("(") {
		inside, rest, ok := strings.Cut(p.rest, ")")
		if !ok {
			return 1, errors.New("an exponent lacks its closing bracket")
		}
		p.rest = rest
		num, den, isFraction := strings.Cut(inside, "/")
		e, err := exponentOf(strings.TrimSpace(num))
		if err != nil || !isFraction {
			return e, err
		}
		d, err := exponentOf(strings.TrimSpace(den))
		if err == nil && d == 0 {
			err = fmt.Errorf("the exponent %q of a unit divides by 0", inside)
		}
		return e / d, err
	}
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return !strings.ContainsRune("0123456789", r) && r != '-' && r != '–' && r != '.' && r != '+'
	})
	if n < 0 {
		n = len(p.rest)
	}
	if !marked { // m2 and s-1, but neither m·s nor m.s nor kg-m
		for n > 0 && !strings.ContainsRune("0123456789", rune(p.rest[n-1])) {
			_, last := utf8.DecodeLastRuneInString(p.rest[:n])
			n -= last
		}
		if n == 0 || p.rest[0] == '.' {
			return 1, nil
		}
	}
	digits := strings.ReplaceAll(p.rest[:n], "–", "-")
	p.rest = p.rest[n:]
	return exponentOf(digits)
}

// largestExponent is beyond any that a unit has.
const largestExponent = 20

func exponentOf(digits string) (float64, error) {
	e, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(math.Abs(e) <= largestExponent) {
		return 1, fmt.Errorf("the exponent %q of a unit is not a number from -%d to %[2]d", digits, largestExponent)
	}
	return e, nil
}

// mostNear is how many known units are named beside an unknown word.
const mostNear = 5

// near returns the known units that are spelt as a word but for case, or with one change, the nearest first.
func near(word string) []string {
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	for _, r := range table {
		for _, name := range r.names {
			far := edits(strings.ToLower(word), strings.ToLower(name))
			if limit := max(1, utf8.RuneCountInString(word)/3); far <= limit && far < utf8.RuneCountInString(name)+far/2 {
				all = append(all, candidate{name, far})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, c := range all[:min(mostNear, len(all))] {
		names = append(names, c.name)
	}
	return names
}

// edits returns how many letters must be put in, left out or replaced to make b of a.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before := row[0]
		row[0] = i + 1
		for j := range y {
			cost := before
			if x[i] != y[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(y)]
}
