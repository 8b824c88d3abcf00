package search

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// Laws that are out of reach in all inputs, and near in fewer.
func TestFewerInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	coulomb := box{1, 3}
	for _, c := range []struct {
		law  law
		work float64
		how  string
		long bool
	}{
		{law{name: "eccentricity", text: "sqrt(1 + 2*epsilon^2*E*L^2/(m*Z1^2*Z2^2*q^4))",
			spans: map[string]box{"epsilon": coulomb, "E": coulomb, "L": coulomb, "m": coulomb, "Z1": coulomb, "Z2": coulomb,
				"q": coulomb}}, 2e9, "function of one product", true},
		{law{name: "potential", text: "q/sqrt(r^2 + d^2 - 2*r*d*cos(alpha))",
			spans: map[string]box{"r": {1, 2}, "d": {3, 5}, "alpha": {0, 6}}}, 6e9, "cosine of an angle", true},
		{law{name: "degrees", text: "l*cos(0.017453292519943295*x) + sqrt(9 - l^2*sin(0.017453292519943295*x)^2)",
			spans: map[string]box{"l": {0.5, 1.5}, "x": {0, 360}}}, 6e9, "cosine of an angle", true},
		{law{name: "doppler", text: "sqrt(1 - v^2/c^2)/(1 + v/c*cos(theta))*omega",
			spans: map[string]box{"c": {5, 20}, "v": {1, 3}, "omega": {1, 5}, "theta": {0, 6}}}, 1.2e10,
			"cosine of an angle", true},
		{law{name: "velocities", text: "(u + v)/(1 + u*v/c^2)"}, 1e9, "sparse quotient", false},
	} {
		if c.long && !*long {
			continue
		}
		tb := c.law.draw(t, 1000, 200, 0.01)
		found := find(context.Background(), tb.near, Options{Names: tb.names, Work: c.work})[0]
		p, err := formula.Compile(found.formula, tb.names)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, len(tb.far.Y))
		p.EvalColumns(y, tb.far.X)
		subtract(y, tb.far.Y, 1)
		if off := math.Sqrt(dot(y, y)/float64(len(y))) / tb.sd; !(off < 0.02) || !strings.HasPrefix(found.how, c.how) {
			t.Errorf("%s: found %v by %s, off by %g", c.law.name, found.formula, found.how, off)
		}
	}
}

// TestUnturned: an arc of the wave that it undoes on all rows is no angle.
func TestUnturned(t *testing.T) {
	for _, c := range []struct {
		arc, wave formula.Func
		lo, hi    float64
		want      string
	}{
		{formula.Acos, formula.Cos, 0.1, 3, "x1 + 1"},
		{formula.Acos, formula.Cos, 0.1, 4, "acos(cos(x1)) + 1"},
		{formula.Acos, formula.Cos, -1, 2, "acos(cos(x1)) + 1"},
		{formula.Asin, formula.Sin, -1.5, 1.5, "x1 + 1"},
		{formula.Asin, formula.Cos, 0.1, 1, "asin(cos(x1)) + 1"},
	} {
		d, _ := rowsOf(t, "x1^2", []string{"x1"}, c.lo, c.hi, 50, 0)
		s := newSearcher(context.Background(), d, Options{})
		var e expr
		e.add(e.fixed(1), e.call(c.arc, e.call(c.wave, e.variable(0))))
		if got := formula.Simplify(s.unturned(e).formula([]string{"x1"})).String(); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}
