package datasets

import (
	"math"
	"slices"
	"testing"
)

func generate(t testing.TB, name string, g GenerateOptions) (Problem, *Suite) {
	t.Helper()
	p, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := p.Generate(g)
	if err != nil {
		t.Fatal(err)
	}
	return p, suite
}

func test(t testing.TB, s *Suite, name string) Test {
	t.Helper()
	i := slices.IndexFunc(s.Tests, func(test Test) bool { return test.Name == name })
	if i < 0 {
		t.Fatalf("no test set %q", name)
	}
	return s.Tests[i]
}

func colOf(t testing.TB, table *Table, name string) []float64 {
	t.Helper()
	col, ok := table.Col(name)
	if !ok {
		t.Fatalf("no column %q among %q", name, table.Names)
	}
	return col
}

// rms is the square root of the mean of squares over rows and columns: the error of
// predicting 0.
func rms(t testing.TB, table *Table, names []string) float64 {
	t.Helper()
	sum := 0.0
	for _, name := range names {
		for _, v := range colOf(t, table, name) {
			sum += v * v
		}
	}
	return math.Sqrt(sum / float64(table.Rows()*len(names)))
}

// TestPredictZero compares the error of predicting 0 with published and independently
// computed numbers. The tolerances are three standard deviations of the draw, or more.
func TestPredictZero(t *testing.T) {
	for _, tt := range []struct {
		problem, set string
		want, tol    float64
	}{
		{"pendulum", "interpolation", 0.552, 0.02},
		{"pendulum", "near", 0.501, 0.02},
		{"pendulum", "far", 0.472, 0.02},
		{"double-pendulum", "far", 0.8365, 0.0005}, // 0.84 in the paper
		{"F-1", "interpolation", 0.355, 0.02},
		{"F-1", "near", 0.572, 0.02},
		{"F-1", "far", 0.671, 0.02},
		{"F-2", "interpolation", 0.366, 0.02},
		{"F-2", "near", 0.576, 0.02},
		{"F-2", "far", 0.830, 0.02},
		{"cart-pendulum", "far", 0.97, 0.01}, // 0.96 in the paper
	} {
		t.Run(tt.problem+" "+tt.set, func(t *testing.T) {
			p, suite := generate(t, tt.problem, GenerateOptions{})
			got := rms(t, test(t, suite, tt.set).Noisy, p.Targets)
			t.Logf("%.4f", got)
			if math.Abs(got-tt.want) > tt.tol {
				t.Errorf("predicting 0 has the error %.4f, want %g ± %g", got, tt.want, tt.tol)
			}
		})
	}
}

func TestShapes(t *testing.T) {
	boxes := []string{"interpolation", "near", "far"}
	arms := []string{"interpolation", "far"}
	for _, tt := range []struct {
		problem                      string
		inputs, targets, rows, tests int
		sets                         []string
	}{
		{"pendulum", 2, 2, 1000, 1000, boxes},
		{"double-pendulum", 2, 4, 819, 701, []string{"far"}},
		{"kin-3-end", 3, 2, 3000, 5000, arms},
		{"kin-4-end", 4, 2, 6000, 5000, arms},
		{"kin-5-all", 5, 10, 18000, 5000, arms},
		{"F-1", 4, 1, 10000, 5000, boxes},
		{"F-2", 4, 1, 10000, 5000, boxes},
		{"F-3", 4, 1, 10000, 5000, boxes},
		{"F-4", 4, 1, 10000, 5000, boxes},
		{"DIV", 2, 1, 10000, 5000, boxes},
		{"x-ray", 1, 1, 80, 11, []string{"far"}},
		{"cart-pendulum", 4, 4, 10000, 5000, boxes},
	} {
		t.Run(tt.problem, func(t *testing.T) {
			p, suite := generate(t, tt.problem, GenerateOptions{})
			if len(p.Inputs) != tt.inputs || len(p.Targets) != tt.targets {
				t.Errorf("inputs %q, targets %q, want %d and %d", p.Inputs, p.Targets, tt.inputs, tt.targets)
			}
			names := slices.Concat(p.Inputs, p.Targets)
			check := func(set string, noisy, clean *Table, rows int) {
				for _, table := range []*Table{noisy, clean} {
					if !slices.Equal(table.Names, names) || table.Rows() != rows {
						t.Errorf("%s: %d rows of %q, want %d of %q", set, table.Rows(), table.Names, rows, names)
					}
					if _, err := New(table.Names, table.Cols); err != nil {
						t.Errorf("%s: %v", set, err)
					}
				}
				for j := range p.Inputs {
					if !slices.Equal(noisy.Cols[j], clean.Cols[j]) {
						t.Errorf("%s: %s differs between the twins", set, names[j])
					}
				}
			}
			check("data", suite.Data, suite.DataClean, tt.rows)
			var sets []string
			for _, test := range suite.Tests {
				check(test.Name, test.Noisy, test.Clean, tt.tests)
				sets = append(sets, test.Name)
			}
			if !slices.Equal(sets, tt.sets) {
				t.Errorf("test sets are %q, want %q", sets, tt.sets)
			}
		})
	}
	if got, want := len(Problems()), 12; got != want {
		t.Errorf("there are %d problems, this test knows %d", got, want)
	}
}

