package paper

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/report"
)

// figure is a drawing with the name of its files.
type figure struct {
	name string
	*report.Figure
}

// writeFigures draws the figures of the experiment into the folder, as SVG and as PNG.
func (res *Result) writeFigures(f *Folder) error {
	figures, err := res.figures()
	if err != nil {
		return err
	}
	dir := filepath.Join(f.dir, figureFolder)
	if len(figures) > 0 {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("writing figures: %w", err)
		}
	}
	for _, g := range figures {
		var svg, png bytes.Buffer
		if err := cmp.Or(g.WriteSVG(&svg), g.WritePNG(&png)); err != nil {
			return fmt.Errorf("drawing %s: %w", g.name, err)
		}
		for name, data := range map[string][]byte{g.name + ".svg": svg.Bytes(), g.name + ".png": png.Bytes()} {
			if err := f.write(filepath.Join(figureFolder, name), data); err != nil {
				return err
			}
		}
	}
	return nil
}

const figureFolder = "figures"

func (res *Result) figures() ([]figure, error) {
	var all []figure
	for _, kind := range res.Plan.Figures {
		if kind == Heat {
			all = append(all, res.heatMaps()...)
			continue
		}
		for _, set := range res.sets {
			switch kind {
			case Slices:
				s, err := res.slices(set)
				if err != nil {
					return nil, err
				}
				all = append(all, s...)
			case Drawing:
				if o, ok := res.typical(set, EQL); ok && o.Network != nil {
					title := fmt.Sprintf("%s: the network of repetition %d", set.plan.Name, o.Repetition+1)
					all = append(all, figure{set.plan.Name + "-network", report.Drawing{Title: title, Network: o.Network}.Figure()})
				}
			case Fit:
				all = append(all, res.fit(set)...)
			case Scatter:
				all = append(all, res.scatter(set)...)
			}
		}
	}
	return all, nil
}

// typical returns the repetition of a method whose far error is the median, of an even number the
// better of the two in the middle.
func (res *Result) typical(set *prepared, m Method) (Outcome, bool) {
	outcomes := res.of(set.plan.Name, m)
	slices.SortStableFunc(outcomes, func(a, b Outcome) int {
		x, _ := a.errorOn(Far, true)
		y, _ := b.errorOn(Far, true)
		return cmp.Compare(x, y)
	})
	if len(outcomes) == 0 {
		return Outcome{}, false
	}
	return outcomes[(len(outcomes)-1)/2], true
}

// curves are the methods of the paper's figures.
var curves = []Method{EQL, MLP, SVR}

// slices draws outputs along x1 = x2 = …; of many outputs the last of each half, which of an arm
// are the coordinates of its end.
func (res *Result) slices(set *prepared) ([]figure, error) {
	truth, err := set.truth()
	if err != nil {
		return nil, err
	}
	targets := set.problem.Targets
	const most = 4
	var all []figure
	for o, target := range targets {
		if half := len(targets) / 2; len(targets) > most && o != half-1 && o != len(targets)-1 {
			continue
		}
		c := report.Chart{
			Title: set.plan.Name,
			X:     report.Axis{Label: diagonal(set.problem.Inputs)}, Y: report.Axis{Label: target},
			Width: 420, Height: 280,
		}
		for _, m := range curves {
			if r, ok := res.typical(set, m); ok && len(r.Slice) > o {
				c.Series = append(c.Series, report.Series{Name: m.Title(), X: set.slice[0], Y: plain(r.Slice[o])})
			}
		}
		if truth != nil { // last, so that it is seen on top of what agrees with it
			c.Series = append(c.Series, report.Series{Name: "law", X: set.slice[0], Y: truth[o], Style: report.Truth})
		}
		h := set.reach(set.data)
		c.Bands = []report.Band{{From: -h, To: h, Label: "training"}}
		for _, t := range set.tests {
			if r := set.reach(t.Noisy); t.Name != Interpolation {
				c.Marks = append(c.Marks, report.Mark{At: -r, Label: t.Name}, report.Mark{At: r, Label: t.Name})
			}
		}
		name := set.plan.Name + "-slice"
		if len(targets) > 1 {
			name += "-" + target
		}
		all = append(all, figure{name, c.Figure()})
	}
	return all, nil
}

// diagonal is the label of a slice: x1 = x2, or x1 = … = x4.
func diagonal(inputs []string) string {
	switch n := len(inputs); n {
	case 1:
		return inputs[0]
	case 2:
		return inputs[0] + " = " + inputs[1]
	default:
		return inputs[0] + " = … = " + inputs[n-1]
	}
}

// plain turns null back into NaN.
func plain(values []*float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = math.NaN(); v != nil {
			out[i] = *v
		}
	}
	return out
}

