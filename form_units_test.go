package eql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

func springTable() *datasets.Table {
	return &datasets.Table{Names: []string{"x", "F"}, Cols: [][]float64{{1, 2, 3, 4, 5}, {2.5, 5, 7.5, 10, 12.5}}}
}

func ExampleFormFit_Measure() {
	t := springTable()
	form, err := eql.ParseForm("F = k*x", t.Names)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := eql.FitForm(form, t)
	if err == nil {
		err = fit.Measure(map[string]string{"x": "mm", "F": "kN"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	k := fit.Constants[0]
	fmt.Printf("%s = %.3g %s\n", k.Name, k.Value, k.Unit)
	// Output: k = 2.5 kN/mm
}

// What does not agree, and what is no unit, is an error.
func TestMeasureRefuses(t *testing.T) {
	for _, c := range []struct{ name, form, x, want string }{
		{"a term", "F = k*x + x", "mm", "the term x has the unit m, and F has kg*m/s^2"},
		{"a word", "F = k*x", "mmm", `the unit of column "x": the unit "mmm" is unknown`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := springTable()
			form, err := eql.ParseForm(c.form, table.Names)
			if err != nil {
				t.Fatal(err)
			}
			fit, err := eql.FitForm(form, table)
			if err != nil {
				t.Fatal(err)
			}
			err = fit.Measure(map[string]string{"x": c.x, "F": "kN"})
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A unit of a column that the run does not use is an error, and so is agreement without units.
func TestUnitsOfRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		units map[string]string
		use   string
		want  string
	}{
		{"another column", map[string]string{"z": "m"}, "",
			`there is a unit for column "z", which is neither an input nor a target`},
		{"no units", nil, "require", "dimensions is require, and no column has a unit"},
		{"another use", map[string]string{"x": "m"}, "maybe", `unknown use of dimensions "maybe"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := eql.Fit(t.Context(), springTable(), eql.UnitsOf(c.units, run.Dimensions(c.use)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
