package eql_test

import (
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/fit"
)

// FuzzParseForm reads what a user may type. Refusing it is fine; a form that is taken has a target, and constants or
// functions that are not known, which are solved for or refused.
func FuzzParseForm(f *testing.F) {
	for _, seed := range []string{
		"y = a*exp(-b*t) + c", "y=", "=", "`y` = a*`t`", "y = = a", "y = a*`q=r`", "t = y*b^2", "y = pi*t", "y = ((((a", "`",
		"y = t*f(t) + g(t)", "y = f(t)/(1 + f(t))", "y = exp(-k*f(`t`))", "y = f(t,t", "y = f(", "y = f(,)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form, err := eql.ParseForm(text, []string{"t", "y"})
		if err != nil {
			return
		}
		if form.Target != "t" && form.Target != "y" || len(form.Constants)+len(form.Unknown) == 0 {
			t.Errorf("%q is taken as %+v", text, form)
		}
		if solved, err := fit.Solve(form); err == nil && len(solved.Factors) != len(form.Unknown) {
			t.Errorf("%q is solved for %d of %d functions", text, len(solved.Factors), len(form.Unknown))
		}
	})
}
