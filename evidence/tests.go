package evidence

import (
	"fmt"
	"math"
	"slices"
)

// A Constant is one constant of a formula with its confidence interval. A constant that became a special value has the
// value and interval of the fit of all constants. The others were fitted again beside the special values.
type Constant struct {
	Value   float64 // as fitted
	Low     float64 // 95 % confidence interval; infinite where the data says nothing
	High    float64
	Snapped float64 // the special value that stands in its place, or Value
	Unit    string  // as people write it; "" for pure numbers, and where the columns have no units
}

// StandardError returns the standard error of the constant from its interval: too large a one with few rows and with
// several constants, whose intervals are wider.
func (c Constant) StandardError() float64 {
	const normal = 1.96 // standard errors of a 95 % interval
	return (c.High - c.Low) / 2 / normal
}

// Extrapolation is the test on the outer rows: a law whose constants are fitted to the inner rows predicts the outer
// rows. Nothing nearer to a test outside the data is possible with the data.
//
// The outer rows are the 30 % farthest from the middle, in the maximum norm over the inputs with each input's range
// scaled to [−1, 1]. The inner rows are the 30 % nearest to it. If they determine the constants so badly that wrong
// laws would pass, the inner rows are the nearest half, and then all but the outer rows.
type Extrapolation struct {
	// Ratio is the RMS on the outer rows of the law fitted to the inner rows, over that of the law
	// fitted to all rows. Right laws have about Inflation, and a law that is only a good
	// approximation within the data is worse.
	Ratio float64
	// Inflation is the ratio that the uncertainty of the constants alone explains: the root of one
	// plus the mean variance of the predictions in units of the noise.
	Inflation float64
	// Doubt is the standard error of the law's predictions in a box of twice the data's size, from
	// the uncertainty of its constants alone, in standard deviations of the target. For inputs that
	// are never negative the box ends at zero, as masses, times and concentrations do.
	Doubt float64
	// Limit is the 99.9 % quantile of the ratio for a right law.
	Limit float64
	// Inner is the fraction of the rows that the law was fitted to.
	Inner float64
	// Held says that all constants but one have special values and were held at these, since with all of them fitted the
	// test leaves doubt.
	Held bool
	// Defined is false when the inner rows are too few to fit the constants.
	Defined bool
}

// Fails reports whether the law predicts the outer rows worse than chance and the uncertainty of
// its constants explain.
func (x Extrapolation) Fails() bool { return x.Defined && !(x.Ratio <= x.Limit) }

// Refutes reports whether the law is wrong. Where the inner rows leave its constants so uncertain that the limit is far
// above 1, predictions are not linear in them and the limit is rough: there it takes the square of it.
func (x Extrapolation) Refutes() bool {
	return x.Fails() && (x.Telling() || !(x.Ratio <= x.Limit*x.Limit))
}

// Failure says what a law that fails the test does on the outer rows.
func (x Extrapolation) Failure() string {
	if over := 100 * (x.Ratio/x.Limit - 1); over <= math.MaxFloat64 {
		return fmt.Sprintf("it misses the outer ones by %.0f %% more than it should", over)
	}
	return "it has no value on some of the outer ones"
}

// Telling reports whether wrong laws would fail the test.
func (x Extrapolation) Telling() bool { return x.Defined && x.Limit <= MostTelling }

// MostTelling is the limit above which a test is too loose to be meaningful.
const MostTelling = 1.5

// FirstInner is the fraction of the rows, nearest to the middle, that the test first fits to.
const FirstInner = 0.3

// Structure measures how much the residuals of neighbouring rows resemble each other. The residuals of a right formula
// are independent of each other, whatever their sizes are. The residuals of a wrong formula include the part of the law
// that it misses, which is nearly the same in neighbouring rows.
type Structure struct {
	// Noise is the root mean square of the differences between the residuals of nearest neighbours, over √2: the noise and
	// what changes from row to row.
	Noise float64
	// Z is the largest statistic of all orders of the rows, in standard deviations of that statistic for independent
	// residuals.
	Z float64
	// Limit is the 99.9 % quantile of Z for a right formula.
	Limit float64
	// Order is the order of the rows that Z belongs to: the number of an input, or one of the constants below.
	Order int
	// Defined is false when there are too few rows, or when the residuals are those of the arithmetic.
	Defined bool
}

// The orders of rows that belong to no input.
const (
	AlongPrediction = -1 // by what the formula predicts
	AmongNeighbours = -2 // each row beside its nearest neighbour in the inputs
)

// Fails reports whether the residuals have structure.
func (s Structure) Fails() bool { return s.Defined && !(s.Z <= s.Limit) }

// Along returns the name of the order of rows, in which inputs have the given names.
func (s Structure) Along(inputs []string) string {
	switch s.Order {
	case AlongPrediction:
		return "prediction"
	case AmongNeighbours:
		return "neighbours"
	}
	return inputs[s.Order]
}

// OrderOf returns the order of rows with a name that [Structure.Along] gave, or [AmongNeighbours] when there is no such
// input.
func OrderOf(name string, inputs []string) int {
	if j := slices.Index(inputs, name); j >= 0 {
		return j
	}
	if name == "prediction" {
		return AlongPrediction
	}
	return AmongNeighbours
}
