package eql_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

func table(t testing.TB, names string, cols ...[]float64) *datasets.Table {
	t.Helper()
	made, err := datasets.New(strings.Split(names, ","), cols)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// measured is a law with the true constants, to be measured in few rows.
type measured struct {
	law  string
	rows int // three more than constants, so that the degrees of freedom matter
}

// measure returns a table of a law with noise relative to its spread of about 1, with x in [0.2, 3].
func (m measured) measure(rng *rand.Rand, noise float64) (x, y []float64) {
	truth, err := formula.Compile(formula.MustParse(m.law), []string{"x"})
	if err != nil {
		log.Fatal(err)
	}
	for i := range m.rows {
		v := 0.2 + 2.8*(float64(i)+0.5*rng.Float64())/float64(m.rows)
		x, y = append(x, v), append(y, truth.Eval([]float64{v})+noise*rng.NormFloat64())
	}
	return x, y
}

// Of 95 % intervals as many hold a new measurement, inside the data and outside. Three degrees of freedom and 1,800
// intervals of each kind, with -long 4,800, tell their number from any other: with one more than there are, 90.5 % hold
// it.
func TestPredictorCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns laws")
	}
	laws := []measured{
		{"1.37*x + 0.71", 5}, {"2.13*exp(-0.83*x) + 0.31", 6}, {"1.21*sin(1.93*x + 0.4)", 6}, {"3.1*x/(1.7 + x)", 5},
		{"0.57*x^2 - 1.3*x + 2.2", 6}, {"1.9*exp(0.41*x)", 5},
	}
	each := 150
	if *long {
		each = 400
	}
	rng := rand.New(rand.NewPCG(1, 7))
	var inside, outside, wrong coverage
	for _, law := range laws {
		for _, noise := range []float64{0.001, 0.02} {
			for range each {
				x, y := law.measure(rng, noise)
				fitted, _ := fit.Intervals(formula.MustParse(law.law), []string{"x"},
					fit.Data{X: [][]float64{x}, Y: y}, formula.Simplify)
				p, err := eql.NewPredictor(fitted, "y", table(t, "x,y", x, y), nil)
				if err != nil {
					t.Fatal(err)
				}
				if p.DegreesOfFreedom() != 3 {
					t.Fatalf("%s: %d degrees of freedom, want 3", law.law, p.DegreesOfFreedom())
				}
				at := []float64{0.3 + 2.2*rng.Float64(), 3.1 + rng.Float64()}
				truth, err := formula.Compile(formula.MustParse(law.law), []string{"x"})
				if err != nil {
					t.Fatal(err)
				}
				got := p.At([][]float64{at}, 2, 0.95, eql.OfPrediction)
				observed := func(i int) float64 { return truth.Eval(at[i:]) + noise*rng.NormFloat64() }
				in := observed(0)
				inside.add(got.Low[0] <= in && in <= got.High[0])
				out := observed(1)
				outside.add(got.Low[1] <= out && out <= got.High[1])
				ofFour := math.Sqrt(3./4) * distuv.StudentsT{Sigma: 1, Nu: 4}.Quantile(0.975)
				wrong.add(math.Abs(in-got.Value[0]) <= got.Sigma[0]*ofFour)
			}
		}
	}
	for _, c := range []struct {
		name string
		coverage
		right bool
	}{{"inside", inside, true}, {"outside", outside, true}, {"with one degree of freedom too many", wrong, false}} {
		if got := c.percent(); (got >= 93 && got <= 97) != c.right {
			t.Errorf("%s: %.1f %% of %d intervals hold the measurement, want 93 to 97: %v", c.name, got, c.all, c.right)
		} else {
			t.Logf("%s: %.1f %% of %d", c.name, got, c.all)
		}
	}
}

// coverage counts intervals that hold what they should.
type coverage struct{ hold, all int }

func (c *coverage) add(holds bool) {
	c.all++
	if holds {
		c.hold++
	}
}

func (c *coverage) percent() float64 { return 100 * float64(c.hold) / float64(c.all) }

// Of a line the intervals have formulas: NIST/SEMATECH e-Handbook of Statistical Methods, 4.1.4.
func TestPredictorOfLine(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{1.13, 1.92, 3.21, 3.94, 5.07}
	const t3 = 3.182446305284263 // of 3 degrees of freedom at 97.5 %, R 4.3: qt(0.975, 3)
	intercept, slope := stat.LinearRegression(x, y, nil, false)
	sse := 0.0
	for i := range x {
		d := y[i] - intercept - slope*x[i]
		sse += d * d
	}
	e := formula.Add(formula.Mul(formula.Const(slope), formula.Var("x")), formula.Const(intercept))
	p, err := eql.NewPredictor(e, "y", table(t, "x,y", x, y), nil)
	if err != nil {
		t.Fatal(err)
	}
	at, s := 7.0, math.Sqrt(sse/3)
	mean := s * math.Sqrt(1./5+(at-3)*(at-3)/10)
	for of, sigma := range map[eql.IntervalOf]float64{eql.OfMean: mean, eql.OfPrediction: math.Hypot(mean, s)} {
		got := p.At([][]float64{{at}}, 1, 0.95, of)
		want := intercept + slope*at + t3*sigma
		if d := math.Abs(got.High[0] - want); d > 1e-9 { // of numbers of about 10, in a few steps
			t.Errorf("interval of %d ends at %.12g, want %.12g", of, got.High[0], want)
		}
	}
}

