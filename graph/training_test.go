package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// training is a stretch of training whose every step is known beforehand.
type training[T Float] struct {
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
func newTraining[T Float](t *testing.T, a model.Arch, batch, lanes, steps int) *training[T] {
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
		u := Update[T]{Rate: T(0.003 * root / (1 - b1)), Epsilon: T(1e-8 * root), OneLessB1: T(1 - 0.9),
			OneLessB2: T(1 - 0.999)}
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
	step := kernel.AdamStep[T]{Rate: u.Rate, Epsilon: u.Epsilon, OneLessB1: u.OneLessB1,
		OneLessB2: u.OneLessB2, Mask: u.Mask}
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
func sameBits[N Float](t *testing.T, what string, got, want []N, diverged []int32) {
	t.Helper()
	different := 0
	for i := range want {
		if e := i % len(diverged); diverged[e] < 0 &&
			math.Float64bits(float64(got[i])) != math.Float64bits(float64(want[i])) {
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
func compareTraining[T Float](t *testing.T, a model.Arch, batch, steps, chunk int,
	change func(tr *training[T])) (diverged []int32) {
	t.Helper()
	return compareLanes(t, a, batch, kernel.Block, steps, chunk, change)
}

func compareLanes[T Float](t *testing.T, a model.Arch, batch, lanes, steps, chunk int,
	change func(tr *training[T])) (diverged []int32) {
	t.Helper()
	trainings := [2]*training[T]{newTraining[T](t, a, batch, lanes, steps), newTraining[T](t, a, batch, lanes, steps)}
	for _, tr := range trainings {
		if change != nil {
			change(tr)
		}
	}
	want, cpu := trainings[0], trainings[1]
	wantLosses, wantDiverged := want.onProcessor(t)
	losses, diverged := cpu.onCard(t, cardOrEmulator(t), chunk)
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
