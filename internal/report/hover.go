package report

import (
	"encoding/json"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// hover is what the script of the page shows of a figure under the pointer: the values of points and of the first
// curve.
type hover struct {
	x, y   scale
	series []Series
}

// hoverAxis says where the coordinates of an axis begin and end, in pixels of the figure.
type hoverAxis struct {
	Name   string     `json:"name"`
	Pixels [2]float64 `json:"pixels"`
	Ends   [2]float64 `json:"ends"`
	Log    bool       `json:"log,omitempty"`
}

type hoverSeries struct {
	Label   string  `json:"label,omitempty"` // see [Series]
	Numbers []int   `json:"numbers,omitempty"`
	Link    string  `json:"link,omitempty"`
	X       rounded `json:"x"`
	Y       rounded `json:"y"`
	Low     rounded `json:"low,omitempty"`
	High    rounded `json:"high,omitempty"`
}

// json returns the data for the script, which takes all of it as text and numbers.
func (h *hover) json(axes vg.Rectangle, height vg.Length) string {
	data := struct {
		X      hoverAxis     `json:"x"`
		Y      hoverAxis     `json:"y"`
		Points []hoverSeries `json:"points"`
		Curve  *hoverSeries  `json:"curve,omitempty"`
	}{
		X: hoverAxis{h.x.text(), [2]float64{float64(axes.Min.X), float64(axes.Max.X)}, [2]float64{h.x.min, h.x.max}, h.x.Log},
		Y: hoverAxis{h.y.text(), [2]float64{float64(height - axes.Min.Y), float64(height - axes.Max.Y)},
			[2]float64{h.y.min, h.y.max}, h.y.Log},
	}
	for _, s := range h.series {
		told := hoverSeries{s.Label, s.Numbers, s.Link, s.X, s.Y, s.Low, s.High}
		switch {
		case s.Style == Truth:
		case s.Style != Curve:
			data.Points = append(data.Points, told)
		case data.Curve == nil:
			data.Curve = &told
		}
	}
	text, err := json.Marshal(data)
	if err != nil { // numbers and text alone
		return "{}"
	}
	return string(text)
}

// rounded are numbers with five digits in JSON, and null for what is not drawn.
type rounded []float64

// MarshalJSON implements json.Marshaler.
func (r rounded) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range r {
		if i > 0 {
			b = append(b, ',')
		}
		if math.Abs(v) <= largest {
			b = strconv.AppendFloat(b, v, 'g', 5, 64)
		} else {
			b = append(b, "null"...)
		}
	}
	return append(b, ']'), nil
}