func TestPredictorOutside(t *testing.T) {
	var x, z, y []float64
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		a, b := 2*rng.Float64(), rng.Float64()
		x, z, y = append(x, a), append(z, b), append(y, 1.7/(a-3.01)+0.013*rng.NormFloat64()+0*b)
	}
	fit := table(t, "x,z,y", x, z, y)
	for _, c := range []struct {
		name, law, outside string
		at                 []float64 // x, z
		value              bool
	}{
		{"inside", "1.70123/(x - 3.01123)", "", []float64{1, 0.5}, true},
		{"before the pole", "1.70123/(x - 3.01123)", "x", []float64{2.9, 0.5}, true},
		{"beyond the pole", "1.70123/(x - 3.01123)", "x", []float64{4, 0.5}, false},
		{"beyond two poles", "1.70123/((x - 3.01123)*(x - 5.1234))", "x", []float64{7, 0.5}, false},
		{"no logarithm", "1.70123*log(3.01123 - x)", "x", []float64{4, 0.5}, false},
		{"no root", "1.70123*sqrt(3.01123 - x)", "x", []float64{4, 0.5}, false},
		{"beyond a tangent", "1.70123*tan(0.5123*x)", "x", []float64{4, 0.5}, false},
		{"both", "1.70123*x + 0.0123*z", "x;z", []float64{4, 1.5}, true},
	} {
		p, err := eql.NewPredictor(formula.MustParse(c.law), "y", fit, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Predict(table(t, "x,z", c.at[:1], c.at[1:]), 0.95, eql.OfMean)
		if err != nil {
			t.Fatal(err)
		}
		if value := !math.IsNaN(got.Value[0]); value != c.value || math.IsNaN(got.Low[0]) == c.value {
			t.Errorf("%s: predicts %g (%g to %g), want a value: %v", c.name, got.Value[0], got.Low[0], got.High[0], c.value)
		}
		if outside := strings.Join(got.Outside[0], ";"); outside != c.outside {
			t.Errorf("%s: %q are outside, want %q", c.name, outside, c.outside)
		}
	}
}

// Constants that can be traded against others widen no interval. A constant that matters elsewhere only makes it
// infinite there.
func TestPredictorOpenConstants(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	y := []float64{1.1, 1.9, 3.2, 3.9, 5.1, 5.8}
	fit := table(t, "x,y", x, y)
	line, err := eql.NewPredictor(formula.MustParse("0.98123*x"), "y", fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	traded, err := eql.NewPredictor(formula.MustParse("0.98123*1.2345678901234*x/1.2345678901234"), "y", fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := [][]float64{{9}}
	a, b := line.At(at, 1, 0.95, eql.OfPrediction), traded.At(at, 1, 0.95, eql.OfPrediction)
	if d := math.Abs(a.High[0] - b.High[0]); d > 1e-9 {
		t.Errorf("with redundant constants the interval ends at %g, want %g", b.High[0], a.High[0])
	}
	late, err := eql.NewPredictor(formula.MustParse("0.98123*x + 3.21987/(1 + exp(705.3 - 50.7*x))"), "y", fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := late.At([][]float64{{4, 15}}, 2, 0.95, eql.OfPrediction)
	if math.IsInf(got.High[0], 0) || !math.IsInf(got.High[1], 1) {
		t.Errorf("the intervals end at %g and %g, want a number and +Inf", got.High[0], got.High[1])
	}
}

func TestPredictorTooFewRows(t *testing.T) {
	two := table(t, "x,y", []float64{1, 2}, []float64{1, 2})
	_, err := eql.NewPredictor(formula.MustParse("1.2345*x + 0.9876"), "y", two, nil)
	if err == nil || !strings.Contains(err.Error(), "2 rows and 2 fitted constants leave no degree of freedom") {
		t.Errorf("got the error %v", err)
	}
}

func ExamplePredictor() {
	result, err := eql.Fit(context.Background(), pendulum(), quick)
	if err != nil {
		log.Fatal(err)
	}
	p, err := result.Predictor("torque")
	if err != nil {
		log.Fatal(err)
	}
	at := p.At([][]float64{{1, 3}}, 2, 0.95, eql.OfPrediction)
	for i := range at.Value {
		fmt.Printf("%.2f (%.2f to %.2f), outside the data: %q\n", at.Value[i], at.Low[i], at.High[i], at.Outside[i])
	}
	// Output:
	// -1.68 (-1.70 to -1.66), outside the data: []
	// -0.28 (-0.30 to -0.26), outside the data: ["angle"]
}

// The rows that constants were fitted to are the same in the folder of a run as in its result.
func TestFittedRowsOfFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	dir := filepath.Join(t.TempDir(), "run")
	result, err := eql.Fit(context.Background(), pendulum(), quick, eql.Seed(3), eql.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := eql.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := result.Predictor("torque")
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.Predictor("torque")
	if err != nil || got.Rows == 100 || got.Rows != want.Rows || got.Noise != want.Noise {
		t.Errorf("the folder has %+v, %v, the result %+v", got, err, want)
	}
}
