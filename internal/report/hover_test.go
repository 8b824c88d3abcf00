package report

import (
	"encoding/json"
	"html"
	"math"
	"regexp"
	"strings"
	"testing"
)

// What a figure tells its page is JSON with the values, null for what is not drawn, and the pixels of its axes; a file
// has none of it.
func TestHover(t *testing.T) {
	f := Chart{
		X: Axis{Label: `<"x">`}, Y: Axis{Label: "y", Log: true}, Width: 300, Height: 200,
		Series: []Series{
			{X: []float64{0, 1, 2}, Y: []float64{1, 10, nan}, Style: Dots, Label: "row", Numbers: []int{4, 5, 6}, Link: "a"},
			{X: []float64{0, 2}, Y: []float64{1, 100}, Low: []float64{0.5, math.Inf(-1)}, High: []float64{2, math.Inf(1)}},
		},
	}.Figure()
	found := regexp.MustCompile(`<svg data-hover="([^"]*)"`).FindStringSubmatch(f.inline())
	if found == nil {
		t.Fatalf("there is nothing for the page in %s", f.inline())
	}
	var told struct {
		X, Y struct {
			Name         string
			Pixels, Ends [2]float64
			Log          bool
		}
		Points []struct {
			Label, Link string
			Numbers     []int
			Y           []*float64
		}
		Curve struct{ Low, High []*float64 }
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &told); err != nil {
		t.Fatal(err)
	}
	x, y := told.X, told.Y
	if x.Name != `<"x">` || x.Log || !y.Log || !(x.Pixels[0] > 0 && x.Pixels[1] > x.Pixels[0] && x.Pixels[1] <= 300) ||
		!(y.Pixels[0] > y.Pixels[1] && y.Pixels[0] <= 200) || !(y.Ends[0] < 0 && y.Ends[1] > 2) {
		t.Errorf("the axes are %+v and %+v", x, y)
	}
	points := told.Points[0]
	if points.Label != "row" || points.Numbers[2] != 6 || points.Link != "a" || *points.Y[1] != 10 || points.Y[2] != nil {
		t.Errorf("the points are %+v", points)
	}
	if *told.Curve.Low[0] != 0.5 || told.Curve.High[1] != nil {
		t.Errorf("the curve is %+v", told.Curve)
	}
	if text, _ := f.svg(); strings.Contains(text, "data-hover") {
		t.Error("a file has what is for the page")
	}
}
