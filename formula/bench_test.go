package formula

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// networkExpr builds what a trained network of the given depth reads off as: each unit is a
// function, or a product, of weighted sums of all units of the layer before.
func networkExpr(r *rand.Rand, inputs, width, layers int) Expr {
	units := make([]Expr, inputs)
	for i := range units {
		units[i] = Var(fmt.Sprintf("x%d", i+1))
	}
	affine := func() Expr {
		terms := []Expr{number(r.NormFloat64())}
		for _, u := range units {
			terms = append(terms, Mul(number(r.NormFloat64()), u))
		}
		return Add(terms...)
	}
	for range layers {
		next := make([]Expr, width)
		for i := range next {
			switch i % 4 {
			case 0:
				next[i] = Call(Sin, affine())
			case 1:
				next[i] = Call(Cos, affine())
			case 2:
				next[i] = affine()
			default:
				next[i] = Mul(affine(), affine())
			}
		}
		units = next
	}
	return affine()
}

func BenchmarkSimplify(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, e := range []Expr{
		networkExpr(r, 2, 4, 1),
		networkExpr(r, 4, 8, 1),
		networkExpr(r, 3, 4, 2),
		networkExpr(r, 4, 8, 2),
		networkExpr(r, 2, 4, 4),
	} {
		b.Run(fmt.Sprintf("nodes=%d", e.size()), func(b *testing.B) {
			for b.Loop() {
				Simplify(e)
			}
			b.ReportMetric(float64(Simplify(e).size()), "nodes-left")
		})
	}
}

func BenchmarkEvalColumns(b *testing.B) {
	e := networkExpr(rand.New(rand.NewPCG(7, 8)), 4, 8, 1)
	vars := []string{"x1", "x2", "x3", "x4"}
	p, err := Compile(e, vars)
	if err != nil {
		b.Fatal(err)
	}
	const rows = 10000
	dst, cols := make([]float64, rows), make([][]float64, len(vars))
	r := rand.New(rand.NewPCG(9, 10))
	for v := range cols {
		cols[v] = make([]float64, rows)
		for i := range cols[v] {
			cols[v][i] = r.NormFloat64()
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		p.EvalColumns(dst, cols)
	}
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
}
