package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// targetView is the part of the page about one target.
type targetView struct {
	formulaView
	Copies  []copyView
	Errors  []errorView
	Slices  figuresView
	Residue figuresView
	Front   frontView
	Network figuresView
}

// formulaView is a formula with its evidence.
type formulaView struct {
	ID       string // of elements: a letter and a number
	Name     string // of the target, and of the model where it was not chosen
	Long     bool   // the formula, so that it is set smaller on a phone
	Math     template.HTML
	Groups   *groupsView // nil without groups
	Verdict  verdictView
	Checks   []checkView  // the evidence in short
	Beside   []figureView // beside the formula
	Evidence []string     // in words

	Constants []constantView
	Special   bool          // a constant has a special value
	Labelled  template.HTML // the formula as fitted, with the names of the constants; "" without any
	Fitted    string        // the formula before special values were put in; "" when it is the same
}

type copyView struct {
	ID, Form, Text string
	Button         bool // to copy with
}

type verdictView struct{ Class, Mark, Text string }

type constantView struct {
	Name             string // c₁, c₂, …
	Value, Low, High string
	Unit             string // "" for pure numbers
	Special          template.HTML
}

type errorView struct{ Rows, Count, RMS, MAE, R2 string }

type figuresView struct {
	Lead    string // before the figures; "" for none
	Figures []figureView
}

type figureView struct {
	SVG     template.HTML
	Caption string
	Width   int // in pixels, at its own size
}

func figureOf(f *Figure, caption string) figureView {
	return figureView{template.HTML(f.inline()), caption, int(f.width)} //nolint:gosec // vgsvg escapes text
}

// study is a target with what its formula predicts on the rows learned from.
type study struct {
	page      Page
	choice    sweep.Choice
	o         int             // index among the learned targets; −1 when it was constant
	data      *datasets.Table // inputs, then the target
	predicted []float64
	residual  []float64      // observed less predicted
	shown     []int          // rows in figures
	digits    int            // of the constants in print
	predictor *eql.Predictor // nil without intervals
}

// study looks at a choice and draws at most a number of rows.
func (p Page) study(c sweep.Choice, rows int) (*study, error) {
	s := &study{page: p, choice: c, o: slices.Index(p.Result.Targets, c.Target)}
	var err error
	if s.data, s.predicted, err = s.predict(p.Run.Data.Table); err != nil {
		return nil, err
	}
	s.residual = residuals(s.data, s.predicted)
	s.shown = spreadRows(s.residual, rows)
	s.digits = sweep.Digits(c.Formula, p.Run.Data.Table, p.Run.Inputs, c.Target)
	s.predictor = s.newPredictor()
	return s, nil
}

// target returns what the page says of a choice; i numbers it.
func (p Page) target(c sweep.Choice, i int) (*targetView, error) {
	s, err := p.study(c, mostRows)
	if err != nil {
		return nil, err
	}
	v := &targetView{
		formulaView: s.formula(fmt.Sprintf("t%d", i+1)),
		Slices:      s.slices(), Residue: s.residue(), Network: s.network(),
	}
	if figures := v.Slices.Figures; len(figures) > 0 {
		v.Slices.Figures = figures[1:] // the first is beside the formula
	}
	if words, ok := p.ByHand[c.Target]; ok {
		v.Verdict = verdictView{"open", "•", words}
	}
	if v.Copies, err = s.copies(v.ID); err != nil {
		return nil, err
	}
	if v.Errors, err = s.errors(); err != nil {
		return nil, err
	}
	v.Front, err = s.front(v.ID)
	return v, err
}

// formula returns the formula with its evidence.
func (s *study) formula(id string) formulaView {
	c := s.choice
	v := formulaView{
		ID: id, Name: c.Target, Long: len(formula.Print(c.Formula, formula.Text, s.digits)) > 45,
		Math:    mathOf(c.Target, c.Formula, s.digits),
		Verdict: verdictOf(c), Checks: s.checks(), Evidence: s.evidence(),
	}
	if g, ok := sweep.GroupsOf(c.Formula, c.Evidence, s.page.Run.Columns); ok {
		v.Math, v.Long = mathOf(c.Target, g.Form, s.digits), false
		v.Groups = s.groups(g)
	}
	if inputs, _ := s.inputs(true); len(inputs) > 0 {
		v.Beside = append(v.Beside, s.slice(inputs[0]))
	}
	if c.Model != nil {
		v.Beside = append(v.Beside, s.observed())
	}
	if e := c.Evidence; e != nil {
		v.Constants, v.Labelled = s.constants()
		v.Special = slices.ContainsFunc(v.Constants, func(k constantView) bool { return k.Special != "" })
		if !formula.Equal(e.Fitted, c.Formula) {
			v.Fitted = formula.Print(e.Fitted, formula.Text, s.digits)
		}
	}
	return v
}

