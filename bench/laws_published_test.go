package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// publishedCases are the laws that the literature of symbolic regression compares itself with, in its ranges and
// numbers of rows: Nguyen (Uy et al. 2011), R (Krawiec and Pawlak 2013), Livermore (Mundhenk et al. 2021), Jin (2019),
// Constant (Petersen et al. 2021), Keijzer (2003), Korns (2011), Vladislavleva (2009), Pagie (1997), Koza (1992),
// Strogatz (La Cava et al. 2016, their right-hand sides) and Friedman (1991). All rows are drawn at random, where the
// literature has some on grids, and the ranges of Korns's begin at 1 where a root or logarithm needs it.
func publishedCases() []lawCase {
	var cases []lawCase
	for _, line := range publishedLines() {
		name, rest, _ := strings.Cut(line, "\t")
		if l, err := parseRandomLaw(rest); err == nil {
			cases = append(cases, lawCase{"published/" + name, 0.01, l.data})
		}
	}
	return cases
}

// publishedLines are a name and what [randomLaw.line] writes each.
func publishedLines() []string {
	text, err := os.ReadFile(filepath.Join("testdata", "published_laws.txt"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// TestPublishedLawsAreRead reads every line, and draws rows of it.
func TestPublishedLawsAreRead(t *testing.T) {
	lines := publishedLines()
	if cases := publishedCases(); len(cases) < 100 || len(cases) != len(lines) {
		t.Fatalf("%d lines make %d cases", len(lines), len(cases))
	}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, "\t")
		l, err := parseRandomLaw(rest)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := l.data(t, 0); len(d.inputs) != len(l.ranges) || d.data.Rows() != l.rows {
			t.Errorf("%s: %d inputs and %d rows, want %d and %d", name, len(d.inputs), d.data.Rows(), len(l.ranges), l.rows)
		}
	}
}
