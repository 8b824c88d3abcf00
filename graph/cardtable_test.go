package graph

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

var cardTable = flag.Bool("card-table", false, "print times of a step on the GPU for numbers of threads and networks")

// TestCUDASmall is short enough for tools that check each access to memory.
func TestCUDASmall(t *testing.T) {
	compareTraining[float32](t, paperArch("F1"), 20, 4, 2, nil)
}

// TestCardTable prints nanoseconds a network and step for numbers of threads a block, from which the number that
// threadsOf chooses is taken.
func TestCardTable(t *testing.T) {
	if !*cardTable {
		t.Skip("needs -card-table, and a GPU")
	}
	card, err := openCard()
	if err != nil {
		t.Skip(err)
	}
	fmt.Printf("%s\n%-6s %-8s %7s %9s %8s %10s  %s\n",
		card.Info().Name, "net", "dtype", "threads", "resident", "compile", "networks", "ns a network and step")
	for _, net := range []string{"F1", "Deep3"} {
		for _, threads := range []int{64, 96, 128, 192, 256, 384} {
			tableRow[float32](t, card, net, threads)
			tableRow[float64](t, card, net, threads)
		}
	}
}

func tableRow[T Float](t *testing.T, card gpu.Card, net string, threads int) {
	t.Helper()
	const batch = 20
	g, err := Build[T](paperArch(net), batch, kernel.Block)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := threadsOf(g, card.Info())
	if err != nil {
		t.Fatal(err)
	}
	flat, err := flatten(g)
	if err != nil {
		t.Fatal(err)
	}
	if err := flat.RunAll(); err != nil {
		t.Fatal(err)
	}
	k, err := writeKernel(g, flat.program, threads)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	f, resident, err := card.Compile(k)
	if err != nil {
		fmt.Printf("%-6s %-8T %7d: %v\n", net, *new(T), threads, err)
		return
	}
	compiled := time.Since(began)
	mark := ""
	if threads == chosen {
		mark = " chosen"
	}
	for _, lanes := range []int{256, 1024, 16384} {
		m := &cudaMachine[T]{
			graph:    &Graph[T]{Arch: g.Arch, Batch: batch, Lanes: lanes},
			launcher: launcher{card: card, kernel: k, function: f, memory: map[string]memory{}},
		}
		if m.stream, err = card.Stream(); err != nil {
			t.Fatal(err)
		}
		ns, err := tableTime(m)
		if closeErr := m.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%-6s %-8T %7d %9d %8s %10d  %8.2f%s\n",
			net, *new(T), threads, resident, compiled.Round(time.Millisecond), lanes, ns, mark)
	}
}

// tableTime returns the least time of some launches, a network and step.
func tableTime[T Float](m *cudaMachine[T]) (float64, error) {
	const rows = 9000
	a, lanes := m.graph.Arch, m.graph.Lanes
	rng := rand.New(rand.NewPCG(1, 1))
	n := model.New(a)
	n.Init(rng)
	var s State[T]
	for _, w := range n.Weights {
		all := make([]T, len(w.W)*lanes)
		for i := range all {
			all[i] = T(w.W[i/lanes])
		}
		s.W, s.M, s.V = append(s.W, all), append(s.M, make([]T, len(all))), append(s.V, make([]T, len(all)))
	}
	table := make([]T, rows*(a.Inputs+a.Outputs))
	for i := range table {
		table[i] = T(2*rng.Float64() - 1)
	}
	if err := m.Load(table, make([]T, lanes), s); err != nil {
		return 0, err
	}
	steps := max(20, 200_000/lanes)
	order := make([]int32, steps*m.graph.Batch)
	for i := range order {
		order[i] = int32(rng.IntN(rows))
	}
	updates := make([]Update[T], steps)
	for i := range updates {
		updates[i] = Update[T]{Rate: 0.001, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 0.001, Penalty: true}
	}
	best := 0.0
	for range 3 {
		diverged := make([]int32, lanes)
		for e := range diverged {
			diverged[e] = -1
		}
		took, err := m.Steps(order, updates, make([]float64, lanes), diverged)
		if err != nil {
			return 0, err
		}
		if ns := float64(took.Nanoseconds()) / float64(steps*lanes); best == 0 || ns < best {
			best = ns
		}
	}
	return best, nil
}
