package formula

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// printedFormulas are computed by the languages they are printed in. Every function occurs,
// and names that are none there.
var printedFormulas = []string{
	"x1 - 2*`speed (m/s)`/(x1 + 3) + 1e-7",
	"sin(x1) + cos(-x1)*tan(x1/3) - exp(-`speed (m/s)`)",
	"log(x1)/sqrt(`speed (m/s)`) - sigmoid(x1 - 1)^2/tanh(1/x1)",
	"x1^2 - x1^3 + x1^0.3 - 2^x1 + (x1 + 1)^(-x1) - 1/x1^2",
	"-x1 - -2*x1 - (x1 - `speed (m/s)`)",
	"1/2*x1 + 3/4 - 7/(2*x1)/x1",
	"-sigmoid(x1)/sigmoid(2*x1)/3",
	"0/0 + x1",
	"x1/0",
	"-1/0 - x1",
	"123456789012*x1 - 1.5e300*x1*1e-200",
	"3.25",
	"1e308*10*x1 - 1e-300*1e-300",
	"x1/(1e308*10) + x1/(1e-300*1e-300)",
	"x1/(2 - 2) - 1/(3 - 3)",
	"1e308 + 1e308 + x1",
	"(-2)^0.5*x1",
	"10^400 - x1 + 1e19*x1",
	"1/(x1*(-0)) + 2*sqrt(2)*x1",
	"asin(x1/4) - acos(-x1/4)^2 + atan(`speed (m/s)`) - asin(x1 + 1) + acos(x1*3)",
	"sinh(x1) - cosh(-x1) + abs(x1 - 2)^3",
	"min(x1, `speed (m/s)`) - 2*max(x1, 1.5, -x1) + max(min(x1, 2), sqrt(x1 - 1))",
	"max(log(-x1), 1) - min(1, log(-x1))",
}

// interpreters run what Function prints, as a program with a line of results for each point.
var interpreters = []struct {
	form  Form
	tool  string
	slow  bool
	write func(dir, function string, points [][]float64, outputs int) *exec.Cmd
}{
	{Python, "python3", false, pythonProgram},
	{Go, "go", true, goProgram},
	{C, "cc", true, cProgram},
	{MATLAB, "octave-cli", true, octaveProgram},
	{R, "Rscript", true, rProgram},
	{Fortran, "gfortran", true, fortranProgram},
	{Julia, "julia", true, juliaProgram},
}

// runLanguages calls f for each of the languages that this machine has, with a function that runs programs.
func runLanguages(t *testing.T,
	f func(t *testing.T, form Form, run func(function string, points [][]float64, outputs int) string)) {
	for _, l := range interpreters {
		t.Run(string(l.form), func(t *testing.T) {
			if l.slow && testing.Short() {
				t.Skip("compiles a program")
			}
			if _, err := exec.LookPath(l.tool); err != nil {
				t.Skipf("no %s on the path", l.tool)
			}
			f(t, l.form, func(function string, points [][]float64, outputs int) string {
				out, err := l.write(t.TempDir(), function, points, outputs).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%.3000s\n%.3000s", err, out, function)
				}
				return string(out)
			})
		})
	}
}

// TestPrintedFunctions runs what Function prints, with several outputs at random points.
func TestPrintedFunctions(t *testing.T) {
	inputs := []string{"x1", "speed (m/s)"}
	var outputs []Named
	for i, s := range printedFormulas {
		outputs = append(outputs, Named{fmt.Sprintf("y%d", i), MustParse(s)})
	}
	r := rand.New(rand.NewPCG(11, 12))
	points := make([][]float64, 5)
	for i := range points {
		points[i] = []float64{0.1 + 3*r.Float64(), 0.1 + 3*r.Float64()}
	}
	runLanguages(t, func(t *testing.T, form Form, run func(string, [][]float64, int) string) {
		f, err := Function(form, "law", inputs, outputs)
		if err != nil {
			t.Fatal(err)
		}
		compareOutput(t, run(f, points, len(outputs)), inputs, points, outputs)
	})
}

// TestPrintedConstant runs a function without inputs.
func TestPrintedConstant(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts interpreters")
	}
	outputs := []Named{{"y", MustParse("1e300*sqrt(2)")}}
	runLanguages(t, func(t *testing.T, form Form, run func(string, [][]float64, int) string) {
		f, err := Function(form, "law", nil, outputs)
		if err != nil {
			t.Fatal(err)
		}
		compareOutput(t, run(f, [][]float64{{}}, 1), nil, [][]float64{{}}, outputs)
	})
}

