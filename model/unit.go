package model

import (
	"fmt"
	"math"
	"strings"

	"github.com/eqlearner/eql/formula"
)

// A Unit is a building block of the learned equation: what a hidden layer applies to its
// pre-activations z.
type Unit uint8

// The units. The first four and the product are the paper's; tanh serves the baseline. Those from Reciprocal on are in
// laws that are found without a network, and in no network: training would have to be kept away from poles (Sahoo,
// Lampert and Martius 2018 do so), overflow and arguments below zero. A root is exp(log(z)/2), an inverse cosine
// π/2 − asin(z), and the larger of two is b + max(a − b, 0).
const (
	Identity Unit = iota
	Sin
	Cos
	Sigmoid
	Tanh
	Product
	Reciprocal
	Exp
	Log
	Tan
	Asin
	Atan
	Sinh
	Cosh
	Abs
	Max // max(z, 0)
)

// unitInfo is a row of the table of units.
type unitInfo struct {
	name       string
	arity      int
	value      func(a, b float64) float64
	derivative func(a, b float64) (da, db float64)
	expr       func(args ...formula.Expr) formula.Expr
}

// unitTable is the one place where a unit is defined. Unary units ignore their second argument.
var unitTable = [...]unitInfo{
	Identity: {"id", 1,
		func(a, _ float64) float64 { return a },
		func(_, _ float64) (float64, float64) { return 1, 0 },
		func(args ...formula.Expr) formula.Expr { return args[0] }},
	Sin: {"sin", 1,
		func(a, _ float64) float64 { return math.Sin(a) },
		func(a, _ float64) (float64, float64) { return math.Cos(a), 0 },
		call(formula.Sin)},
	Cos: {"cos", 1,
		func(a, _ float64) float64 { return math.Cos(a) },
		func(a, _ float64) (float64, float64) { return -math.Sin(a), 0 },
		call(formula.Cos)},
	Sigmoid: {"sigmoid", 1,
		func(a, _ float64) float64 { return sigmoid(a) },
		func(a, _ float64) (float64, float64) { return sigmoid(a) * sigmoid(-a), 0 },
		call(formula.Sigmoid)},
	Tanh: {"tanh", 1,
		func(a, _ float64) float64 { return math.Tanh(a) },
		func(a, _ float64) (float64, float64) { t := math.Tanh(a); return 1 - t*t, 0 },
		call(formula.Tanh)},
	Product: {"mul", 2,
		func(a, b float64) float64 { return a * b },
		func(a, b float64) (float64, float64) { return b, a },
		formula.Mul},
	Reciprocal: {"div", 1,
		func(a, _ float64) float64 { return 1 / a },
		func(a, _ float64) (float64, float64) { return -1 / (a * a), 0 },
		func(args ...formula.Expr) formula.Expr { return formula.Div(formula.Const(1), args[0]) }},
	Exp:  function(formula.Exp),
	Log:  function(formula.Log),
	Tan:  function(formula.Tan),
	Asin: function(formula.Asin),
	Atan: function(formula.Atan),
	Sinh: function(formula.Sinh),
	Cosh: function(formula.Cosh),
	Abs:  function(formula.Abs),
	Max: {"max", 1,
		func(a, _ float64) float64 { return max(a, 0) },
		func(a, _ float64) (float64, float64) { return step(a), 0 },
		func(args ...formula.Expr) formula.Expr { return formula.Call(formula.Max, args[0], formula.Const(0)) }},
}

// function is the row of a unit that is a function of package formula, under its name.
func function(f formula.Func) unitInfo {
	value, slope := f.Unary()
	return unitInfo{f.String(), 1,
		func(a, _ float64) float64 { return value(a) },
		func(a, _ float64) (float64, float64) { return slope(a, value(a)), 0 },
		call(f)}
}

// step is the slope of max(z, 0).
func step(z float64) float64 {
	if z > 0 {
		return 1
	}
	return 0
}

func call(f formula.Func) func(...formula.Expr) formula.Expr {
	return func(args ...formula.Expr) formula.Expr { return formula.Call(f, args[0]) }
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// UnitOf returns the unit that computes a function, if there is one.
func UnitOf(f formula.Func) (Unit, bool) {
	for u, info := range unitTable {
		if info.name == f.String() && info.arity == f.Arity() {
			return Unit(u), true
		}
	}
	return 0, false
}

// Units returns every unit that networks may have, in the order of the table.
func Units() []Unit { return LawUnits()[:Reciprocal] }

// LawUnits returns every unit that laws may have: those of networks and those that only laws found without one have.
func LawUnits() []Unit {
	units := make([]Unit, len(unitTable))
	for i := range units {
		units[i] = Unit(i)
	}
	return units
}

// Trained reports whether networks may have the unit, and not only laws found without one.
func (u Unit) Trained() bool { return u < Reciprocal }

// Arity returns 1 for unary units and 2 for [Product].
func (u Unit) Arity() int { return unitTable[u].arity }

// Value returns the unit's output; b is ignored by unary units.
func (u Unit) Value(a, b float64) float64 { return unitTable[u].value(a, b) }

// Derivative returns the partial derivatives of [Unit.Value].
func (u Unit) Derivative(a, b float64) (da, db float64) { return unitTable[u].derivative(a, b) }

// Expr returns the unit applied to as many arguments as its arity.
func (u Unit) Expr(args ...formula.Expr) formula.Expr { return unitTable[u].expr(args...) }

// String returns the name that the command line and saved files use, such as id, sin, mul or div.
func (u Unit) String() string {
	if int(u) >= len(unitTable) {
		return fmt.Sprintf("Unit(%d)", uint8(u))
	}
	return unitTable[u].name
}

// MarshalText writes the unit's name.
func (u Unit) MarshalText() ([]byte, error) {
	if int(u) >= len(unitTable) {
		return nil, fmt.Errorf("there is no unit %d", uint8(u))
	}
	return []byte(u.String()), nil
}

// UnmarshalText reads a unit's name.
func (u *Unit) UnmarshalText(text []byte) error {
	for i, info := range unitTable {
		if info.name == string(text) {
			*u = Unit(i)
			return nil
		}
	}
	var names []string
	for _, u := range LawUnits() {
		names = append(names, u.String())
	}
	return fmt.Errorf("unknown unit %q (there are %s)", text, strings.Join(names, ", "))
}
