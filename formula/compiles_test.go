package formula

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCompiles gives complete functions to compilers of languages whose programs take too long to build, with random
// formulas and all awkward names. What they compute is in TestGrammarRandom.
func TestCompiles(t *testing.T) {
	for _, c := range []struct {
		form    Form
		tool    string
		file    string
		command string // of the shell, $0 being the file
	}{
		{Stan, "stanc", "law.stan", `stanc --warn-pedantic "$0" && ! stanc "$0" 2>&1 | grep -i 'warning\|division'`},
		{Modelica, "omc", "law.mo", `omc "$0"`},
	} {
		t.Run(string(c.form), func(t *testing.T) {
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("no %s on the path", c.tool)
			}
			var outputs []Named
			r := rand.New(rand.NewPCG(13, 14))
			for i := range 200 {
				outputs = append(outputs, Named{fmt.Sprint("r", i), randomExpr(r, 1+i%4)})
			}
			names := awkwardNames(c.form, 150)
			e, _ := weighted(names)
			for _, f := range []struct {
				inputs  []string
				outputs []Named
			}{
				{threeVars, outputs}, {threeVars, outputs[3:4]}, {names, []Named{{"sum", e}}},
				{nil, []Named{{"x", number(2)}}},
			} {
				text, err := Function(c.form, "law", f.inputs, f.outputs)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), c.file)
				write(path, text)
				if out, err := exec.Command("sh", "-c", c.command, path).CombinedOutput(); err != nil {
					t.Errorf("%v\n%.2000s\n%.2000s", err, out, text)
				}
			}
		})
	}
}
