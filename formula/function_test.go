package formula

import (
	"fmt"
	"testing"
)

func TestFunction(t *testing.T) {
	y := []Named{{"y", MustParse("sin(`x 1`) - 2*x2")}}
	two := []Named{{"x2", MustParse("x2^3")}, {"x2", MustParse("1/x2")}}
	tests := []struct {
		name    string
		form    Form
		fn      string
		inputs  []string
		outputs []Named
		want    string
	}{
		{"go", Go, "f", []string{"x 1", "x2"}, y,
			"// x_1 is \"x 1\"\nimport \"math\"\n\nfunc f(x_1, x2 float64) float64 {\n\treturn math.Sin(x_1) - 2.0*x2\n}\n"},
		{"go: two outputs, equal names", Go, "f", []string{"x2"}, two,
			"// x2_2 is \"x2\"\n// x2_3 is \"x2\"\nimport \"math\"\n\n" +
				"func f(x2 float64) (x2_2, x2_3 float64) {\n\tx2_2 = math.Pow(x2, 3.0)\n\tx2_3 = 1.0/x2\n\treturn\n}\n"},
		{"go: no inputs", Go, "func", nil, []Named{{"y", number(2)}}, "func func_2() float64 {\n\treturn 2.0\n}\n"},
		{"python", Python, "f", []string{"x 1", "x2", "x_1"}, y,
			"# x_1_2 is \"x 1\"\nimport numpy as np\n\n\ndef f(x_1_2, x2, x_1):\n" +
				"    x_1_2 = np.float64(x_1_2)\n    x2 = np.float64(x2)\n    return np.sin(x_1_2) - 2*x2\n"},
		{"python: two outputs", Python, "f", []string{"x2"}, two,
			"# x2_2 is \"x2\"\n# x2_3 is \"x2\"\nimport numpy as np\n\n\ndef f(x2):\n" +
				"    x2 = np.float64(x2)\n    x2_2 = x2**3\n    x2_3 = 1/x2\n    return x2_2, x2_3\n"},
		{"c", C, "f", []string{"x 1", "x2"}, y,
			"// x_1 is \"x 1\"\n#include <math.h>\n\ndouble f(double x_1, double x2)\n{\n    return sin(x_1) - 2.0*x2;\n}\n"},
		{"c: two outputs", C, "f", []string{"x2"}, two,
			"// x2_2 is \"x2\"\n// x2_3 is \"x2\"\n#include <math.h>\n\n" +
				"void f(double x2, double *x2_2, double *x2_3)\n{\n    *x2_2 = pow(x2, 3.0);\n    *x2_3 = 1.0/x2;\n}\n"},
		{"c: names of math.h", C, "y1", []string{"y0"}, []Named{{"y1", Var("y0")}, {"y2", number(0)}},
			"#include <math.h>\n\nvoid y1_(double y0, double *y1, double *y2)\n{\n    *y1 = y0;\n    *y2 = 0.0;\n}\n"},
		{"go: names of functions", Go, "init", nil, []Named{{"y", number(0)}}, "func init_() float64 {\n\treturn 0.0\n}\n"},
		{"c: no inputs", C, "f", nil, []Named{{"y", number(2)}},
			"#include <math.h>\n\ndouble f(void)\n{\n    return 2.0;\n}\n"},
		{"julia", Julia, "f", []string{"x 1", "x2"}, y, `# x_1 is "x 1"
function f(x_1, x2)
    x_1 = float(x_1)
    x2 = float(x2)
    sin(u) = isfinite(u) ? Base.sin(u) : NaN
    return sin(x_1) - 2.0*x2
end
`},
		{"julia: two outputs", Julia, "f", []string{"x2"}, two, `# x2_2 is "x2"
# x2_3 is "x2"
function f(x2)
    x2 = float(x2)
    x2_2 = x2^3
    x2_3 = 1.0/x2
    return x2_2, x2_3
end
`},
		{"matlab", MATLAB, "f", []string{"x 1", "x2"}, y, `% x_1 is "x 1"
function y = f(x_1, x2)
    x_1 = double(x_1);
    x2 = double(x2);
    y = sin(x_1) - 2.*x2;
end
`},
		{"matlab: guards", MATLAB, "f", []string{"x"}, []Named{{"y", MustParse("sqrt(x) + x^0.3 + 2^x")}, {"z", Var("x")}},
			`function [y, z] = f(x)
    x = double(x);
    real_sqrt = @(u) sqrt(u + 0./(u >= 0));
    real_power = @(u, v) (u + 0./(u >= 0 | v == fix(v))).^v;
    y = real_sqrt(x) + real_power(x, 0.3) + 2.^x;
    z = x;
end
`},
		{"r", R, "predict", []string{"x 1", "x2"}, y, `# x_1 is "x 1"
predict_ <- function(x_1, x2) {
    x_1 <- as.numeric(x_1)
    x2 <- as.numeric(x2)
    sin(x_1) - 2*x2
}
`},
		{"r: two outputs", R, "f", nil, []Named{{"y", number(2)}, {"z", number(3)}}, `f <- function() {
    list(
        y = 2,
        z = 3
    )
}
`},
		{"excel", Excel, "f", []string{"x 1", "x2", "pi"}, y,
			`# x_1 is "x 1"
# _x2 is "x2"
# With decimal points, and commas between arguments, as spreadsheets in English have them.
# Give the cell or column of each input its name (Formulas, Define Name): x_1, _x2
# Enter in the cell of y:
=SIN(x_1) - 2*_x2
`},
		{"fortran", Fortran, "f", []string{"x 1", "X2"}, []Named{{"Y", MustParse("sin(`x 1`) - 2*X2^2 + X2/0")}}, `! x_1 is "x 1"
elemental function f(x_1, X2) result(Y)
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
    implicit none
    double precision, intent(in) :: x_1, X2
    double precision :: Y
    Y = sin(x_1) - 2.0d0*X2**2 + X2*ieee_value(0d0, ieee_positive_inf)
end function f
`},
		{"fortran: two outputs, equal names", Fortran, "f", []string{"T"}, []Named{{"t", Var("T")}, {"y", number(1e300)}}, `! t_2 is "t"
elemental subroutine f(T, t_2, y)
    implicit none
    double precision, intent(in) :: T
    double precision, intent(out) :: t_2, y
    t_2 = T
    y = 1d300
end subroutine f
`},
		{"stan", Stan, "f_rng", []string{"x 1", "x2"}, y, `// x_1 is "x 1"
functions {
  real f_rng_(real x_1, real x2) {
    return sin(x_1) - 2.0*x2;
  }
}
`},
		{"stan: two outputs", Stan, "f", nil, []Named{{"y", number(2)}, {"z__", number(3)}}, `// xz__x is "z__"
functions {
  vector f() {
    real y = 2.0;
    real xz__x = 3.0;
    return [y, xz__x]';
  }
}
`},
		{"modelica", Modelica, "f", []string{"x 1", "time"}, []Named{{"y", MustParse("(time^2)^`x 1`")}}, `// x_1 is "x 1"
// time_2 is "time"
function f
  input Real x_1;
  input Real time_2;
  output Real y;
algorithm
  y := (time_2^2)^x_1;
end f;
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Function(tt.form, tt.fn, tt.inputs, tt.outputs)
			if err != nil || got != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestFunctionErrors(t *testing.T) {
	y := []Named{{"y", Var("x")}}
	tests := []struct {
		name    string
		form    Form
		inputs  []string
		outputs []Named
		want    string
	}{
		{"form", LaTeX, []string{"x"}, y,
			`no functions in form "latex" (want one of go, python, c, julia, matlab, r, excel, fortran, stan, modelica)`},
		{"no output", Go, []string{"x"}, nil, "function f has no output"},
		{"input twice", Go, []string{"x", "x"}, y, "input x is given twice"},
		{"no input", C, []string{"x 1"}, y, "output y: variable x is not an input (add it to the inputs)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Function(tt.form, "f", tt.inputs, tt.outputs); fmt.Sprint(err) != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
