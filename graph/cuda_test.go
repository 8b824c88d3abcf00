package graph

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
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

// testCard returns the card of this machine where there is one, and else the emulator.
func testCard(t *testing.T) gpu.Card {
	t.Helper()
	if card, err := openCard(); err == nil {
		return card
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

// training is a stretch of training whose every step is known beforehand.
type training[T kernel.Float] struct {
	graph   *Graph[T]
	state   State[T]
	rows    []T // (rows, inputs+outputs)
	order   []int32
	lambda  []T
	updates []Update[T]
}

const trainingRows = 150

// newTraining draws networks and rows. Training has four epochs' ends, and thirds without penalty, with it, and with
// the mask.
func newTraining[T kernel.Float](t *testing.T, a model.Arch, batch, lanes, steps int) *training[T] {
	t.Helper()
	g, err := Build[T](a, batch, lanes)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, uint64(batch)))
	tr := &training[T]{graph: g}
	for e := range lanes {
		n := model.New(a)
		n.Init(rng)
		g.SetNetwork(e, n)
		tr.lambda = append(tr.lambda, T(1e-4*float64(e+1)))
	}
	for l := range g.weights {
		w := g.Weights(l)
		tr.state.W = append(tr.state.W, w)
		tr.state.M, tr.state.V = append(tr.state.M, make([]T, len(w))), append(tr.state.V, make([]T, len(w)))
	}
	for range trainingRows * (a.Inputs + a.Outputs) {
		tr.rows = append(tr.rows, T(2*rng.Float64()-1))
	}
	for range steps * batch {
		tr.order = append(tr.order, int32(rng.IntN(trainingRows)))
	}
	b1, b2 := 1.0, 1.0
	for i := range steps {
		b1, b2 = b1*0.9, b2*0.999
		root := math.Sqrt(1 - b2)
		u := Update[T]{Rate: T(0.003 * root / (1 - b1)), Epsilon: T(1e-8 * root), OneLessB1: T(1 - 0.9), OneLessB2: T(1 - 0.999)}
		u.Penalty = i >= steps/3 && i < 2*steps/3
		if i >= 2*steps/3 {
			u.Mask = 0.02
		}
		u.EndOfEpoch = (i+1)%max(1, steps/4) == 0
		tr.updates = append(tr.updates, u)
	}
	return tr
}

// epochs returns how many epochs end in the training.
func (tr *training[T]) epochs() (n int) {
	for _, u := range tr.updates {
		if u.EndOfEpoch {
			n++
		}
	}
	return n
}

// onProcessor trains step by step and returns the sums of the losses and the steps at which lanes were frozen.
func (tr *training[T]) onProcessor(t *testing.T) (losses []float64, diverged []int32) {
	t.Helper()
	g := tr.graph
	vm, err := flatten(g)
	if err != nil {
		t.Fatal(err)
	}
	losses, diverged = make([]float64, (tr.epochs()+1)*g.Lanes), tr.alive()
	epoch := 0
	for i, u := range tr.updates {
		tr.fill(tr.order[i*g.Batch : (i+1)*g.Batch])
		for again := true; again; {
			if err := vm.RunAll(); err != nil {
				t.Fatal(err)
			}
			again = tr.freeze(diverged, int32(i))
		}
		for e, x := range g.Losses() {
			losses[epoch*g.Lanes+e] += float64(x)
		}
		if u.EndOfEpoch {
			epoch++
		}
		tr.step(t, u)
	}
	return losses, diverged
}

func (tr *training[T]) alive() []int32 {
	d := make([]int32, tr.graph.Lanes)
	for e := range d {
		d[e] = -1
	}
	return d
}

func (tr *training[T]) fill(rows []int32) {
	g := tr.graph
	c := g.Arch.Inputs + g.Arch.Outputs
	for b, r := range rows {
		for j := range g.Arch.Inputs {
			g.Input()[j*g.Batch+b] = tr.rows[int(r)*c+j]
		}
		for o := range g.Arch.Outputs {
			g.Target()[o*g.Batch+b] = tr.rows[int(r)*c+g.Arch.Inputs+o]
		}
	}
}

func (tr *training[T]) freeze(diverged []int32, step int32) (froze bool) {
	g := tr.graph
	for e, x := range g.Losses() {
		if x-x == 0 || diverged[e] >= 0 {
			continue
		}
		froze = true
		diverged[e] = step
		g.Freeze(e)
		for l := range tr.state.M {
			for i := e; i < len(tr.state.M[l]); i += g.Lanes {
				tr.state.M[l][i], tr.state.V[l][i] = 0, 0
			}
		}
	}
	return froze
}

func (tr *training[T]) step(t *testing.T, u Update[T]) {
	t.Helper()
	lambda := make([]T, len(tr.lambda))
	if u.Penalty {
		lambda = tr.lambda
	}
	step := kernel.AdamStep[T]{Rate: u.Rate, Epsilon: u.Epsilon, OneLessB1: u.OneLessB1, OneLessB2: u.OneLessB2, Mask: u.Mask}
	for l, p := range tr.graph.Model() {
		grad, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		s := p.Value().Shape()
		kernel.Adam(Numbers[T](p.Value()), Numbers[T](grad), tr.state.M[l], tr.state.V[l], lambda, step,
			kernel.Shape{Rows: s[0], In: s[1] - 1, Lanes: s[2]})
	}
}

