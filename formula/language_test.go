package formula

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
}

// TestPrintedFunctions runs what Function prints, with several outputs at random points.
func TestPrintedFunctions(t *testing.T) {
	tests := []struct {
		form  Form
		tool  string
		slow  bool
		write func(dir, function string, points [][2]float64, outputs int) *exec.Cmd
	}{
		{Python, "python3", false, pythonProgram},
		{Go, "go", true, goProgram},
		{C, "cc", true, cProgram},
	}
	var outputs []Named
	for i, s := range printedFormulas {
		outputs = append(outputs, Named{fmt.Sprintf("y%d", i), MustParse(s)})
	}
	r := rand.New(rand.NewPCG(11, 12))
	points := make([][2]float64, 5)
	for i := range points {
		points[i] = [2]float64{0.1 + 3*r.Float64(), 0.1 + 3*r.Float64()}
	}
	for _, tt := range tests {
		t.Run(string(tt.form), func(t *testing.T) {
			if tt.slow && testing.Short() {
				t.Skip("compiles a program")
			}
			if _, err := exec.LookPath(tt.tool); err != nil {
				t.Skipf("no %s on the path", tt.tool)
			}
			f, err := Function(tt.form, "law", []string{"x1", "speed (m/s)"}, outputs)
			if err != nil {
				t.Fatal(err)
			}
			out, err := tt.write(t.TempDir(), f, points, len(outputs)).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, f, out)
			}
			compareOutput(t, string(out), points, outputs)
		})
	}
}

// compareOutput reads one line a point, one number an output.
func compareOutput(t *testing.T, text string, points [][2]float64, outputs []Named) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != len(points) {
		t.Fatalf("%d lines for %d points:\n%s", len(lines), len(points), text)
	}
	for i, line := range lines {
		for k, field := range strings.Fields(line) {
			want, err := Eval(outputs[k].Expr, map[string]float64{"x1": points[i][0], "speed (m/s)": points[i][1]})
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

// numpyShim stands in for NumPy where it is not installed: the functions that are printed,
// for numbers.
const numpyShim = `import math
from math import sin, cos, tan, exp, log, sqrt, tanh, inf
`

func pythonProgram(dir, function string, points [][2]float64, _ int) *exec.Cmd {
	if exec.Command("python3", "-c", "import numpy").Run() != nil {
		write(filepath.Join(dir, "numpy.py"), numpyShim)
	}
	var b strings.Builder
	b.WriteString(function)
	for _, p := range points {
		fmt.Fprintf(&b, "print(*[repr(float(v)) for v in law(%g, %g)])\n", p[0], p[1])
	}
	write(filepath.Join(dir, "law.py"), b.String())
	return exec.Command("python3", filepath.Join(dir, "law.py"))
}

func goProgram(dir, function string, points [][2]float64, outputs int) *exec.Cmd {
	vars := make([]string, outputs)
	for i := range vars {
		vars[i] = fmt.Sprintf("v%d", i)
	}
	list := strings.Join(vars, ", ")
	var b strings.Builder
	b.WriteString("package main\n\n" + function + "\nfunc main() {\n\tvar " + list + " float64\n")
	for _, p := range points {
		fmt.Fprintf(&b, "\t%s = law(%v, %v)\n\tprintln(%s)\n", list, p[0], p[1], list)
	}
	b.WriteString("}\n")
	write(filepath.Join(dir, "main.go"), b.String())
	cmd := exec.Command("go", "run", filepath.Join(dir, "main.go"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GO111MODULE=off")
	return cmd
}

func cProgram(dir, function string, points [][2]float64, outputs int) *exec.Cmd {
	var refs []string
	for i := range outputs {
		refs = append(refs, fmt.Sprintf("&v[%d]", i))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdio.h>\n%s\nint main(void)\n{\n    double v[%d];\n", function, outputs)
	for _, p := range points {
		fmt.Fprintf(&b, "    law(%.17g, %.17g, %s);\n", p[0], p[1], strings.Join(refs, ", "))
		fmt.Fprintf(&b, "    for (int i = 0; i < %d; i++) printf(\"%%.17g \", v[i]);\n    printf(\"\\n\");\n", outputs)
	}
	b.WriteString("    return 0;\n}\n")
	write(filepath.Join(dir, "law.c"), b.String())
	return exec.Command("sh", "-c", `cd "$0" && cc -Wall -Werror -Wno-div-by-zero -o law law.c -lm && ./law`, dir)
}

// write panics on errors: a temporary folder that cannot be written is no test result.
func write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
}
