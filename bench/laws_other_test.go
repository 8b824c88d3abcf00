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
