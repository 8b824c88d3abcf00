package forms

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestTable holds every row to what the others and the code that fits rely on.
func TestTable(t *testing.T) {
	x := [][]float64{{1, 2, 3, 4, 5, 6, 7}, {2, 1, 4, 3, 6, 5, 8}, {3, 3, 1, 2, 5, 4, 4}}
	y := []float64{2, 3, 5, 7, 11, 13, 17}
	const sixHours = 6 * 3600 // seven units of which show a day alone
	for inputs, table := range map[int][]Form{1: append(Calendar(sixHours, x[0]), Curves()...),
		2: Surfaces(2), 3: Surfaces(3)} {
		seen := map[string]Form{}
		for _, f := range table {
			names := []string{"p", "q", "r"}[:inputs]
			e, constants := f.Expr(names)
			if f.Name == "" || f.Source == "" || seen[f.Name].Name != "" && inputs == 1 {
				t.Errorf("%q: a row wants a name of its own and a source", f.Name)
			}
			for _, v := range formula.Vars(e) {
				if !slices.Contains(names, v) && !slices.Contains(constants, v) {
					t.Errorf("%s: %q is neither an input nor a constant", f.Name, v)
				}
			}
			var from map[string]float64
			if f.From != "" {
				base, ok := seen[f.From]
				if !ok {
					t.Errorf("%s: %q does not stand above it", f.Name, f.From)
				}
				_, of := base.Expr(names)
				from = map[string]float64{}
				for _, c := range of {
					from[c] = 1
					if !slices.Contains(constants, c) {
						t.Errorf("%s: it begins with %s, which has another constant %s", f.Name, f.From, strings.TrimPrefix(c, "\x00"))
					}
				}
			}
			for _, place := range f.Places(x[:inputs], y, from) {
				for c := range place {
					if !slices.Contains(constants, c) {
						t.Errorf("%s: %s begins somewhere and is no constant of it", f.Name, strings.TrimPrefix(c, "\x00"))
					}
				}
			}
			for c, b := range f.Bounds(x) {
				if !slices.Contains(constants, c) || !(b[0] < b[1]) {
					t.Errorf("%s: %s is bounded by %g and %g", f.Name, strings.TrimPrefix(c, "\x00"), b[0], b[1])
				}
			}
			seen[f.Name] = f
		}
	}
}

func TestSurfaces(t *testing.T) {
	for _, c := range []struct{ inputs, want int }{{1, 0}, {2, 7}, {3, 7}, {6, 13}, {7, 0}} {
		if got := len(Surfaces(c.inputs)); got != c.want {
			t.Errorf("%d inputs have %d forms, want %d", c.inputs, got, c.want)
		}
	}
}

func TestCalendar(t *testing.T) {
	const trends = 3
	for _, c := range []struct {
		name       string
		unit       float64
		rows       int
		step       float64
		want       int // combinations of periods and harmonics
		first, end string
	}{
		{"a day of hours", 3600, 24, 1, 3, "season of a day", "parabola and season of a day, 3 harmonics"},
		{"half a day", 3600, 12, 1, 0, "", ""},
		{"days, which do not show what is within one",
			86400, 30, 1, 8, "season of a week", "parabola and season of a month, 3 harmonics"},
		{"years of months", julianYear, 36, 1. / 12, 3, "season of a year", "parabola and season of a year, 3 harmonics"},
		{"a month of hours", 3600, 720, 1, 15, "season of a day", "parabola and season of a month, 3 harmonics"},
	} {
		x := make([]float64, c.rows)
		for i := range x {
			x[i] = float64(i) * c.step
		}
		list := Calendar(c.unit, x)
		if len(list) != trends*c.want {
			t.Errorf("%s: %d forms, want %d", c.name, len(list), trends*c.want)
			continue
		}
		if c.want > 0 && (list[0].Name != c.first || list[len(list)-1].Name != c.end) {
			t.Errorf("%s: from %q to %q, want %q to %q", c.name, list[0].Name, list[len(list)-1].Name, c.first, c.end)
		}
	}
}

// TestCalendarBegins expects phases that leave nothing of a trend and two seasons.
func TestCalendarBegins(t *testing.T) {
	s := seasons{names: []string{"day", "week"}, periods: []float64{24, 168}, harmonics: 1}
	f := s.form(1)
	var x, y []float64
	for i := range 400 {
		v := float64(i)
		x, y = append(x, v), append(y, 3+0.1*v+2*math.Sin(2*math.Pi*v/24+1)+5*math.Sin(2*math.Pi*v/168-2))
	}
	place := f.Places([][]float64{x}, y, nil)[0]
	for name, want := range map[string]float64{"c1": 1, "c2": -2} {
		if got := place[hidden(name)]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s begins at %g, want %g", name, got, want)
		}
	}
}

func TestFrequencies(t *testing.T) {
	var x, y []float64
	for i := range 200 {
		v := float64(i) / 10
		x, y = append(x, v), append(y, 3+0.5*v+0.01*v*v)
	}
	for i, v := range x {
		y[i] += 0.2 * math.Sin(1.7*v)
	}
	got := frequencies(x, y)
	const apart = 3.2 / 20 / 2 // half the distance of two frequencies that the data tells apart
	if len(got) == 0 || got[0] < 1.7-apart || got[0] > 1.7+apart {
		t.Errorf("the highest peak is at %v, want 1.7 ± %.2g, whatever the trend", got, apart)
	}
}
