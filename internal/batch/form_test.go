package batch

import (
	"testing"

	"github.com/eqlearner/eql/formula"
)

func TestFormOf(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		formulas   []string
	}{
		{"signs and the order of terms", "c1 + c2*x", []string{"1 - 2*x", "-2*x + 1", "x + 3", "3 - x"}},
		{"a factor that is 1", "c1*sin(c2*x)", []string{"sin(x)", "-sin(x)", "2*sin(3*x)", "-sin(-x)"}},
		{"exponential", "c1 + c2*exp(c3*x)", []string{"2*exp(-x/3) + 1", "1 - exp(x)"}},
		{"whole exponents are the form", "c1*x^2", []string{"x^2", "-4*x^2"}},
		{"others are constants", "c1*x^c2", []string{"x^1.5", "2*x^0.7"}},
		{"quotients", "c1/(c2 + c3*x)", []string{"1/(1 + x)", "2/(3 - x)"}},
		{"products", "c1*x*y", []string{"x*y", "3*y*x"}},
		{"a column named like a constant", "c2 + c3*c1", []string{"1 + c1", "2 - 3*c1"}},
		{"a constant", "c1", []string{"4", "-1"}},
	} {
		for _, text := range tt.formulas {
			if got := FormOf(formula.MustParse(text)); got != tt.want {
				t.Errorf("%s: %s has the form %s, want %s", tt.name, text, got, tt.want)
			}
		}
	}
}
