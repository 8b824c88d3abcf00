package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// TestCalendar expects periods of the calendar where the only input is time and they are in the data, and nowhere else.
func TestCalendar(t *testing.T) {
	slow(t)
	turn := func(x, period float64) float64 { return math.Sin(2*math.Pi*x/period + 1) }
	coding := datasets.TimeCoding{Layout: "YYYY-MM-DD", Unit: "days", Origin: "2024-01-01T00:00:00"}
	days := map[string]datasets.Coding{"x": {Time: &coding}}
	for _, c := range []struct {
		name, column, unit string
		codings            map[string]datasets.Coding
		rows               int
		step               float64
		law                func(x float64) float64
		want               string
	}{
		{"a day", "hour", "", nil, 24, 1, func(x float64) float64 { return turn(x, 24) }, "season of a day"},
		{"no time", "x", "", nil, 48, 1, func(x float64) float64 { return turn(x, 24) }, "wave"},
		{"a unit", "x", "h", nil, 48, 1, func(x float64) float64 { return turn(x, 24) }, "season of a day"},
		{"dates", "x", "", days, 100, 8, func(x float64) float64 { return turn(x, 365.25) + 0.01*x },
			"line and season of a year"},
		{"a tide", "hours", "", nil, 70, 1, func(x float64) float64 { return turn(x, 12.42) }, "wave"},
		{"months", "year", "", nil, 120, 1. / 12, func(x float64) float64 { return turn(x, 1) + 0.3*turn(2*x, 1) + x },
			"line and season of a year, 2 harmonics"},
		{"two seasons", "days", "", nil, 400, 0.1, func(x float64) float64 { return turn(x, 1) + turn(x, 7) },
			"season of a day and a week"},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		data := &datasets.Table{Names: []string{c.column, "y"}, Cols: make([][]float64, 2)}
		for i := range c.rows {
			x := c.step * float64(i)
			data.Cols[0], data.Cols[1] = append(data.Cols[0], x), append(data.Cols[1], c.law(x)+0.05*rng.NormFloat64())
		}
		s := run.Quick(c.rows, 1)
		s.Split, s.UnitsOf = 0, map[string]string{c.column: c.unit}
		p, err := newProblem(Task{Inputs: data.Names[:1], Targets: data.Names[1:], Data: data, Columns: c.codings}, s)
		if err != nil {
			t.Fatal(err)
		}
		if best := p.fitForms(p.rowsFromOrigins(0), math.Inf(1))[0]; best.form.Name != c.want {
			t.Errorf("%s: %q is best, want %q", c.name, best.form.Name, c.want)
		}
	}
}
