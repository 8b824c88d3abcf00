package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
)

// errors lists how well the formula predicts the rows there are, inside and outside the range of
// the data.
func (s *study) errors() ([]errorView, error) {
	y := s.data.Cols[len(s.data.Cols)-1]
	list := []errorView{errorsOf("learned from and validated on", y, s.predicted)}
	if v := s.page.Run.Validation; v != nil {
		list[0].Rows = "learned from"
		data, predicted, err := s.predict(v.Table)
		if err != nil {
			return nil, err
		}
		list = append(list, errorsOf("validated on", data.Cols[len(data.Cols)-1], predicted))
	}
	for _, t := range s.page.Run.Tests {
		data, predicted, err := s.predict(t.Table)
		if err != nil {
			return nil, err
		}
		y := data.Cols[len(data.Cols)-1]
		var in, out [2][]float64 // observed, predicted
		for i, d := range distances(s.data, data) {
			part := &in
			if d > 1 {
				part = &out
			}
			part[0], part[1] = append(part[0], y[i]), append(part[1], predicted[i])
		}
		for _, part := range []struct {
			where string
			rows  [2][]float64
		}{{"inside the range of the data", in}, {"outside the range of the data", out}} {
			if len(part.rows[0]) > 0 {
				list = append(list, errorsOf(t.Name+", "+part.where, part.rows[0], part.rows[1]))
			}
		}
	}
	return list, nil
}

// errorsOf compares predictions with what was observed.
func errorsOf(rows string, y, predicted []float64) errorView {
	e := sweep.ErrorsOf(predicted, y)
	return errorView{rows, thousands(len(y)), number(e.RMS, 4), number(e.MAE, 4), rSquared(e.R2)}
}

// rSquared writes R² with the digits that tell it from one.
func rSquared(r2 float64) string {
	switch {
	case math.IsNaN(r2):
		return "–"
	case math.Abs(r2) >= 1000:
		return number(r2, 4)
	}
	s := minus(fmt.Sprintf("%.4f", r2))
	for digits := 5; digits <= 8 && strings.HasPrefix(s, "1.0") && r2 < 1; digits++ {
		s = fmt.Sprintf("%.*f", digits, r2)
	}
	return s
}

// distances returns how far each row of t is from the middle of the data, in the largest of its
// inputs, each in units of half the data's range: 1 is the edge. Inputs are all columns but the
// last. Away from the only value of a column is +Inf.
func distances(data, t *datasets.Table) []float64 {
	d := make([]float64, t.Rows())
	for j, col := range t.Cols[:len(t.Cols)-1] {
		low, high := bounds(data.Cols[j])
		middle, half := low/2+high/2, high/2-low/2
		for i, x := range col {
			switch away := math.Abs(x - middle); {
			case half > 0:
				away /= half
				if away > 1 && x >= low && x <= high { // rounding
					away = 1
				}
				d[i] = math.Max(d[i], away)
			case away > 0:
				d[i] = math.Inf(1)
			}
		}
	}
	return d
}

// number writes a number for a table.
func number(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "not a number"
	case math.IsInf(v, 0):
		return "not finite"
	}
	return exponent(fmt.Sprintf("%.*g", digits, v))
}

// interval writes the ends of an interval with the digits that its width needs, two of half of it.
func interval(low, high float64) (from, to string) {
	half, size := (high-low)/2, math.Max(math.Abs(low), math.Abs(high))
	if !(half > 0 && size <= largest) {
		return number(low, 4), number(high, 4)
	}
	digits := 2 + int(math.Floor(math.Log10(size))) - int(math.Floor(math.Log10(half*(1+1e-9))))
	end := func(v float64) string { // with the decimals of the larger one
		if v == 0 {
			return "0"
		}
		digits := max(1, digits-int(math.Floor(math.Log10(size)))+int(math.Floor(math.Log10(math.Abs(v)))))
		text := fmt.Sprintf("%#.*g", digits, v) // with the zeros at its end
		return exponent(strings.TrimSuffix(strings.Replace(text, ".e", "e", 1), "."))
	}
	return end(low), end(high)
}
