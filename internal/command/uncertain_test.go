package command

import (
	"maps"
	"testing"
)

func TestUncertainties(t *testing.T) {
	tests := []struct {
		name             string
		columns, targets []string
		want             map[string]string
	}{
		{"behind", []string{"d", "N", "y", "yerr"}, nil, map[string]string{"yerr": "y"}},
		{"before", []string{"x", "y", "sigma_y"}, nil, map[string]string{"sigma_y": "y"}},
		{"of an input too", []string{"x", "x_err", "y", "y_err"}, nil, map[string]string{"x_err": "x", "y_err": "y"}},
		{"as a function", []string{"T", "p", "u(p)"}, nil, map[string]string{"u(p)": "p"}},
		{"the sign alone", []string{"T", "p", "±"}, []string{"p"}, map[string]string{"±": "p"}},
		{"capitals, spaces and a unit", []string{"Time (s)", "Counts", "Counts Error (1/s)"}, nil,
			map[string]string{"Counts Error (1/s)": "Counts"}},
		{"a Greek letter", []string{"x", "m", "σ_m"}, nil, map[string]string{"σ_m": "m"}},
		{"a step of an input is none", []string{"x", "dx", "y"}, nil, map[string]string{}},
		{"but of the target", []string{"x", "y", "dy"}, nil, map[string]string{"dy": "y"}},
		{"a sigma of a law is an input", []string{"theta", "sigma", "f"}, nil, map[string]string{}},
		{"yerr of another name", []string{"t", "yerr", "counts"}, []string{"counts"}, map[string]string{"yerr": "counts"}},
		{"error is a word", []string{"t", "error"}, nil, map[string]string{}},
		{"a word behind the target", []string{"x", "y", "Std. Dev."}, nil, map[string]string{"Std. Dev.": "y"}},
		{"a word behind the target that is named",
			[]string{"x", "y", "SE", "z"}, []string{"y"}, map[string]string{"SE": "y"}},
		{"a word behind another column", []string{"x", "sigma", "y"}, []string{"y"}, map[string]string{}},
		{"a word too large", []string{"x", "y", "error"}, nil, map[string]string{}},
		{"the sign in ASCII", []string{"T", "p", "+/-"}, []string{"p"}, map[string]string{"+/-": "p"}},
		{"points in names", []string{"x", "y", "y.se"}, nil, map[string]string{"y.se": "y"}},
	}
	small := func(column, _ string) bool { return column != "error" }
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := uncertainties(c.columns, c.targets, small); !maps.Equal(got, c.want) {
				t.Errorf("uncertainties(%q, %q) = %v, want %v", c.columns, c.targets, got, c.want)
			}
		})
	}
}
