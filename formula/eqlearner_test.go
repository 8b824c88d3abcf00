package formula

import (
	"os"
	"strings"
	"testing"
)

// The Python package reads formulas itself, so each function must be in its table.
func TestEqlearnerHasAllFunctions(t *testing.T) {
	source, err := os.ReadFile("../python/eqlearner/formula.py")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), "_FUNCTIONS")
	table, _, _ = strings.Cut(table, "\n}\n")
	for _, f := range Funcs() {
		if !strings.Contains(table, `    "`+f.String()+`": `) {
			t.Errorf("_FUNCTIONS in python/eqlearner/formula.py has no %v", f)
		}
	}
}
