package sweep

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// TestResultIsForTable evaluates every formula of a result on the table, in which years are far from zero: one that is
// still counted from an origin is off by far more than the target varies.
func TestResultIsForTable(t *testing.T) {
	slow(t)
	rng := rand.New(rand.NewPCG(7, 0))
	year, y := make([]float64, 60), make([]float64, 60)
	for i := range year {
		year[i] = 1990 + 30*rng.Float64()
		t := year[i] - 2000
		y[i] = 40 + 3*t + 0.5*t*t + 0.5*rng.NormFloat64()
	}
	tab, err := datasets.New([]string{"year", "y"}, [][]float64{year, y})
	if err != nil {
		t.Fatal(err)
	}
	r := mustRun(t, Task{Inputs: []string{"year"}, Targets: []string{"y"}, Data: tab}, short(), Options{})
	n := 0
	eachFormula(reflect.ValueOf(r).Elem(), "result", func(path string, e formula.Expr) {
		n++
		values, err := evaluate(e, []string{"year"}, [][]float64{year}, len(year))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		for i := range values {
			values[i] -= y[i]
		}
		if rms, spread := fit.RMS(values), fit.StandardDeviation(y); !(rms < 10*spread) {
			t.Errorf("%s: %s is off by %g, and the target's spread is %g", path, e, rms, spread)
		}
	})
	if n < 10 {
		t.Errorf("only %d formulas were found", n)
	}
}

// eachFormula calls f for the formulas in the exported fields of a value, but for edges, which have parts of formulas.
func eachFormula(v reflect.Value, path string, f func(path string, e formula.Expr)) {
	if v.CanInterface() {
		if e, ok := v.Interface().(formula.Expr); ok && e != nil {
			f(path, e)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachFormula(v.Elem(), path, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachFormula(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Name != "Edges" {
				eachFormula(v.Field(i), path+"."+field.Name, f)
			}
		}
	}
}
