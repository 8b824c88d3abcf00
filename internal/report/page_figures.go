package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
)

// mostInputs is how many inputs a target has figures for.
const mostInputs = 8

// The size of figures on the page, which fit beside each other on a screen and fill a phone.
const (
	pageWidth  = 340
	pageHeight = 230
)

// inputs returns the inputs to draw, those that the formula uses first, and their number.
func (s *study) inputs(usedOnly bool) (drawn []int, all int) {
	used := formula.Vars(s.choice.Formula)
	for _, want := range []bool{true, false} {
		for j, name := range s.page.Run.Inputs {
			low, high := bounds(s.data.Cols[j])
			if slices.Contains(used, name) == want && low < high && (want || !usedOnly) {
				drawn = append(drawn, j)
			}
		}
	}
	all = len(drawn)
	return drawn[:min(all, mostInputs)], all
}

// lead says how many of the inputs are drawn, when not all.
func lead(text string, drawn, all int) string {
	if drawn < all {
		text += fmt.Sprintf(" %d of %d inputs are drawn, those in the formula first.", drawn, all)
	}
	return text
}

// slices draws the formula along each input that it uses.
func (s *study) slices() figuresView {
	inputs, all := s.inputs(true)
	v := figuresView{}
	for _, j := range inputs {
		v.Figures = append(v.Figures, s.slice(j))
	}
	text := "The formula along each input, from half the data's range below the data to half above; " +
		"inputs that are never negative begin at zero. The range of the data is shaded."
	if s.predictor != nil {
		text += " If the formula is right, the band around it holds 95 % of new rows."
	}
	if len(s.page.Run.Inputs) > 1 {
		text += " The other inputs are at their medians. A point is the slice plus the residual of a row."
	}
	v.Lead = lead(text+s.thinned(), len(inputs), all)
	return v
}

// thinned says how many rows are drawn, when not all.
func (s *study) thinned() string {
	if n := len(s.residual); len(s.shown) < n {
		return fmt.Sprintf(" %[2]d of %[1]s rows are drawn, among them those with the largest residuals.",
			thousands(n), len(s.shown))
	}
	return ""
}

func (s *study) slice(j int) figureView {
	const steps = 160
	name, target := s.page.Run.Inputs[j], s.choice.Target
	low, high := bounds(s.data.Cols[j])
	room := high/2 - low/2
	begin, end := low-room, high+room
	if low >= 0 { // as masses, times and concentrations are
		begin = math.Max(begin, 0)
	}
	at := map[string]float64{}
	var others []string
	for k, other := range s.page.Run.Inputs {
		at[other] = median(s.data.Cols[k])
		if k != j && slices.Contains(formula.Vars(s.choice.Formula), other) {
			others = append(others, fmt.Sprintf("%s = %s", clean(other), short(at[other])))
		}
	}
	value := func(x float64) float64 {
		at[name] = x
		y, err := formula.Eval(s.choice.Formula, at)
		if err != nil { // every input has a value
			return math.NaN()
		}
		return y
	}
	rows, curve := s.rows("rows", Faint), Series{Name: "formula"}
	for i := range steps + 1 {
		t := float64(i) / steps
		curve.X = append(curve.X, begin*(1-t)+end*t)
		curve.Y = append(curve.Y, value(curve.X[i]))
	}
	curve.Low, curve.High = s.interval(name, curve.X, at)
	curve.Interval = "95 % of new rows"
	for _, i := range s.shown {
		rows.X = append(rows.X, s.data.Cols[j][i])
		rows.Y = append(rows.Y, value(s.data.Cols[j][i])+s.residual[i])
	}
	f := Chart{
		X: Axis{Label: name}, Y: Axis{Label: target}, Width: pageWidth, Height: pageHeight,
		Series: []Series{rows, curve},
		Bands:  []Band{{From: low, To: high, Label: "range of the data"}},
	}.Figure()
	caption := "Along " + clean(name)
	switch {
	case len(others) > 3:
		caption += ", the others at their medians"
	case len(others) > 0:
		caption += ", with " + strings.Join(others, ", ")
	}
	return figureOf(f, caption)
}

// rows returns a series for the rows in figures, without their values.
func (s *study) rows(name string, style Style) Series {
	rows := Series{Name: name, Style: style, Label: "row"}
	for _, i := range s.shown {
		rows.Numbers = append(rows.Numbers, i+1)
	}
	return rows
}

// interval returns the prediction intervals of the formula for values of an input, the others being as they are; nil
// where there are none.
func (s *study) interval(name string, x []float64, at map[string]float64) (low, high []float64) {
	if s.predictor == nil {
		return nil, nil
	}
	cols := make([][]float64, len(s.predictor.Inputs))
	for k, input := range s.predictor.Inputs {
		cols[k] = x
		if input != name {
			cols[k] = slices.Repeat([]float64{at[input]}, len(x))
		}
	}
	const probability = 0.95
	p := s.predictor.At(cols, len(x), probability, eql.OfPrediction)
	return p.Low, p.High
}

// median returns the middle value, the lower of two.
func median(col []float64) float64 {
	sorted := slices.Sorted(slices.Values(col))
	return sorted[(len(sorted)-1)/2]
}

// residue draws the residuals: against what is predicted, against each input, and against the
// distance from the data where there are rows outside.
func (s *study) residue() figuresView {
	if s.choice.Model == nil {
		return figuresView{}
	}
	inputs, all := s.inputs(false)
	v := figuresView{Figures: []figureView{s.against("prediction", s.predicted)}}
	for _, j := range inputs {
		v.Figures = append(v.Figures, s.against(s.page.Run.Inputs[j], s.data.Cols[j]))
	}
	if f, ok := s.far(); ok {
		v.Figures = append(v.Figures, f)
	}
	v.Lead = lead("A residual is the observed value minus the prediction. The residuals of a right formula "+
		"show no pattern."+
		s.thinned(), len(inputs), all)
	return v
}

