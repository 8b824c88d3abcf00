package formula

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPrintedColumns gives functions whole columns, of integers where a language has them. Their squares overflow,
// and their quotients are no integers.
func TestPrintedColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("starts other programs")
	}
	points := [][]float64{{100000, 7}, {-3, 2}, {0, -5}}
	outputs := []Named{{"y", MustParse("x^2*y/3 + sqrt(x) + x^0.5")}, {"z", MustParse("x*x*x*x - x/y")}}
	for _, l := range []struct {
		form           Form
		tool, file     string
		program, shell string // $0 is the folder
	}{
		{MATLAB, "octave-cli", "law_columns.m",
			"[y, z] = law(int32([100000; -3; 0]), int32([7; 2; -5]));\nprintf('%.17g %.17g\\n', [y, z]');\n",
			`octave-cli --norc "$0/law_columns.m" 2>"$0/errors" || { cat "$0/errors"; exit 1; }`},
		{R, "Rscript", "main.R",
			"v <- law(c(100000L, -3L, 0L), c(7L, 2L, -5L))\ncat(sprintf('%.17g %.17g', v$y, v$z), sep = '\\n')\n",
			`Rscript --vanilla "$0/main.R" 2>/dev/null`},
		{Julia, "julia", "main.jl",
			"for v in law.([100000, -3, 0], [7, 2, -5])\n    println(join(map(repr, v), \" \"))\nend\n",
			`julia --startup-file=no "$0/main.jl"`},
		{Fortran, "gfortran", "main.f90",
			"end module\nprogram main\n    use laws\n    double precision, dimension(3) :: y, z\n" +
				"    call law([1d5, -3d0, 0d0], [7d0, 2d0, -5d0], y, z)\n" +
				"    write (*, '(2(es25.17e3, 1x))') (y(i), z(i), i = 1, 3)\nend program\n",
			`cd "$0" && gfortran -o main main.f90 && ./main 2>/dev/null`},
	} {
		t.Run(string(l.form), func(t *testing.T) {
			if _, err := exec.LookPath(l.tool); err != nil {
				t.Skipf("no %s on the path", l.tool)
			}
			text, err := Function(l.form, "law", []string{"x", "y"}, outputs)
			if err != nil {
				t.Fatal(err)
			}
			head := map[Form]string{MATLAB: "1;\n", Fortran: "module laws\ncontains\n"}[l.form]
			dir := t.TempDir()
			write(filepath.Join(dir, l.file), head+text+l.program)
			out, err := exec.Command("sh", "-c", l.shell, dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			compareOutput(t, string(out), []string{"x", "y"}, points, outputs)
		})
	}
}
