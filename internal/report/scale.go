package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// scale maps values of an axis to coordinates: themselves, or their decadic logarithms.
type scale struct {
	Axis
	min, max float64 // of the coordinates
}

// newScale returns the scale of an axis that shows the given values.
func newScale(a Axis, values []float64) scale {
	s := scale{Axis: a}
	if a.Min < a.Max && !(a.Log && a.Min <= 0) {
		s.min, s.max = s.at(a.Min), s.at(a.Max)
		return s
	}
	coordinates := make([]float64, len(values))
	for i, v := range values {
		coordinates[i] = s.at(v)
	}
	s.min, s.max = bounds(coordinates)
	if s.max-s.min <= 1e-9*math.Max(math.Abs(s.min), math.Abs(s.max)) { // one value, or none
		room := math.Max(0.1*math.Abs(s.max), 1e-9)
		if s.max == 0 || a.Log {
			room = 1
		}
		s.min, s.max = s.min-room, s.max+room
	}
	return s
}

// at returns the coordinate of a value, NaN when it has none.
func (s scale) at(v float64) float64 {
	switch {
	case math.Abs(v) > largest || math.IsNaN(v):
		return math.NaN()
	case !s.Log:
		return v
	case v > 0:
		return math.Log10(v)
	}
	return math.NaN()
}

// largest is the largest number that is drawn: differences of such numbers are finite.
const largest = 1e300

// value returns the value at a coordinate.
func (s scale) value(at float64) float64 {
	if s.Log {
		return math.Pow(10, at)
	}
	return at
}

// padded returns the scale with a fraction of its length added at both ends.
func (s scale) padded(fraction float64) scale {
	if s.Min < s.Max {
		return s
	}
	room := fraction * (s.max - s.min)
	s.min, s.max = s.min-room, s.max+room
	return s
}

// bounds returns the least and the largest finite value, zeros when there is none.
func bounds(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.Abs(v) <= largest {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

// Ticks returns the ticks between two coordinates; it implements plot.Ticker.
func (s scale) Ticks(low, high float64) []plot.Tick {
	if s.Log && high-low >= 1 {
		return decades(low, high)
	}
	ticks := steps(s.value(low), s.value(high), 5)
	for i := range ticks {
		ticks[i].Value = s.at(ticks[i].Value)
	}
	return ticks
}

// decades returns ticks at powers of ten, labelled at most seven times, and small
// ones between; where there are few powers, 2 and 5 times them have labels, too.
func decades(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(low-1e-9)), int(math.Floor(high+1e-9))
	every := 1 + (last-first)/7
	var ticks []plot.Tick
	for k := first - 1; k <= last; k++ {
		t := plot.Tick{Value: float64(k)}
		if k >= first {
			if (k-first)%every == 0 {
				t.Label = powerOfTen(k)
			}
			ticks = append(ticks, t)
		}
		for m := 2; m < 10 && every == 1; m++ {
			at := float64(k) + math.Log10(float64(m))
			if at < low || at > high {
				continue
			}
			t := plot.Tick{Value: at}
			if (m == 2 || m == 5) && last-first < 2 {
				t.Label = short(float64(m) * math.Pow10(k))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func powerOfTen(k int) string {
	if k >= -3 && k <= 4 {
		return strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
	}
	return "1e" + strings.Replace(strconv.Itoa(k), "-", "−", 1) // the font of a PNG has no raised minus
}

// steps returns ticks at round numbers, about count of them, all written with as many digits as
// the step needs.
func steps(low, high float64, count int) []plot.Tick {
	step := roundStep((high - low) / float64(count))
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	var ticks []plot.Tick
	for i := first; i <= last && len(ticks) <= 4*count; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: tickLabel(i*step, step)})
	}
	return ticks
}

// roundStep returns the least of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// tickLabel writes a multiple of a step.
func tickLabel(v, step float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	if a := math.Abs(v); a >= 1e5 || digits > 4 && a < 1e-2 {
		return scientific(v, 1+int(math.Floor(math.Log10(a)+1e-9)-math.Floor(math.Log10(step)+1e-9)))
	}
	return minus(strconv.FormatFloat(v, 'f', min(digits, 12), 64))
}

// short writes a number in about four digits, with a true minus.
func short(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "not finite"
	}
	return exponent(strconv.FormatFloat(v, 'g', 4, 64))
}

// ends writes the two ends of a range, with as many digits as tell them well apart.
func ends(from, to float64) string {
	digits := 4
	if size := math.Max(math.Abs(from), math.Abs(to)); from != to && size <= largest {
		digits = min(max(digits, 3+int(math.Ceil(math.Log10(size/math.Abs(to-from))))), 15)
	}
	write := func(v float64) string {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "not finite"
		}
		return exponent(strconv.FormatFloat(v, 'g', digits, 64))
	}
	return "from " + write(from) + " to " + write(to)
}

// scientific writes a number with an exponent and some significant digits, no zeros at their end.
func scientific(v float64, digits int) string {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', min(max(digits-1, 0), 12), 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return exponent(mantissa + "e" + exp)
}

// exponent writes 1e+06 as 1e6, with a true minus.
func exponent(number string) string {
	if mantissa, exp, found := strings.Cut(number, "e"); found {
		number = mantissa + "e" + strings.TrimPrefix(exp[:1], "+") + strings.TrimLeft(exp[1:], "0")
	}
	return minus(number)
}

// minus puts a true minus for each hyphen of a number.
func minus(number string) string { return strings.ReplaceAll(number, "-", "−") }
