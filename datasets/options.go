package datasets

import "fmt"

// Options says how to read a file. The zero value is the default.
type Options struct {
	Decimal Decimal // the mark between 1 and 5 in 1.5; the point is assumed where the first lines do not tell a comma
	// DecimalKnown says that Decimal is not assumed: the other mark then parts thousands.
	DecimalKnown bool
	Missing      Missing // what to do about missing cells in a column that is used
	// AllNeeded says that no column used can be left out; errors then do not advise it.
	AllNeeded bool
	// Words writes the advice in errors and notes, for instance as flags of a program: what to do to take a way out, for
	// a column if it concerns one. Without it the advice is that of [Way.String].
	Words func(way Way, column string) string `json:"-"`
	// Most is the largest number of rows to keep, 0 for all. Of a longer file the sheet holds a random sample of that
	// size, always the same, in the order of the file. Codings and notes follow from all rows.
	Most int

	parts *parts // see [ReadParts]
}

// Decimal is the decimal mark.
type Decimal int

// The decimal marks.
const (
	Point Decimal = iota // 1.5
	Comma                // 1,5; cells are then separated by semicolons or tabs, or quoted
)

var decimalNames = [...]string{Point: "point", Comma: "comma"}

func (d Decimal) String() string { return choice(decimalNames[:], int(d)) }

// mark is the mark itself.
func (d Decimal) mark() string {
	if d == Comma {
		return ","
	}
	return "."
}

// MarshalText gives "point" or "comma".
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText accepts "point" and "comma".
func (d *Decimal) UnmarshalText(b []byte) error {
	return unmarshalChoice(d, "decimal", decimalNames[:], b)
}

// Missing is what to do about a missing cell in a column that is used. A cell is missing
// when it is empty, NaN in any case, or a word that stands for it, such as NA, null, ?, - or a point.
type Missing int

// The ways to treat missing cells.
const (
	MissingError Missing = iota // refuse the column
	MissingDrop                 // leave the row out, and say how many
)

var missingNames = [...]string{MissingError: "error", MissingDrop: "drop"}

func (m Missing) String() string { return choice(missingNames[:], int(m)) }

// MarshalText gives "error" or "drop".
func (m Missing) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText accepts "error" and "drop".
func (m *Missing) UnmarshalText(b []byte) error {
	return unmarshalChoice(m, "missing", missingNames[:], b)
}

func choice(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("choice %d", i)
	}
	return names[i]
}

func unmarshalChoice[T ~int](c *T, what string, names []string, b []byte) error {
	for i, name := range names {
		if string(b) == name {
			*c = T(i)
			return nil
		}
	}
	return fmt.Errorf("%s is %s, want %s or %s", what, quote(string(b)), names[0], names[1])
}

// Way is a way out of an error in a file, which a program may have a flag or a button for.
type Way int

// The ways.
const (
	LeaveOut    Way = iota // the column is not used
	LeaveSparse            // columns with many missing cells are not used
	DropRows               // rows with missing cells are left out
	UsePoint               // the decimal mark is a point
	UseComma               // the decimal mark is a comma
)

var wayWords = [...]string{
	LeaveOut: "leave the column out", LeaveSparse: "leave out columns with many missing cells", DropRows: "drop such rows",
	UsePoint: "read the file with a decimal point", UseComma: "read the file with a decimal comma",
}

// String says what to do.
func (w Way) String() string { return choice(wayWords[:], int(w)) }

// say says how to take a way out.
func (o Options) say(w Way, column string) string {
	if o.Words != nil {
		return o.Words(w, column)
	}
	return w.String()
}
