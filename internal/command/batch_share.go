package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/batch"
)

// share looks for laws that the tables of a summary have in common, and puts them into it. A table that cannot be read
// any more keeps its formula.
func (o batchOptions) share(ctx context.Context, f *batch.Folder, s *batch.Summary, notes io.Writer) error {
	fit, err := o.settings(f)
	if err != nil {
		return err
	}
	done, err := f.Finished()
	if err != nil {
		return err
	}
	found := map[string]map[string]formula.Expr{}
	for _, r := range s.Rows {
		e, err := formula.Parse(r.Formula)
		if err != nil {
			continue // it failed
		}
		if found[r.Table] == nil {
			found[r.Table] = map[string]formula.Expr{}
		}
		found[r.Table][r.Target] = e
	}
	var tables []batch.Table
	for _, t := range f.Tables {
		if found[t.Name] != nil {
			t.SHA256, t.Folder = done.Lines[t.Name].SHA256, "" // as it was when it was learned from; no run of it is kept
			tables = append(tables, t)
		}
	}
	reader := &tableReader{fit: fit, folder: f}
	sources := reader.sources(tables, 1)
	laws, err := eql.Share(ctx, sources, found, o.running(fit)...)
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		for text := range strings.SplitSeq(err.Error(), "\n") {
			tell(notes, "note: no law was tried: %s", printable(text))
		}
	}
	return s.TakeLaws(laws, o.atATime(), func(name string) (*datasets.Table, error) {
		t, _, err := reader.source(reader.tables[name], 1)()
		return t, err
	})
}

// printLaws writes the laws that tables have in common.
func printLaws(w io.Writer, s *batch.Summary) error {
	for i, l := range s.Laws {
		name := formula.Print(formula.Var(l.Target), formula.Text, 0)
		fmt.Fprintf(w, "law %d: %s = %s\n", i+1, name, l.Form)
		fmt.Fprintf(w, "  %d of %d tables have it, %d led to it by themselves\n", len(l.Tables), s.Tables-s.Failed, l.Alone)
		for _, c := range l.Constants {
			if c.Common {
				fmt.Fprintf(w, "  %s is %.6g ± %.2g in all of them\n", c.Name, *c.Value, c.Half())
			}
		}
		if l.Gap != nil {
			fmt.Fprintf(w, "  BIC2 of the next form, %s, is larger by %.0f\n", shorten(l.Next), *l.Gap)
		}
		if len(l.Refused) > 0 {
			fmt.Fprintf(w, "  refused by the tests of %s\n", shorten(printable(strings.Join(l.Refused, ", "))))
		}
		fmt.Fprintf(w, "  verdict: %s\n\n", l.Sentence)
	}
	return nil
}
