package batch

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// Summary is what a batch came to.
type Summary struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Tables  int         `json:"tables"` // of the batch
	Failed  int         `json:"failed"`
	Missing []string    `json:"missing,omitempty"` // tables without a result
	Classes []string    `json:"classes"`           // of bits; more than one may give other bits than one
	Dispute []string    `json:"disputed,omitempty"`
	Laws    []Law       `json:"laws,omitempty"` // that tables have in common, where it was asked for
	Forms   []FormCount `json:"forms"`          // the most frequent first
	Rows    []Row       `json:"rows"`           // in the order of the plan

	Sketches []Sketch `json:"-"` // of the rows
}

// FormCount is how many rows have a form.
type FormCount struct {
	Form string `json:"form"`
	Rows int    `json:"rows"`
}

const (
	summaryFormat  = "eql batch summary"
	summaryVersion = 1
)

// Join reads all journals and returns the summary.
func (f *Folder) Join() (*Summary, error) {
	done, err := f.Finished()
	if err != nil {
		return nil, err
	}
	s := &Summary{
		Format: summaryFormat, Version: summaryVersion, Tables: len(f.Tables), Classes: []string{f.Class},
		Forms: []FormCount{}, Rows: []Row{},
	}
	for _, t := range f.Tables {
		l, there := done.Lines[t.Name]
		if !there {
			s.Missing = append(s.Missing, t.Name)
			continue
		}
		if slices.Contains(done.Disputed, t.Name) {
			s.Dispute = append(s.Dispute, t.Name)
		}
		s.add(l)
	}
	slices.Sort(s.Classes[1:])
	s.countForms()
	return s, nil
}

func (s *Summary) add(l Line) {
	if l.Class != "" && !slices.Contains(s.Classes, l.Class) {
		s.Classes = append(s.Classes, l.Class)
	}
	if l.Error != "" {
		s.Failed++
		l.Rows = []Row{{Table: l.Table, Ended: Failed, Error: l.Error, Seconds: l.Seconds}}
	}
	for i, r := range l.Rows {
		r.Warnings = l.Warnings
		s.Rows = append(s.Rows, r)
		sketch := Sketch{}
		if i < len(l.Sketches) {
			sketch = l.Sketches[i]
		}
		s.Sketches = append(s.Sketches, sketch)
	}
}

func (s *Summary) countForms() {
	s.Forms = []FormCount{}
	place := map[string]int{}
	for _, r := range s.Rows {
		if r.Form == "" {
			continue
		}
		if _, there := place[r.Form]; !there {
			place[r.Form] = len(s.Forms)
			s.Forms = append(s.Forms, FormCount{Form: r.Form})
		}
		s.Forms[place[r.Form]].Rows++
	}
	slices.SortStableFunc(s.Forms, func(a, b FormCount) int { return cmp.Compare(b.Rows, a.Rows) })
}

// csvColumns are the columns of summary.csv.
var csvColumns = []struct {
	name string
	cell func(Row) string
}{
	{"table", func(r Row) string { return r.Table }},
	{"target", func(r Row) string { return r.Target }},
	{"rows", func(r Row) string { return strconv.Itoa(r.Rows) }},
	{"formula", func(r Row) string { return r.Text }},
	{"complexity", func(r Row) string { return strconv.Itoa(r.Complexity) }},
	{"form", func(r Row) string { return r.Form }},
	{"law", func(r Row) string {
		if r.Law == 0 {
			return ""
		}
		return strconv.Itoa(r.Law)
	}},
	{"validation_rms", func(r Row) string { return numberCell(r.Validation) }},
	{"r2", func(r Row) string { return numberCell(r.R2) }},
	{"verdict", func(r Row) string { return string(r.Verdict) }},
	{"reason", func(r Row) string { return r.Sentence }},
	{"ended", func(r Row) string { return string(r.Ended) }},
	{"seconds", func(r Row) string { return strconv.FormatFloat(r.Seconds, 'f', 2, 64) }},
	{"error", func(r Row) string { return r.Error }},
}

func numberCell(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// CSV returns the rows as a table, for people and programs.
func (s *Summary) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	record := make([]string, len(csvColumns))
	for j, c := range csvColumns {
		record[j] = c.name
	}
	w.Write(record) //nolint:errcheck // a buffer never fails
	for _, r := range s.Rows {
		for j, c := range csvColumns {
			record[j] = c.cell(r)
		}
		w.Write(record) //nolint:errcheck // a buffer never fails
	}
	w.Flush()
	return b.Bytes()
}

// JSON returns the summary with all digits.
func (s *Summary) JSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(s)
	return b.Bytes(), err
}

// Write writes summary.csv and summary.json, the page, and where laws were asked for laws.csv.
func (f *Folder) Write(s *Summary, page func(io.Writer) error) error {
	data, err := s.JSON()
	if err != nil {
		return err
	}
	if f.Shared {
		if err := f.write("laws.csv", s.LawsCSV()); err != nil {
			return err
		}
	}
	return cmp.Or(f.write("summary.csv", s.CSV()), f.write("summary.json", data), f.writeBy("batch.html", page))
}
