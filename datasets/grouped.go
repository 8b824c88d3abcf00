package datasets

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NumberCoding codes numbers with marks between thousands, or with the same sign or unit in every cell.
type NumberCoding struct {
	Decimal Decimal `json:"decimal"`          // the mark between 1 and 5 in 1.5
	Group   string  `json:"group,omitempty"`  // the marks between thousands, any one of them; none are read when empty
	Prefix  string  `json:"prefix,omitempty"` // a currency, its sign or its name
	Suffix  string  `json:"suffix,omitempty"` // a unit
	// Accounts says that numbers in parentheses are negative.
	Accounts bool `json:"accounts,omitempty"`
}

// groupMarks are what stands between thousands. A group mark is never the decimal mark.
var groupMarks = []struct{ marks, name string }{
	{"", ""},
	{",", "commas"},
	{".", "points"},
	{" \u00a0\u2009\u202f", "spaces"},
	{"'’", "apostrophes"},
}

// longestUnit is the longest suffix, in characters; what is longer is a remark.
const longestUnit = 20

// minus is the sign that typesetting uses; tables copied from documents have it.
const minus = "−"

// amountParts cuts a cell into sign, currency, number and unit.
var amountParts = regexp.MustCompile(
	`^([+\-−]?)(` + currency + `?)` + gap + `*([+\-−]?(?:(?:[\d.,'’]|` + gap + `)*\d[.,]?)(?:[eE][+\-]?\d+)?)` + gap + `*(\D.*)?$`)

// currency is a currency before a number: its sign, with letters of the country or not, or its name in ISO 4217.
const currency = `(?:[A-Z]{0,3}\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|` +
	`KRW|ZAR|RUB|TRY|SGD|HKD)`

var wholeCurrency = regexp.MustCompile(`^` + currency + `$`)

// gap is a space of any kind.
const gap = `[\s\x{a0}\x{2009}\x{202f}]`

// amount is a cell that amountParts cuts.
type amount struct {
	digits, prefix, suffix string
	parentheses            bool
}

func amountOf(cell string) (amount, bool) {
	if len(cell) > longestValue {
		return amount{}, false
	}
	if inside, ok := strings.CutPrefix(cell, "("); ok && strings.HasSuffix(inside, ")") {
		a, ok := amountOf(strings.TrimSuffix(inside, ")"))
		if a.parentheses || strings.HasPrefix(a.digits, "-") || strings.HasPrefix(a.digits, "+") {
			return amount{}, false
		}
		a.digits, a.parentheses = "-"+a.digits, true
		return a, ok
	}
	p := amountParts.FindStringSubmatch(cell)
	if p == nil {
		return amount{}, false
	}
	sign, digits := p[1], p[3]
	if signed := strings.TrimLeft(digits, "+-"+minus); sign != "" && signed != digits {
		return amount{}, false
	}
	return amount{digits: strings.ReplaceAll(sign+digits, minus, "-"), prefix: p[2], suffix: p[4]}, isUnit(p[4])
}

// isUnit reports whether s may stand behind a number: nothing, or something short that starts as units do.
func isUnit(s string) bool {
	if s == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(s)
	starts := unicode.IsLetter(first) || unicode.Is(unicode.Sc, first) || strings.ContainsRune("%‰°[", first)
	return starts && utf8.RuneCountInString(s) <= longestUnit && !strings.ContainsFunc(s, unicode.IsControl)
}

// numberCoding proposes a coding when the column can be read as numbers in one way.
//
// A comma with three digits behind it may be a decimal mark or part thousands; the decision takes a cell that only one
// of them explains, in this column or another one, see [tellDecimal], or that the mark was said.
func (s *Sheet) numberCoding(c *column) (Coding, bool) {
	if len(c.texts) == 0 {
		return Coding{}, false
	}
	best, ambiguous := only(s.numberCandidates(c))
	if best.coding.Number == nil || ambiguous {
		return Coding{}, false
	}
	return best.coding, best.coding.Number.Decimal == s.opt.Decimal
}

// numberCandidates returns the ways to read the texts of a column as numbers.
func (s *Sheet) numberCandidates(c *column) []candidate {
	shared, ok := amountOf(c.texts[0].text)
	if !ok || c.count[number] > 0 && shared.prefix+shared.suffix != "" {
		return nil // not in every cell
	}
	accounts, all := c.parentheses()
	if all && c.count[number] == 0 {
		return nil // who knows what they mean
	}
	var fits []candidate
	for _, d := range []Decimal{s.opt.Decimal, Comma - s.opt.Decimal} {
		if d != s.opt.Decimal && (s.opt.DecimalKnown || c.marked) {
			continue
		}
		for _, g := range groupMarks {
			if strings.Contains(g.marks, d.mark()) {
				continue
			}
			n := &NumberCoding{Decimal: d, Group: g.marks, Prefix: shared.prefix, Suffix: shared.suffix, Accounts: accounts}
			fit, ok := try(c.texts, Coding{Number: n}, n)
			if ok && fit.misses == 0 && d == s.opt.Decimal && g.marks == "" {
				return []candidate{fit} // it reads the numbers as it would without their unit
			}
			if ok {
				fits = append(fits, fit)
			}
		}
	}
	return fits
}

