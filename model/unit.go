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

// The units. The first four and the product are the paper's; tanh serves the baseline. Reciprocal, exponential
// and logarithm are in laws that grow without a network, and in no network: training would have to be kept away from
// poles (Sahoo, Lampert and Martius 2018 do so), overflow and arguments below zero. A root is exp(log(z)/2).
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
)

// unitTable is the one place where a unit is defined. Unary units ignore their second argument.
var unitTable = [...]struct {
	name       string
	arity      int
	value      func(a, b float64) float64
	derivative func(a, b float64) (da, db float64)
	expr       func(args ...formula.Expr) formula.Expr
}{
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
	Exp: {"exp", 1,
		func(a, _ float64) float64 { return math.Exp(a) },
		func(a, _ float64) (float64, float64) { return math.Exp(a), 0 },
		call(formula.Exp)},
	Log: {"log", 1,
		func(a, _ float64) float64 { return math.Log(a) },
		func(a, _ float64) (float64, float64) { return 1 / a, 0 },
		call(formula.Log)},
}

func call(f formula.Func) func(...formula.Expr) formula.Expr {
	return func(args ...formula.Expr) formula.Expr { return formula.Call(f, args[0]) }
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// Units returns every unit that networks may have, in the order of the table.
func Units() []Unit { return LawUnits()[:Reciprocal] }

// LawUnits returns every unit that laws may have: those of networks and those that laws grow from without one.
func LawUnits() []Unit {
	units := make([]Unit, len(unitTable))
	for i := range units {
		units[i] = Unit(i)
	}
	return units
}

// Trained reports whether networks may have the unit, and not only laws that grow without one.
func (u Unit) Trained() bool { return u < Reciprocal }

// Arity returns 1 for unary units and 2 for [Product].
func (u Unit) Arity() int { return unitTable[u].arity }

// Value returns the unit's output; b is ignored by unary units.
func (u Unit) Value(a, b float64) float64 { return unitTable[u].value(a, b) }

// Derivative returns the partial derivatives of [Unit.Value].
func (u Unit) Derivative(a, b float64) (da, db float64) { return unitTable[u].derivative(a, b) }

// Expr returns the unit applied to as many arguments as its arity.
func (u Unit) Expr(args ...formula.Expr) formula.Expr { return unitTable[u].expr(args...) }

// String returns the name that the command line and saved files use: id, sin, cos, sigmoid, tanh, mul, div, exp, log.
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
