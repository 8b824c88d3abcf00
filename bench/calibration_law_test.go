package bench

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eqlearner/eql/datasets"
)

// calibrationLaw is a row of the calibration set: a function that is known, and how it is measured.
type calibrationLaw struct {
	group, name string
	rows        int
	sample      sampling
	noise       noise
	inputs      vars
	truth       func(point) float64 // NaN where there is none
}

// A point has a value for each input.
type point = []float64

// vars are the inputs of a law. Values are drawn from low to high. The law has no meaning below least.
type vars []struct {
	name             string
	low, high, least float64
}

var free = math.Inf(-1) // the least value of an input that may have any

func (l calibrationLaw) String() string { return l.group + "/" + l.name }

// Purposes of random streams.
const (
	drawRows = iota
	drawNoise
	drawInside
	drawFar
)

// stream returns the random numbers of a purpose. They depend on nothing but name, seed and purpose.
func (l calibrationLaw) stream(seed uint64, purpose int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, l, "/", purpose)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// calibrationData is what is learned from, and what it is measured by.
type calibrationData struct {
	table *datasets.Table // the inputs, then y
	// spread is the standard deviation of the target without noise at the rows, or with it where the target is
	// nothing but noise.
	spread float64
}

// make draws the rows of a data set.
func (l calibrationLaw) make(seed uint64) (calibrationData, error) {
	cols := make([][]float64, len(l.inputs))
	rng := l.stream(seed, drawRows)
	draw := l.sample(rng, l.inputs, l.rows)
	var y []float64
	for i := 0; len(y) < l.rows; i++ {
		x := draw(i)
		v := l.truth(x)
		if math.IsNaN(v) || math.IsInf(v, 0) || l.below(x) {
			if i > 100*l.rows {
				return calibrationData{}, fmt.Errorf("%s: hardly a row where the law is defined", l)
			}
			continue
		}
		for j := range x {
			cols[j] = append(cols[j], x[j])
		}
		y = append(y, v)
	}
	spread := deviation(y)
	if l.noise.add != nil {
		l.noise.add(l.stream(seed, drawNoise), cols, y, spread)
	}
	if spread == 0 {
		spread = deviation(y)
	}
	var names []string
	for _, in := range l.inputs {
		names = append(names, in.name)
	}
	table, err := datasets.New(append(names, "y"), append(cols, y))
	return calibrationData{table, spread}, err
}

// box returns points without noise from a box with the centre of the data's and size times its extent.
// Points where the law has no finite value are drawn again, and points below the least value of an
// input are none of the box.
func (l calibrationLaw) box(d calibrationData, size float64, n int, rng *rand.Rand) (x [][]float64, y []float64) {
	x = make([][]float64, len(l.inputs))
	p := make(point, len(l.inputs))
	for tries := 0; len(y) < n && tries < 100*n; tries++ {
		for j, in := range l.inputs {
			low, high := slices.Min(d.table.Cols[j]), slices.Max(d.table.Cols[j])
			middle, half := (low+high)/2, size*(high-low)/2
			from := math.Max(middle-half, in.least)
			p[j] = from + rng.Float64()*(middle+half-from)
		}
		v := l.truth(p)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		for j := range p {
			x[j] = append(x[j], p[j])
		}
		y = append(y, v)
	}
	return x, y
}

func (l calibrationLaw) below(x point) bool {
	for j, in := range l.inputs {
		if x[j] < in.least {
			return true
		}
	}
	return false
}

// related reports whether there is a law at all: the target of the others is nothing but noise.
func (l calibrationLaw) related() bool { return l.group != noRelation }

// noRelation is the group of the targets that have nothing to do with the inputs.
const noRelation = "none"

// deviation returns the standard deviation.
func deviation(v []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, a := range v {
		mean += a / float64(len(v))
	}
	for _, a := range v {
		sum += (a - mean) * (a - mean)
	}
	if sum <= 1e-24*float64(len(v))*mean*mean { // the mean of a constant is rounded
		return 0
	}
	return math.Sqrt(sum / float64(len(v)))
}

// sampling returns how the i-th row of a table of so many is drawn.
type sampling func(rng *rand.Rand, in vars, rows int) func(i int) point

// each makes a sampling of one that draws a part between 0 and 1 of each input's range.
func each(part func(rng *rand.Rand, x point, i int)) sampling {
	return func(rng *rand.Rand, in vars, _ int) func(int) point {
		return func(i int) point {
			x := make(point, len(in))
			part(rng, x, i)
			return in.stretch(x)
		}
	}
}

// stretch puts parts between 0 and 1 into the inputs' ranges.
func (in vars) stretch(x point) point {
	for j, v := range in {
		x[j] = v.low + math.Min(math.Max(x[j], 0), 1)*(v.high-v.low)
	}
	return x
}

var (
	uniform = each(func(rng *rand.Rand, x point, _ int) {
		for j := range x {
			x[j] = rng.Float64()
		}
	})
	// correlated inputs are 0.97 correlated with each other, or nearly so.
	correlated = each(func(rng *rand.Rand, x point, _ int) {
		common := rng.Float64()
		for j := range x {
			x[j] = 0.92*common + 0.04 + 0.16*(rng.Float64()-0.5)
		}
	})
	// exponential has most rows at the low end.
	exponential = each(func(rng *rand.Rand, x point, _ int) {
		for j := range x {
			x[j] = rng.ExpFloat64() / 5
		}
	})
	// central is normal, with the range's ends at three standard deviations.
	central = each(func(rng *rand.Rand, x point, _ int) {
		for j := range x {
			x[j] = 0.5 + rng.NormFloat64()/6
		}
	})
)