// onCard trains in launches of so many steps.
func (tr *training[T]) onCard(t *testing.T, card gpu.Card, chunk int) (losses []float64, diverged []int32) {
	t.Helper()
	g := tr.graph
	m, err := compileCUDA(g, card)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := m.Load(tr.rows, tr.lambda, tr.state); err != nil {
		t.Fatal(err)
	}
	losses, diverged = make([]float64, g.Lanes), tr.alive()
	for from := 0; from < len(tr.updates); from += chunk {
		to := min(from+chunk, len(tr.updates))
		ends := 0
		for _, u := range tr.updates[from:to] {
			if u.EndOfEpoch {
				ends++
			}
		}
		sums := append(slices.Clone(losses[len(losses)-g.Lanes:]), make([]float64, ends*g.Lanes)...)
		before := slices.Clone(diverged)
		if _, err := m.Steps(tr.order[from*g.Batch:to*g.Batch], tr.updates[from:to], sums, diverged); err != nil {
			t.Fatal(err)
		}
		for e := range diverged {
			if before[e] < 0 && diverged[e] >= 0 {
				diverged[e] += int32(from)
			}
		}
		losses = append(losses[:len(losses)-g.Lanes], sums...)
	}
	if err := m.Store(tr.state); err != nil {
		t.Fatal(err)
	}
	return losses, diverged
}

// sameBits compares numbers of lanes that were not frozen.
func sameBits[N float32 | float64](t *testing.T, what string, got, want []N, diverged []int32) {
	t.Helper()
	different := 0
	for i := range want {
		if e := i % len(diverged); diverged[e] < 0 && math.Float64bits(float64(got[i])) != math.Float64bits(float64(want[i])) {
			if different++; different <= 3 {
				t.Errorf("%s, number %d of lane %d: %g on the card, %g on the processor", what, i/len(diverged), e, got[i], want[i])
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers on the card, %d on the processor", what, len(got), len(want))
	}
}

// compareTraining trains the same networks on the processor and on a card and compares all that there is.
func compareTraining[T kernel.Float](t *testing.T, a model.Arch, batch, steps, chunk int, change func(tr *training[T])) (diverged []int32) {
	t.Helper()
	const lanes = kernel.Block
	trainings := [2]*training[T]{newTraining[T](t, a, batch, lanes, steps), newTraining[T](t, a, batch, lanes, steps)}
	for _, tr := range trainings {
		if change != nil {
			change(tr)
		}
	}
	want, cpu := trainings[0], trainings[1]
	wantLosses, wantDiverged := want.onProcessor(t)
	losses, diverged := cpu.onCard(t, testCard(t), chunk)
	if !slices.Equal(diverged, wantDiverged) {
		t.Fatalf("frozen at %v on the card, at %v on the processor", diverged, wantDiverged)
	}
	sameBits(t, "losses", losses, wantLosses, diverged)
	for l := range want.state.W {
		sameBits(t, fmt.Sprintf("weights of layer %d", l), cpu.state.W[l], want.state.W[l], diverged)
		sameBits(t, fmt.Sprintf("m of layer %d", l), cpu.state.M[l], want.state.M[l], diverged)
		sameBits(t, fmt.Sprintf("v of layer %d", l), cpu.state.V[l], want.state.V[l], diverged)
	}
	return diverged
}

func TestCUDAHasTheBitsOfTheProcessor(t *testing.T) {
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
	for _, s := range shapes {
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
	_, diverged := tr.onCard(t, testCard(t), 3)
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

func hugeArguments[T kernel.Float](t *testing.T, size float64) {
	compareTraining(t, paperArch("F1"), 20, 12, 12, func(tr *training[T]) {
		for i := range tr.state.W[0] {
			tr.state.W[0][i] *= T(size)
		}
		for i := range tr.updates {
			tr.updates[i].Rate = T(size) // so that they stay huge, and change
		}
	})
}

// RunAll must give the losses and gradients of Gorgonia's machine, of frozen lanes too.
func TestCUDARunsAll(t *testing.T) {
	needsAssembly(t)
	for _, c := range shapes {
		t.Run(c.name+"/float64", func(t *testing.T) { runsAll[float64](t, c.arch, c.batch) })
		t.Run(c.name+"/float32", func(t *testing.T) { runsAll[float32](t, c.arch, c.batch) })
	}
}

func runsAll[T kernel.Float](t *testing.T, a model.Arch, batch int) {
	onCard, tape := random[T](t, a, batch, kernel.Block), random[T](t, a, batch, kernel.Block)
	tm := gorgonia.NewTapeMachine(tape.expr)
	defer tm.Close()
	m, err := compileCUDA(onCard, testCard(t))
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
	losses, _ := tr.onCard(t, testCard(t), 6)
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
	tr := newTraining[float32](t, model.Uniform(3, 2, 3, 7, 2, model.Units()), 7, kernel.Block, 3)
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
	for _, call := range []string{"compile", "alloc", "upload", "launch", "wait", "download"} {
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
		})
	}
}
