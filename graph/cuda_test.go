package graph

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/gpu/emulator"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

var long = flag.Bool("long", false, "run tests that take longer")

// cardOrEmulator returns the card of this machine where there is one, and else the emulator.
func cardOrEmulator(t *testing.T) gpu.Card {
	t.Helper()
	card, err := openedCard()
	if err == nil {
		return card
	}
	if os.Getenv("EQL_NEEDS_CARD") != "" {
		t.Fatal(err)
	}
	return emulator.New(gpu.Info{})
}

// needsAssembly skips a test that compares bits where the processor has no assembly to compare with.
func needsAssembly(t *testing.T) {
	t.Helper()
	if kernel.Name() == "portable" {
		t.Skip("the portable kernels round otherwise")
	}
}

func TestCUDAHasTheBitsOfTheProcessor(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	needsAssembly(t)
	all := []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Product}
	shapes := []struct {
		name         string
		arch         model.Arch
		batch, steps int
	}{
		{"F1", paperArch("F1"), 20, 100},
		{"one unit", model.Uniform(1, 1, 2, 1, 0, []model.Unit{model.Sin}), 1, 100},
		{"two units, one product", model.Uniform(2, 2, 2, 2, 1, all), 7, 100},
		{"two hidden layers of seven", model.Uniform(3, 5, 3, 7, 2, all), 33, 100},
		{"three hidden layers of three", model.Uniform(1, 3, 4, 3, 1, all), 20, 100},
		{"no units but products", model.Uniform(2, 1, 2, 1, 3, []model.Unit{model.Product}), 7, 100},
		{"no product", model.Uniform(3, 1, 3, 5, 0, []model.Unit{model.Identity, model.Sin, model.Sigmoid}), 33, 100},
		{"hyperbolic tangents", model.Uniform(2, 4, 2, 10, 1, []model.Unit{model.Tanh, model.Product}), 20, 100},
		{"no hidden layer", model.Uniform(5, 3, 1, 1, 0, []model.Unit{model.Identity}), 7, 100},
		{"identity alone", model.Uniform(4, 2, 2, 10, 0, []model.Unit{model.Identity}), 1, 100},
		{"seven inputs", model.Uniform(7, 1, 2, 7, 4, all), 20, 100},
		{"ten of each", model.Uniform(2, 1, 3, 10, 10, all), 20, 6},
		{"a batch of 130", model.Uniform(2, 1, 2, 2, 1, all), 130, 30},
		{"Deep3", paperArch("Deep3"), 20, 2},
	}
	t.Run("272 lanes", func(t *testing.T) {
		compareLanes[float32](t, model.Uniform(2, 1, 2, 2, 1, all), 3, 272, 12, 5, nil)
	})
	for _, s := range shapes {
		if testing.Short() {
			s.steps = (s.steps + 9) / 10
		}
		t.Run(s.name, func(t *testing.T) {
			t.Run("float32", func(t *testing.T) { compareTraining[float32](t, s.arch, s.batch, s.steps, 17, nil) })
			t.Run("float64", func(t *testing.T) { compareTraining[float64](t, s.arch, s.batch, s.steps, 1000, nil) })
		})
	}
}

// TestCUDALong is one run of F1 as long as training.
func TestCUDALong(t *testing.T) {
	if !*long {
		t.Skip("needs -long: 5,000 steps take a quarter of a minute in the emulator")
	}
	needsAssembly(t)
	compareTraining[float32](t, paperArch("F1"), 20, 5000, 1000, nil)
}

// A lane whose loss is not finite is frozen at the same step, and changes no other.
func TestCUDAFreezes(t *testing.T) {
	needsAssembly(t)
	diverged := compareTraining[float32](t, paperArch("F1"), 20, 40, 7, func(tr *training[float32]) {
		tr.state.W[0][1] = float32(math.Inf(1)) // lane 1, at once
		for i := 2; i < len(tr.state.W[1]); i += tr.graph.Lanes {
			tr.state.W[1][i] = 1e18 // lane 2, since its loss overflows
		}
		for i := range tr.updates[20:] {
			tr.updates[20+i].Rate = 1e18 // and the others on the way
		}
	})
	if diverged[1] != 0 || diverged[2] != 0 || diverged[0] <= 20 || diverged[3] <= 20 {
		t.Errorf("frozen at %v, want lanes 1 and 2 at once and the others after step 20", diverged)
	}
}

