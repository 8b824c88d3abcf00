package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/batch"
)

// printable returns a name as it is where a line of a terminal shows it so, and quoted otherwise.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// printBatch writes a line for each formula, and what there is of each kind.
func printBatch(w io.Writer, s *batch.Summary) error {
	if err := printLaws(w, s); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "table\tverdict\tformula")
	for _, r := range s.Rows {
		if r.Error != "" {
			reason := strings.ReplaceAll(r.Error, "\n", "; ")
			fmt.Fprintf(tw, "%s\tfailed\t%s\n", shorten(printable(r.Table)), shorten(printable(reason)))
			continue
		}
		name := formula.Print(formula.Var(r.Target), formula.Text, 0)
		fmt.Fprintf(tw, "%s\t%s\t%s\n", shorten(printable(r.Table)), verdictWord(r), shorten(name+" = "+r.Text))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", batchCounts(s))
	return err
}

// verdictWord is the verdict in a word.
func verdictWord(r batch.Row) string {
	if r.Verdict == "" {
		return "not judged"
	}
	return string(r.Verdict)
}

// howMany counts things, by their name for one.
func howMany(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// batchCounts says how many formulas there are of each kind.
func batchCounts(s *batch.Summary) string {
	counts := map[evidence.Level]int{}
	for _, r := range s.Rows {
		counts[r.Verdict]++
	}
	text := fmt.Sprintf("%s: %d formulas hold, %d are uncertain, %d fail",
		howMany(s.Tables, "table"), counts[evidence.Holds], counts[evidence.Uncertain], counts[evidence.Fails])
	if n := counts[""] - s.Failed; n > 0 {
		text += fmt.Sprintf(", %d are not judged", n)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf("; %s failed", howMany(s.Failed, "table"))
	}
	shared := 0
	for _, l := range s.Laws {
		shared += len(l.Tables)
	}
	if shared > 0 {
		text += fmt.Sprintf("; %d have one of %d laws in common", shared, len(s.Laws))
	}
	text += "; " + howMany(len(s.Forms), "form")
	if len(s.Forms) > 0 && s.Forms[0].Rows > 1 {
		text += fmt.Sprintf(", the most frequent is %s, %d times", shorten(s.Forms[0].Form), s.Forms[0].Rows)
	}
	if len(s.Classes) > 1 {
		text += fmt.Sprintf("\nmachines of %d kinds worked on it: their bits may differ", len(s.Classes))
	}
	return text
}