// fit draws the data of one input with what the methods make of it, and their errors.
func (res *Result) fit(set *prepared) []figure {
	x, y := slices.Clone(set.data.Cols[0]), slices.Clone(set.data.Cols[1]) // of all rows, isotopes at one x too
	low, high := slices.Min(x), slices.Max(x)
	for _, t := range set.tests {
		x, y = append(x, t.Noisy.Cols[0]...), append(y, t.Noisy.Cols[1]...)
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	rows := (&datasets.Table{Names: []string{"x", "y"}, Cols: [][]float64{x, y}}).Take(order)
	x, y = rows.Cols[0], rows.Cols[1]
	in, out := set.problem.Inputs[0], set.problem.Targets[0]
	bands := []report.Band{{From: low, To: high, Label: "training and validation"}}
	data := report.Chart{
		Title: set.plan.Name, X: report.Axis{Label: in}, Y: report.Axis{Label: out}, Bands: bands, Width: 420, Height: 280,
		Series: []report.Series{{Name: "measured", X: x, Y: y, Style: report.Faint}},
	}
	errors := report.Chart{
		Title: set.plan.Name + ": predicted less measured", X: report.Axis{Label: in},
		Y:     report.Axis{Label: "error of " + out},
		Bands: bands, Width: 420, Height: 280,
	}
	for _, m := range curves {
		r, ok := res.typical(set, m)
		if !ok || len(r.Slice) == 0 {
			continue
		}
		predicted := plain(r.Slice[0])
		data.Series = append(data.Series, report.Series{Name: m.Title(), X: set.slice[0], Y: predicted})
		d := make([]float64, len(x))
		for i, v := range x {
			k, _ := slices.BinarySearch(set.slice[0], v) // the slice has the places of all rows
			d[i] = predicted[k] - y[i]
		}
		errors.Series = append(errors.Series, report.Series{Name: m.Title(), X: x, Y: d, Style: report.Joined})
	}
	return []figure{{set.plan.Name + "-fit", data.Figure()}, {set.plan.Name + "-errors", errors.Figure()}}
}

// scatter draws the networks of the grid over validation error and sparsity: of all repetitions by
// their far error where every network was scored, of the first by their λ otherwise.
func (res *Result) scatter(set *prepared) []figure {
	s := report.Scatter{
		Title: set.plan.Name + ": the networks of the grid",
		X:     report.Axis{Label: "validation error", Log: true}, Y: report.Axis{Label: "active units s"},
		Value: report.Axis{Label: "far error", Log: true}, Width: 460, Height: 320,
	}
	outcomes := res.of(set.plan.Name, EQL)
	if !set.plan.Instances && len(outcomes) > 0 {
		outcomes, s.Value.Label = outcomes[:1], "λ"
	}
	for _, o := range outcomes {
		for _, i := range o.Instances {
			value := i.Lambda
			if set.plan.Instances {
				value, _ = Outcome{Errors: i.Errors}.errorOn(Far, true)
			}
			if i.Chosen {
				s.Chosen = append(s.Chosen, len(s.Xs))
			}
			s.Xs = append(s.Xs, orInf(i.Validation))
			s.Ys = append(s.Ys, float64(i.Sparsity))
			s.Values = append(s.Values, value)
		}
	}
	if len(s.Xs) == 0 {
		return nil
	}
	return []figure{{set.plan.Name + "-selection", s.Figure()}}
}

// scanned returns the numbers of rows and the noises that an experiment goes through.
func (res *Result) scanned() (rows []int, noises []float64) {
	for _, s := range res.sets {
		if !slices.Contains(rows, s.plan.Rows) {
			rows = append(rows, s.plan.Rows)
		}
		if !slices.Contains(noises, *s.plan.Noise) {
			noises = append(noises, *s.plan.Noise)
		}
	}
	return rows, noises
}

// heatMaps draws the mean error without noise over the number of rows and the noise.
func (res *Result) heatMaps() []figure {
	rows, noises := res.scanned()
	var all []figure
	for _, test := range []string{Interpolation, Far} {
		m := report.HeatMap{
			Title: res.sets[0].plan.Problem + ": " + test + " error without noise",
			X:     report.Axis{Label: "noise"}, Y: report.Axis{Label: "rows"}, Value: report.Axis{Label: "RMS", Log: true},
			Values: make([][]float64, len(rows)),
		}
		for _, n := range noises {
			m.Columns = append(m.Columns, fmt.Sprintf("%g", n))
		}
		for i, n := range rows {
			m.Rows = append(m.Rows, fmt.Sprint(n))
			for _, noise := range noises {
				m.Values[i] = append(m.Values[i], res.meanOf(n, noise, test))
			}
		}
		all = append(all, figure{"noise-" + test, m.Figure()})
	}
	return all
}

// meanOf returns the mean error without noise for a number of rows and a noise, NaN for none.
func (res *Result) meanOf(rows int, noise float64, test string) float64 {
	for _, s := range res.sets {
		if s.plan.Rows != rows || *s.plan.Noise != noise {
			continue
		}
		if outcomes := res.of(s.plan.Name, EQL); len(outcomes) > 0 {
			return orInf(statsOf(outcomes, test, true).Mean)
		}
	}
	return math.NaN()
}