func TestBoxes(t *testing.T) {
	for _, tt := range []struct {
		problem string
		h       float64
	}{{"pendulum", 2}, {"F-1", 1}, {"F-2", 1}, {"F-3", 1}, {"F-4", 1}, {"DIV", 1}, {"cart-pendulum", 1}} {
		p, suite := generate(t, tt.problem, GenerateOptions{Seed: 1})
		norms := func(table *Table) (least, most float64) {
			least = math.Inf(1)
			x := make([]float64, len(p.Inputs))
			for i := range table.Rows() {
				for j := range x {
					x[j] = table.Cols[j][i]
				}
				least, most = min(least, maxNorm(x)), max(most, maxNorm(x))
			}
			return least, most
		}
		for _, set := range []struct {
			name         string
			table        *Table
			inner, outer float64 // in units of h
		}{
			{"data", suite.Data, 0, 1},
			{"interpolation", test(t, suite, "interpolation").Noisy, 0, 1},
			{"near", test(t, suite, "near").Noisy, 1, 1.5},
			{"far", test(t, suite, "far").Noisy, 1, 2},
		} {
			t.Run(tt.problem+" "+set.name, func(t *testing.T) {
				least, most := norms(set.table)
				if set.inner > 0 && !(least > set.inner*tt.h) || most > set.outer*tt.h {
					t.Errorf("max-norms are in [%g, %g], want them in (%g, %g]", least, most, set.inner*tt.h, set.outer*tt.h)
				}
				if most < 0.99*set.outer*tt.h {
					t.Errorf("the largest max-norm is %g, want nearly %g", most, set.outer*tt.h)
				}
			})
		}
	}
}

func TestNoise(t *testing.T) {
	for _, p := range Problems() {
		if p.Noise == 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			sum, n := 0.0, 0
			for seed := range uint64(3) {
				suite, err := p.Generate(GenerateOptions{Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				sets := append(suite.Tests, Test{"data", suite.Data, suite.DataClean})
				for _, set := range sets {
					for _, y := range p.Targets {
						noisy, clean := colOf(t, set.Noisy, y), colOf(t, set.Clean, y)
						for i := range noisy {
							sum += (noisy[i] - clean[i]) * (noisy[i] - clean[i])
						}
						n += len(noisy)
					}
				}
			}
			if sd := math.Sqrt(sum / float64(n)); math.Abs(sd-0.01) > 0.0003 {
				t.Errorf("noise has the standard deviation %.5f over %d values, want 0.01 ± 0.0003", sd, n)
			}
		})
	}
}

func TestMeasuredCarryNoNoise(t *testing.T) {
	for _, name := range []string{"double-pendulum", "x-ray"} {
		_, suite := generate(t, name, GenerateOptions{Seed: 5})
		if !equal(suite.Data, suite.DataClean) {
			t.Errorf("%s: data and clean data differ", name)
		}
	}
}

