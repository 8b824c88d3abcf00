package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sparseStart draws one start and returns it with its first layer.
func sparseStart(a Arch, seed uint64, s Sparse) *Network {
	n := New(a)
	n.InitSparse(rand.New(rand.NewPCG(seed, 1)), s)
	return n
}

// TestInitSparseSeesInputsInTurn counts which inputs the rows of the first layer see.
func TestInitSparseSeesInputsInTurn(t *testing.T) {
	a := Uniform(3, 1, 3, 6, 2, allUnary[:4])
	for inputs := 1; inputs <= 4; inputs++ {
		n := sparseStart(a, 1, Sparse{Reach: []float64{1, 1, 1}, Inputs: inputs})
		seen := map[Unit][]int{Sin: make([]int, 3), Cos: make([]int, 3), Sigmoid: make([]int, 3)}
		for k, u := range a.Hidden[0].Unary {
			_, r := a.Hidden[0].Unit(k)
			count := 0
			for j, w := range n.Weights[0].Row(r)[:3] {
				if w != 0 {
					count++
					if u != Identity {
						seen[u][j]++
					}
				}
			}
			want := min(inputs, 3)
			if u == Identity {
				want = 3
			}
			if count != want {
				t.Errorf("%d inputs: a row of %s sees %d, want %d", inputs, u, count, want)
			}
		}
		for u, of := range seen {
			for j, c := range of {
				if want := 6 * min(inputs, 3) / 3; c != want {
					t.Errorf("%d inputs: %d of 6 %s units see input %d, want %d", inputs, c, u, j, want)
				}
			}
		}
	}
}

// TestInitSparseDistribution draws many starts and compares moments: with s inputs a row and
// inputs that reach c, weights are N(0, (6/c)²/s), and phases uniform in [−π, π] have variance π²/3.
func TestInitSparseDistribution(t *testing.T) {
	a := Uniform(3, 1, 3, 6, 2, allUnary[:4])
	reach := []float64{1, 100, 0.25}
	for inputs := 1; inputs <= 2; inputs++ {
		weights, phases, deep := make([][]float64, 3), []float64(nil), []float64(nil)
		for seed := range uint64(200) {
			n := sparseStart(a, seed, Sparse{Reach: reach, Inputs: inputs})
			for k, u := range a.Hidden[0].Unary {
				if u == Identity {
					continue
				}
				_, r := a.Hidden[0].Unit(k)
				for j, w := range n.Weights[0].Row(r)[:3] {
					if w != 0 {
						weights[j] = append(weights[j], w)
					}
				}
				phases = append(phases, n.Weights[0].Bias(r))
				seen := 0
				for _, w := range n.Weights[1].Row(r)[:a.In(1)] {
					if w != 0 {
						deep = append(deep, w)
						seen++
					}
				}
				if seen < 1 || seen > 2 || n.Weights[1].Bias(r) != 0 {
					t.Fatalf("a row of the second layer sees %d units and has bias %g", seen, n.Weights[1].Bias(r))
				}
			}
		}
		check := func(what string, x []float64, variance float64) {
			t.Helper()
			mean, square := 0.0, 0.0
			for _, v := range x {
				mean += v / float64(len(x))
				square += v * v / float64(len(x))
			}
			// At least 1200 numbers: a mean is good to 0.03 and a variance to 0.04 of itself, one standard error.
			if !(math.Abs(mean) < 0.12*math.Sqrt(variance)) || !(math.Abs(square/variance-1) < 0.16) {
				t.Errorf("%d inputs: %s have mean %g and mean square %g, want 0 and %g", inputs, what, mean, square, variance)
			}
		}
		for j, c := range reach {
			check("weights", weights[j], SparseFrequency*SparseFrequency/c/c/float64(inputs))
		}
		check("phases", phases, math.Pi*math.Pi/3)
		check("weights of the second layer", deep, 1)
		for _, p := range phases {
			if math.Abs(p) > math.Pi {
				t.Fatalf("a phase is %g", p)
			}
		}
	}
}

// TestInitSparseRemovesUnits draws starts without some of their nonlinear units: those have no
// weights at all, nothing reads them, and identity units, products and enough others stay.
func TestInitSparseRemovesUnits(t *testing.T) {
	a := Uniform(3, 2, 3, 6, 2, allUnary[:4])
	const removed = 0.4
	gone, all := 0, 0
	for seed := range uint64(100) {
		n := sparseStart(a, seed, Sparse{Reach: []float64{1, 1, 1}, Inputs: 1, Removed: removed})
		n.Release()
		for l, layer := range a.Hidden {
			for k := range layer.Width() {
				u, _ := layer.Unit(k)
				in, out := n.incoming(l, k), n.outgoing(l, k)
				if (in == 0) != (out == 0) {
					t.Fatalf("unit %d of layer %d has incoming weights of norm %g and outgoing of %g", k, l, in, out)
				}
				switch {
				case u != Identity && u != Product:
					all++
					if in == 0 {
						gone++
					}
				case in == 0:
					t.Fatalf("a unit of type %s was removed", u)
				}
			}
		}
	}
	// 3600 units: one standard error is 0.008.
	if got := float64(gone) / float64(all); !(math.Abs(got-removed) < 0.03) {
		t.Errorf("%.3f of the units are removed, want %g", got, removed)
	}
	only := Uniform(1, 1, 3, 2, 0, []Unit{Sin})
	n := sparseStart(only, 1, Sparse{Reach: []float64{1}, Inputs: 1, Removed: 1})
	for l := range only.Hidden {
		if units := n.present(l); len(units) != 1 {
			t.Errorf("layer %d has units %v when all are to be removed, want one", l, units)
		}
	}
}

// TestReleaseFreesConnections releases a start: no weight between units that are there is zero,
// and the function is what it was.
func TestReleaseFreesConnections(t *testing.T) {
	a := Uniform(3, 1, 3, 4, 2, allUnary[:4])
	n := sparseStart(a, 3, Sparse{Reach: []float64{1, 1, 1}, Inputs: 1, Removed: 0.3})
	r := n.Clone()
	r.Release()
	for l, m := range r.Weights {
		for row := range m.Rows {
			for _, k := range r.present(l - 1) {
				if w := m.Row(row)[k]; w == 0 && !isZero(m.Row(row)[:m.Cols]) {
					t.Errorf("layer %d, row %d: the weight of %d is still zero", l, row, k)
				}
			}
		}
	}
	x := [][]float64{{0.3, -0.7}, {0.9, 0.1}, {-0.5, 0.2}}
	before, after := n.Predict(x), r.Predict(x)
	for i, y := range before[0] {
		if !(math.Abs(after[0][i]-y) < 1e-6) {
			t.Errorf("row %d: %g before and %g after", i, y, after[0][i])
		}
	}
}
