package eql

import (
	"reflect"
	"testing"

	"github.com/eqlearner/eql/run"
)

// Options that stand for flags set what the flags set.
func TestOptionsAreSettings(t *testing.T) {
	var c config
	for _, o := range []Option{
		Errors(run.ErrorsRelative), Outliers(run.OutliersDrop), MaxComplexity(20), MaxConstants(3),
		Require("a"), Require("b"),
	} {
		o(&c)
	}
	got, want := run.Quick(100, 2), run.Quick(100, 2)
	for _, adjust := range c.adjust {
		adjust(&got)
	}
	want.Errors, want.Outliers = run.ErrorsRelative, run.OutliersDrop
	want.Limits = run.Limits{MaxComplexity: 20, MaxConstants: 3, Require: []string{"a", "b"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the settings are %+v, want %+v", got, want)
	}
}
