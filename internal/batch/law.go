package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// Law is a law that tables of a batch have in common, with constants of its own for each; see [eql.SharedLaw].
type Law struct {
	Target    string         `json:"target"`
	Form      string         `json:"form"` // with names for the constants, and numbers for those that agree in all tables
	Constants []LawConstant  `json:"constants"`
	Tables    []LawTable     `json:"tables"`
	Alone     int            `json:"alone"`                // tables that led to it by themselves
	Next      string         `json:"next_form,omitempty"`  // that fits these tables best of all others
	Gap       *float64       `json:"next_bic2"`            // by how much the sum of its BIC2 is larger
	Gain      *float64       `json:"own_bic2"`             // the same of the formulas that the tables led to
	Refused   []string       `json:"refused_by,omitempty"` // tables whose tests refuse it, though it fits
	Verdict   evidence.Level `json:"verdict"`
	Sentence  string         `json:"sentence"`
}

// LawConstant is a constant of a law. One that agrees in all tables has a value, with its 95 % interval.
type LawConstant struct {
	Name   string `json:"name"`
	Common bool   `json:"common"`
	Interval
}

// Interval is a value with its 95 % interval, without an end that the rows leave open.
type Interval struct {
	Value *float64 `json:"value,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// LawTable is a table that has a law.
type LawTable struct {
	Table     string     `json:"table"`
	Constants []Interval `json:"constants"` // in the order of those of the law
	Alone     bool       `json:"alone"`     // it led to the law by itself
}

func intervalOf(c evidence.Constant) Interval {
	return Interval{finite(c.Value), finite(c.Low), finite(c.High)}
}

// TakeLaws puts laws into a summary, and their formulas into the rows of the tables that have them. read returns a
// table of the batch; so many are read at a time, each once.
func (s *Summary) TakeLaws(laws []eql.SharedLaw, workers int, read func(table string) (*datasets.Table, error)) error {
	takes := map[string][]func(*datasets.Table) error{} // by table
	for _, l := range laws {
		s.Laws = append(s.Laws, lawOf(l))
		number := len(s.Laws)
		for _, t := range l.Tables {
			takes[t.Table] = append(takes[t.Table],
				func(data *datasets.Table) error { return s.take(t, l.Target, number, data) })
		}
	}
	names := slices.Sorted(maps.Keys(takes))
	errs, turns := make([]error, len(names)), make(chan struct{}, workers)
	var all sync.WaitGroup
	for i, name := range names {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			data, err := read(name)
			for _, take := range takes[name] {
				if err == nil {
					err = take(data) // it changes rows of this table alone
				}
			}
			errs[i] = err
		})
	}
	all.Wait()
	s.countForms()
	return errors.Join(errs...)
}

func lawOf(l eql.SharedLaw) Law {
	v := l.Verdict()
	law := Law{
		Target: l.Target, Form: formula.Print(l.Law(), formula.Text, 6), Alone: l.Alone,
		Gap: finite(l.Gap), Gain: finite(l.Gain), Refused: l.Refused, Verdict: v.Level, Sentence: v.Sentence(),
	}
	if l.Next != nil {
		law.Next = formula.Print(l.Next, formula.Text, 6)
	}
	for _, c := range l.Constants {
		constant := LawConstant{Name: c.Name, Common: c.Common}
		if c.Common {
			constant.Interval = intervalOf(c.Constant)
		}
		law.Constants = append(law.Constants, constant)
	}
	for _, t := range l.Tables {
		table := LawTable{Table: t.Table, Alone: t.Alone}
		for _, c := range t.Constants {
			table.Constants = append(table.Constants, intervalOf(c))
		}
		law.Tables = append(law.Tables, table)
	}
	return law
}

// take puts a law into the row of one table.
func (s *Summary) take(l eql.TableLaw, target string, number int, t *datasets.Table) error {
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Table != l.Table || r.Target != target {
			continue
		}
		inputs := formula.Vars(l.Formula)
		predicted, err := predict(l.Formula, t, inputs)
		if err != nil {
			return err
		}
		y, _ := t.Col(target) // it was learned
		r.Own, r.OwnVerdict, r.Law = r.Text, r.Verdict, number
		r.Formula, r.Text = l.Formula.String(), formula.Print(l.Formula, formula.Text,
			sweep.Digits(l.Formula, t, inputs, target))
		r.Complexity, r.Form = formula.Complexity(l.Formula), formula.SkeletonOf(l.Formula).String()
		r.Validation, r.R2 = finite(l.Validation), finite(sweep.ErrorsOf(predicted, y).R2)
		r.Verdict, r.Sentence = l.Evidence.Level, l.Evidence.Sentence()
		s.Sketches[i] = sketch(l.Formula, target, t, predicted)
	}
	return nil
}

// LawsCSV returns the constants of all laws in all tables, a row for each.
func (s *Summary) LawsCSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	header := []string{"law", "target", "table", "constant", "value", "low", "high", "common"}
	w.Write(header) //nolint:errcheck // a buffer never fails
	for i, l := range s.Laws {
		for _, t := range l.Tables {
			for k, c := range t.Constants {
				w.Write([]string{ //nolint:errcheck // a buffer never fails
					strconv.Itoa(i + 1), l.Target, t.Table, l.Constants[k].Name,
					numberCell(c.Value), numberCell(c.Low), numberCell(c.High), strconv.FormatBool(l.Constants[k].Common),
				})
			}
		}
	}
	w.Flush()
	return b.Bytes()
}

// Half returns half the width of an interval, +Inf where an end is open.
func (i Interval) Half() float64 {
	if i.Low == nil || i.High == nil {
		return math.Inf(1)
	}
	return (*i.High - *i.Low) / 2
}