// newPredictor returns what says how sure predictions are, nil where that is not known.
func (s *study) newPredictor() *eql.Predictor {
	e := s.choice.Evidence
	if e == nil {
		return nil
	}
	p, err := eql.NewPredictorWith(s.choice.Formula, s.choice.Target, s.page.Run.Fitted(),
		sweep.SpecialValues(e.Constants), e.Errors)
	if err != nil || p.DegreesOfFreedom() <= 0 {
		return nil // with so few rows there are no intervals, and the constants say so
	}
	return p
}

// constants returns the constants with their names, and the formula as fitted with these names.
func (s *study) constants() ([]constantView, template.HTML) {
	e := s.choice.Evidence
	if len(e.Constants) == 0 {
		return nil, ""
	}
	var views []constantView
	var names []string
	prefix := constantPrefix(formula.Vars(e.Fitted))
	for i, k := range e.Constants {
		v := constantView{Name: prefix + subscript(i+1), Value: number(k.Value, 6), Unit: k.Unit}
		v.Low, v.High = interval(k.Low, k.High)
		if k.Snapped != k.Value {
			v.Special = mathOf("", formula.Const(k.Snapped), s.digits)
		}
		views, names = append(views, v), append(names, fmt.Sprint(prefix, i+1))
	}
	if len(formula.Constants(e.Fitted)) != len(names) {
		return views, ""
	}
	return views, mathOf(s.choice.Target, formula.Parametrize(e.Fitted, names), s.digits)
}

// constantPrefix is c, or more of them where an input has such a name.
func constantPrefix(inputs []string) string {
	prefix := "c"
	for slices.ContainsFunc(inputs, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		prefix += "c"
	}
	return prefix
}

// subscript writes a number in small digits below the line.
func subscript(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + '₀' }, fmt.Sprint(n))
}

// predict selects the inputs and the target of a table, and evaluates the formula.
func (s *study) predict(t *datasets.Table) (*datasets.Table, []float64, error) {
	inputs := s.page.Run.Inputs
	data, err := t.Select(append(slices.Clone(inputs), s.choice.Target)...)
	if err != nil {
		return nil, nil, err
	}
	program, err := formula.Compile(s.choice.Formula, inputs)
	if err != nil {
		return nil, nil, fmt.Errorf("the formula of %q: %w", s.choice.Target, err)
	}
	predicted := make([]float64, data.Rows())
	program.EvalColumns(predicted, data.Cols[:len(inputs)])
	return data, predicted, nil
}

func residuals(data *datasets.Table, predicted []float64) []float64 {
	y := data.Cols[len(data.Cols)-1]
	r := make([]float64, len(y))
	for i := range y {
		r[i] = y[i] - predicted[i]
	}
	return r
}

// mostRows is how many rows there are in a figure.
const mostRows = 250

// spreadRows returns rows for figures: all, or at most a number of them, nine tenths evenly spread
// and the others those with the largest residuals, which a thinned figure would otherwise hide.
func spreadRows(residual []float64, most int) []int {
	n := len(residual)
	if n <= most {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		return rows
	}
	rows := largestRows(residual, most/10)
	even := most - most/10
	for i := range even {
		rows = append(rows, i*n/even)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// largestRows returns the rows with the k largest finite residuals in size.
func largestRows(residual []float64, k int) []int {
	var rows []int
	least := 0.0 // in size, of those in rows once there are k
	for i, r := range residual {
		a := math.Abs(r)
		if !(a <= largest) || len(rows) == k && a <= least {
			continue
		}
		at, _ := slices.BinarySearchFunc(rows, a, func(row int, a float64) int {
			if math.Abs(residual[row]) >= a {
				return -1
			}
			return 1
		})
		rows = slices.Insert(rows, at, i)
		rows = rows[:min(len(rows), k)]
		least = math.Abs(residual[rows[len(rows)-1]])
	}
	return rows
}

// copies returns the formula in the forms that people take along.
func (s *study) copies(id string) ([]copyView, error) {
	c := s.choice
	printed := func(form formula.Form) string {
		return formula.Print(formula.Var(c.Target), form, 0) + " = " + formula.Print(c.Formula, form, s.digits)
	}
	copies := []copyView{
		{id + "-text", "Text", printed(formula.Text), true}, {id + "-latex", "LaTeX", printed(formula.LaTeX), true},
	}
	for _, form := range formula.Programs() {
		text, err := formula.Function(form, "predict", formula.Vars(c.Formula),
			[]formula.Named{{Name: c.Target, Expr: c.Formula}})
		if err != nil {
			return nil, err
		}
		button := form == formula.Python || form == formula.Go // one for each language would be a wall of buttons
		copies = append(copies, copyView{id + "-" + string(form), form.Title(), text, button})
	}
	return copies, nil
}