// observed draws the target against what is predicted.
func (s *study) observed() figureView {
	rows := s.rows("", Dots)
	observed := s.data.Cols[len(s.data.Cols)-1]
	for _, i := range s.shown {
		rows.X, rows.Y = append(rows.X, s.predicted[i]), append(rows.Y, observed[i])
	}
	low, high := bounds(rows.X)
	f := Chart{
		X: Axis{Label: "prediction"}, Y: Axis{Label: s.choice.Target}, Width: pageWidth, Height: pageHeight,
		Series: []Series{rows, {X: []float64{low, high}, Y: []float64{low, high}, Style: Truth}},
	}.Figure()
	return figureOf(f, "Observed against predicted values; on the dashed line both are equal")
}

func (s *study) against(name string, values []float64) figureView {
	rows := s.rows("", Dots)
	for _, i := range s.shown {
		rows.X, rows.Y = append(rows.X, values[i]), append(rows.Y, s.residual[i])
	}
	low, high := bounds(rows.X)
	f := Chart{
		X: Axis{Label: name}, Y: Axis{Label: "residual"}, Width: pageWidth, Height: pageHeight,
		Series: []Series{rows, {X: []float64{low, high}, Y: []float64{0, 0}, Style: Truth}},
	}.Figure()
	return figureOf(f, "Residual against "+clean(name))
}

// far draws the residuals of the data and the tests by their distance from the middle of the data.
func (s *study) far() (figureView, bool) {
	var list []Series
	add := func(name string, d, r []float64, rows []int, style Style) {
		line := Series{Name: name, Style: style, Label: "row", Numbers: make([]int, 0, len(rows))}
		for _, i := range rows {
			line.Numbers = append(line.Numbers, i+1)
			line.X, line.Y = append(line.X, d[i]), append(line.Y, r[i])
		}
		list = append(list, line)
	}
	add("rows learned from", distances(s.data, s.data), s.residual, s.shown, Faint)
	files := len(s.page.Run.Tests)
	tests := s.page.Run.Tests[:min(files, len(curveColours))]
	drawn, rows := 0, 0
	for _, t := range tests {
		data, predicted, err := s.predict(t.Table)
		if err != nil {
			continue // errors says so
		}
		r := residuals(data, predicted)
		shown := spreadRows(r, mostRows/len(tests))
		drawn, rows = drawn+len(shown), rows+len(r)
		add(t.Name, distances(s.data, data), r, shown, Dots)
	}
	if len(list) == 1 {
		return figureView{}, false
	}
	f := Chart{
		X: Axis{Label: "distance from the middle of the data"}, Y: Axis{Label: "residual"}, Width: pageWidth,
		Height: pageHeight + 30,
		Series: list, Bands: []Band{{From: 0, To: 1, Label: "range of the data"}},
	}.Figure()
	caption := "Residual against the distance from the middle of the data, of the input with the largest distance; " +
		"the data end at 1"
	if drawn < rows {
		caption += fmt.Sprintf(". %[2]d of %[1]s test rows are drawn", thousands(rows), drawn)
	}
	if len(tests) < files {
		caption += fmt.Sprintf(". The first %d of %d files are drawn", len(tests), files)
	}
	return figureOf(f, caption), true
}

// network draws what the formula comes from, and how it was trained.
func (s *study) network() figuresView {
	m := s.choice.Model
	if m == nil || m.Network == nil || m.Baseline || s.o < 0 {
		return figuresView{}
	}
	v := figuresView{Lead: fmt.Sprintf("Network %d, λ = %s, restart %d. ",
		m.ID, short(m.Lambda), m.Restart) + networkNote(m.Network, s.page.Run.Settings)}
	d := Drawing{Network: m.Network.Output(s.o)}.Figure()
	v.Figures = append(v.Figures, figureOf(d, "The network as trained: weights on the edges, biases in the units; "+
		"weights below 0.01 are left out"))
	if len(m.Loss) > 1 {
		v.Figures = append(v.Figures, curveOf(m, s.page.Run.Settings))
	}
	return v
}

func networkNote(n *model.Network, s sweep.Settings) string {
	text := ""
	if slices.ContainsFunc(append(slices.Clone(n.InScale), n.OutScale...),
		func(s model.Scale) bool { return !s.Identity() }) {
		text = "Its weights belong to columns scaled for training. "
	}
	if s.Refine {
		text += "The formula was read off it, then fitted to the data and pruned. " +
			"So it is simpler, and its constants are not products of these weights."
	} else {
		text += "The formula is this network, written out."
	}
	return text
}

func curveOf(m *sweep.Model, s sweep.Settings) figureView {
	var x []float64
	for i := range m.Loss {
		x = append(x, float64(sweep.CurveEpoch(i, m.Epochs)))
	}
	c := Chart{
		X: Axis{Label: "epoch", Min: 0, Max: float64(m.Epochs)}, Y: Axis{Label: "mean squared error", Log: true},
		Width: pageWidth, Height: pageHeight,
		Series: []Series{{X: x, Y: m.Loss}},
	}
	begin := 0.0
	for _, p := range s.Train.Schedule {
		c.Marks = append(c.Marks, Mark{At: begin * float64(m.Epochs), Label: p.Name})
		begin = p.End
	}
	return figureOf(c.Figure(), "Training: the error of the minibatches, in scaled units; dotted lines mark where "+
		"phases begin")
}
