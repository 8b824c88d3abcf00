package formula

import (
	"math"
	"testing"
)

func TestSkeleton(t *testing.T) {
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
			if got := SkeletonOf(MustParse(text)).String(); got != tt.want {
				t.Errorf("%s: %s has the form %s, want %s", tt.name, text, got, tt.want)
			}
		}
	}
}

// A skeleton with its values is the formula that it is of.
func TestSkeletonValues(t *testing.T) {
	for _, text := range []string{
		"1 - 2*x", "-sin(-x)", "2*exp(-x/3) + 1", "x^1.5*y", "2^x - y^-2", "1/(3 - x) + sin(2*x)*sin(3*x)", "4", "x",
		"max(x, 2*y)", "2*sin(x) + 3*sin(2*x) - 0.5", "sqrt(x + 2)/(y + 1)",
	} {
		e := MustParse(text)
		s := SkeletonOf(e)
		put := map[string]Expr{}
		for i, name := range s.Names {
			put[name] = Const(s.Values[i])
		}
		for _, at := range []map[string]float64{{"x": 0.7, "y": 1.3}, {"x": 2.1, "y": 0.4}} {
			want, err := Eval(e, at)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Eval(Substitute(s.Form, put), at)
			if err != nil || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: %v with %v is %v at %v, want %v (%v)", text, s, s.Values, got, at, want, err)
			}
		}
	}
}
