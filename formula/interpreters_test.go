package formula

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// listOf lists numbers as a form writes them.
func listOf(form Form, xs []float64) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = languages[form].number(x)
	}
	return strings.Join(words, ", ")
}

func octaveProgram(dir, function string, points [][]float64, outputs int) *exec.Cmd {
	var b strings.Builder
	b.WriteString("1;\n" + function)
	for _, p := range points {
		fmt.Fprintf(&b, "v = cell(1, %d);\n[v{:}] = law(%s);\nprintf('%%.17g ', v{:});\nprintf('\\n');\n", outputs,
			listOf(MATLAB, p))
	}
	write(filepath.Join(dir, "main_program.m"), b.String())
	const script = `octave-cli --norc --quiet "$0/main_program.m" 2>"$0/errors" || { cat "$0/errors"; exit 1; }`
	return exec.Command("sh", "-c", script, dir)
}

func rProgram(dir, function string, points [][]float64, _ int) *exec.Cmd {
	var b strings.Builder
	b.WriteString("options(warn = -1)\n" + function)
	for _, p := range points {
		fmt.Fprintf(&b, "base::cat(base::sprintf('%%.17g', base::unlist(law(%s))), '\\n')\n", listOf(R, p))
	}
	write(filepath.Join(dir, "main.R"), b.String())
	return exec.Command("Rscript", "--vanilla", filepath.Join(dir, "main.R"))
}

func juliaProgram(dir, function string, points [][]float64, _ int) *exec.Cmd {
	var b strings.Builder
	b.WriteString("module Law\n" + function + "end\n")
	for _, p := range points {
		fmt.Fprintf(&b, "println(join(map(repr, Law.law(%s)), \" \"))\n", listOf(Julia, p))
	}
	write(filepath.Join(dir, "main.jl"), b.String())
	return exec.Command("julia", "--startup-file=no", "--optimize=0", filepath.Join(dir, "main.jl"))
}

// fortranProgram compiles for the standard, but with lines of any length.
func fortranProgram(dir, function string, points [][]float64, outputs int) *exec.Cmd {
	var b strings.Builder
	b.WriteString("module laws\ncontains\n" + function + "end module laws\n\nprogram main\n    use laws, only: law\n")
	fmt.Fprintf(&b, "    double precision :: v(%d)\n", outputs)
	refs := make([]string, outputs)
	for i := range refs {
		refs[i] = fmt.Sprintf("v(%d)", i+1)
	}
	for _, p := range points {
		args := listOf(Fortran, p)
		switch {
		case strings.Contains(function, "subroutine law(x, y)"): // of TestPrintedFunctionNames
			fmt.Fprintf(&b, "    call law(%s, v)\n", args)
		case outputs > 1:
			fmt.Fprintln(&b, continued("    call law("+args+", "+strings.Join(refs, ", ")+")"))
		default:
			fmt.Fprintf(&b, "    v(1) = law(%s)\n", args)
		}
		b.WriteString("    write (*, '(*(es25.17e3, 1x))') v\n")
	}
	b.WriteString("end program main\n")
	write(filepath.Join(dir, "main.f90"), b.String())
	const script = `cd "$0" &&
	gfortran -std=f2018 -Wall -Wno-unused -Wno-conversion -o main main.f90 &&
	./main 2>/dev/null`
	return exec.Command("sh", "-c", script, dir)
}

// calledName returns the name that Function gave a function of one input.
func calledName(form Form, f string) string {
	head := map[Form]string{
		Python: `def (\w+)\(`, Go: `func (\w+)\(`, C: `\ndouble (\w+)\(`, Julia: `function (\w+)\(`,
		MATLAB: `= (\w+)\(`, R: `(\w+) <- function`,
		Fortran: `elemental function (\w+)\(`,
	}[form]
	return regexp.MustCompile(head).FindStringSubmatch(f)[1]
}

// callAll writes a function that returns what all the functions return.
func callAll(form Form, calls []string) string {
	var b strings.Builder
	switch form {
	case Python:
		fmt.Fprintf(&b, "def law(x):\n    return [f(x) for f in (%s,)]\n", strings.Join(calls, ", "))
	case Go:
		b.WriteString("func law(x float64) (y0")
		for i := range calls[1:] {
			fmt.Fprintf(&b, ", y%d", i+1)
		}
		b.WriteString(" float64) {\n")
		for i, c := range calls {
			fmt.Fprintf(&b, "\ty%d = %s(x)\n", i, c)
		}
		b.WriteString("\treturn\n}\n")
	case Julia:
		fmt.Fprintf(&b, "law(x) = (%s(x),)\n", strings.Join(calls, "(x), "))
	case R:
		fmt.Fprintf(&b, "law <- function(x) list(%s(x))\n", strings.Join(calls, "(x), "))
	case MATLAB:
		fmt.Fprintf(&b, "function varargout = law(x)\n    varargout = {%s(x)};\nend\n", strings.Join(calls, "(x), "))
	case Fortran:
		b.WriteString("subroutine law(x, y)\n    double precision :: x, y(*)\n")
		for i, c := range calls {
			fmt.Fprintf(&b, "    y(%d) = %s(x)\n", i+1, c)
		}
		b.WriteString("end subroutine law\n")
	case C:
		b.WriteString("static void law(double x")
		for i := range calls {
			fmt.Fprintf(&b, ", double *y%d", i)
		}
		b.WriteString(")\n{\n")
		for i, c := range calls {
			fmt.Fprintf(&b, "    *y%d = %s(x);\n", i, c)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