func TestCUDAZeroesFrozenLanes(t *testing.T) {
	tr := newTraining[float32](t, paperArch("F1"), 20, kernel.Block, 3)
	tr.state.W[0][1] = float32(math.NaN())
	_, diverged := tr.onCard(t, cardOrEmulator(t), 3)
	if diverged[1] != 0 {
		t.Fatalf("frozen at %v, want lane 1 at step 0", diverged)
	}
	for l := range tr.state.W {
		for _, s := range [][]float32{tr.state.W[l], tr.state.M[l], tr.state.V[l]} {
			for i := 1; i < len(s); i += tr.graph.Lanes {
				if s[i] != 0 {
					t.Fatalf("layer %d keeps %g of a frozen lane", l, s[i])
				}
			}
		}
	}
}

// Sines of arguments up to 1e9 leave the polynomials, within a vector of samples of which some do and some do not.
func TestCUDAHugeArguments(t *testing.T) {
	needsAssembly(t)
	for _, size := range []float64{1e4, 1e5, 1e9} {
		t.Run(fmt.Sprintf("float32 %g", size), func(t *testing.T) { hugeArguments[float32](t, size) })
		t.Run(fmt.Sprintf("float64 %g", size), func(t *testing.T) { hugeArguments[float64](t, size) })
	}
}

func hugeArguments[T Float](t *testing.T, size float64) {
	a := model.Uniform(4, 1, 2, 5, 0, []model.Unit{model.Sin, model.Cos, model.Sigmoid})
	diverged := compareTraining(t, a, 20, 30, 12, func(tr *training[T]) {
		for i := range tr.state.W[0] {
			tr.state.W[0][i] *= T(size)
		}
		last := len(tr.state.W) - 1
		for i := range tr.state.W[last] {
			tr.state.W[last][i] /= 100 // so that no loss overflows
		}
	})
	if slices.Max(diverged) >= 0 {
		t.Errorf("lanes were frozen at %v, and nothing was compared", diverged)
	}
}

// RunAll must give the losses and gradients of Gorgonia's machine, of frozen lanes too.
func TestCUDARunsAll(t *testing.T) {
	needsAssembly(t)
	for _, c := range shapes {
		t.Run(c.name+"/float64", func(t *testing.T) { runsAll[float64](t, c.arch, c.batch) })
		t.Run(c.name+"/float32", func(t *testing.T) { runsAll[float32](t, c.arch, c.batch) })
	}
}

func runsAll[T Float](t *testing.T, a model.Arch, batch int) {
	onCard, tape := random[T](t, a, batch, kernel.Block), random[T](t, a, batch, kernel.Block)
	tm := gorgonia.NewTapeMachine(tape.expr)
	defer tm.Close()
	m, err := compileCUDA(onCard, cardOrEmulator(t))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, frozen := range []bool{false, true} {
		if frozen {
			onCard.Freeze(1)
			tape.Freeze(1)
		}
		runOnce(t, m)
		runOnce(t, tm)
		equalBits(t, "losses", onCard.Losses(), tape.Losses())
		if got, want := onCard.loss.Value().Data(), tape.loss.Value().Data(); got != want {
			t.Errorf("the sum of the losses is %v, want %v", got, want)
		}
		for l, p := range onCard.Model() {
			want, err := tape.Model()[l].Grad()
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Grad()
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range Numbers[T](got) {
				if y := Numbers[T](want)[i]; x != y && (x == x || y == y) {
					t.Fatalf("gradient %d of layer %d: got %g, want %g", i, l, x, y)
				}
			}
		}
	}
}

