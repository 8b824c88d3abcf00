package eql_test

import (
	"testing"

	"github.com/eqlearner/eql"
)

// FuzzParseForm reads what a user may type. Refusing it is fine; a form that is taken has a target and constants.
func FuzzParseForm(f *testing.F) {
	for _, seed := range []string{
		"y = a*exp(-b*t) + c", "y=", "=", "`y` = a*`t`", "y = = a", "y = a*`q=r`", "t = y*b^2", "y = pi*t", "y = ((((a", "`",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form, err := eql.ParseForm(text, []string{"t", "y"})
		if err != nil {
			return
		}
		if form.Target != "t" && form.Target != "y" || len(form.Constants) == 0 {
			t.Errorf("%q is taken as %+v", text, form)
		}
	})
}
