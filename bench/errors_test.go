package bench

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

var (
	errorsWanted = flag.String("errors", "",
		"regular expression of the cases of TestErrors to run; empty: two that take seconds")
	errorsSeeds = flag.Int("errors-seeds", 10, "data sets of each case of TestErrors")
)

// errorLaw is a law whose tables get errors of several kinds.
type errorLaw struct {
	name   string
	form   string // with its constants
	inputs []errorInput
	rows   int
}

type errorInput struct {
	name      string
	low, high float64
}

// errorLaws are five standard forms, and laws of the paper.
var errorLaws = []errorLaw{
	{"cobb-douglas", "1.7*k^0.33*l^0.67", []errorInput{{"k", 10, 200}, {"l", 10, 200}}, 40},
	{"arrhenius", "21*exp(-1255/T)*c", []errorInput{{"T", 280, 420}, {"c", 0.2, 2}}, 40},
	{"hill", "90*d^1.6/(12^1.6 + d^1.6)", []errorInput{{"d", 1, 60}}, 40},
	{"decay", "20 + 80*exp(-0.35*t)", []errorInput{{"t", 0, 14}}, 40},
	{"langmuir", "366*x/(x + 14)", []errorInput{{"x", 1, 80}}, 40},
	{"F-1", "(sin(pi*x1) + sin(2*pi*x2 + pi/8) + x2 - x3*x4)/3", paperInputs(4), 1000},
	{"F-3", "((1 + x2)*sin(pi*x1) + x2*x3*x4)/3", paperInputs(4), 1000},
	{"pendulum", "-sin(x1)", paperInputs(2), 1000},
}

func paperInputs(n int) []errorInput {
	var in []errorInput
	for j := range n {
		in = append(in, errorInput{fmt.Sprintf("x%d", j+1), -1, 1})
	}
	return in
}

// errorKinds make a row's error, and its standard deviation, from the true value; size is the standard deviation of the
// target. The first three are for the standard forms, the others have outliers.
var errorKinds = []struct {
	name  string
	error func(rng *rand.Rand, y, size float64) (e, sigma float64)
}{
	{"absolute", func(rng *rand.Rand, _, size float64) (float64, float64) {
		return rng.NormFloat64() * size / 100, size / 100
	}},
	{"relative", func(rng *rand.Rand, y, _ float64) (float64, float64) {
		return rng.NormFloat64() * y / 20, math.Abs(y) / 20
	}},
	{"poisson", func(rng *rand.Rand, y, size float64) (float64, float64) {
		sigma := math.Sqrt(math.Abs(y)*size) / 40
		return rng.NormFloat64() * sigma, sigma
	}},
	{"clean", func(rng *rand.Rand, _, size float64) (float64, float64) {
		return rng.NormFloat64() * size / 50, size / 50
	}},
	{"ten-noises", func(rng *rand.Rand, _, size float64) (float64, float64) { return outlying(rng, size/50, size/5) }},
	{"ten-sizes", func(rng *rand.Rand, _, size float64) (float64, float64) { return outlying(rng, size/50, 10*size) }},
	{"student-2", func(rng *rand.Rand, _, size float64) (float64, float64) {
		sigma := size / 50
		return sigma * rng.NormFloat64() / math.Sqrt((math.Pow(rng.NormFloat64(), 2)+math.Pow(rng.NormFloat64(), 2))/2), sigma
	}},
}

// outlying returns normal noise, and in one of fifty rows an error of another size.
func outlying(rng *rand.Rand, noise, far float64) (e, sigma float64) {
	e = noise * rng.NormFloat64()
	if rng.Float64() < 0.02 {
		e = math.Copysign(far, rng.NormFloat64())
	}
	return e, noise
}