// parentheses reports whether some cells of text are in parentheses, and whether all are.
func (c *column) parentheses() (some, all bool) {
	in := func(cell textCell) bool { return strings.HasPrefix(cell.text, "(") }
	out := func(cell textCell) bool { return !in(cell) }
	return slices.ContainsFunc(c.texts, in), !slices.ContainsFunc(c.texts, out)
}

func (n *NumberCoding) validate() error {
	var errs []error
	if n.Decimal != Point && n.Decimal != Comma {
		errs = append(errs, fmt.Errorf("the decimal mark is %v", n.Decimal))
	}
	if !slices.ContainsFunc(groupMarks, func(g struct{ marks, name string }) bool { return g.marks == n.Group }) ||
		strings.Contains(n.Group, n.Decimal.mark()) {
		errs = append(errs, fmt.Errorf("the marks between thousands are %q", n.Group))
	}
	if n.Prefix != "" && !wholeCurrency.MatchString(n.Prefix) {
		errs = append(errs, fmt.Errorf("the prefix is %s, want a currency", quote(n.Prefix)))
	}
	if !isUnit(n.Suffix) {
		errs = append(errs, fmt.Errorf("the suffix is %s, want a unit", quote(n.Suffix)))
	}
	return errors.Join(errs...)
}

func (n *NumberCoding) decode(cell string) (float64, bool) {
	a, ok := amountOf(cell)
	if !ok || a.prefix != n.Prefix || a.suffix != n.Suffix || a.parentheses && !n.Accounts {
		return 0, false
	}
	return n.value(a.digits)
}

// value reads digits with their marks.
func (n *NumberCoding) value(digits string) (float64, bool) {
	digits, ok := n.ungrouped(digits)
	if !ok {
		return 0, false
	}
	v, kind := parseCell([]byte(digits), n.Decimal)
	return v, kind == number
}

// ungrouped returns digits without the marks between thousands. Where there is one, the first group has one to three
// digits and does not start with 0, and all others have three; in India all but the last have two.
func (n *NumberCoding) ungrouped(digits string) (string, bool) {
	whole, fraction, _ := strings.Cut(digits, n.Decimal.mark())
	isMark := func(r rune) bool { return strings.ContainsRune(n.Group, r) }
	if !strings.ContainsFunc(whole, isMark) {
		return digits, true // parseCell knows what is wrong with it
	}
	sign := whole[:len(whole)-len(strings.TrimLeft(whole, "+-"))]
	groups := strings.FieldsFunc(whole[len(sign):], isMark)
	marks := strings.Count(strings.Map(func(r rune) rune {
		if isMark(r) {
			return '_'
		}
		return r
	}, whole), "_")
	if len(groups) != marks+1 || len(groups[0]) > 3 || groups[0][0] == '0' || !allDigits(fraction) {
		return "", false
	}
	last, size := len(groups)-1, 3
	if last > 1 && len(groups[1]) == 2 && strings.Contains(n.Group, ",") {
		size = 2
	}
	for i, g := range groups {
		if !allDigits(g) || i == last && len(g) != 3 || i < last && (len(g) > size || i > 0 && len(g) != size) {
			return "", false
		}
	}
	whole = sign + strings.Join(groups, "")
	if fraction == "" {
		return whole, true
	}
	return whole + n.Decimal.mark() + fraction, true
}

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// plain takes any number: where all cells had a unit one without it is of the same.
func (n *NumberCoding) plain(v float64) (float64, bool) { return v, true }

func (n *NumberCoding) agrees(d Decimal, marked bool) bool { return !marked || d == n.Decimal }

func (n *NumberCoding) wants() string {
	like := n.Prefix + "1" + n.Decimal.mark() + "5"
	if n.Group != "" {
		first, _ := utf8.DecodeRuneInString(n.Group)
		like = n.Prefix + "1" + string(first) + "234" + n.Decimal.mark() + "5"
	}
	if n.Suffix != "" {
		like += " " + n.Suffix
	}
	return "a number such as " + like
}

func (n *NumberCoding) reading() string {
	var parts []string
	for _, g := range groupMarks {
		if g.marks == n.Group && g.name != "" {
			parts = append(parts, g.name+" between thousands")
		}
	}
	if n.Decimal == Comma {
		parts = append(parts, "a decimal comma")
	}
	for _, unit := range []string{n.Prefix, n.Suffix} {
		if unit != "" {
			parts = append(parts, quote(unit)+" in every cell")
		}
	}
	if n.Accounts {
		parts = append(parts, "parentheses for negative ones")
	}
	if parts == nil {
		return "numbers with a typeset sign"
	}
	return "numbers with " + strings.Join(parts, " and ")
}

func (n *NumberCoding) meaning() string {
	if unit := n.Prefix + n.Suffix; unit != "" {
		return "numbers in " + unit
	}
	return "numbers"
}

// HasMeaning reports whether the numbers of the column need an explanation beside a formula: they count time, stand for
// words or have a unit.
func (c Coding) HasMeaning() bool { return c.Number == nil || c.Number.Prefix+c.Number.Suffix != "" }
