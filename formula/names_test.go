package formula

import (
	"fmt"
	gotoken "go/token"
	"go/types"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// toolWords asks the tools of a language for the words that mean something there: those of Python with its builtin
// names, those of Go, and what C compilers and math.h define as macros in each standard.
func toolWords(form Form) []string {
	var words []string
	switch form {
	case Python:
		out, err := exec.Command("python3", "-c",
			"import keyword, builtins\nprint(*keyword.kwlist, *dir(builtins), '__debug__')").Output()
		if err == nil {
			words = strings.Fields(string(out))
		}
	case Go:
		words = types.Universe.Names()
		for tok := gotoken.BREAK; tok <= gotoken.VAR; tok++ {
			words = append(words, tok.String())
		}
	case MATLAB:
		out, err := exec.Command("octave-cli", "--norc", "--eval", "printf('%s ', iskeyword(){:})").Output()
		if err == nil {
			words = strings.Fields(string(out))
		}
	case C:
		for _, mode := range []string{"-std=gnu99", "-std=gnu11 -D_GNU_SOURCE", "-std=gnu2x -D_GNU_SOURCE"} {
			out, err := exec.Command("sh", "-c", "echo '#include <math.h>' | cc "+mode+" -dM -E -").Output()
			if err != nil {
				continue // a compiler that does not know the standard
			}
			for line := range strings.Lines(string(out)) {
				name, _, _ := strings.Cut(strings.Fields(line)[1], "(")
				words = append(words, name)
			}
		}
	}
	return words
}

// formWords are the words that mean something in a form, for variables or for functions.
func formWords(form Form) []string {
	words := map[Form]string{Go: "init main", C: cFunctions}[form]
	if l := languages[form]; l != nil {
		words += " " + l.names.reserved
	}
	return strings.Fields(words)
}

// awkwardNames are names that programs cannot have, or that some programs take for equal: the words of all languages
// and of the given tool, letters that Unicode's normal forms change, and random strings of little variety.
func awkwardNames(form Form, n int) []string {
	names := []string{"", "_", "__", "__x", "_X", "_x", "x", "ｘ", "𝑥", "K", "\u212a", "Å", "\u212b", "µ", "μ",
		"ﬁ", "fi", "ª", "a", "Ω", "\u2126", "ſin", "sin", "ĳ", "ij", "\u1100\u1161", "가", "ㄱ", "e\u0301", "é", "x²", "x2",
		"xM_PI", "x_Bool", "int_2", "温度", "größe", "law"}
	for _, f := range Forms() {
		names = append(names, formWords(f)...)
	}
	words := toolWords(form)
	r := rand.New(rand.NewPCG(21, 22))
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	names = append(names, words[:min(len(words), n)]...)
	letters := []rune("ab_ 1M_PI((\u212a\u2126ﬁ²-ｘxé")
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		names = append(names, b.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// weighted is a different multiple of each name, so that no two can be mistaken for each other, and a point with
// its value.
func weighted(names []string) (e Expr, point []float64) {
	terms := make([]Expr, len(names))
	for i, name := range names {
		terms[i] = Mul(number(i+2), Var(name))
		point = append(point, float64(1+i*i%1009))
	}
	return Add(terms...), point
}

// TestPrintedNames computes sums over all awkward names, as inputs and as outputs.
func TestPrintedNames(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts interpreters")
	}
	runLanguages(t, func(t *testing.T, form Form, run func(string, [][]float64, int) string) {
		names := awkwardNames(form, 150)
		e, point := weighted(names)
		outputs := []Named{{"sum", e}}
		for i, name := range names {
			outputs = append(outputs, Named{names[len(names)-1-i], Mul(number(i+2), Var(name))})
		}
		f, err := Function(form, "law", names, outputs)
		if err != nil {
			t.Fatal(err)
		}
		compareOutput(t, run(f, [][]float64{point}, len(outputs)), names, [][]float64{point}, outputs)
	})
}

// TestPrintedFunctionNames gives a function each name that a language or its mathematics has.
func TestPrintedFunctionNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of functions")
	}
	runLanguages(t, func(t *testing.T, form Form, run func(string, [][]float64, int) string) {
		names := append(append(formWords(form), strings.Fields("sinf truncl __x _X a__ x_log predict")...),
			toolWords(form)...)
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(name string) bool {
			return name == "println" || // the program calls it
				form == C && len(name) > 3 && name[0] == '_' // hundreds alike
		})
		var b strings.Builder
		var outputs []Named
		calls := make([]string, 0, len(names))
		for i, name := range names {
			f, err := Function(form, name, []string{"x"}, []Named{{"y", Add(Mul(number(i), Var("x")), number(1))}})
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(f + "\n")
			calls = append(calls, calledName(form, f))
			outputs = append(outputs, Named{fmt.Sprintf("y%d", i), Add(Mul(number(i), Var("x")), number(1))})
		}
		b.WriteString(callAll(form, calls))
		compareOutput(t, run(b.String(), [][]float64{{3}}, len(outputs)), []string{"x"}, [][]float64{{3}}, outputs)
	})
}

