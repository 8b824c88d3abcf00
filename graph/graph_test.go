package graph

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/internal/gradcheck"
	"github.com/eqlearner/eql/model"
)

// shapes are uneven on purpose: odd widths, batches of 1 and 17, one and five outputs, layers
// without products or without unary units, layers that differ, no hidden layer at all.
var shapes = []struct {
	name  string
	arch  model.Arch
	batch int
}{
	{"paper", model.Uniform(2, 2, 2, 1, 1, model.Units()), 20},
	{"odd widths", model.Arch{Inputs: 3, Outputs: 1, Hidden: []model.Layer{
		{Unary: []model.Unit{model.Sin, model.Identity, model.Sigmoid, model.Cos, model.Cos}, Products: 3},
	}}, 17},
	{"batch of one", model.Uniform(1, 5, 3, 1, 2, model.Units()), 1},
	{"five outputs", model.Uniform(4, 5, 2, 3, 1, []model.Unit{model.Identity, model.Sin}), 17},
	{"no products", model.Uniform(2, 1, 3, 2, 0, model.Units()), 3},
	{"no unary units", model.Uniform(3, 2, 3, 0, 4, nil), 5},
	{"layers differ", model.Arch{Inputs: 2, Outputs: 2, Hidden: []model.Layer{
		{Unary: []model.Unit{model.Tanh, model.Tanh, model.Tanh}},
		{Products: 2},
		{Unary: []model.Unit{model.Identity}, Products: 1},
	}}, 4},
	{"identity only", model.Uniform(2, 1, 2, 3, 0, []model.Unit{model.Identity}), 2},
	{"linear", model.Arch{Inputs: 3, Outputs: 2}, 7},
}

// random returns a graph with random weights and data, ready to run.
func random[T Float](t testing.TB, a model.Arch, batch, lanes int) *Graph[T] {
	t.Helper()
	g, err := Build[T](a, batch, lanes)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for lane := range lanes {
		n := model.New(a)
		for _, m := range n.Weights {
			for i := range m.W {
				m.W[i] = rng.NormFloat64()
			}
		}
		g.SetNetwork(lane, n)
	}
	for _, d := range [][]T{g.Input(), g.Target()} {
		for i := range d {
			d[i] = T(rng.NormFloat64())
		}
	}
	return g
}

func compile[T Float](t testing.TB, g *Graph[T]) gorgonia.VM {
	t.Helper()
	vm, err := Compile(g, CPU)
	if err != nil {
		t.Fatal(err)
	}
	return vm
}

func runOnce(t testing.TB, vm gorgonia.VM) {
	t.Helper()
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
	vm.Reset()
}

// TestGradient compares the gradient of every weight of a lane with finite differences of that
// lane's loss, so it checks all operations, and that the lanes are not mixed.
func TestGradient(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			g := random[float64](t, c.arch, c.batch, 4)
			vm := compile(t, g)
			for lane := range g.Lanes {
				var at, grad []float64
				runOnce(t, vm)
				for l := range g.weights {
					dv, err := g.Model()[l].Grad()
					if err != nil {
						t.Fatal(err)
					}
					w, d := g.Weights(l), Numbers[float64](dv)
					for i := lane; i < len(w); i += g.Lanes {
						at, grad = append(at, w[i]), append(grad, d[i])
					}
				}
				f := func(x []float64) float64 {
					for l := range g.weights {
						w := g.Weights(l)
						for i := lane; i < len(w); i += g.Lanes {
							w[i], x = x[0], x[1:]
						}
					}
					runOnce(t, vm)
					return g.Losses()[lane]
				}
				// Central differences of a loss of size 10 to 1e4 with steps of 6e-6 are good to
				// about 1e-9 relative to the loss; 1e-6 relative to the gradient holds with room.
				gradcheck.Check(t, f, grad, at, 1e-6)
				f(at)
			}
		})
	}
}

// TestTapeMachineAgrees runs the same graph on Gorgonia's machine: the numbers must be the same,
// bit for bit, since the same operations compute them.
func TestTapeMachineAgrees(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name+"/float64", func(t *testing.T) { tapeMachineAgrees[float64](t, c.arch, c.batch) })
		t.Run(c.name+"/float32", func(t *testing.T) { tapeMachineAgrees[float32](t, c.arch, c.batch) })
	}
}

func tapeMachineAgrees[T Float](t *testing.T, a model.Arch, batch int) {
	flat, tape := random[T](t, a, batch, 8), random[T](t, a, batch, 8)
	tm := gorgonia.NewTapeMachine(tape.expr)
	defer tm.Close()
	fm := compile(t, flat)
	for range 2 { // twice: nothing of the first run may leak into the second
		runOnce(t, fm)
		runOnce(t, tm)
	}
	equalBits(t, "losses", flat.Losses(), tape.Losses())
	for l, p := range flat.Model() {
		want, err := tape.Model()[l].Grad()
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		equalBits(t, fmt.Sprintf("gradient of layer %d", l), Numbers[T](got), Numbers[T](want))
	}
}

