package forms

import (
	"fmt"
	"slices"
)

// mostInputs bounds the forms of several inputs: with more, an exponent for each is no form that anyone writes down.
const mostInputs = 6

// Surfaces returns the forms of several inputs.
func Surfaces(inputs int) (list []Form) {
	if inputs < 2 || inputs > mostInputs {
		return nil
	}
	list = append(list, powers(powerOfInputs, "", inputs, -1, nil))
	for j := range inputs {
		list = append(list,
			powers("Arrhenius with powers of the other inputs", fmt.Sprintf("*exp(-b/x%d)", j+1), inputs, j,
				func(x []float64) []float64 { return reciprocal(x, 0) }),
			powers("exponential with powers of the other inputs", fmt.Sprintf("*exp(-b*x%d)", j+1), inputs, j,
				slices.Clone[[]float64]))
		for k := range inputs {
			if k != j && inputs == 2 {
				list = append(list, Form{Name: "line whose slope is an exponential (Nelson)",
					Text: fmt.Sprintf("a - b*x%d*exp(-c*x%d)", j+1, k+1),
					Begin: []Begin{{[]string{"c"}, func(x [][]float64, y []float64) (list [][]float64) {
						for _, r := range rates(x[k], y) {
							list = append(list, []float64{r})
						}
						return list
					}}}, Source: "NIST Nelson"})
			}
		}
	}
	return list
}

// IsPower reports whether a form is a power law of the inputs.
func IsPower(f Form) bool { return f.Name == powerLaw || f.Name == powerOfInputs }

const (
	powerLaw      = "power law (Peukert, allometry)"
	powerOfInputs = "power law of the inputs (Cobb-Douglas)"
)

// powers returns a product of powers of all inputs but one, and of an exponential of that one, whose column is what ln
// y is linear in.
func powers(name, exponential string, inputs, but int, column func([]float64) []float64) Form {
	f := Form{Name: name, Text: "a" + exponential, Source: "Cobb and Douglas 1928; Laidler 1987"}
	var constants []string
	if but >= 0 {
		constants = append(constants, "b")
	}
	for j := range inputs {
		if j != but {
			c := fmt.Sprintf("c%d", j+1)
			f.Text += fmt.Sprintf("*x%d^%s", j+1, c)
			constants = append(constants, c)
		}
	}
	f.Begin = []Begin{{constants, func(x [][]float64, y []float64) [][]float64 {
		var columns [][]float64
		if but >= 0 {
			columns = append(columns, column(x[but]))
		}
		for j := range inputs {
			if j != but {
				columns = append(columns, logarithms(x[j]))
			}
		}
		c, ok := ofLogarithm(y, columns...)
		if !ok {
			return nil
		}
		if but >= 0 {
			c[0] = -c[0]
		}
		return [][]float64{c}
	}}}
	return f
}
