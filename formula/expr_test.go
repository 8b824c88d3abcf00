package formula

import (
	"fmt"
	"slices"
	"testing"
)

func TestComplexity(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"x", 1}, {"3", 1}, {"-3", 1}, {"x + y + z", 5}, {"2*x + 3", 5}, {"a - b", 3}, {"-x", 2}, {"-2*x", 3},
		{"-x + y", 4}, {"x - y*z", 5}, {"1/x", 3}, {"-1/x", 3}, {"y - 1/x", 5}, {"1/x^2", 5}, {"x/y^2", 5},
		{"x/(y*z)", 5}, {"sin(x1)*x2", 4}, {"x - 0.5*y^2", 7}, {"-sin(x)", 3}, {"x^(-y)", 4}, {"x - 2", 3},
		{"-(x + y)", 4}, {"-x*y", 4}, {"1/(2*x)", 5}, {"-x/y", 4},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := Complexity(MustParse(tt.in)); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestVars(t *testing.T) {
	got := Vars(MustParse("x10*sin(x2) + x2^b2 - b10 + x02"))
	if want := []string{"b2", "b10", "x02", "x2", "x10"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEqual(t *testing.T) {
	list := []string{"x", "y", "1", "2", "0", "-0", "x + y", "y + x", "x*y", "x/y", "x^y", "x^2",
		"sin(x)", "cos(x)", "x + y + 1"}
	for i, a := range list {
		for k, b := range list {
			if got := Equal(MustParse(a), MustParse(b)); got != (i == k) {
				t.Errorf("Equal(%s, %s) = %v", a, b, got)
			}
		}
	}
}

func TestSubstitute(t *testing.T) {
	e := MustParse("x*y + sin(x)")
	got := Substitute(e, map[string]Expr{"x": MustParse("y - 1"), "y": MustParse("x")})
	if want := "(y - 1)*x + sin(y - 1)"; got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if e.String() != "x*y + sin(x)" {
		t.Errorf("the original is now %s", e)
	}
}

func TestConstants(t *testing.T) {
	tests := []struct {
		in   string
		want []float64
		with string // every constant replaced by 7
	}{
		{"2*x - 3*sin(0.5*y + 1)", []float64{2, -3, 0.5, 1}, "7*x + 7*sin(7*y + 7)"},
		{"x^2 + x^0.5 - y", []float64{0.5}, "x^2 + x^7 - y"},
		{"-x/3 - 1/y", []float64{3}, "-x/7 - 1/y"},
		{"-2", []float64{-2}, "7"},
		{"2^x/(4*y^3)", []float64{2, 4}, "7^x/(7*y^3)"},
		{"x", nil, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			e := MustParse(tt.in)
			cs := Constants(e)
			if !slices.Equal(cs, tt.want) {
				t.Errorf("got %v, want %v", cs, tt.want)
			}
			if got := WithConstants(e, cs); !Equal(got, e) {
				t.Errorf("its own constants make it %s", got)
			}
			if got := WithConstants(e, slices.Repeat([]float64{7}, len(cs))).String(); got != tt.with {
				t.Errorf("got %s, want %s", got, tt.with)
			}
		})
	}
}

func TestWithConstantsCounts(t *testing.T) {
	for _, n := range []int{1, 3} {
		func() {
			defer func() {
				want := fmt.Sprintf("formula: %d constants for an expression with 2", n)
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			WithConstants(MustParse("2*x + 3"), make([]float64, n))
		}()
	}
}

func TestRound(t *testing.T) {
	e := MustParse("1.00000001*x^2.0000001 + 0.123456789*y")
	for digits, want := range map[int]string{
		0: "1.00000001*x^2.0000001 + 0.123456789*y",
		3: "x^2 + 0.123*y",
	} {
		if got := Round(e, digits).String(); got != want {
			t.Errorf("%d digits: got %s, want %s", digits, got, want)
		}
	}
}

func TestRoundKeepsOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"12.3456*sin(0.12345*(t - 2459100) + 1.23456)": "12.3*sin(0.123*(t - 2459100) + 1.23)",
		"(t - 2459100)^2 + 12.3456":                    "(t - 2459100)^2 + 12.3",
		"(t - 2459100.1234567)*x":                      "(t - 2.46e6)*x", // not chosen but fitted
		"(t - 2459100 + 1.2345*sin(x))*x":              "(t - 2459100 + 1.23*sin(x))*x",
		"x + y + 12.34567890123":                       "x + y + 12.3",
		"2*t - 2459100":                                "2*t - 2.46e6",
	} {
		if got := Round(MustParse(text), 3).String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if got := Print(MustParse(text), Text, 3); got != Print(MustParse(want), Text, 0) {
			t.Errorf("%s: printed as %s, want %s", text, got, want)
		}
	}
}