func equalBits[T Float](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(float64(got[i])) != math.Float64bits(float64(want[i])) {
			t.Fatalf("%s[%d]: got %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestPrediction holds the graph's losses to the loss of model.Network, which computes one row
// at a time in float64.
func TestPrediction(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			g := random[float64](t, c.arch, c.batch, 4)
			runOnce(t, compile(t, g))
			x, y := g.Input(), g.Target()
			for lane := range g.Lanes {
				n := model.New(c.arch)
				g.Network(lane, n)
				cols := make([][]float64, c.arch.Inputs)
				for j := range cols {
					cols[j] = x[j*c.batch : (j+1)*c.batch]
				}
				want := 0.0
				for o, p := range n.Predict(cols) {
					for b, v := range p {
						want += (v - y[o*c.batch+b]) * (v - y[o*c.batch+b])
					}
				}
				want /= float64(len(y))
				// Both sum at most a few hundred rounded terms.
				if got := g.Losses()[lane]; !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("lane %d: loss %g, want %g", lane, got, want)
				}
			}
		})
	}
}

// TestLanesIndependent changes one lane, and the number of lanes: no bit of another lane's loss
// or gradient may change.
func TestLanesIndependent(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			a, b := random[float32](t, c.arch, c.batch, 8), random[float32](t, c.arch, c.batch, 8)
			wide := random[float32](t, c.arch, c.batch, 16)
			for i := range wide.Lanes { // the wide graph holds a's lanes in reverse order
				n := model.New(c.arch)
				a.Network(i%8, n)
				wide.SetNetwork(15-i, n)
			}
			copy(wide.Input(), a.Input())
			copy(wide.Target(), a.Target())
			for l := range b.weights {
				w := b.Weights(l)
				for i := 5; i < len(w); i += 8 {
					w[i] = float32(math.NaN())
				}
			}
			runOnce(t, compile(t, a))
			runOnce(t, compile(t, b))
			runOnce(t, compile(t, wide))
			for lane := range 8 {
				want := laneBits(t, a, lane)
				if got := laneBits(t, b, lane); lane != 5 && got != want {
					t.Errorf("lane %d changed with lane 5", lane)
				}
				if got := laneBits(t, wide, 15-lane); got != want {
					t.Errorf("lane %d changed with the number of lanes", lane)
				}
			}
		})
	}
}

// laneBits returns the loss and gradient of a lane as text that shows every bit.
func laneBits(t *testing.T, g *Graph[float32], lane int) string {
	s := fmt.Sprintf("%b", g.Losses()[lane])
	for _, p := range g.Model() {
		dv, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		d := Numbers[float32](dv)
		for i := lane; i < len(d); i += g.Lanes {
			s += fmt.Sprintf(" %b", d[i])
		}
	}
	return s
}

func TestFreeze(t *testing.T) {
	g := random[float64](t, shapes[0].arch, shapes[0].batch, 4)
	vm := compile(t, g)
	g.Weights(0)[2] = math.NaN() // lane 2
	g.Freeze(2)
	runOnce(t, vm)
	for l, p := range g.Model() {
		dv, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range Numbers[float64](dv) {
			if i%4 == 2 && (d != 0 || g.Weights(l)[i] != 0) {
				t.Fatalf("layer %d: frozen lane has weight %g, gradient %g", l, g.Weights(l)[i], d)
			}
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	g := random[float32](t, shapes[2].arch, 20, 8)
	vm := compile(t, g)
	runOnce(t, vm)
	if n := testing.AllocsPerRun(100, func() { runOnce(t, vm) }); n != 0 {
		t.Errorf("a run allocates %v times, want 0", n)
	}
}

func TestEveryUnitHasAKernel(t *testing.T) {
	for _, u := range model.Units() {
		f, ok := unaryKernel[float64](u)
		if ok != (u.Arity() == 1) {
			t.Errorf("%s: has a unary kernel: %t, arity %d", u, ok, u.Arity())
		}
		if f == nil {
			continue // identity, and the product, which TestPrediction covers
		}
		for _, x := range []float64{-3.5, -1, -0.25, 0, 0.1, 0.7, 2, 40} {
			z, d := []float64{x}, []float64{0}
			f(z, d)
			wantD, _ := u.Derivative(x, 0)
			// The kernels promise 2 ulp of values of size one.
			if want := u.Value(x, 0); !(math.Abs(z[0]-want) <= 1e-15) || !(math.Abs(d[0]-wantD) <= 1e-15) {
				t.Errorf("%s(%g): value %g, derivative %g, want %g, %g", u, x, z[0], d[0], want, wantD)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	good := shapes[0].arch
	for _, c := range []struct {
		name         string
		arch         model.Arch
		batch, lanes int
	}{
		{"no inputs", model.Arch{Outputs: 1}, 1, 4},
		{"empty layer", model.Arch{Inputs: 1, Outputs: 1, Hidden: []model.Layer{{}}}, 1, 4},
		{"batch of zero", good, 0, 4},
		{"no lanes", good, 1, 0},
		{"odd lanes", good, 1, 3},
	} {
		if _, err := Build[float32](c.arch, c.batch, c.lanes); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}

func TestCompileCUDA(t *testing.T) {
	g := random[float32](t, shapes[0].arch, 2, 4)
	vm, err := Compile(g, CUDA)
	if _, noCard := openCard(); noCard == nil {
		if _, ok := vm.(Stepper[float32]); err != nil || !ok {
			t.Errorf("with a card: got %T, %v", vm, err)
		}
	} else if !errors.Is(err, noCard) && err.Error() != noCard.Error() {
		t.Errorf("got %v, want %v", err, noCard)
	}
}
