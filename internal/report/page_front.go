package report

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// frontView is the trade between complexity and error.
type frontView struct {
	Lead   string
	Figure *figureView // nil for none
	Rows   []frontRow
	Others []formulaView // the rows that were not chosen, each with its evidence
}

type frontRow struct {
	Complexity int
	Validation string
	Model      int
	Networks   string // how many led to the formula
	Verdict    string // in a word
	Formula    string
	Chosen     bool
	Link       string // the id of the formula with its evidence
}

// rules says how models are chosen.
var rules = map[sweep.Select]string{
	sweep.SelectBIC2:       "by BIC2, which adds a price for each constant to the error",
	sweep.SelectRank:       "by its ranks in validation error over all targets and in sparsity",
	sweep.SelectValidation: "among the networks, by the validation error over all targets",
}

// rowsOfOthers is how many rows there are in a figure of a formula that was not chosen.
const rowsOfOthers = 80

// front returns the front of the target with an id.
func (s *study) front(id string) (frontView, error) {
	if s.o < 0 || len(s.page.Result.Models) == 0 {
		return frontView{}, nil
	}
	v := frontView{Lead: "No model has both a lower complexity and a lower error than one of these. " +
		"The marked one was chosen " + rules[s.page.Run.Settings.Select] + "."}
	link := id + "-m" // and the number of a model
	for _, m := range s.page.Result.Front(s.o) {
		c := s.otherChoice(m)
		row := frontRow{
			Complexity: c.Complexity, Validation: number(c.Validation, 4), Model: m.ID, Networks: "–", Verdict: "–",
			Formula: formula.Print(c.Formula, formula.Text, 4), Chosen: m == s.choice.Model, Link: fmt.Sprint(link, m.ID),
		}
		if e := c.Evidence; e != nil {
			row.Networks, row.Verdict = thousands(e.Support.Agree), string(e.Level)
		}
		v.Rows = append(v.Rows, row)
		if row.Chosen {
			continue
		}
		other, err := s.page.study(c, rowsOfOthers)
		if err != nil {
			return v, err
		}
		view := other.formula(row.Link)
		view.Name = fmt.Sprintf("%s, model %d", c.Target, m.ID)
		v.Others = append(v.Others, view)
	}
	v.Figure = s.frontFigure(link)
	return v, nil
}

// otherChoice is the choice of a model for the target, which is the choice itself for its own.
func (s *study) otherChoice(m *sweep.Model) sweep.Choice {
	if m == s.choice.Model {
		return s.choice
	}
	c := sweep.Choice{Target: s.choice.Target, TargetModel: m.Targets[s.o], Model: m}
	if j := c.Judged; j != nil {
		c.Formula, c.Complexity, c.Evidence = j.Formula, j.Complexity, j.Evidence
	}
	return c
}

// frontFigure draws all models; a click on one of the front leads to the element whose id is link and its number.
func (s *study) frontFigure(link string) *figureView {
	all := Series{Name: "all models", Style: Faint, Label: "model"}
	front := Series{Name: "front", Style: Joined, Label: "model", Link: link}
	chosen := Series{Name: "chosen", Style: Dots, Label: "model", Link: link}
	add := func(to *Series, m *sweep.Model) {
		t := m.Targets[s.o]
		to.X, to.Y, to.Numbers = append(to.X, float64(t.Complexity)), append(to.Y, t.Validation), append(to.Numbers, m.ID)
	}
	for _, m := range s.page.Result.Models {
		if t := m.Targets[s.o]; t.Formula != nil && !math.IsInf(t.Validation, 0) {
			add(&all, m)
		}
	}
	for _, m := range s.page.Result.Front(s.o) {
		add(&front, m)
	}
	if m := s.choice.Model; m != nil {
		add(&chosen, m)
	}
	if len(all.X) == 0 {
		return nil
	}
	low, _ := bounds(all.Y)
	f := figureOf(Chart{
		X: Axis{Label: "complexity"}, Y: Axis{Label: "validation RMS", Log: low > 0}, Width: pageWidth, Height: pageHeight,
		Series: []Series{all, front, chosen},
	}.Figure(), "Complexity (nodes of the formula) and validation error of all models")
	return &f
}
