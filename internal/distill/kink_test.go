package distill

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// Kinks that no row sees are left out, and others stay.
func TestWithoutIdleKinks(t *testing.T) {
	d := fit.Data{X: [][]float64{nil, nil}}
	for i := range 60 {
		d.X[0], d.X[1] = append(d.X[0], 0.05+float64(i)/20), append(d.X[1], math.Sin(float64(i))) // (0, π), [−1, 1]
		d.Y = append(d.Y, 0)
	}
	for _, c := range []struct{ law, want string }{
		{"0.2/(x*abs(sin(x)))", "0.2/(x*sin(x))"},
		{"2*abs(-3 - x) + z", "6 + 2*x + z"},
		{"max(x, z - 2)", "x"},
		{"max(x - 8, 1) + z", "1 + z"},
		{"abs(z) + x", "abs(z) + x"},
		{"max(x, z)*x", "max(x, z)*x"},
	} {
		e := formula.MustParse(c.law)
		law, err := Compose(e, []string{"x", "z"}, model.LawUnits())
		if err != nil {
			t.Fatal(err)
		}
		kept := law.WithoutIdleKinks(d)
		want, err := Compose(formula.MustParse(c.want), []string{"x", "z"}, model.LawUnits())
		if err != nil {
			t.Fatal(err)
		}
		if kept.Units() != want.Units() || kept.Params() != want.Params() {
			t.Errorf("%s has %d units and %d constants, those of %s are %d and %d",
				c.law, kept.Units(), kept.Params(), c.want, want.Units(), want.Params())
		}
		far := [][]float64{{-2, 3.5, 9}, {4, -4, 0}}
		got, right := kept.Predict(far, 3), want.Predict(far, 3)
		for i := range got {
			if !(math.Abs(got[i]-right[i]) <= 1e-12*(1+math.Abs(right[i]))) {
				t.Errorf("%s is %g at (%g, %g), %s is %g", c.law, got[i], far[0][i], far[1][i], c.want, right[i])
			}
		}
	}
}
