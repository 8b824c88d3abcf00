package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/eqlearner/eql/model"
)

const hostile = "<script>alert('x')</script> & \"y\"\x00\n\xff"

var nan, inf = math.NaN(), math.Inf(1)

// ramp returns n numbers from low to high.
func ramp(low, high float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return x
}

func mapped(f func(float64) float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	return y
}

// sliceChart is a figure as the paper has them.
func sliceChart() Chart {
	x := ramp(-4, 4, 200)
	return Chart{
		X: Axis{Label: "x1 = x2", Unit: "m"}, Y: Axis{Label: "y"},
		Series: []Series{
			{Name: "truth", X: x, Y: mapped(math.Sin, x), Style: Truth},
			{Name: "EQL", X: x, Y: mapped(math.Sin, x)},
			{Name: "MLP", X: x, Y: mapped(math.Tanh, x)},
		},
		Bands: []Band{{From: -2, To: 2, Label: "training"}},
		Marks: []Mark{{-3, "near"}, {3, "near"}, {4, "far"}},
	}
}

// figures are those that must be drawn whatever the data.
func figures() map[string]*Figure {
	x := []float64{1, 2, nan, inf, -inf, 1e308, -1e308, 0}
	return map[string]*Figure{
		"slice":     sliceChart().Figure(),
		"empty":     Chart{}.Figure(),
		"empty log": Chart{X: Axis{Log: true}, Y: Axis{Log: true}}.Figure(),
		"hostile": Chart{Title: hostile, X: Axis{Label: hostile, Unit: hostile}, Y: Axis{Label: hostile},
			Series: []Series{{Name: hostile, X: x, Y: x}}}.Figure(),
		"not finite": Chart{Series: []Series{{X: x, Y: x, Style: Dots}, {X: x, Y: x}}}.Figure(),
		"not finite log": Chart{X: Axis{Log: true}, Y: Axis{Log: true},
			Series: []Series{{X: x, Y: x, Style: Joined}}}.Figure(),
		"one point":      Chart{Series: []Series{{X: []float64{5}, Y: []float64{5}}}}.Figure(),
		"large and near": Chart{Series: []Series{{X: ramp(1e17, 1e17+64, 5), Y: ramp(1e-300, 2e-300, 5)}}}.Figure(),
		"lengths differ": Chart{Series: []Series{{X: ramp(0, 1, 5), Y: ramp(0, 1, 3)}}}.Figure(),
		"scatter": Scatter{X: Axis{Label: "v", Log: true}, Y: Axis{Label: "s"}, Value: Axis{Label: "far", Log: true},
			Xs: ramp(0.01, 1, 8), Ys: ramp(1, 8, 8), Values: x, Chosen: []int{0, 99, -1}, Notes: []string{"2*x"}}.Figure(),
		"scatter empty": Scatter{}.Figure(),
		"heat map": HeatMap{X: Axis{Label: "n"}, Y: Axis{Label: hostile}, Value: Axis{Label: "RMS", Log: true},
			Columns: []string{"100", hostile}, Rows: []string{"0", "0.1"},
			Values: [][]float64{{0.1, 0.2}, {nan, 12345.6789}, {1}}}.Figure(),
		"heat map empty": HeatMap{}.Figure(),
		"network":        Drawing{Title: hostile, Network: sparseNetwork()}.Figure(),
		"no weights":     Drawing{Network: model.New(model.Uniform(2, 2, 3, 2, 1, model.Units()))}.Figure(),
		"dense":          Drawing{Network: denseNetwork()}.Figure(),
	}
}

func TestFiguresAreWellFormed(t *testing.T) {
	for name, f := range figures() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{b.String(), f.inline()} {
				if err := wellFormed(text); err != nil {
					t.Errorf("%v in\n%s", err, text)
				}
				for _, bad := range []string{"<script", "NaN", "Inf", "%!"} {
					if strings.Contains(strings.ReplaceAll(text, "not finite", ""), bad) {
						t.Errorf("there is %q in\n%s", bad, text)
					}
				}
			}
			if !strings.Contains(b.String(), `role="img" aria-label="`) || strings.Contains(b.String(), `aria-label=""`) {
				t.Errorf("no words for those who cannot see it in\n%.300s", &b)
			}
		})
	}
}

