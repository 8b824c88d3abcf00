package formula

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	e, vars, cols := benchColumns()
	p, err := Compile(e, vars)
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]float64, benchRows)
	b.ReportAllocs()
	for b.Loop() {
		p.EvalColumns(dst, cols)
	}
	reportRows(b)
}

// BenchmarkGradient computes the values of the same expression and its derivatives with respect to its
// constants: in one pass back, and each from an expression of its own.
func BenchmarkGradient(b *testing.B) {
	e, vars, cols := benchColumns()
	constants := Constants(e)
	var names []string
	for i, v := range constants {
		names = append(names, fmt.Sprintf("c%d", i))
		cols = append(cols, slices.Repeat([]float64{v}, benchRows))
	}
	open, vars := Parametrize(e, names), append(vars, names...)
	dst, grad := make([]float64, benchRows), make([][]float64, len(vars))
	for i := range constants {
		grad[len(vars)-1-i] = make([]float64, benchRows)
	}
	b.Run("by=reverse", func(b *testing.B) {
		g, err := CompileGradient(open, vars)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			g.EvalColumns(dst, grad, cols)
		}
		reportRows(b)
	})
	b.Run("by=expressions", func(b *testing.B) {
		programs := []*Program{}
		for _, d := range append([]Expr{open}, derivatives(open, names)...) {
			p, err := Compile(d, vars)
			if err != nil {
				b.Fatal(err)
			}
			programs = append(programs, p)
		}
		for b.Loop() {
			for _, p := range programs {
				p.EvalColumns(dst, cols)
			}
		}
		reportRows(b)
	})
}

func derivatives(e Expr, names []string) []Expr {
	var list []Expr
	for _, name := range names {
		list = append(list, Simplify(Diff(e, name)))
	}
	return list
}

const benchRows = 10000

func benchColumns() (e Expr, vars []string, cols [][]float64) {
	e = networkExpr(rand.New(rand.NewPCG(7, 8)), 4, 8, 1)
	vars = []string{"x1", "x2", "x3", "x4"}
	r := rand.New(rand.NewPCG(9, 10))
	for range vars {
		col := make([]float64, benchRows)
		for i := range col {
			col[i] = r.NormFloat64()
		}
		cols = append(cols, col)
	}
	return e, vars, cols
}

func reportRows(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
}
