package bench

import (
	"fmt"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// otherLaws are functions of the learner's units, of the kind that users have. What was missing at first
// was found out with them.
var otherLaws = []string{
	"x1*x2 + sin(3*x3*x4)/2",
	"sin(2*x1 + x2*x3)/2 + x4/3",
	"x3*cos(pi*x1*x2)/2 + x4^2/4",
	"x3*sigmoid(3*x1 - 2*x2) + sin(pi*x4)/3",
	"x3*sin(sin(2*x1) + 2*x2)/2",
	"(x1 + x2)^2*sin(2*x3)/3 + x4/4",
	"sigmoid(5*x1*x2) + cos(3*x3 + x4)/3",
	"sin(3*x1)*cos(2*x2)*sin(x3)",
	"x1*x2*sin(pi*x3 + x4)/2",
	"cos(2*x1^2 + x2)/2 + x3*x4/3",
	"sin(pi*x1 + 2*cos(x2))/2 + x3*x4",
	"sigmoid(4*sin(2*x1) + x2) + x3^2/3",
	"x1^3 - x2*x3 + cos(2*x4)/2",
	"sin(2*x1*x2*x3) + x4/5",
	"sin(6*x1) + x2*sin(4*x3 + x2)/3",
	"x4*sin(2*x1 + 3*x2 - x3)/2",
	"x3*cos(2*x1*sin(2*x2)) + x4/3",
	"x1*sigmoid(6*x2)/2 + 0.3*sin(2*pi*x3) + x1*x4^2/5",
}

// otherCases are these functions on [−1, 1]⁴ with 10,000 rows and noise of 0.01.
func otherCases() []lawCase {
	var cases []lawCase
	vars := []string{"x1", "x2", "x3", "x4"}
	for i, text := range otherLaws {
		law := func(t *testing.T) func(x []float64) float64 {
			e, err := formula.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			p, err := formula.Compile(e, vars)
			if err != nil {
				t.Fatal(err)
			}
			return func(x []float64) float64 { return p.Eval(x) }
		}
		cases = append(cases, lawCase{fmt.Sprintf("other/%d", i+1), farFound, func(t *testing.T, seed uint64) lawData {
			return boxed("", farFound, len(vars), 10000, law(t)).make(t, seed)
		}})
	}
	return cases
}

// ownLaws are of the general search: they were written down before it was tried on them.
var ownLaws = []feynmanLaw{
	{"1", "x1*exp(-x2/x3)/(1 + exp(-x2/x3))", nil},
	{"2", "sqrt(x1*x2)*sin(x3*x4)/x5", map[string]span{"x3": {1, 3}, "x4": {1, 2}}},
	{"3", "log(1 + x1*x2)/x3", nil},
	{"4", "K/(1 + (K - P)/P*exp(-r*t))", map[string]span{"K": {5, 10}, "P": {1, 3}, "r": {0.5, 1.5}, "t": {0, 3}}},
	{"5", "asin(x1*x2/(x3 + x4))", map[string]span{"x1": {0.5, 1}, "x2": {0.5, 2}, "x3": {1, 4}, "x4": {1, 4}}},
	{"6", "x3*x4 + atan(x1/x2)", map[string]span{"x3": {0, 1}, "x4": {0, 1}}},
	{"7", "x1*cos(x2*t)*exp(-x3*t)", map[string]span{"x2": {1, 3}, "t": {0, 4}, "x3": {0.1, 0.5}}},
	{"8", "(x1^2 + x2*x3)^(1/3)*x4", nil},
	{"9", "x1/(x2 + x3^2) + 3*x4*log(x5)", nil},
	{"10", "sqrt(1 + x1^2*sin(x2)^2)/x3", map[string]span{"x2": {0, 5}}},
	{"11", "exp(-(x1 - x2)^2/(2*x3^2))*cos(x4*x1)",
		map[string]span{"x1": {0, 4}, "x2": {1, 3}, "x3": {1, 2}, "x4": {1, 3}}},
	{"12", "2.7*x1^1.5/(0.4 + x2) + 1.3", map[string]span{"x2": {0.2, 3}}},
	{"13", "x1*tanh(0.7*x2) + 0.5*x3*x2", map[string]span{"x2": {0.5, 4}}},
	{"14", "x1*(1 - exp(-x2*x3/x1))/x4", nil},
	{"15", "1/(1/(x1*x2) + sqrt(x3)/x4)", nil},
}

// drawnCases have 1,000 rows with noise of 1 % of the target's standard deviation, and far rows near by.
func drawnCases(name string, laws []feynmanLaw) []lawCase {
	var cases []lawCase
	for _, f := range laws {
		cases = append(cases, lawCase{name + "/" + f.id, 0.01, func(t *testing.T, seed uint64) lawData {
			return drawnLaw(t, f.law, nil, seed, 1000, 0.01, f.near)
		}})
	}
	return cases
}

// wideLaws depend on three of twenty inputs.
var wideLaws = []feynmanLaw{
	{"1", "x3*x11/(1 + x17^2)", nil},
	{"2", "2*sin(x5*x9) + x14", map[string]span{"x5": {0, 3}, "x9": {0, 2}}},
	{"3", "sqrt(x2^2 + x8^2)*x19", nil},
	{"4", "x6*exp(-x12/x20) + 3", nil},
	{"5", "log(x1 + x7^2)/x15", nil},
}

// wideCases have 2,000 rows with noise of 1 % of the target's standard deviation, and far rows near by.
func wideCases() []lawCase {
	var cases []lawCase
	for _, f := range wideLaws {
		cases = append(cases, lawCase{"wide/" + f.id, 0.01, func(t *testing.T, seed uint64) lawData {
			return drawnLaw(t, f.law, numberedInputs(20), seed, 2000, 0.01, f.near)
		}})
	}
	return cases
}