func TestStreams(t *testing.T) {
	for _, p := range Problems() {
		t.Run(p.Name, func(t *testing.T) {
			gen := func(g GenerateOptions) *Suite {
				_, suite := generate(t, p.Name, g)
				return suite
			}
			few, more := gen(GenerateOptions{Seed: 3, Rows: 50}), gen(GenerateOptions{Seed: 3, Rows: 70})
			first := make([]int, 50)
			for i := range first {
				first[i] = i
			}
			if !equal(few.Data, more.Data.Take(first)) {
				t.Error("50 rows are not the first of 70")
			}
			noisy := gen(GenerateOptions{Seed: 3, Rows: 50, Noise: new(0.3)})
			if !equal(few.DataClean, noisy.DataClean) {
				t.Error("noise changes the clean data")
			}
			if equal(noisy.Data, noisy.DataClean) {
				t.Error("noise 0.3 changes nothing")
			}
			if quiet := gen(GenerateOptions{Seed: 3, Noise: new(0.0)}); !equal(quiet.Data, quiet.DataClean) {
				t.Error("noise 0 changes the data")
			}
			for i, test := range few.Tests {
				if !equal(test.Noisy, more.Tests[i].Noisy) {
					t.Errorf("%s depends on the number of rows", test.Name)
				}
			}
			if p.Noise > 0 && equal(few.Data, gen(GenerateOptions{Seed: 4, Rows: 50}).Data) {
				t.Error("seeds 3 and 4 give the same data")
			}
		})
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, problem string
		g             GenerateOptions
		want          string
	}{
		{"negative rows", "pendulum", GenerateOptions{Rows: -1},
			"rows is -1, want 1 to 10000000, or 0 for the 1000 of pendulum"},
		{"too many rows", "F-1", GenerateOptions{Rows: math.MaxInt},
			"rows is 9223372036854775807, want 1 to 10000000, or 0 for the 10000 of F-1"},
		{"more than measured", "x-ray", GenerateOptions{Rows: 81},
			"rows is 81, but the data of x-ray are measured, with 80 rows"},
		{"negative noise", "DIV", GenerateOptions{Noise: new(-0.1)},
			"noise is -0.1, want a standard deviation from 0 to 1e+100"},
		{"noise NaN", "DIV", GenerateOptions{Noise: new(math.NaN())},
			"noise is NaN, want a standard deviation from 0 to 1e+100"},
		{"noise Inf", "DIV", GenerateOptions{Noise: new(math.Inf(1))},
			"noise is +Inf, want a standard deviation from 0 to 1e+100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Lookup(tt.problem)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Generate(tt.g); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestLookupUnknown(t *testing.T) {
	_, err := Lookup("pendulumm")
	want := `there is no problem "pendulumm" (did you mean "pendulum"? there are: pendulum, double-pendulum, kin-3-end, kin-4-end, kin-5-all, F-1, F-2, F-3, F-4, DIV, x-ray, cart-pendulum)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestArmReach checks arms against geometry: in a stretched arm the end is n·0.5 away.
func TestArmReach(t *testing.T) {
	y := make([]float64, 10)
	armLaw(5, true)([]float64{math.Pi / 2, 0, 0, 0, 0}, y)
	for j := range 5 {
		if want := 0.5 * float64(j+1); math.Abs(y[j]) > 1e-15 || math.Abs(y[5+j]-want) > 1e-15 {
			t.Errorf("segment %d of an upright arm ends at (%g, %g), want (0, %g)", j+1, y[j], y[5+j], want)
		}
	}
	armLaw(3, false)([]float64{0, math.Pi / 2, math.Pi / 2}, y[:2])
	if math.Abs(y[0]) > 1e-15 || math.Abs(y[1]-0.5) > 1e-15 {
		t.Errorf("an arm around three sides of a square ends at (%g, %g), want (0, 0.5)", y[0], y[1])
	}
}

func TestXRay(t *testing.T) {
	_, suite := generate(t, "x-ray", GenerateOptions{})
	x, y := colOf(t, suite.Data, "x1"), colOf(t, suite.Data, "y")
	if x[0] != 0.12 || y[0] != 0.01253437 {
		t.Errorf("the first row is (%g, %g), want that of Mg, (0.12, 0.01253437)", x[0], y[0])
	}
	if last := x[len(x)-1]; last != 0.91 {
		t.Errorf("the last element has x1 = %g, want 0.91", last)
	}
	far := colOf(t, test(t, suite, "far").Noisy, "x1")
	if slices.Min(far) != 0.92 || slices.Max(far) != 1 {
		t.Errorf("the far test set has x1 in [%g, %g], want [0.92, 1]", slices.Min(far), slices.Max(far))
	}
}

// equal reports whether two tables agree in every bit.
func equal(a, b *Table) bool {
	return slices.Equal(a.Names, b.Names) && slices.EqualFunc(a.Cols, b.Cols, func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	})
}
