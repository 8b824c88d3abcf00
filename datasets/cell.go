package datasets

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// cellKind is what a cell holds.
type cellKind int

const (
	number   cellKind = iota
	infinite          // Inf, or a number beyond float64
	missing           // empty, NA, NaN and what else stands for it
	text              // all else
)

// parseCell returns the value of a trimmed cell and what it holds. Numbers are decimal,
// with an optional sign and exponent, after an e or Fortran's D; 1e-999 is 0. The value of an infinite cell is ±Inf,
// that of a missing one and of text NaN.
func parseCell(b []byte, d Decimal) (float64, cellKind) {
	if len(b) == 0 || len(b) == 1 && b[0] == '.' {
		return math.NaN(), missing
	}
	if c := b[len(b)-1]; (c < '0' || c > '9') && c != '.' && c != ',' {
		return parseWord(string(b))
	}
	whole := b
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9', c == '+', c == '-', c == 'e', c == 'E', c == '.' && d == Point:
		case (c == 'D' || c == 'd') && i > 0: // Fortran's exponent; ParseFloat checks the rest
			b = slices.Clone(b)
			b[i] = 'e'
		case c == ',' && d == Comma && bytes.IndexByte(b[i+1:], ',') < 0:
			b = bytes.Replace(b, []byte{','}, []byte{'.'}, 1)
		default:
			return parseWord(string(whole))
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	switch {
	case err == nil:
		return v, number
	case errors.Is(err, strconv.ErrRange):
		return v, infinite
	}
	return parseWord(string(whole))
}

// missingWords stand for a missing number, in R, pandas, SQL, spreadsheets, printed tables and programs of C, as whole
// cells. A point does too, in SAS; it ends like a number and is met before. Words that people write, such as none and
// missing, may name groups.
var missingWords = []string{"NA", "N/A", "n/a", "n.a.", "N.A.", "#NA", "#N/A N/A", "<NA>", "NULL", "Null", "null",
	"(null)", `\N`, "None", "NaT",
	"?", "-", "--", "---", "–", "—", "..", "...", "…", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}

// sheetErrors are what spreadsheets write in place of a number. They begin like a comment.
var sheetErrors = []string{"#N/A", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}

// parseWord is parseCell for cells that are no plain numbers.
func parseWord(s string) (float64, cellKind) {
	sign, rest := 1, s
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		rest = s[1:]
		if s[0] == '-' {
			sign = -1
		}
	}
	switch {
	case slices.Contains(missingWords, s), slices.Contains(sheetErrors, s), strings.EqualFold(rest, "nan"):
		return math.NaN(), missing
	case strings.EqualFold(rest, "inf"), strings.EqualFold(rest, "infinity"), rest == "1.#INF", rest == "∞":
		return math.Inf(sign), infinite
	}
	return math.NaN(), text
}
