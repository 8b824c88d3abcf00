package report

import (
	"math"
	"testing"
)

// TestTicks checks on many ranges that there are between two and eight labelled ticks, inside, in
// order, and that no two have the same label.
func TestTicks(t *testing.T) {
	for _, log := range []bool{false, true} {
		for _, low := range []float64{-1e6, -3, 0, 1e-12, 0.02, 1, 99.5, 1e6, 1e15} {
			for _, span := range []float64{1e-6, 0.07, 1, 33, 1e4, 1e9} {
				if log && low <= 0 || span < 1e-8*math.Abs(low) {
					continue
				}
				s := newScale(Axis{Log: log}, []float64{low, low + span})
				labels := map[string]bool{}
				last := math.Inf(-1)
				for _, tick := range s.Ticks(s.min, s.max) {
					if tick.IsMinor() {
						continue
					}
					if labels[tick.Label] || tick.Value <= last || tick.Value < s.min-1e-9*(s.max-s.min) ||
						tick.Value > s.max+1e-9*(s.max-s.min) {
						t.Errorf("log %t, %g to %g: the tick %q at %g is a second one, out of order or outside",
							log, low, low+span, tick.Label, tick.Value)
					}
					labels[tick.Label], last = true, tick.Value
				}
				if len(labels) < 2 || len(labels) > 8 {
					t.Errorf("log %t, %g to %g: %d ticks %v", log, low, low+span, len(labels), labels)
				}
			}
		}
	}
}

func TestTickLabels(t *testing.T) {
	for _, tt := range []struct {
		v, step float64
		want    string
	}{
		{0, 0.5, "0"}, {-0.5, 0.5, "−0.5"}, {2, 1, "2"}, {0.25, 0.05, "0.25"}, {1e-17, 0.1, "0"}, {200000, 50000, "2e5"},
		{1e-6, 5e-7, "1e−6"}, {1000020, 20, "1.00002e6"}, {1.00001, 0.00001, "1.00001"},
	} {
		if got := tickLabel(tt.v, tt.step); got != tt.want {
			t.Errorf("%g in steps of %g is %q, want %q", tt.v, tt.step, got, tt.want)
		}
	}
}

func TestScaleLeavesOut(t *testing.T) {
	log := newScale(Axis{Log: true}, []float64{-1, 0, 0.01, 100, math.Inf(1), math.NaN()})
	if log.min != -2 || log.max != 2 {
		t.Errorf("the logarithmic axis goes from %g to %g, want −2 to 2", log.min, log.max)
	}
	for _, v := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
		if at := log.at(v); !math.IsNaN(at) {
			t.Errorf("%g is at %g, want nowhere", v, at)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		from, to float64
		want     string
	}{
		{-4, 4, "from −4 to 4"},
		{2459000.5, 2459100.1, "from 2459000.5 to 2459100.1"},
		{1.7e9, 1.7e9 + 199, "from 1700000000 to 1700000199"},
		{0.123456, 0.9, "from 0.1235 to 0.9"},
		{5, 5, "from 5 to 5"},
		{1, math.Nextafter(1, 2), "from 1 to 1"},
		{math.Inf(-1), 3, "from not finite to 3"},
	} {
		if got := ends(tt.from, tt.to); got != tt.want {
			t.Errorf("ends of %g and %g are %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}
