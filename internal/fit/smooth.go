package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/formula"
)

// Smooth fits the constants of a solved form with a polynomial in place of each unknown function, of as high a degree
// as the rows allow. It returns the constants and the values of the functions on the rows, as a start for the search
// for the functions, whose constants are then fitted together with these.
func (s *Solved) Smooth(d Data) (constants []float64, values [][]float64, err error) {
	rows, err := s.On(d, make([]float64, len(s.Constants)))
	if err != nil {
		return nil, nil, err
	}
	var usable []int
	for i, v := range rows.Link {
		if slope := rows.Slope[i]; !math.IsNaN(v+slope) && !math.IsInf(v+slope, 0) && slope != 0 {
			usable = append(usable, i)
		}
	}
	linked := Data{X: d.X, Y: rows.Link}
	if !formula.Equal(s.Link, formula.Var(s.Target)) { // errors of y, seen through the link
		sigma := make([]float64, d.Rows())
		for i, slope := range rows.Slope {
			sigma[i] = math.Abs(slope)
		}
		linked.W = sigma
	}
	linked = linked.Take(usable)
	if linked.W != nil {
		linked.W, _ = RootWeights(linked.W)
	}
	terms, err := s.polynomials(linked)
	if err != nil {
		return nil, nil, err
	}
	named := Named{Expr: s.Rest, Inputs: s.Inputs, Constants: slices.Clone(s.Constants)}
	for k, list := range terms {
		sum := make([]formula.Expr, len(list))
		for i, term := range list {
			name := formula.Placeholder(fmt.Sprintf("%d_%d", k, i))
			named.Constants = append(named.Constants, formula.Parameter{
				Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1),
			})
			sum[i] = formula.Mul(formula.Var(name), term)
		}
		named.Expr = formula.Add(named.Expr, formula.Mul(s.Factors[k], formula.Add(sum...)))
	}
	fit, err := named.Fit(linked)
	if err != nil {
		return nil, nil, fmt.Errorf("the form with polynomials for %s: %w", functions(s.Known), err)
	}
	for i, c := range fit.open(len(s.Constants)) {
		if c {
			return nil, nil, fmt.Errorf("the data leave constant %s open when %s are not known "+
				"(give its value, or leave it out)",
				s.Constants[i].Name, functions(s.Known))
		}
	}
	at := len(s.Constants)
	for _, list := range terms {
		v, err := polynomialOn(list, fit.Values[at:at+len(list)], s.Inputs, d)
		if err != nil {
			return nil, nil, err
		}
		values, at = append(values, v), at+len(list)
	}
	return fit.Values[:len(s.Constants)], values, nil
}

// open reports which of the first constants of a fit the data leave open.
func (f *NamedFit) open(first int) []bool {
	constants, held := f.Constants(0.95)
	open := make([]bool, first)
	for i := range open {
		open[i] = !held[i] && math.IsInf(constants[i].High-constants[i].Low, 0)
	}
	return open
}

// How many terms polynomials have.
const (
	rowsOfTerm  = 6 // rows there must be for each term
	mostTerms   = 30
	mostDegrees = 8
)

// polynomials returns the terms of a polynomial for each unknown function, of inputs that are scaled to [−1, 1]. What a
// function has in common with the ones before it, as the constants of a sum, is theirs.
func (s *Solved) polynomials(d Data) ([][]formula.Expr, error) {
	most := max(2, min(mostTerms, d.Rows()/rowsOfTerm/len(s.Unknown)))
	d = d.AtMost(placeRows)
	at := make([]float64, len(s.Constants))
	for i, c := range s.Constants {
		if at[i] = 1; !math.IsNaN(c.Start) {
			at[i] = c.Start
		}
	}
	rows, err := s.On(d, at)
	if err != nil {
		return nil, err
	}
	var list [][]formula.Expr
	var basis [][]float64
	for k, u := range s.Unknown {
		var terms []formula.Expr
		for _, term := range monomials(s.scaled(u, d), most) {
			col, err := polynomialOn([]formula.Expr{term}, []float64{1}, s.Inputs, d)
			if err != nil {
				return nil, err
			}
			floats.Mul(col, rows.Factors[k])
			if rest, ok := beside(basis, col); ok {
				basis, terms = append(basis, rest), append(terms, term)
			}
		}
		list = append(list, terms)
	}
	return list, nil
}

// beside returns the part of a column that is orthogonal to those of a basis, of length 1, and false where there is
// none.
func beside(basis [][]float64, col []float64) ([]float64, bool) {
	const dependent = 1e-6 // of the length of a column, below which the rest is rounding, or nearly so
	length := floats.Norm(col, 2)
	for range 2 { // the second time for what rounding left
		for _, b := range basis {
			floats.AddScaled(col, -floats.Dot(b, col), b)
		}
	}
	rest := floats.Norm(col, 2)
	if !(rest > dependent*length) || math.IsInf(rest, 0) {
		return nil, false
	}
	floats.Scale(1/rest, col)
	return col, true
}

// scaled returns the inputs of an unknown function scaled to [−1, 1].
func (s *Solved) scaled(u formula.Unknown, d Data) []formula.Expr {
	var list []formula.Expr
	for _, name := range u.Inputs {
		col := d.X[slices.Index(s.Inputs, name)]
		low, high := slices.Min(col), slices.Max(col)
		half := (high - low) / 2
		if half == 0 {
			half = 1
		}
		list = append(list, formula.Div(formula.Sub(formula.Var(name), formula.Const((low+high)/2)), formula.Const(half)))
	}
	return list
}

// monomials returns the products of inputs up to the highest degree of which there are not more than a number, the
// first degree in any case. The constant is the first.
func monomials(x []formula.Expr, most int) []formula.Expr {
	list := []formula.Expr{formula.Const(1)}
	degree := [][]int{make([]int, len(x))} // exponents of those of the last degree
	for n := range mostDegrees {
		var next [][]int
		for _, e := range degree {
			last := 0
			for j, p := range e {
				if p > 0 {
					last = j
				}
			}
			for j := last; j < len(x); j++ {
				more := slices.Clone(e)
				more[j]++
				next = append(next, more)
			}
		}
		if n > 0 && len(list)+len(next) > most {
			break
		}
		for _, e := range next {
			var factors []formula.Expr
			for j, p := range e {
				if p > 0 {
					factors = append(factors, formula.Pow(x[j], formula.Const(float64(p))))
				}
			}
			list = append(list, formula.Mul(factors...))
		}
		degree = next
	}
	return list
}

// polynomialOn evaluates a polynomial on rows.
func polynomialOn(terms []formula.Expr, coefficients []float64, inputs []string, d Data) ([]float64, error) {
	var sum []formula.Expr
	for i, term := range terms {
		sum = append(sum, formula.Mul(formula.Const(coefficients[i]), term))
	}
	program, err := formula.Compile(formula.Add(sum...), inputs)
	if err != nil {
		return nil, err
	}
	v := make([]float64, d.Rows())
	program.EvalColumns(v, d.X)
	if slices.ContainsFunc(v, math.IsNaN) {
		return nil, errors.New("a polynomial has no value on some rows")
	}
	return v, nil
}
