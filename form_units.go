package eql

import (
	"maps"
	"slices"

	"github.com/eqlearner/eql/internal/units"
)

// Measure finds the units of the constants of a fitted form from the units of the columns, such as m/s^2. A column
// without a unit is a pure number, and so is a number in the form. The error names the term that contradicts the units.
func (r *FormFit) Measure(unitsOf map[string]string) error {
	columns, err := units.ParseAll(unitsOf)
	if err != nil || columns == nil {
		return err
	}
	values := map[string]float64{}
	names := make([]string, len(r.Constants))
	for i, c := range r.Constants {
		names[i], values[c.Name] = c.Name, c.Value
	}
	found, wrong := units.CheckNamed(r.Form.Expr, r.Form.Target, columns, names, values)
	if wrong != nil {
		return wrong
	}
	texts := []string{unitsOf[r.Form.Target]}
	for _, name := range slices.Sorted(maps.Keys(unitsOf)) {
		texts = append(texts, unitsOf[name])
	}
	w := units.NewWriter(texts...)
	for i := range r.Constants {
		r.Constants[i].Unit = w.Text(found[i])
	}
	return nil
}