// TestErrors learns laws from tables whose errors are of several kinds and counts how often the formula predicts the
// truth, in the box of the data, as well as least squares of the true form without outliers, but for a factor of two.
func TestErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	wanted, seeds := regexp.MustCompile(`^(cobb-douglas/relative|decay/ten-sizes)$`), 1
	if *errorsWanted != "" {
		wanted, seeds = regexp.MustCompile(*errorsWanted), *errorsSeeds
	}
	for _, law := range errorLaws {
		for _, kind := range errorKinds {
			for _, given := range []bool{false, true} {
				name := law.name + "/" + kind.name
				if given {
					name += "/sigma"
				}
				if !wanted.MatchString(name) {
					continue
				}
				right := 0
				for seed := range uint64(seeds) {
					if law.learn(t, name, seed, given, kind.error) {
						right++
					}
				}
				fmt.Printf("# %s: %d of %d\n", name, right, seeds)
				if *errorsWanted == "" && right < seeds {
					t.Errorf("%s: the law was not found", name)
				}
			}
		}
	}
}

func (l errorLaw) learn(t *testing.T, name string, seed uint64, given bool,
	of func(*rand.Rand, float64, float64) (float64, float64)) bool {
	truth := formula.MustParse(l.form)
	var names []string
	for _, in := range l.inputs {
		names = append(names, in.name)
	}
	program, err := formula.Compile(truth, names)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(name))))
	draw := func(rows int) ([][]float64, []float64) {
		cols, y := make([][]float64, len(names)), make([]float64, rows)
		for j, in := range l.inputs {
			for range rows {
				cols[j] = append(cols[j], in.low+(in.high-in.low)*rng.Float64())
			}
		}
		program.EvalColumns(y, cols)
		return cols, y
	}
	cols, y := draw(l.rows)
	size := deviation(y)
	var sigma, noisy []float64
	var kept []int
	for i, v := range y {
		e, s := of(rng, v, size)
		noisy, sigma = append(noisy, v+e), append(sigma, s)
		if math.Abs(e) < 5*s {
			kept = append(kept, i)
		}
	}
	table := &datasets.Table{Names: append(slices.Clone(names), "y", "s"), Cols: append(slices.Clone(cols), noisy, sigma)}
	options := []eql.Option{eql.Targets("y"), eql.Inputs(names...), eql.TimeLimit(20 * time.Second), eql.Seed(seed)}
	if *errorsWanted == "" {
		options = append(options, eql.Adjust(func(s *run.Settings) {
			s.Layers, s.Restarts, s.Extend = s.Layers[:1], 1, 0 // one round of few networks
		}))
	}
	if given {
		options = append(options, eql.Sigma("s"))
	}
	began := time.Now()
	r, err := eql.Fit(context.Background(), table, options...)
	if err != nil {
		t.Fatal(err)
	}
	e := r.Evidence("y")
	far, there := draw(2000)
	oracle := l.oracle(t, table.Take(kept), names, far, there)
	got := apartFrom(t, r.Formulas["y"], names, far, there)
	fmt.Printf("%s seed %d: %.3g, least squares of the form %.3g, of %.3g; %s; %d left out; %.1f s; %s: %s\n",
		name, seed, got, oracle, size, kindOf(e), len(e.Errors.Outliers), time.Since(began).Seconds(), e.Level,
		formula.Print(r.Formulas["y"], formula.Text, 5))
	return got <= 2*oracle
}

func kindOf(e *evidence.Evidence) string { return string(e.Errors.Kind) }

// oracle returns the error of least squares of the true form, by the true standard deviations.
func (l errorLaw) oracle(t *testing.T, table *datasets.Table, names []string, far [][]float64,
	there []float64) float64 {
	n := len(names)
	d := fit.Data{X: table.Cols[:n], Y: table.Cols[n]}
	d.W, _ = fit.RootWeights(table.Cols[n+1])
	truth := formula.MustParse(l.form)
	constants, _, err := fit.Refit(truth, names, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return apartFrom(t, formula.WithConstants(truth, constants), names, far, there)
}

// apartFrom returns the RMS of a formula about the truth.
func apartFrom(t *testing.T, e formula.Expr, names []string, far [][]float64, there []float64) float64 {
	program, err := formula.Compile(e, names)
	if err != nil {
		t.Fatal(err)
	}
	y, sum := make([]float64, len(there)), 0.0
	program.EvalColumns(y, far)
	for i, v := range there {
		sum += (y[i] - v) * (y[i] - v) / float64(len(there))
	}
	return math.Sqrt(sum)
}
