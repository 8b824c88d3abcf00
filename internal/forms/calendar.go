package forms

import (
	"fmt"
	"math"
	"strings"
)

// calendar are the periods that people and the sun keep, in seconds.
var calendar = []struct {
	name    string
	seconds float64
	rare    bool
}{
	{"day", 86400, false},
	{"week", 7 * 86400, false},
	{"month", julianYear / 12, true},
	{"year", julianYear, false},
}

const (
	julianYear    = 365.25 * 86400
	leastPeriods  = 0.8 // of which the data shows most of a period
	mostHarmonics = 3   // of one period; two periods have one less
)

// trends stand beside the seasons.
var trends = []struct{ name, text string }{
	{"", "d"},
	{"line and ", "d + f*x"},
	{"parabola and ", "d + f*x + g*x^2"},
}

// Calendar returns the forms of a trend and seasons of the periods of the calendar, one or two with their harmonics,
// for an input that is time in a unit of so many seconds. The periods are known, so they are no constants. There are
// those that the rows can show: the data spans one, and has two rows for each turn of the highest harmonic.
func Calendar(unit float64, x []float64) (list []Form) {
	low, high := span(x)
	for i, first := range calendar {
		for k, second := range calendar[i:] {
			s := seasons{names: []string{first.name}, periods: []float64{first.seconds / unit}}
			s.rare = first.rare || k > 0
			if k > 0 {
				s.names, s.periods = append(s.names, second.name), append(s.periods, second.seconds/unit)
			}
			for s.harmonics = 1; s.harmonics <= mostHarmonics+1-len(s.periods) && s.shown(high-low, len(x)); s.harmonics++ {
				for power := range trends {
					list = append(list, s.form(power))
				}
			}
		}
	}
	return list
}

// seasons are waves of some periods of the calendar, each with so many harmonics, the period itself among them.
type seasons struct {
	names     []string
	periods   []float64 // in units of x
	harmonics int
	rare      bool
}

// shown reports whether so many rows over a range of x show them.
func (s seasons) shown(long float64, rows int) bool {
	for _, p := range s.periods {
		if turns := long / p; turns < leastPeriods || 2*float64(s.harmonics)*turns > float64(rows) {
			return false
		}
	}
	return true
}

// form returns the seasons on a trend, whose highest power of x is given.
func (s seasons) form(power int) Form {
	trend := trends[power]
	f := Form{
		Name: trend.name + "season of a " + strings.Join(s.names, " and a "), Text: trend.text,
		Rare: s.rare, Calendar: true, Source: "the calendar",
	}
	if s.harmonics > 1 {
		f.Name += fmt.Sprintf(", %d harmonics", s.harmonics)
	}
	var phases []string
	var frequencies []float64
	for _, p := range s.periods {
		for h := 1; h <= s.harmonics; h++ {
			n := len(phases) + 1
			phases, frequencies = append(phases, fmt.Sprintf("c%d", n)), append(frequencies, 2*math.Pi*float64(h)/p)
			f.Text += fmt.Sprintf(" + a%d*sin(%s + c%d)", n, angle(h, p), n)
		}
	}
	f.Begin = []Begin{{phases, phasesOf(frequencies, power)}}
	return f
}

// angle writes 2π·h·x/p.
func angle(h int, p float64) string {
	if p > 1 {
		return fmt.Sprintf("%d*pi*x/%v", 2*h, p)
	}
	return fmt.Sprintf("%v*pi*x", 2*float64(h)/p)
}

// phasesOf is a rule for the phases of waves of given frequencies on a trend: least squares of sines and cosines.
func phasesOf(frequencies []float64, power int) Rule {
	return func(x [][]float64, y []float64) [][]float64 {
		columns := orthonormal(x[0], power+1)
		trend := len(columns)
		for _, w := range frequencies {
			sines, cosines := make([]float64, len(y)), make([]float64, len(y))
			for i, v := range x[0] {
				sines[i], cosines[i] = math.Sincos(w * v)
			}
			columns = append(columns, sines, cosines)
		}
		c, ok := solve(columns, y, ones(len(y)))
		if !ok {
			return nil
		}
		place := make([]float64, len(frequencies))
		for k := range place {
			place[k] = math.Atan2(c[trend+2*k+1], c[trend+2*k])
		}
		return [][]float64{place}
	}
}
