package command

import (
	"testing"

	"github.com/eqlearner/eql/formula"
)

func TestWithNames(t *testing.T) {
	form, names := withNames(formula.MustParse("2.5*exp(-0.7*c1) + 0.5*x"), []bool{false, false, true}, "c")
	if got, want := form.String(), "cc1*exp(c2*c1) + 0.5*x"; got != want {
		t.Errorf("the form is %s, want %s", got, want)
	}
	if len(names) != 3 || names[0] != "cc1" || names[1] != "c2" || names[2] != "" {
		t.Errorf("the names are %q", names)
	}
}