// compareOutput reads one line a point, one number an output.
func compareOutput(t *testing.T, text string, inputs []string, points [][]float64, outputs []Named) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != len(points) {
		t.Fatalf("%d lines for %d points:\n%s", len(lines), len(points), text)
	}
	for i, line := range lines {
		at := map[string]float64{}
		for v, name := range inputs {
			at[name] = points[i][v]
		}
		fields := strings.Fields(line)
		if len(fields) != len(outputs) {
			t.Fatalf("%d numbers for %d outputs: %s", len(fields), len(outputs), line)
		}
		for k, field := range fields {
			want, err := Eval(outputs[k].Expr, at)
			if err != nil {
				t.Fatal(err)
			}
			got, err := strconv.ParseFloat(strings.TrimLeft(field, "+-"), 64)
			if err == nil && strings.HasPrefix(field, "-") {
				got = -got
			}
			same := got == want || math.IsNaN(got) && math.IsNaN(want)
			if d := math.Abs(got - want); err != nil || !same && !(d <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("%s at %v = %s, want %v", outputs[k].Expr, points[i], field, want)
			}
		}
	}
}

// TestPrintedRandom runs random expressions at whole numbers, where poles and the ends of domains lie.
func TestPrintedRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts interpreters")
	}
	const n = 200
	r := rand.New(rand.NewPCG(13, 14))
	points := [][]float64{{2, 1, -3}, {0, 3, 1}, {-1, -2, 5}, {0.5, 10, 0}}
	var outputs []Named
	for len(outputs) < n {
		i := len(outputs)
		if e := randomExpr(r, 1+i%4); !slices.ContainsFunc(points, func(p []float64) bool { return disputed(e, p) }) {
			outputs = append(outputs, Named{fmt.Sprintf("y%d", i), e})
		}
	}
	runLanguages(t, func(t *testing.T, form Form, run func(string, [][]float64, int) string) {
		if form == Python && !hasNumPy() {
			t.Skip("no NumPy")
		}
		f, err := Function(form, "law", threeVars, outputs)
		if err != nil {
			t.Fatal(err)
		}
		compareOutput(t, run(f, points, n), threeVars, points, outputs)
	})
}

// disputed reports whether a part of e is a broken power of -∞: +∞ by IEEE 754, NaN in R, and complex in MATLAB.
func disputed(e Expr, p []float64) bool {
	found := false
	walk(e, func(x Expr) {
		if x, ok := x.(*power); ok {
			base := eval(x.base, map[string]float64{"x1": p[0], "x2": p[1], "x3": p[2]})
			_, isWhole := wholeNumber(x.exp)
			found = found || math.IsInf(base, -1) && !isWhole
		}
	})
	return found
}

// TestPythonColumns gives a printed function columns of all types that data have.
func TestPythonColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts an interpreter")
	}
	if !hasNumPy() {
		t.Skip("no NumPy")
	}
	formulas := []string{
		"x^9*y^11", "x^(-y)", "y^(-x)", "1/x^2", "x - y", "-x", "x*y*1000", "sqrt(x) + sin(y)/x", "x/y", "2^x", "(-2)^y",
		"100*x - 300*y", "log(x - y)", "x",
	}
	var outputs []Named
	for i, s := range formulas {
		outputs = append(outputs, Named{fmt.Sprintf("y%d", i), MustParse(s)})
	}
	f, err := Function(Python, "law", []string{"x", "y"}, outputs)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		types  string
		points [][]float64
	}{
		{"int8 int16 int32 int64 float32 float64 object", [][]float64{{100, 7}, {-3, 2}, {0, -5}, {127, -128}}},
		{"uint8 uint16 uint32 uint64 int64", [][]float64{{3, 5}, {200, 255}, {0, 1}}},
		{"bool", [][]float64{{0, 1}, {1, 1}, {1, 0}, {0, 0}}},
	}
	var b strings.Builder
	b.WriteString("import numpy as np, law\n")
	var points [][]float64
	for _, tt := range tests {
		var columns [2][]float64
		for _, p := range tt.points {
			columns[0], columns[1] = append(columns[0], p[0]), append(columns[1], p[1])
		}
		for _, name := range strings.Fields(tt.types) {
			fmt.Fprintf(&b, "x, y = np.array([%s], '%s'), np.array([%s], '%s')\n",
				numbersOf(columns[0]), name, numbersOf(columns[1]), name)
			b.WriteString("for row in zip(*law.law(x, y)): print(*[repr(float(v)) for v in row])\n")
			b.WriteString("for a, b in zip(x.tolist(), y): print(*[repr(float(v)) for v in law.law(a, b)])\n")
			points = append(append(points, tt.points...), tt.points...)
		}
	}
	dir := t.TempDir()
	write(filepath.Join(dir, "law.py"), f)
	write(filepath.Join(dir, "main.py"), b.String())
	out, err := exec.Command("python3", "-W", "ignore", filepath.Join(dir, "main.py")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compareOutput(t, string(out), []string{"x", "y"}, points, outputs)
}

