package datasets

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// written is how the numbers of a column are written, as far as that casts doubt on their values.
type written struct {
	whole   bool   // one has no decimal mark, and is not 0
	other   bool   // one has a decimal mark and does not look as if it parted thousands
	example string // of those that do
	rounded string // a whole number that float64 does not have
}

const digitsOfFloat = 15 // that any whole number may have

// look notes how a number is written.
func (w *written) look(b []byte, d Decimal) {
	mark := bytes.IndexByte(b, d.mark()[0])
	if mark < 0 {
		w.whole = w.whole || len(b) != 1 || b[0] != '0'
		if len(b) > digitsOfFloat && w.rounded == "" && allDigits(string(b)) {
			if v, _ := parseCell(b, d); strconv.FormatFloat(v, 'f', 0, 64) != string(b) {
				w.rounded = string(b)
			}
		}
		return
	}
	if w.other {
		return
	}
	whole := bytes.TrimLeft(b[:mark], "+-")
	if len(b)-mark != 4 || len(whole) == 0 || len(whole) > 3 || whole[0] == '0' || !allDigits(string(b[mark+1:])) {
		w.other = true
		return
	}
	if w.example == "" {
		w.example = string(b)
	}
}

// partsThousands reports whether the decimal mark may part thousands: all numbers with it have three digits behind it,
// and others have none. Programs that round to three digits rarely write a number without any.
func (w *written) partsThousands() bool { return w.whole && w.example != "" && !w.other }

// doubt notes numbers that may mean something else than they say.
func (s *Sheet) doubt() {
	for j := range s.columns {
		c := &s.columns[j]
		if c.count[number] == 0 {
			continue
		}
		if w := c.written; w.partsThousands() && !s.opt.DecimalKnown {
			s.note("column %s: the %s in %s is taken for the decimal mark; if it parts thousands, %s", quote(c.name),
				s.opt.Decimal, w.example, s.opt.say(UseComma-Way(s.opt.Decimal), ""))
		}
		if w := c.written.rounded; w != "" {
			v, _ := strconv.ParseFloat(w, 64)
			s.note("column %s: whole numbers as large as %s are rounded, to %s",
				quote(c.name), w, strconv.FormatFloat(v, 'f', 0, 64))
		}
		if v, n, ok := c.standIn(); ok {
			s.note("column %s: %s is in %s, far from all others; if it stands for a missing value, empty its cells "+
				"and %s", quote(c.name), strconv.FormatFloat(v, 'g', -1, 64), plural(n, "cell"), s.opt.say(DropRows, ""))
		}
	}
}

const (
	farAway  = 2    // a number stands for a missing value only if it is that many ranges of the others from these
	huge     = 1e15 // powers of ten from here on stand for missing values in files of models, as does netCDFFill
	fewCells = 4    // a range takes so many other cells
)

// netCDFFill stands for missing values in netCDF, as it is printed.
const netCDFFill = 9.96921e36

// standIn returns a number that seems to stand for missing values, such as -999, and how many cells hold it.
func (c *column) standIn() (v float64, n int, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.values {
		if !notFinite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	for _, v := range []float64{low, high} {
		if !isStandIn(v) {
			continue
		}
		from, to, n, others := math.Inf(1), math.Inf(-1), 0, 0
		for _, u := range c.values {
			switch {
			case u == v:
				n++
			case !notFinite(u):
				from, to, others = min(from, u), max(to, u), others+1
			}
		}
		if others >= fewCells && 2*n <= others && to > from && max(from-v, v-to) > farAway*(to-from) {
			return v, n, true
		}
	}
	return 0, 0, false
}

// isStandIn reports whether a number is one that is written for a missing value: of nines, such as -99, 9999 or -99.9,
// the least of a kind of integers, or a large power of ten.
func isStandIn(v float64) bool {
	power := math.Pow10(int(math.Round(math.Log10(math.Abs(v)))))
	if power >= huge && (math.Abs(v) == power || math.Abs(v) == netCDFFill) || v == math.MinInt16 ||
		v == math.MinInt32 || v == math.MaxInt32 {
		return true
	}
	digits := strings.Replace(strconv.FormatFloat(math.Abs(v), 'f', -1, 64), ".", "", 1)
	return len(digits) > 1 && !slices.ContainsFunc([]byte(digits), func(d byte) bool { return d != '9' }) &&
		math.Abs(v) >= 9
}
