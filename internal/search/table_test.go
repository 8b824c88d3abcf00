package search

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/internal/gradcheck"
)

func TestLinksAreUndone(t *testing.T) {
	for k, row := range links {
		values := []float64{0.3, 0.9, 1.3}
		switch linkKind(k) {
		case linkAtanh, linkAsin, linkAcos:
			values = []float64{-0.4, 0.3, 0.9}
		case linkOdds:
			values = []float64{0.1, 0.3, 0.9}
		case linkAcosh:
			values = []float64{1.2, 3, 9}
		}
		for _, y := range values {
			u, slope, ok := row.value(y, 2)
			if !ok {
				t.Errorf("link %s refuses %v", row.name, y)
				continue
			}
			gradcheck.Check(t, func(y []float64) float64 {
				u, _, _ := row.value(y[0], 2)
				d, _, _ := row.value(y[0]+1e-6, 2)
				return math.Copysign(u, d-u) // slopes are absolute
			}, []float64{math.Copysign(slope, u)}, []float64{y}, 1e-6)
			var e expr
			root := link{kind: linkKind(k)}.undo(&e, e.fixed(u))
			e = e.compact(root)
			ev := &evaluator{}
			if !ev.forward(e, nil, 1) || math.Abs(ev.value(e)[0]-y) > 1e-12 {
				t.Errorf("link %s turns %v into %v and that into %v", row.name, y, u, ev.value(e)[0])
			}
		}
	}
}

func TestShapesAreBuiltAsValued(t *testing.T) {
	for g, row := range shapes {
		if row.build == nil {
			continue
		}
		for _, z := range []float64{0.2, 0.7, 1.9} {
			var e expr
			e = e.compact(row.build(&e, e.variable(0)))
			ev := &evaluator{}
			if !ev.forward(e, [][]float64{{z}}, 1) {
				t.Errorf("%s has no value at %v", row.name, z)
				continue
			}
			o := []float64{z}
			atom{g: shapeKind(g), c: 1}.apply(o, make([]float64, 1))
			for _, got := range []float64{o[0], row.value(z)} {
				if want := ev.value(e)[0]; math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
					t.Errorf("%s at %v is %v, and built %v", row.name, z, got, want)
				}
			}
		}
		if row.grid == nil && row.terms == nil {
			t.Errorf("%s has no constants", row.name)
		}
	}
}

func TestGridsAreFiniteAndDistinct(t *testing.T) {
	v := []float64{0.4, 1, 2.5, 3, 0.7, 1.9}
	info, ok := stats(v, mono{{0, 1}, {1, 1}})
	if !ok {
		t.Fatal("no statistics")
	}
	for _, row := range shapes {
		for _, grid := range []func(monoStats) []float64{row.grid, row.terms} {
			if grid == nil {
				continue
			}
			seen := map[float64]bool{}
			for _, c := range grid(info) {
				if !finite(c) || c == 0 || seen[c] {
					t.Errorf("%s has the constant %v", row.name, c)
				}
				seen[c] = true
			}
		}
	}
}
