package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Problem is a problem whose law is known, or whose data are measured, with test sets
// outside the range of the training data.
type Problem struct {
	Name     string
	Title    string   // one line
	Inputs   []string // x1, x2, …
	Targets  []string // y, or y1, y2, …
	Formulas []string // the law of each target, "y1 = x2/9.81"; none when it is not known
	Rows     int      // of the data (training and validation together) by default
	Noise    float64  // standard deviation of the noise on the targets by default

	sets func() ([]set, error) // the data, then the test sets in order
}

// set says how to make one table of a problem.
type set struct {
	name   string
	rows   int // by default, and at most when the set is measured
	fixed  bool
	sample sampler
}

// sampler sets the inputs x and the noise-free targets y of one row. Rows are asked for
// in order, and it draws from rng alike for each.
type sampler func(row int, rng *rand.Rand, x, y []float64)

// law computes the noise-free targets y at the inputs x.
type law func(x, y []float64)

// Problems returns all built-in problems, in a fixed order.
func Problems() []Problem {
	return []Problem{
		pendulum(),
		doublePendulum(),
		kin3End(),
		kin4End(),
		kin5All(),
		f1(),
		f2(),
		f3(),
		f4(),
		div(),
		xray(),
		cartPendulum(),
	}
}

// Lookup returns the problem of that name.
func Lookup(name string) (Problem, error) {
	var names []string
	for _, p := range Problems() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Problem{}, unknownName("problem", name, names)
}

// GenerateOptions says what data to make of a problem. The zero value is the default.
// Rows counts those of the data, of measured data the first; test sets keep their size.
type GenerateOptions struct {
	Seed  uint64
	Rows  int      // 0 for the problem's own
	Noise *float64 // standard deviation, nil for the problem's own
}

// Suite is the data of a problem: what is learned from and what it is tested on. Clean
// twins have the same inputs and targets without noise; of measured targets, as measured.
type Suite struct {
	Data      *Table // training and validation rows
	DataClean *Table
	Tests     []Test // of "interpolation", "near" and "far" those that the problem has
}

// Test is a test set.
type Test struct {
	Name  string
	Noisy *Table // with the noise of the data
	Clean *Table
}

// noiseLimit is the largest noise that Generate adds.
const noiseLimit = 1e100

// rowLimit is the largest number of rows that Generate makes.
const rowLimit = 10_000_000

// Generate makes the data and the test sets of p. The same options give the same tables.
// More rows begin with the rows that fewer would give, and neither rows nor noise change
// anything else.
func (p Problem) Generate(g GenerateOptions) (*Suite, error) {
	noise := p.Noise
	if g.Noise != nil {
		noise = *g.Noise
	}
	if !(noise >= 0 && noise <= noiseLimit) {
		return nil, fmt.Errorf("noise is %g, want a standard deviation from 0 to %g", noise, noiseLimit)
	}
	sets, err := p.sets()
	if err != nil {
		return nil, fmt.Errorf("problem %s: %w", p.Name, err)
	}
	data := &sets[0]
	switch {
	case g.Rows < 0 || g.Rows > rowLimit:
		return nil, fmt.Errorf("rows is %d, want 1 to %d, or 0 for the %d of %s", g.Rows, rowLimit, data.rows, p.Name)
	case data.fixed && g.Rows > data.rows:
		return nil, fmt.Errorf("rows is %d, but the data of %s are measured, with %d rows", g.Rows, p.Name, data.rows)
	case g.Rows > 0:
		data.rows = g.Rows
	}
	suite := &Suite{}
	for _, set := range sets {
		noisy, clean := p.table(set, g.Seed, noise)
		if set.name == "data" {
			suite.Data, suite.DataClean = noisy, clean
		} else {
			suite.Tests = append(suite.Tests, Test{set.name, noisy, clean})
		}
	}
	return suite, nil
}

// table makes the rows of one set, which share their inputs.
func (p Problem) table(set set, seed uint64, noise float64) (noisy, clean *Table) {
	n, m := len(p.Inputs), len(p.Targets)
	inputs, noises := p.stream(seed, set.name, "inputs"), p.stream(seed, set.name, "noise")
	cols := make([][]float64, n+2*m) // inputs, clean targets, noisy targets
	for j := range cols {
		cols[j] = make([]float64, set.rows)
	}
	row := make([]float64, n+m)
	for i := range set.rows {
		set.sample(i, inputs, row[:n], row[n:])
		for j, v := range row {
			cols[j][i] = v
		}
		for j, v := range row[n:] {
			// The conversion keeps the compiler from fusing product and sum.
			cols[n+m+j][i] = v + float64(noise*noises.NormFloat64())
		}
	}
	names := slices.Concat(p.Inputs, p.Targets)
	return &Table{names, slices.Concat(cols[:n], cols[n+m:])},
		&Table{slices.Clone(names), cols[: n+m : n+m]}
}

// stream returns the random numbers for one purpose of one set of p.
func (p Problem) stream(seed uint64, set, purpose string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%s/%s", seed, p.Name, set, purpose))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])))
}

// numbered returns prefix1, …, prefixN.
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(prefix, i+1)
	}
	return names
}
