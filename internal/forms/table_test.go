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
	for inputs, table := range map[int][]Form{1: Curves(), 2: Surfaces(2), 3: Surfaces(3)} {
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