// wellFormed parses XML to its end.
func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestFiguresAreDeterministic draws every figure twice.
func TestFiguresAreDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	again := figures()
	for name, f := range figures() {
		for form, write := range map[string]func(*Figure, io.Writer) error{"SVG": (*Figure).WriteSVG,
			"PNG": (*Figure).WritePNG} {
			var a, b bytes.Buffer
			if err := errors.Join(write(f, &a), write(again[name], &b)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s: two %s of the same data differ", name, form)
			}
		}
	}
}

// TestPNG checks the size and that curves have their colours.
func TestPNG(t *testing.T) {
	var b bytes.Buffer
	if err := sliceChart().Figure().WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 2*defaultWidth || got.Y != 2*defaultHeight {
		t.Errorf("the image is %v, want twice %d × %d", got, defaultWidth, defaultHeight)
	}
	seen := map[[3]uint8]int{}
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	for name, c := range map[string][3]uint8{"first curve": {0x00, 0x72, 0xB2}, "second curve": {0xD5, 0x5E, 0x00},
		"band": {0xE1, 0xEB, 0xF5}} {
		if seen[c] < 20 {
			t.Errorf("%d pixels have the colour of the %s", seen[c], name)
		}
	}
}

// TestChartShowsWhatMatters keeps a curve that runs away from squeezing the others flat: the axis
// shows the truth, ±1, and one span of it more at most.
func TestChartShowsWhatMatters(t *testing.T) {
	c := sliceChart()
	x := c.Series[0].X
	c.Series = append(c.Series,
		Series{Name: "wild", X: x, Y: mapped(func(x float64) float64 { return math.Pow(x, 9) }, x)})
	low, high := bounds(c.ys())
	if low < -3.001 || high > 3.001 || low > -1 || high < 1 {
		t.Errorf("the axis goes from %g to %g, want at least [−1, 1] and at most [−3, 3]", low, high)
	}
	c.Y.Min, c.Y.Max = -7, 7
	if s := newScale(c.Y, c.ys()); s.min != -7 || s.max != 7 {
		t.Errorf("a fixed range becomes %g to %g", s.min, s.max)
	}
}

func TestChartWords(t *testing.T) {
	words := sliceChart().Figure().Words()
	for _, want := range []string{"y against x1 = x2 (m)", "from −4 to 4", "Curve: EQL",
		"Shaded: training, from −2 to 2"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in %q", want, words)
		}
	}
}

// TestInlineTakesThePagesColours replaces colours in styles and nowhere else.
func TestInlineTakesThePagesColours(t *testing.T) {
	f := Chart{X: Axis{Label: "fill:#0072B2"}, Series: []Series{{X: ramp(0, 1, 3), Y: ramp(0, 1, 3)}}}.Figure()
	text := f.inline()
	if !strings.Contains(text, "stroke:var(--c1,#0072B2)") || !strings.Contains(text, ">fill:#0072B2</text>") {
		t.Errorf("colours are not replaced, or text is, in\n%s", text)
	}
}

func TestValueColour(t *testing.T) {
	last := -1.0
	for _, at := range ramp(0, 1, 50) { // viridis gets lighter all along
		c := valueColour(at)
		light := 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
		if light <= last {
			t.Errorf("at %g the colour is no lighter than before", at)
		}
		last = light
	}
	if valueColour(-1) != viridis[0] || valueColour(2) != viridis[len(viridis)-1] {
		t.Error("what is outside has not the colour of the end")
	}
}

// TestFiguresCanBeWrittenAtOnce writes every figure from several goroutines; the race detector looks.
func TestFiguresCanBeWrittenAtOnce(t *testing.T) {
	for name, f := range figures() {
		var wg sync.WaitGroup
		texts := make([]string, 3)
		for i := range texts {
			wg.Go(func() { texts[i], _ = f.svg() })
		}
		wg.Wait()
		if texts[0] != texts[1] || texts[0] != texts[2] {
			t.Errorf("%s differs when it is written by several", name)
		}
	}
}
