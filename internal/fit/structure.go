package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/evidence"
)

const (
	structureLevel = 0.001 // the probability that a right formula fails one of the tests
	structureRows  = 20    // fewest rows that are tested
	neighbourRows  = 2000  // pairs of nearest neighbours are looked for among so many rows
	structureBins  = 12    // most groups of neighbouring rows whose mean residual is tested
	binRows        = 10    // fewest rows of a group
	clipResidual   = 4     // larger residuals count as so many spreads, which are 1.48 times the median size
	simulations    = 40    // tables of rounded targets that stand for chance
)

// Residuals tests the residuals of a formula, observed less predicted, for structure. y is the observed target,
// predicted what the formula says, w the root weights that residuals are multiplied with (nil: 1), and at says how the
// rows lie in the inputs. Three statistics are compared with what independent residuals have:
//
//   - the mean product of the residuals of neighbours, over its own standard error, where neighbours are rows that
//     follow each other along an input, or along the prediction, or are nearest to each other in all inputs;
//   - the mean residuals of up to 12 groups of rows along an input or the prediction, each over its standard error
//     (χ²).
//
// Both allow for noise whose size changes from row to row, since each product and each mean is measured by its own
// size. Rounding of the target makes neighbours err alike; where the target is rounded to steps that matter, the same
// statistics of tables that are simulated with the formula, noise of the same size and the same rounding take the place
// of theory.
//
// The level is 0.001 for all statistics together (Bonferroni).
func Residuals(at *Layout, y, predicted, w []float64) evidence.Structure {
	n := len(y)
	residual := make([]float64, n)
	for i := range y {
		residual[i] = y[i] - predicted[i]
	}
	if w != nil {
		floats.Mul(residual, w)
	}
	size := RMS(residual)
	if n < structureRows || !(size > ArithmeticError*StandardDeviation(y)) || math.IsInf(size, 1) {
		return evidence.Structure{Noise: size}
	}
	t := &orders{Layout: at, along: append(slices.Clone(at.sorted), sortedRows(predicted))}
	tests := 2*len(t.along) + 1
	s := evidence.Structure{Limit: distuv.UnitNormal.Quantile(1 - structureLevel/float64(tests)), Z: math.Inf(-1),
		Defined: true}
	z := t.statistics(residual)
	if l := latticeOf(y); l.step > size/10 {
		noise := size
		if w == nil {
			noise = noiseBefore(l.step, residual)
		}
		t.calibrate(z, predicted, w, noise, l)
	}
	for _, pair := range t.nearby {
		d := residual[pair[0]] - residual[pair[1]]
		s.Noise += d * d / float64(2*len(t.nearby))
	}
	s.Noise = math.Sqrt(s.Noise)
	for k, v := range z {
		if v > s.Z {
			s.Z, s.Order = v, t.order(k)
		}
	}
	return s
}

// ArithmeticError is the size of errors, in standard deviations of the target, that are put down to the arithmetic.
const ArithmeticError = 1e-9

// orders are the ways in which rows are neighbours.
type orders struct {
	*Layout
	along [][]int // rows sorted by each input, and last by the prediction
}

// order returns the order of rows that statistic k belongs to.
func (t *orders) order(k int) int {
	switch inputs := len(t.along) - 1; {
	case k == 2*len(t.along):
		return evidence.AmongNeighbours
	case k/2 == inputs:
		return evidence.AlongPrediction
	default:
		return k / 2
	}
}

// statistics returns two numbers for each sorted order and one for nearest neighbours, all of which are about normal
// with mean 0 and standard deviation 1 for independent residuals.
func (t *orders) statistics(residual []float64) []float64 {
	r := clipped(residual)
	var z []float64
	for _, rows := range t.along {
		sum, squares := 0.0, 0.0
		for i := 1; i < len(rows); i++ {
			p := r[rows[i-1]] * r[rows[i]]
			sum, squares = sum+p, squares+p*p
		}
		z = append(z, selfNormalized(sum, squares), groupMeans(r, rows))
	}
	sum, squares := 0.0, 0.0
	for k, pair := range t.nearby {
		p := r[pair[0]] * r[pair[1]]
		if t.twice[k] {
			p *= 2
		}
		sum, squares = sum+p, squares+p*p
	}
	return append(z, selfNormalized(sum, squares))
}

func selfNormalized(sum, squares float64) float64 {
	if squares == 0 {
		return 0
	}
	return sum / math.Sqrt(squares)
}