// clustered rows lie in five clusters of 3 % of the range.
func clustered(rng *rand.Rand, in vars, _ int) func(int) point {
	const clusters, width = 5, 0.03
	var centres []point
	for range clusters {
		c := make(point, len(in))
		for j := range c {
			c[j] = 0.05 + 0.9*rng.Float64()
		}
		centres = append(centres, c)
	}
	return func(int) point {
		x := slices.Clone(centres[rng.IntN(clusters)])
		for j := range x {
			x[j] += width * rng.NormFloat64()
		}
		return in.stretch(x)
	}
}

// grid takes every combination of equally many values of each input, again and again.
func grid(_ *rand.Rand, in vars, rows int) func(int) point {
	levels := max(2, int(math.Round(math.Pow(float64(rows), 1/float64(len(in))))))
	return func(i int) point {
		x := make(point, len(in))
		for j := range x {
			x[j] = float64(i%levels) / float64(levels-1)
			i /= levels
		}
		return in.stretch(x)
	}
}

// noise is what measuring does to inputs and target.
type noise struct {
	name string
	// add changes the inputs, by columns, or y, whose standard deviation is spread.
	add func(rng *rand.Rand, x [][]float64, y []float64, spread float64)
}

var exact = noise{name: "none"}

// onY is noise that each value of the target has by itself.
func onY(name string, size float64, change func(rng *rand.Rand, y, spread float64) float64) noise {
	return noise{fmt.Sprintf("%s %g", name, size), func(rng *rand.Rand, _ [][]float64, y []float64, spread float64) {
		for i := range y {
			y[i] = change(rng, y[i], spread)
		}
	}}
}

// gauss is normal, with a standard deviation of size spreads.
func gauss(size float64) noise {
	return onY("normal", size, func(rng *rand.Rand, y, spread float64) float64 {
		return y + size*spread*rng.NormFloat64()
	})
}

// proportional is normal, with a standard deviation of size times the value.
func proportional(size float64) noise {
	return onY("in proportion", size, func(rng *rand.Rand, y, _ float64) float64 {
		return y * (1 + size*rng.NormFloat64())
	})
}

// student has the t distribution of two degrees of freedom, in units of size spreads.
func student(size float64) noise {
	return onY("t", size, func(rng *rand.Rand, y, spread float64) float64 { return y + size*spread*studentT(rng) })
}

// studentT draws from the t distribution of two degrees of freedom: χ²/2 is exponential.
func studentT(rng *rand.Rand) float64 { return rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) }

// outliers is normal noise, and 2 % of the rows are ten spreads off, up or down.
func outliers(size float64) noise {
	return onY("outliers and normal", size, func(rng *rand.Rand, y, spread float64) float64 {
		y += size * spread * rng.NormFloat64()
		switch u := rng.Float64(); {
		case u < 0.01:
			y += 10 * spread
		case u < 0.02:
			y -= 10 * spread
		}
		return y
	})
}

// rounded leaves multiples of size spreads.
func rounded(size float64) noise {
	return onY("rounded", size, func(_ *rand.Rand, y, spread float64) float64 {
		return math.Round(y/(size*spread)) * size * spread
	})
}

// onInputs is normal noise of the inputs, in parts of their standard deviations.
func onInputs(size float64) noise {
	return noise{fmt.Sprintf("inputs %g", size), func(rng *rand.Rand, x [][]float64, _ []float64, _ float64) {
		for _, col := range x {
			s := size * deviation(col)
			for i := range col {
				col[i] += s * rng.NormFloat64()
			}
		}
	}}
}

// remembered is normal noise of size spreads of which each row's is 0.9 correlated with the last one's.
func remembered(size float64) noise {
	return noise{fmt.Sprintf("remembered %g", size), func(rng *rand.Rand, _ [][]float64, y []float64, spread float64) {
		e := rng.NormFloat64()
		for i := range y {
			y[i] += size * spread * e
			e = 0.9*e + math.Sqrt(1-0.81)*rng.NormFloat64()
		}
	}}
}

// Targets of nothing but noise: their spread without it is zero.
var (
	pureNormal = noise{"normal only", func(rng *rand.Rand, _ [][]float64, y []float64, _ float64) {
		for i := range y {
			y[i] += rng.NormFloat64()
		}
	}}
	pureStudent = noise{"t only", func(rng *rand.Rand, _ [][]float64, y []float64, _ float64) {
		for i := range y {
			y[i] += studentT(rng)
		}
	}}
	pureWalk = noise{"random walk only", func(rng *rand.Rand, _ [][]float64, y []float64, _ float64) {
		at := 0.0
		for i := range y {
			at += rng.NormFloat64()
			y[i] += at
		}
	}}
	pureRemembered = noise{"remembered only", func(rng *rand.Rand, x [][]float64, y []float64, _ float64) {
		remembered(1).add(rng, x, y, 1)
	}}
	pureCounts = noise{"whole numbers only", func(rng *rand.Rand, _ [][]float64, y []float64, _ float64) {
		for i := range y {
			y[i] += math.Floor(rng.ExpFloat64() * 4)
		}
	}}
)
