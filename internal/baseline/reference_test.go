package baseline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

// fitted is what another program makes of a setting.
type fitted struct {
	Support     int
	Objective   float64
	Predictions []float64
}

// reference is testdata/svr.json, made by svr.py beside it.
type reference struct {
	Data map[string]struct {
		X, Test [][]float64
		Y       []float64
	}
	Cases []struct {
		SVR
		Data        string
		ScikitLearn fitted `json:"scikit-learn"`
		Libsvm      fitted
	}
}

// TestReference compares with scikit-learn and LIBSVM, both run to a tolerance of 1e-6.
//
// They keep kernels in single precision, and where C is large and the kernel wide that moves the
// optimum: f by some C·√support·3e-8, and more outside the data. So each setting is fitted twice. On
// kernels rounded as theirs are it is their problem, and the number of support vectors is equal and
// predictions agree anywhere. In double precision the objective must be no worse than theirs, and
// predictions agree at the points that lie within the training data's range, [−2, 2] in each input.
func TestReference(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	text, err := os.ReadFile("testdata/svr.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(text, &ref); err != nil {
		t.Fatal(err)
	}
	if len(ref.Cases) < 6 {
		t.Fatalf("%d cases", len(ref.Cases))
	}
	for _, c := range ref.Cases {
		t.Run(fmt.Sprintf("%s/C=%g/gamma=%g/epsilon=%g", c.Data, c.C, c.Gamma, c.Epsilon), func(t *testing.T) {
			d := ref.Data[c.Data]
			p := problem{x: d.X, y: d.Y, s: c.SVR}
			double, single := p.fit(t, p.s), p.fitSingle(t)
			f, f32 := double.Predict(d.Test), single.Predict(d.Test)
			for _, other := range []struct {
				name string
				fitted
			}{{"scikit-learn", c.ScikitLearn}, {"libsvm", c.Libsvm}} {
				if single.Support() != other.Support {
					t.Errorf("%d support vectors, %s has %d", single.Support(), other.name, other.Support)
				}
				if limit := other.Objective + 1e-7*math.Abs(other.Objective); double.objective > limit {
					t.Errorf("objective %.9g, %s has %.9g", double.objective, other.name, other.Objective)
				}
				within, anywhere := 0.0, 0.0
				for i, want := range other.Predictions {
					anywhere = max(anywhere, math.Abs(f32[i]-want))
					if !slices.ContainsFunc(d.Test, func(col []float64) bool { return math.Abs(col[i]) > 2 }) {
						within = max(within, math.Abs(f[i]-want))
					}
				}
				if !(anywhere <= 1e-4) {
					t.Errorf("with single precision kernels a prediction differs from that of %s by %g", other.name, anywhere)
				}
				if !(within <= 1e-3) {
					t.Errorf("a prediction within the range differs from that of %s by %g", other.name, within)
				}
				t.Logf("%s: predictions within %.2g (single precision) and %.2g, objective %.9g and %.9g, "+
					"%d, %d and %d support vectors",
					other.name, anywhere, within, double.objective, other.Objective, single.Support(), double.Support(), other.Support)
			}
		})
	}
}

// fitSingle fits with kernels rounded to single precision.
func (p problem) fitSingle(t *testing.T) *SVRModel {
	t.Helper()
	pts := newPoints(p.x)
	columns := make([][]float64, pts.n)
	for i := range columns {
		for k := range pts.n {
			columns[i] = append(columns[i], float64(float32(rbf(p.s.Gamma, pts.row(i), pts.row(k)))))
		}
	}
	fit, err := p.s.fit(context.Background(), pts, func(i int) []float64 { return columns[i] }, p.y)
	if err != nil {
		t.Fatal(err)
	}
	return fit
}
