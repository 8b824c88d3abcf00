package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// feynmanLaws are the equations of the Feynman symbolic regression database (Udrescu and Tegmark 2020) that
// need none but the learner's units, with the ranges that it draws all inputs from: 24 of its 100. The
// others divide, or have roots, exponentials or inverse functions.
var feynmanLaws = []struct {
	id, law   string
	low, high float64
}{
	{"I.11.19", "x1*y1 + x2*y2 + x3*y3", 1, 5},
	{"I.12.1", "mu*Nn", 1, 5},
	{"I.12.5", "q2*Ef", 1, 5},
	{"I.12.11", "q*(Ef + B*v*sin(theta))", 1, 5},
	{"I.13.4", "m*(v^2 + u^2 + w^2)/2", 1, 5},
	{"I.14.3", "m*g*z", 1, 5},
	{"I.14.4", "k_spring*x^2/2", 1, 5},
	{"I.18.12", "r*F*sin(theta)", 1, 5},
	{"I.18.16", "m*r*v*sin(theta)", 1, 5},
	{"I.24.6", "m*(omega^2 + omega_0^2)*x^2/4", 1, 3},
	{"I.34.27", "h*omega/(2*pi)", 1, 5},
	{"I.39.1", "3*pr*V/2", 1, 5},
	{"I.43.31", "mob*kb*T", 1, 5},
	{"I.50.26", "x1*(cos(omega*t) + alpha*cos(omega*t)^2)", 1, 3},
	{"II.8.31", "epsilon*Ef^2/2", 1, 5},
	{"II.15.4", "-mom*B*cos(theta)", 1, 5},
	{"II.15.5", "-p_d*Ef*cos(theta)", 1, 5},
	{"II.27.16", "epsilon*c*Ef^2", 1, 5},
	{"II.27.18", "epsilon*Ef^2", 1, 5},
	{"II.34.2", "q*v*r/2", 1, 5},
	{"II.37.1", "mom*(1 + chi)*B", 1, 5},
	{"III.12.43", "n*h/(2*pi)", 1, 5},
	{"III.15.12", "2*U*(1 - cos(k*d))", 1, 5},
	{"III.17.37", "beta*(1 + alpha*cos(theta))", 1, 5},
}

// feynmanCases have 1,000 rows with noise of 1 % of the target's standard deviation, by which errors are
// divided; the far rows are from a box of twice the size, outside the first.
func feynmanCases() []lawCase {
	var cases []lawCase
	for _, f := range feynmanLaws {
		cases = append(cases, lawCase{"feynman/" + f.id, 0.01, func(t *testing.T, seed uint64) lawData {
			e, err := formula.Parse(f.law)
			if err != nil {
				t.Fatal(err)
			}
			d := lawData{inputs: formula.Vars(e), targets: []string{"y"}}
			rng := rand.New(rand.NewPCG(seed, 3))
			draw := func(rows int, low, high float64, keep func(x []float64) bool) *datasets.Table {
				cols := make([][]float64, len(d.inputs)+1)
				for len(cols[0]) < rows {
					x := make([]float64, len(d.inputs))
					for j := range x {
						x[j] = low + (high-low)*rng.Float64()
					}
					if keep(x) {
						for j, v := range x {
							cols[j] = append(cols[j], v)
						}
					}
				}
				y, err := formula.Compile(e, d.inputs)
				if err != nil {
					t.Fatal(err)
				}
				cols[len(d.inputs)] = make([]float64, rows)
				y.EvalColumns(cols[len(d.inputs)], cols[:len(d.inputs)])
				table, err := datasets.New(append(slices.Clone(d.inputs), "y"), cols)
				if err != nil {
					t.Fatal(err)
				}
				return table
			}
			half := (f.high - f.low) / 2
			d.data = draw(1000, f.low, f.high, func([]float64) bool { return true })
			d.far = draw(5000, f.low-half, f.high+half, func(x []float64) bool {
				return slices.ContainsFunc(x, func(v float64) bool { return v < f.low || v > f.high })
			})
			y := d.data.Cols[len(d.inputs)]
			d.size = spread(y)
			for i := range y {
				y[i] += 0.01 * d.size * rng.NormFloat64()
			}
			return d
		}})
	}
	return cases
}

// spread returns the standard deviation.
func spread(y []float64) float64 {
	mean, square := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		square += (v - mean) * (v - mean) / float64(len(y))
	}
	return math.Sqrt(square)
}
