package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
)

// Of three columns of texts in a table of twenty columns the one that matters names the groups.
func TestGroupsThatMatter(t *testing.T) {
	for _, tt := range []struct {
		name, by string
		effect   float64
	}{{"one matters", "region", 1}, {"none matters", "", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			sheet, err := datasets.Read(strings.NewReader(withTexts(tt.effect)), "d.csv", datasets.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var notes strings.Builder
			r, err := fitOptions{}.columns(sheet, &notes)
			if err != nil {
				t.Fatal(err)
			}
			grouped := slices.ContainsFunc(r.inputs, func(name string) bool { return strings.Contains(name, "=") })
			if grouped != (tt.by != "") || grouped && !slices.Contains(r.inputs, tt.by+"=r2") {
				t.Errorf("inputs %v, want groups by %q", r.inputs, tt.by)
			}
			const want = `column "batch" holds 3 different texts and is left out (--by batch `
			if !strings.Contains(notes.String(), want) {
				t.Errorf("notes are %s, want %s", &notes, want)
			}
		})
	}
}

// withTexts is a table of 20 columns, 3 of them of texts, of which region changes the target.
func withTexts(effect float64) string {
	r := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for j := range 16 {
		fmt.Fprintf(&b, "x%d,", j+1)
	}
	b.WriteString("batch,region,name,y\n")
	for range 120 {
		x, region := 0.0, r.IntN(4)
		for range 16 {
			x = r.NormFloat64()
			fmt.Fprintf(&b, "%.4f,", x)
		}
		fmt.Fprintf(&b, "b%d,r%d,n%d,%.4f\n", r.IntN(3), region, r.IntN(5), 2*x+effect*float64(region)+0.5*r.NormFloat64())
	}
	return b.String()
}

// Groups that differ by capitals or spaces alone are named.
func TestNoteSpellings(t *testing.T) {
	const in = "m,y\nsteel,1\nalu,2\nSteel,3\nsteel,4\nSteel,5\nal u,6\nlead,7\n"
	sheet, err := datasets.Read(strings.NewReader(in), "d.csv", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var notes strings.Builder
	noteSpellings(sheet, "m", &notes)
	const want = `note: column "m": "steel" and "Steel" are two groups (if they are one, spell them alike)
note: column "m": "alu" and "al u" are two groups (if they are one, spell them alike)
`
	if notes.String() != want {
		t.Errorf("got\n%swant\n%s", &notes, want)
	}
}
