package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// prepared is a data set made ready: what is learned from, and what it is scored on.
type prepared struct {
	plan    SetPlan
	seed    uint64
	problem datasets.Problem
	data    *datasets.Table // training and validation rows
	tests   []datasets.Test
	slice   [][]float64 // inputs along the slice of the figures, by column
}

// The streams of random numbers, one a purpose and, for splits, one a repetition.
const (
	rowsStream  = 1
	splitStream = 1 << 32
)

// prepare makes the rows of a set. They depend on the seed, the problem, its noise and the number of rows
// alone, so that sets with the same of these share rows and splits.
func prepare(s SetPlan, seed uint64) (*prepared, error) {
	problem, err := datasets.Lookup(s.Problem)
	if err != nil {
		return nil, err
	}
	suite, err := problem.Generate(datasets.GenerateOptions{Seed: seed, Noise: s.Noise})
	if err != nil {
		return nil, err
	}
	p := &prepared{plan: s, seed: seed, problem: problem, data: suite.Data, tests: suite.Tests}
	if n := p.data.Rows(); s.Rows > 0 && s.Rows < n {
		rows := rand.New(rand.NewPCG(seed, rowsStream)).Perm(n)[:s.Rows]
		slices.Sort(rows)
		p.data = p.data.Take(rows)
	}
	p.slice = p.along()
	return p, nil
}

// split returns the rows that a repetition trains and validates on.
func (p *prepared) split(repetition int) (train, validation *datasets.Table) {
	if !p.plan.Resplit {
		repetition = 0
	}
	rng := rand.New(rand.NewPCG(p.seed, splitStream+uint64(repetition)))
	t, v := datasets.Split(p.data.Rows(), p.plan.Held, rng)
	return p.data.Take(t), p.data.Take(v)
}

// testsOf returns the test sets of a repetition: those of the problem, and where every repetition
// has a split of its own its validation rows in place of the interpolation set that is missing.
func (p *prepared) testsOf(repetition int) []datasets.Test {
	if !p.plan.Resplit {
		return p.tests
	}
	_, v := p.split(repetition)
	return append([]datasets.Test{{Name: Interpolation, Noisy: v, Clean: v}}, p.tests...)
}

// noisy reports whether test sets with and without noise differ.
func (p *prepared) noisy() bool {
	if p.plan.Noise != nil {
		return *p.plan.Noise > 0
	}
	return p.problem.Noise > 0
}

// inputs returns the columns of the inputs of a table.
func (p *prepared) inputs(t *datasets.Table) [][]float64 { return t.Cols[:len(p.problem.Inputs)] }

// targets returns the columns of the targets of a table.
func (p *prepared) targets(t *datasets.Table) [][]float64 { return t.Cols[len(p.problem.Inputs):] }

// A predictor returns its outputs for columns of inputs, by column.
type predictor func(x [][]float64) [][]float64

// score returns the errors on the test sets of a repetition.
func (p *prepared) score(f predictor, repetition int) []TestError {
	var errors []TestError
	for _, t := range p.testsOf(repetition) {
		y := f(p.inputs(t.Noisy))
		errors = append(errors, TestError{
			Test:  t.Name,
			Noisy: number(rms(y, p.targets(t.Noisy))),
			Clean: number(rms(y, p.targets(t.Clean))),
		})
	}
	return errors
}

// rms is the root of the mean of squares over rows and outputs.
func rms(got, want [][]float64) float64 {
	sum, n := 0.0, 0
	for o := range want {
		for i, y := range want[o] {
			d := got[o][i] - y
			sum += d * d
		}
		n += len(want[o])
	}
	return math.Sqrt(sum / float64(n))
}

// slicePoints is the number of points of a slice through several inputs.
const slicePoints = 401

// beyond is how far a slice goes, in sizes of the largest input.
const beyond = 1.05

// along returns the slice x1 = x2 = … through the box of all rows and a little beyond; of one input,
// the places where there are rows.
func (p *prepared) along() [][]float64 {
	var x []float64
	high := p.reach(p.data)
	for _, t := range p.tests {
		high = max(high, p.reach(t.Noisy))
		x = append(x, t.Noisy.Cols[0]...)
	}
	if len(p.problem.Inputs) == 1 {
		x = append(x, p.data.Cols[0]...)
		slices.Sort(x)
		return [][]float64{slices.Compact(x)}
	}
	x = make([]float64, slicePoints)
	for i := range x {
		x[i] = beyond * high * (2*float64(i)/float64(len(x)-1) - 1)
	}
	cols := make([][]float64, len(p.problem.Inputs))
	for j := range cols {
		cols[j] = x
	}
	return cols
}

// reach returns the largest size of an input in a table.
func (p *prepared) reach(t *datasets.Table) float64 {
	r := 0.0
	for _, col := range p.inputs(t) {
		r = max(r, slices.Max(col), -slices.Min(col))
	}
	return r
}

// fits reports whether what figures draw of an outcome has the shape of the data set.
func (p *prepared) fits(o Outcome) bool {
	outputs, points := len(p.problem.Targets), len(p.slice[0])
	return (len(o.Slice) == 0 || len(o.Slice) == outputs) &&
		!slices.ContainsFunc(o.Slice, func(col []*float64) bool { return len(col) != points }) &&
		(o.Network == nil || o.Network.Arch.Inputs == len(p.problem.Inputs) && o.Network.Arch.Outputs == outputs)
}

// truth returns the law along the slice, by output; nil where none is known.
func (p *prepared) truth() ([][]float64, error) {
	var y [][]float64
	for _, text := range p.problem.Formulas {
		_, right, err := lawText(text)
		if err != nil {
			return nil, err
		}
		program, err := formula.Compile(right, p.problem.Inputs)
		if err != nil {
			return nil, fmt.Errorf("problem %s: %w", p.problem.Name, err)
		}
		col := make([]float64, len(p.slice[0]))
		program.EvalColumns(col, p.slice)
		y = append(y, col)
	}
	return y, nil
}
