package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/eqlearner/eql/internal/batch"
)

// The page has the rows of one form together, the most frequent form first and what failed last; it shows no more than
// it says, asks for nothing, and takes names for what they are.
func TestBatchPage(t *testing.T) {
	s := &batch.Summary{Tables: 2005, Failed: 1, Classes: []string{"here"},
		Forms: []batch.FormCount{{Form: "c1*x", Rows: 2003}, {Form: "c1*sin(c2*x)", Rows: 1}}}
	add := func(r batch.Row) {
		s.Rows = append(s.Rows, r)
		s.Sketches = append(s.Sketches,
			batch.Sketch{X: `x"><b>`, Points: []int16{1, 2}, Curve: []int16{0, 1, -1, -1, 5, 6, 7, 8}})
	}
	add(batch.Row{Table: "bad\n<i>.csv", Ended: batch.Failed, Error: "a <b>cell</b>"})
	add(batch.Row{Table: "waves.csv", Target: "y", Text: "2*sin(3*x)", Form: "c1*sin(c2*x)", Verdict: "holds"})
	for k := range 2003 {
		add(batch.Row{Table: fmt.Sprintf("t%d.csv", k), Target: "y", Text: "2*x", Form: "c1*x", Verdict: "uncertain"})
	}
	two := 2.0
	s.Laws = []batch.Law{{Target: "y", Form: "c1*sin(c2*x)", Gap: &two, Next: "c1*<x>",
		Refused: []string{"<i>bad"}, Verdict: "holds",
		Constants: []batch.LawConstant{{Name: "c1"},
			{Name: "c2", Common: true, Interval: batch.Interval{Value: &two, Low: &two, High: &two}}},
		Tables: []batch.LawTable{{Table: "<b>a</b>.csv", Alone: true,
			Constants: []batch.Interval{{Value: &two}, {Value: &two}}}}}}
	var b bytes.Buffer
	if err := (Batch{Name: "<script>", Summary: s}).Write(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	order := []string{"&lt;script&gt;", "2,000 of 2,005 rows are shown",
		"Law 1", "c1*&lt;x&gt;", "c2 is one number in all tables, 2 ± 0.",
		"&lt;i&gt;bad", "<th scope=\"col\">c1</th>", "&lt;b&gt;a&lt;/b&gt;.csv", "2 (open)", "yes", "<code>c1*x</code>",
		"t0.csv", "<code>c1*sin(c2*x)</code>",
		"waves.csv", "Failed", "bad &lt;i&gt;.csv", "a &lt;b&gt;cell&lt;/b&gt;"}
	for at, rest := 0, page; at < len(order); at++ {
		_, after, found := strings.Cut(rest, order[at])
		if !found {
			t.Fatalf("the page lacks %q after %q", order[at], order[:at])
		}
		rest = after
	}
	for _, bad := range []string{"<script", "<b>", "<i>", "http-equiv=\"refresh", "src="} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q in it", bad)
		}
	}
	if want := `d="M0 1M5 6L7 8"`; !strings.Contains(page, want) {
		t.Errorf("no plot has the curve %s, which has a gap", want)
	}
	if n := strings.Count(page, "<svg"); n != 1999 {
		t.Errorf("there are %d plots, want one a row that is shown", n)
	}
}