// Steps without an update give the losses of other rows and change nothing.
func TestCUDAScores(t *testing.T) {
	needsAssembly(t)
	tr := newTraining[float32](t, paperArch("F1"), 7, kernel.Block, 6)
	for i := range tr.updates {
		tr.updates[i] = Update[float32]{NoUpdate: true, EndOfEpoch: true}
	}
	before := slices.Clone(tr.state.W[0])
	losses, _ := tr.onCard(t, cardOrEmulator(t), 6)
	equalBits(t, "weights", tr.state.W[0], before)
	vm := compile(t, tr.graph)
	for i := range tr.updates {
		tr.fill(tr.order[i*tr.graph.Batch : (i+1)*tr.graph.Batch])
		runOnce(t, vm)
		for e, want := range tr.graph.Losses() {
			if got := losses[i*tr.graph.Lanes+e]; got != float64(want) {
				t.Errorf("minibatch %d, lane %d: loss %g, want %g", i, e, got, want)
			}
		}
	}
}

// Without any one of its barriers a kernel must have a race that the emulator finds.
func TestEveryBarrierIsNeeded(t *testing.T) {
	tr := newTraining[float32](t, model.Uniform(3, 2, 3, 2, 1, model.Units()), 5, kernel.Block, 3)
	m, err := compileCUDA(tr.graph, emulator.New(gpu.Info{}))
	if err != nil {
		t.Fatal(err)
	}
	const barrier = "bar.sync 0;"
	whole := m.kernel.Text
	n := strings.Count(whole, barrier)
	for without := range n {
		parts := strings.Split(whole, barrier)
		parts[without] += "mov.u32 %step, %step;" + parts[without+1]
		m.kernel.Text = strings.Join(slices.Delete(parts, without+1, without+2), barrier)
		if m.function, _, err = m.card.Compile(m.kernel); err != nil {
			t.Fatal(err)
		}
		if err := m.Load(tr.rows, tr.lambda, tr.state); err != nil {
			t.Fatal(err)
		}
		_, err := m.Steps(tr.order, tr.updates, make([]float64, 4*tr.graph.Lanes), tr.alive())
		lastOfAll := strings.Count(whole[:strings.Index(whole, "DIVERGED:")], barrier)
		switch {
		case without >= lastOfAll && err != nil:
			t.Errorf("barrier %d is not on the way, and yet: %v", without, err)
		case without < lastOfAll && err == nil:
			t.Errorf("barrier %d of %d can be left out", without+1, n)
		}
		if m.stream, err = m.card.Stream(); err != nil { // the old one has failed
			t.Fatal(err)
		}
	}
}

// What does not fit into a block is refused with what it needs.
func TestCUDARefusesLargeNetworks(t *testing.T) {
	small := emulator.New(gpu.Info{Shared: 16 << 10})
	wide := model.Uniform(20, 5, 4, 60, 60, model.Units())
	for _, c := range []struct {
		name string
		arch model.Arch
		card gpu.Card
		what string
	}{
		{"memory", paperArch("F1"), small, "shared memory"},
		{"registers", wide, emulator.New(gpu.Info{}), "registers"},
	} {
		g, err := Build[float64](c.arch, 20, kernel.Block)
		if err != nil {
			t.Fatal(err)
		}
		_, err = compileCUDA(g, c.card)
		var large *TooLargeError
		if !errors.As(err, &large) || !strings.Contains(err.Error(), c.what) || large.Needs <= large.Has {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// A card that fails says so and is closed without another error.
func TestCUDAFailures(t *testing.T) {
	for _, call := range []string{"compile", "alloc", "upload", "launch", "download"} {
		t.Run(call, func(t *testing.T) {
			card := emulator.New(gpu.Info{})
			failure := errors.New("taken away")
			card.Fail = func(c string) error {
				if c == call {
					return failure
				}
				return nil
			}
			tr := newTraining[float32](t, paperArch("F1"), 20, kernel.Block, 2)
			m, err := compileCUDA(tr.graph, card)
			if err == nil {
				err = m.Load(tr.rows, tr.lambda, tr.state)
			}
			if err == nil {
				_, err = m.Steps(tr.order, tr.updates, make([]float64, 3*tr.graph.Lanes), tr.alive())
			}
			if err == nil {
				err = m.Store(tr.state)
			}
			if !errors.Is(err, failure) {
				t.Errorf("got %v", err)
			}
			card.Fail = nil
			if m != nil && m.stream != nil {
				if err := m.Close(); err != nil {
					t.Errorf("closing it: %v", err)
				}
			}
			if n := card.InUse(); n != 0 {
				t.Errorf("%d bytes of the card are still in use", n)
			}
		})
	}
}
