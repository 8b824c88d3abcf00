package model

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/gradcheck"
)

var allUnary = []Unit{Identity, Sin, Cos, Sigmoid, Tanh}

// random returns a network with random weights, a third of them zero, and scales.
func random(seed uint64, a Arch) *Network {
	rng := rand.New(rand.NewPCG(seed, 5))
	n := New(a)
	for _, m := range n.Weights {
		for i := range m.W {
			if rng.IntN(3) > 0 {
				m.W[i] = rng.NormFloat64()
			}
		}
	}
	for range a.Inputs {
		n.InScale = append(n.InScale, Scale{Shift: rng.NormFloat64(), Factor: math.Exp2(float64(rng.IntN(7) - 3))})
	}
	for range a.Outputs {
		n.OutScale = append(n.OutScale, Scale{Shift: rng.NormFloat64(), Factor: math.Exp2(float64(rng.IntN(7) - 3))})
	}
	return n
}

var archs = []struct {
	name string
	arch Arch
}{
	{"one hidden layer", Uniform(3, 2, 2, 1, 2, allUnary)},
	{"two hidden layers", Uniform(2, 1, 3, 1, 1, allUnary)},
	{"layers differ",
		Arch{Inputs: 2, Outputs: 3, Hidden: []Layer{{Unary: []Unit{Sin, Identity}, Products: 1}, {Products: 3}}}},
	{"linear", Arch{Inputs: 4, Outputs: 2}},
}

func randomColumns(rng *rand.Rand, cols, rows int) [][]float64 {
	c := make([][]float64, cols)
	for j := range c {
		for range rows {
			c[j] = append(c[j], rng.NormFloat64())
		}
	}
	return c
}

func TestUnits(t *testing.T) {
	for _, u := range LawUnits() {
		t.Run(u.String(), func(t *testing.T) {
			var back Unit
			if text, err := u.MarshalText(); err != nil || back.UnmarshalText(text) != nil || back != u {
				t.Errorf("does not survive as text: %v, %v", back, err)
			}
			for _, x := range [][]float64{{-1.5, 0.25}, {0.3, -2}, {2, 3}, {0, 1}} {
				if u == Log && x[0] <= 0 || u == Reciprocal && x[0] == 0 || u == Asin && math.Abs(x[0]) >= 1 {
					continue
				}
				if kink := u == Abs || u == Max; kink && x[0] == 0 {
					continue
				}
				f := func(x []float64) float64 { return u.Value(x[0], x[1]) }
				da, db := u.Derivative(x[0], x[1])
				// Central differences with steps of 6e-6 are good to 1e-9 for values of size one.
				gradcheck.Check(t, f, []float64{da, db}, x, 1e-7)
				args := []formula.Expr{formula.Var("a"), formula.Var("b")}[:u.Arity()]
				got, err := formula.Eval(u.Expr(args...), map[string]float64{"a": x[0], "b": x[1]})
				if want := f(x); err != nil || !(math.Abs(got-want) <= 1e-15*(1+math.Abs(want))) {
					t.Errorf("formula at %v is %g, %v, want %g", x, got, err, want)
				}
			}
		})
	}
}

func TestUniform(t *testing.T) {
	a := Uniform(4, 1, 3, 2, 3, []Unit{Product, Cos, Identity})
	if got, want := a.String(), "4-[2id 2cos 3mul]-[2id 2cos 3mul]-1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := a.Params(), 10*5+10*8+8; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}

// TestFormulasAgree holds the formulas of random networks, scales included, to their predictions.
func TestFormulasAgree(t *testing.T) {
	for _, c := range archs {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(20) {
				n := random(seed, c.arch)
				cols := randomColumns(rand.New(rand.NewPCG(seed, 6)), c.arch.Inputs, 10)
				predicted := n.Predict(cols)
				for o, e := range n.Formulas() {
					p, err := formula.Compile(e, n.Inputs)
					if err != nil {
						t.Fatal(err)
					}
					got := make([]float64, 10)
					p.EvalColumns(got, cols)
					for i := range got {
						// Simplification reorders sums of some hundred terms of size up to 1e3.
						if want := predicted[o][i]; !(math.Abs(got[i]-want) <= 1e-9*(1+math.Abs(want))) {
							t.Fatalf("seed %d, output %d, row %d: formula %g, network %g\n%s", seed, o, i, got[i], want, e)
						}
					}
				}
			}
		})
	}
}

func TestRemoveOrphansKeepsTheFunction(t *testing.T) {
	for _, c := range archs {
		t.Run(c.name, func(t *testing.T) {
			removed := 0
			for seed := range uint64(40) {
				n := random(seed, c.arch)
				rng := rand.New(rand.NewPCG(seed, 7))
				for _, m := range n.Weights { // sparse, so that there are orphans and constants
					for r := range m.Rows {
						if rng.IntN(2) == 0 {
							clear(m.Row(r)[:m.Cols])
						}
					}
				}
				cols := randomColumns(rng, c.arch.Inputs, 5)
				want := n.Predict(cols)
				before := n.NonZero()
				n.RemoveOrphans()
				removed += before - n.NonZero()
				for o, got := range n.Predict(cols) {
					for i := range got {
						if !(math.Abs(got[i]-want[o][i]) <= 1e-12*(1+math.Abs(want[o][i]))) {
							t.Fatalf("seed %d: %g, want %g", seed, got[i], want[o][i])
						}
					}
				}
			}
			if len(c.arch.Hidden) > 0 && removed == 0 {
				t.Error("nothing was ever removed")
			}
		})
	}
}

