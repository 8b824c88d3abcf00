package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/batch"
)

// lawView is a law that tables have in common, with its constants as a table.
type lawView struct {
	ID, Name string
	Math     template.HTML
	Text     string // in place of the mathematics
	Verdict  verdictView
	Facts    []string
	Columns  []string // the constants that differ
	Rows     []lawRow
}

type lawRow struct {
	Table, Alone string
	Constants    []string
}

// lawsOf returns the laws of a batch, of each as many tables as the page shows.
func lawsOf(s *batch.Summary) (laws []lawView) {
	for i, l := range s.Laws {
		v := lawView{ID: fmt.Sprintf("law%d", i+1), Name: fmt.Sprintf("Law %d", i+1), Verdict: verdictOfLevel(l.Verdict)}
		if e, err := formula.Parse(l.Form); err == nil {
			v.Math = mathOf(l.Target, e, 0)
		} else {
			v.Text = l.Form
		}
		v.Facts = append(v.Facts, sentence(l.Sentence),
			fmt.Sprintf("%s of %s have it; %d led to it by themselves.",
				thousands(len(l.Tables)), count(s.Tables-s.Failed, "table"), l.Alone))
		if l.Gap != nil {
			v.Facts = append(v.Facts, fmt.Sprintf("The sum of BIC2 of the next form, %s, is larger by %s.",
				l.Next, number(*l.Gap, 4)))
		}
		for _, c := range l.Constants {
			if c.Common {
				v.Facts = append(v.Facts, fmt.Sprintf("%s is one number in all tables, %s.", c.Name, plusMinus(c.Interval)))
			} else {
				v.Columns = append(v.Columns, c.Name)
			}
		}
		if len(l.Refused) > 0 {
			v.Facts = append(v.Facts, visible("Refused by the tests of "+strings.Join(l.Refused, ", "))+".")
		}
		for _, t := range l.Tables[:min(len(l.Tables), mostTables)] {
			row := lawRow{Table: visible(t.Table)}
			if t.Alone {
				row.Alone = "yes"
			}
			for k, c := range t.Constants {
				if !l.Constants[k].Common {
					row.Constants = append(row.Constants, plusMinus(c))
				}
			}
			v.Rows = append(v.Rows, row)
		}
		laws = append(laws, v)
	}
	return laws
}

// plusMinus writes a value with half the width of its interval.
func plusMinus(c batch.Interval) string {
	if c.Value == nil {
		return "–"
	}
	half := c.Half()
	if math.IsInf(half, 0) {
		return number(*c.Value, 5) + " (open)"
	}
	return number(*c.Value, 5) + " ± " + number(half, 2)
}