// groupMeans returns how far the means of neighbouring residuals are from zero, as a normal quantile.
func groupMeans(r []float64, rows []int) float64 {
	bins := min(structureBins, len(rows)/binRows)
	if bins < 2 {
		return 0
	}
	chi := 0.0
	for b := range bins {
		group := rows[b*len(rows)/bins : (b+1)*len(rows)/bins]
		n, m, sq := float64(len(group)), 0.0, 0.0
		for _, i := range group {
			m += r[i] / n
		}
		for _, i := range group {
			sq += (r[i] - m) * (r[i] - m)
		}
		if sq == 0 {
			continue
		}
		student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
		z := distuv.UnitNormal.Quantile(math.Max(student.CDF(-math.Abs(m)/math.Sqrt(sq/(n-1)/n)), 1e-300))
		chi += z * z
	}
	const least = 1e-300 // keeps the quantile finite
	return -distuv.UnitNormal.Quantile(math.Max(distuv.ChiSquared{K: float64(bins)}.Survival(chi), least))
}

// noiseBefore returns the standard deviation of normal noise that a target had before it was rounded to steps. Small
// noise e takes a share E|e|/step of the rows to another step than the formula's; larger noise shows in the variance.
func noiseBefore(step float64, residual []float64) float64 {
	elsewhere := 0.0
	for _, r := range residual {
		if math.Abs(r) > step*(0.5+1e-9) {
			elsewhere += 1 / float64(len(residual))
		}
	}
	if elsewhere < 0.5 {
		return elsewhere * step * math.Sqrt(math.Pi/2)
	}
	size := RMS(residual)
	return math.Sqrt(math.Max(0, size*size-step*step/12))
}

// calibrate replaces statistics by how far they are from their means over simulated tables, whose target is
// predicted plus normal noise, of a size that root weights divide, rounded to steps.
func (t *orders) calibrate(z, predicted, w []float64, noise float64, l lattice) {
	rng := rand.New(rand.NewPCG(uint64(len(predicted)), structureStream))
	means, squares := make([]float64, len(z)), make([]float64, len(z))
	residual := make([]float64, len(predicted))
	if w == nil {
		w = slices.Repeat([]float64{1}, len(predicted))
	}
	for range simulations {
		for i, p := range predicted {
			residual[i] = w[i] * (l.nearest(p+noise/w[i]*rng.NormFloat64()) - p)
		}
		for k, v := range t.statistics(residual) {
			means[k] += v / simulations
			squares[k] += v * v / simulations
		}
	}
	for k := range z {
		sd := math.Sqrt(math.Max(0, squares[k]-means[k]*means[k]))
		z[k] = (z[k] - math.Max(0, means[k])) / math.Max(1, sd)
	}
}

// structureStream is the stream of random numbers for simulated rounding.
const structureStream = 0x57a7

// clipped returns residuals of which none counts as more than some spreads.
func clipped(residual []float64) []float64 {
	sizes := make([]float64, len(residual))
	for i, v := range residual {
		sizes[i] = math.Abs(v)
	}
	slices.Sort(sizes)
	most := clipResidual * 1.4826 * sizes[len(sizes)/2]
	if most == 0 {
		return residual
	}
	r := make([]float64, len(residual))
	for i, v := range residual {
		r[i] = math.Max(-most, math.Min(most, v))
	}
	return r
}

// lattice is what values were rounded to: origin and whole multiples of step away from it.
type lattice struct{ origin, step float64 }

func (l lattice) nearest(v float64) float64 { return l.origin + l.step*math.Round((v-l.origin)/l.step) }

// latticeOf returns the lattice of values: the least distance of two, where all others are whole multiples of it, or
// [Step].
func latticeOf(y []float64) lattice {
	values := slices.Clone(y)
	slices.Sort(values)
	l := lattice{origin: values[0], step: math.Inf(1)}
	span := values[len(values)-1] - values[0]
	for i := 1; i < len(values); i++ {
		if gap := values[i] - values[i-1]; gap > span*equalValues {
			l.step = math.Min(l.step, gap)
		}
	}
	for _, v := range values {
		if math.Abs(v-l.nearest(v)) > l.step/1000 {
			return lattice{step: Step(y)}
		}
	}
	return l
}

// equalValues is by what part of their span values may differ and be the same but for the arithmetic.
const equalValues = 1e-9

// Step returns the largest number of which all values are multiples as they are written in decimals, 0 when they
// have 15 digits or more: what they were rounded to, if they were.
func Step(y []float64) float64 {
	least := math.MaxInt // power of ten of the last digit
	for _, v := range y {
		if v == 0 {
			continue
		}
		digits, last := lastDigit(v)
		if digits >= 15 {
			return 0
		}
		least = min(least, last)
	}
	if least == math.MaxInt {
		return 0
	}
	unit, common := math.Pow10(least), uint64(0)
	for _, v := range y {
		k := math.Round(math.Abs(v) / unit)
		if k >= 1<<53 {
			return unit
		}
		common = gcd(common, uint64(k))
	}
	return float64(common) * unit
}

// lastDigit returns the number of significant digits of a number, and the power of ten of the last of them.
func lastDigit(v float64) (digits, last int) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	digits = len(strings.Replace(mantissa, ".", "", 1))
	e, _ := strconv.Atoi(exponent) // 0 of what is not finite
	return digits, e - digits + 1
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