func TestOutput(t *testing.T) {
	n := random(3, archs[0].arch)
	cols := randomColumns(rand.New(rand.NewPCG(1, 8)), 3, 4)
	all := n.Predict(cols)
	for o := range all {
		one := n.Output(o)
		got := one.Predict(cols)[0]
		for i := range got {
			if !(math.Abs(got[i]-all[o][i]) <= 1e-12*(1+math.Abs(all[o][i]))) {
				t.Errorf("output %d, row %d: %g alone, %g together", o, i, got[i], all[o][i])
			}
		}
		if one.Outputs[0] != n.Outputs[o] {
			t.Errorf("output %d is named %q alone", o, one.Outputs[0])
		}
	}
}

// TestSparsity counts by hand, on a network of one sine, one cosine and a product.
func TestSparsity(t *testing.T) {
	n := New(Arch{Inputs: 2, Outputs: 1, Hidden: []Layer{{Unary: []Unit{Sin, Cos}, Products: 1}}})
	factorA, factorB, sin, cos := n.Weights[0].Row(0), n.Weights[0].Row(1), n.Weights[0].Row(2), n.Weights[0].Row(3)
	out := n.Weights[1].Row(0) // sin, cos, product
	sin[0], out[0] = 0.5, 0.03 // 0.015 > 0.01: active
	cos[1], cos[2], out[1] = 0.5, 9, 0.01
	if got := n.Sparsity(); got != 1 {
		t.Errorf("a strong and a weak unit: s = %d, want 1 (biases do not count)", got)
	}
	factorA[0], factorB[1], out[2] = 0.3, 0.3, 0.02 // (0.3+0.3)·0.02 = 0.012: the norms of factors add
	if got := n.Sparsity(); got != 2 {
		t.Errorf("with the product: s = %d, want 2", got)
	}
}

func TestSaveAndLoad(t *testing.T) {
	for _, c := range archs {
		n := random(1, c.arch)
		data, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var back Network
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		cols := randomColumns(rand.New(rand.NewPCG(1, 9)), c.arch.Inputs, 3)
		want := n.Predict(cols)
		for o, got := range back.Predict(cols) {
			for i := range got {
				if got[i] != want[o][i] {
					t.Errorf("%s: predicts %v after loading, %v before", c.name, got[i], want[o][i])
				}
			}
		}
	}
	n := New(archs[0].arch)
	n.Weights[0].W[0] = math.NaN()
	if _, err := json.Marshal(n); err == nil {
		t.Error("a network with a weight that is not a number can be saved")
	}
}

func TestLoadRefuses(t *testing.T) {
	data, err := json.Marshal(random(1, archs[0].arch))
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	for _, c := range []struct{ name, old, new, want string }{
		{"not JSON", good, "[", "unexpected end"},
		{"another format", `"eql network"`, `"svm"`, "not a saved network"},
		{"a newer version", `"version":1`, `"version":2`, "use a matching version"},
		{"an unknown unit", `"sin"`, `"gauss"`, "unknown unit"},
		{"a product as a unary unit", `"sin"`, `"mul"`, "not a unary unit"},
		{"too few weights", `"weights":[[`, `"weights":[[],[`, "layers of weights"},
		{"no outputs", `"outputs":2`, `"outputs":0`, "0 outputs"},
		{"a missing name", `["x1","x2","x3"]`, `["x1"]`, "input names"},
		{"too large", `"inputs":3`, `"inputs":300000000`, "parameters"},
		{"too many products", `"products":2`, `"products":2000000000`, "products"},
		{"a scale of zero", `"factor":`, `"factor":0,"was":`, "factor 0"},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Errorf("%s: the case changes nothing", c.name)
		}
		var n Network
		if err := n.UnmarshalJSON([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, c := range archs {
		data, err := json.Marshal(random(2, c.arch))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		var n Network
		if json.Unmarshal(data, &n) != nil {
			return // refusing is fine
		}
		cols := make([][]float64, n.Arch.Inputs)
		for j := range cols {
			cols[j] = []float64{1}
		}
		n.Predict(cols)
		n.Sparsity()
		n.RemoveOrphans()
	})
}

func TestInitIsThePapers(t *testing.T) {
	a := Uniform(50, 1, 2, 10, 10, allUnary[:4])
	n := New(a)
	n.Init(rand.New(rand.NewPCG(1, 1)))
	m := n.Weights[0]
	sum, count := 0.0, 0.0
	for r := range m.Rows {
		if m.Bias(r) != 0 {
			t.Fatalf("row %d has bias %g", r, m.Bias(r))
		}
		for _, w := range m.Row(r)[:m.Cols] {
			sum += w * w
			count++
		}
	}
	// 3000 weights: the relative error of a variance is about √(2/3000) = 2.6 %.
	if got, want := sum/count, 1.0/(50+60); !(math.Abs(got/want-1) < 0.1) {
		t.Errorf("variance %g, want 1/(k'+d) = %g", got, want)
	}
}

func TestWriteDOT(t *testing.T) {
	n := New(Arch{Inputs: 2, Outputs: 1, Hidden: []Layer{{Unary: []Unit{Sin, Cos}, Products: 1}}})
	n.Inputs[0] = `speed "v"`
	n.Weights[0].Row(2)[0] = 2
	n.Weights[1].Row(0)[0] = -0.5
	n.Weights[1].Row(0)[1] = 0.009 // below what is drawn
	var b strings.Builder
	if err := n.WriteDOT(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`x0 [label="speed \"v\""`, `h1_0 [label="sin\n0"]`, `x0 -> h1_0 [label="2"]`,
		`h1_0 -> y0 [label="-0.5"]`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
	for _, unwanted := range []string{"cos", "mul", "x1"} {
		if strings.Contains(b.String(), unwanted) {
			t.Errorf("%s is drawn in\n%s", unwanted, &b)
		}
	}
}