func hasNumPy() bool { return exec.Command("python3", "-c", "import numpy").Run() == nil }

// numpyShim stands in for NumPy where it is not installed: the functions that are printed,
// for numbers.
const numpyShim = `import math
from math import sin, cos, tan, exp, tanh, inf, nan, atan as arctan, sinh, cosh, fabs as abs
def guarded(f):
    def g(x):
        try: return f(x)
        except ValueError: return nan
    return g
log, sqrt, arcsin, arccos = map(guarded, (math.log, math.sqrt, math.asin, math.acos))
minimum = lambda x, y: x if x != x or x < y else y
maximum = lambda x, y: x if x != x or x > y else y
float64 = float
`

// numbersOf lists numbers as they are written in all three languages.
func numbersOf(xs []float64) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = floatLiteral(x)
	}
	return strings.Join(words, ", ")
}

func pythonProgram(dir, function string, points [][]float64, outputs int) *exec.Cmd {
	if !hasNumPy() {
		write(filepath.Join(dir, "numpy.py"), numpyShim)
	}
	write(filepath.Join(dir, "law.py"), function)
	var b strings.Builder
	b.WriteString("import law\n") // whose names may be those of builtin functions
	for _, p := range points {
		fmt.Fprintf(&b, "y = law.law(%s)\nprint(*[repr(float(v)) for v in %s])\n",
			numbersOf(p), []string{"[y]", "y"}[min(outputs-1, 1)])
	}
	write(filepath.Join(dir, "main.py"), b.String())
	return exec.Command("python3", "-W", "ignore", filepath.Join(dir, "main.py"))
}

func goProgram(dir, function string, points [][]float64, outputs int) *exec.Cmd {
	vars := make([]string, outputs)
	for i := range vars {
		vars[i] = fmt.Sprintf("v%d", i)
	}
	list := strings.Join(vars, ", ")
	var b strings.Builder
	b.WriteString("package main\n\n" + function + "\nfunc main() {\n\tvar " + list + " float64\n")
	for _, p := range points {
		fmt.Fprintf(&b, "\t%s = law(%s)\n\tprintln(%s)\n", list, numbersOf(p), list)
	}
	b.WriteString("}\n")
	write(filepath.Join(dir, "main.go"), b.String())
	cmd := exec.Command("go", "run", filepath.Join(dir, "main.go"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GO111MODULE=off")
	return cmd
}

func cProgram(dir, function string, points [][]float64, outputs int) *exec.Cmd {
	var refs []string
	for i := range outputs {
		refs = append(refs, fmt.Sprintf("&v[%d]", i))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdio.h>\n%s\nint main(void)\n{\n    double v[%d];\n", function, outputs)
	for _, p := range points {
		if args := strings.Join(append([]string{numbersOf(p)}, refs...), ", "); outputs > 1 {
			fmt.Fprintf(&b, "    law(%s);\n", args)
		} else {
			fmt.Fprintf(&b, "    v[0] = law(%s);\n", numbersOf(p))
		}
		fmt.Fprintf(&b, "    for (int i = 0; i < %d; i++) printf(\"%%.17g \", v[i]);\n    printf(\"\\n\");\n", outputs)
	}
	b.WriteString("    return 0;\n}\n")
	write(filepath.Join(dir, "law.c"), b.String())
	const script = `cd "$0"
if cc -std=gnu2x -E -x c /dev/null >/dev/null 2>&1; then
	cc -std=gnu2x -D_GNU_SOURCE -Wall -Werror -Wno-div-by-zero -c -o law23.o law.c || exit 1
fi
cc -Wall -Werror -Wno-div-by-zero -o law law.c -lm && ./law`
	return exec.Command("sh", "-c", script, dir)
}

// write panics on errors: a temporary folder that cannot be written is no test result.
func write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
}
