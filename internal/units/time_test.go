package units

import "testing"

func TestInName(t *testing.T) {
	for _, c := range []struct {
		name string
		want float64 // seconds; 0: no time
	}{
		{"hour", 3600},
		{"Hours", 3600},
		{"time (days)", 86400},
		{"t_years", julian},
		{"day of year", 86400},
		{"month", julian / 12},
		{"decimalyear", 0},
		{"time", 0},
		{"min", 0},
		{"min_temperature", 0},
		{"d", 0},
		{"km per hour", 0},
		{"weekday", 0},
		{"metre", 0},
		{"", 0},
	} {
		u, ok := InName(c.name)
		if seconds, _ := u.Seconds(); ok != (c.want > 0) || ok && seconds != c.want {
			t.Errorf("%q: %v seconds, %v, want %v", c.name, seconds, ok, c.want)
		}
	}
}
