package paper

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planted returns the result of an experiment with these outcomes.
func planted(t *testing.T, name string, outcomes ...Outcome) *Result {
	t.Helper()
	p, err := Request{Experiment: name, Preset: Short, Methods: []Method{EQL}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	res := &Result{Plan: p, Outcomes: outcomes}
	for _, s := range p.Sets {
		set, err := prepare(s, 0)
		if err != nil {
			t.Fatal(err)
		}
		res.sets = append(res.sets, set)
	}
	return res
}

func outcome(set string, repetition int, interpolation, far float64) Outcome {
	return Outcome{Set: set, Method: EQL, Repetition: repetition, Errors: []TestError{
		{Interpolation, number(1), number(interpolation)}, {Far, number(1), number(far)},
	}}
}

// TestHeat plants errors in two cells of nine: means 0.2 and 3 in one, not finite in the other.
func TestHeat(t *testing.T) {
	res := planted(t, "noise",
		outcome("600-rows-noise-0.01", 0, 0.1, 2), outcome("600-rows-noise-0.01", 1, 0.3, 4),
		outcome("200-rows-noise-0.1", 0, 0.5, math.Inf(1)))
	rows, noises := res.scanned()
	if !slices.Equal(rows, []int{200, 600, 2000}) || !slices.Equal(noises, []float64{0.001, 0.01, 0.1}) {
		t.Errorf("the scan goes through %v rows and noises of %v", rows, noises)
	}
	var b bytes.Buffer
	res.writeHeat(&b)
	for _, want := range []string{
		"| rows \\ noise | 0.001 | 0.01 | 0.1 |", "| 600 | not finite | 0.2 | not finite |",
		"| 600 | not finite | 3 | not finite |",
		"| 200 | not finite | not finite | 0.5 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no line %q in\n%s", want, &b)
		}
	}
	if figures := res.heatMaps(); len(figures) != 2 || figures[1].name != "noise-far" {
		t.Errorf("there are %d heat maps", len(figures))
	}
}

// TestTypical takes the median repetition by its far error without noise.
func TestTypical(t *testing.T) {
	res := planted(t, "pendulum", outcome("pendulum", 0, 0, 0.5), outcome("pendulum", 1, 0, math.Inf(1)),
		outcome("pendulum", 2, 0, 0.1), outcome("pendulum", 3, 0, 0.2))
	if o, ok := res.typical(res.sets[0], EQL); !ok || o.Repetition != 3 {
		t.Errorf("got repetition %d, want 3, the better of the two in the middle", o.Repetition)
	}
	if _, ok := res.typical(res.sets[0], MLP); ok {
		t.Error("there is an MLP that was not run")
	}
}

func TestBySparsity(t *testing.T) {
	at := func(id, s int, validation float64) Scored {
		return Scored{ID: id, Sparsity: s, Validation: number(validation)}
	}
	var ids []int
	scored := []Scored{at(0, 3, 0.2), at(1, 1, 0.5), at(2, 3, 0.1), at(3, 2, math.NaN()), at(4, 1, 0.6)}
	for _, s := range bySparsity(scored) {
		ids = append(ids, s.ID)
	}
	if !slices.Equal(ids, []int{1, 2}) {
		t.Errorf("the best of each sparsity are %v, want 1 and 2", ids)
	}
}

// checkFigures reads what a run drew: SVG that is well formed, PNG that can be decoded.
func checkFigures(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		svg, err := os.Open(filepath.Join(dir, figureFolder, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		defer svg.Close()
		for d := xml.NewDecoder(svg); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s.svg: %v", name, err)
			}
		}
		file, err := os.Open(filepath.Join(dir, figureFolder, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if img, err := png.Decode(file); err != nil || img.Bounds().Dx() < 300 {
			t.Errorf("%s.png: %v", name, err)
		}
	}
}