// TestSymPyNames runs the script for all awkward names where SymPy is installed.
func TestSymPyNames(t *testing.T) {
	if testing.Short() || exec.Command("python3", "-c", "import sympy").Run() != nil {
		t.Skip("no SymPy, or no time for it")
	}
	var outputs []Named
	var want []string
	values := map[string]int{}
	for names := range slices.Chunk(awkwardNames(Python, 60), 10) {
		e, point := weighted(names)
		sum := 0
		for i, name := range names {
			values[name] = int(point[i])
			sum += (i + 2) * int(point[i])
		}
		outputs = append(outputs, Named{names[len(outputs)%len(names)], e}) // a name that the sum holds as well
		want = append(want, fmt.Sprint(sum))
	}
	script := SymPyScript(outputs, make([]int, len(outputs)))
	var b strings.Builder
	b.WriteString("import law, sympy, re\nvalues = {")
	for name, v := range values {
		fmt.Fprintf(&b, "%q: %d, ", name, v)
	}
	b.WriteString(`}
results = []
names = {}
for line in open(law.__file__):
    if m := re.match(r'# (\S+) is (".*")', line):
        names[m[1]] = eval(m[2])
    elif (m := re.match(r"(\S+) = ", line)) and "symbols(" not in line:
        y = getattr(law, m[1])
        results.append(y.xreplace({s: sympy.Integer(values[names.get(s.name, s.name)]) for s in y.free_symbols}))
print(*results)
`)
	dir := t.TempDir()
	write(filepath.Join(dir, "law.py"), script)
	write(filepath.Join(dir, "main.py"), b.String())
	out, err := exec.Command("python3", filepath.Join(dir, "main.py")).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != strings.Join(want, " ") {
		t.Errorf("got %s, %v, want %v\n%.3000s", got, err, want, script)
	}
}

// TestPythonLetters asks Python whether it takes each letter that its names may have for itself, wherever it
// stands and whatever stands beside it.
func TestPythonLetters(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 on the path")
	}
	var letters strings.Builder
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.IsLetter(r) && pythonLanguage.names.identifier(string(r)) == string(r) {
			letters.WriteRune(r)
		}
	}
	const program = `
import sys, unicodedata as u
letters = [c for c in sys.stdin.buffer.read().decode() if u.category(c) != "Cn"]
print(*[hex(ord(c)) for c in letters if not c.isidentifier()])
print(*[hex(ord(c)) for s in (letters, letters[::-1]) for c, d in zip(s, u.normalize("NFKC", "".join(s))) if c != d])
`
	cmd := exec.Command("python3", "-c", program)
	cmd.Stdin = strings.NewReader(letters.String())
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("%v: Python changes or refuses %.300s", err, out)
	}
	for _, r := range "aZéµθЖ가温ひア" {
		if got := pythonLanguage.names.identifier(string(r)); got == "_" {
			t.Errorf("Python may not use %c", r)
		}
	}
}
