package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the template
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// Page is what the page of a run is made from.
type Page struct {
	Name string          // of the run
	Run  sweep.RunConfig // settings, columns and tables
	// Result holds the models, trained networks with theirs, and the choices; its tables are not
	// looked at.
	Result               *sweep.Result
	Seconds              float64
	Device, Card, Kernel string // Card names the GPU, if one trained
	Version              string // of the program that writes the page
	Command              string // that runs it again
	CommandNote          string // what the command leaves out; "" for nothing
	// Trajectory says how formulas for derivatives follow the trajectory that these are along, nil for other runs.
	Trajectory *evidence.Trajectory
	// ByHand says for targets whose formula a person chose what the run's own choice was, in words.
	ByHand map[string]string
}

//go:embed page.html
var pageText string

// headText is the head of all pages, and their warnings.
//
//go:embed head.html
var headText string

//go:embed page.css
var pageCSS string

// pageJS is the only script: it makes the buttons that copy. The page works without it.
//
//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(headText + pageText))

// Write writes the page: one HTML document that needs nothing else, asks for nothing, and forbids
// its reader's browser to ask for anything.
func (p Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// head is what all pages have: it forbids requests.
type head struct {
	Title, Policy string
	Style         template.CSS
	Warnings      []string
}

func headOf(title string) head {
	style := template.CSS(pageCSS) //nolint:gosec // ours
	return head{Title: title, Policy: "default-src 'none'; style-src 'unsafe-inline'", Style: style}
}

// pageView is what the template shows.
type pageView struct {
	head
	Script  template.JS
	Summary string
	Targets []targetView
	Shared  []template.HTML // the formulas with what they have in common written once, where that is shorter
	Models  modelsView
	// Trajectory says how formulas for derivatives were made and tested; empty for other runs.
	Trajectory *trajectoryView
	Settings   []item
	Columns    []item // what their numbers mean, where cells are something else
	Files      []fileView
	Facts      []item
	Command    string
	Note       string
}

// item is a term and what it is.
type item struct{ Name, Value string }

type fileView struct {
	Role, Name, Rows, SHA256 string
}

func (p Page) view() (*pageView, error) {
	settings, err := settingItems(p.Run.Settings)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(pageJS))
	v := &pageView{
		head:    headOf(p.Name),
		Script:  template.JS(pageJS), //nolint:gosec // ours
		Summary: p.summary(),
		Models:  p.models(), Trajectory: p.trajectory(),
		Settings: settings,
		Columns:  p.columns(),
		Files:    p.files(),
		Facts: []item{
			{"Time", fmt.Sprintf("%.3g s", p.Seconds)},
			{"Computed on", strings.TrimSuffix(p.Device+", "+p.Card, ", ") + ", kernel " + p.Kernel},
			{"Page written by", "eql " + p.Version},
		},
		Command: p.Command, Note: p.CommandNote,
	}
	v.Policy += "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	for _, w := range p.Result.Warnings {
		v.Warnings = append(v.Warnings, sentence(w))
	}
	switch p.Result.Ended {
	case sweep.EndedInterrupted:
		v.Warnings = append(v.Warnings, "The run was interrupted; these are partial results.")
	case sweep.EndedByTime:
		v.Warnings = append(v.Warnings, "The time limit ended the search before all rounds were trained. On a faster "+
			"machine the same settings may find another formula.")
	}
	var named []formula.Named
	digits := 0
	for _, c := range p.Result.Chosen {
		named = append(named, formula.Named{Name: c.Target, Expr: c.Formula})
		digits = max(digits, sweep.Digits(c.Formula, p.Run.Data.Table, p.Run.Inputs, c.Target))
	}
	if shared, shorter := formula.Share(named); shorter {
		for _, d := range shared {
			v.Shared = append(v.Shared, mathOf(d.Name, d.Expr, digits))
		}
	}
	for i, c := range p.Result.Chosen {
		t, err := p.target(c, i)
		if err != nil {
			return nil, err
		}
		v.Targets = append(v.Targets, *t)
	}
	return v, nil
}

// summary says in one line what was done.
func (p Page) summary() string {
	networks := 0
	for _, m := range p.Result.Models {
		if !m.Baseline && !m.Greedy && m.Form == "" {
			networks++
		}
	}
	return fmt.Sprintf("A run of eql: %s, %s, %s; %s trained, preset %s, seed %d.",
		count(p.Run.Data.Table.Rows(), "row"), count(len(p.Run.Inputs), "input"), count(len(p.Run.Targets), "target"),
		count(networks, "network"), p.Run.Settings.Preset, p.Run.Settings.Seed)
}

// count writes a number of things, with commas between the thousands.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// columns says what numbers mean that stand for dates or words, or have a unit.
func (p Page) columns() []item {
	var items []item
	for _, name := range slices.Concat(p.Run.Inputs, p.Run.Targets) {
		if coding, ok := p.Run.Columns[name]; ok && coding.HasMeaning() {
			items = append(items, item{name, coding.Meaning()})
		}
	}
	return items
}

func (p Page) files() []fileView {
	files := []fileView{fileOf("learned from", p.Run.Data)}
	if w := p.Run.Whole; w != nil {
		files = append(files, fileView{"which is a sample of", w.Path, thousands(w.Rows), w.SHA256})
	}
	if p.Run.Validation != nil {
		files = append(files, fileOf("validated on", *p.Run.Validation))
	}
	if t := p.Run.Trajectory; t != nil {
		files = append(files, fileOf("which are derivatives along", t.DataFile))
	}
	for _, t := range p.Run.Tests {
		files = append(files, fileOf("tested on", t))
	}
	return files
}

func fileOf(role string, f sweep.DataFile) fileView {
	name := f.File
	// which stand for what had no name
	if f.Name != "" && f.Name != "data" && f.Name != "validation" && f.Name != "trajectory" {
		name += ", from " + f.Name
	}
	return fileView{role, name, thousands(f.Table.Rows()), f.SHA256}
}
