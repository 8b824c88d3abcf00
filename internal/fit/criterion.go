package fit

import "math"

// Criterion is what selection and pruning minimise, a Bayesian information criterion with twice
// the usual price of a constant:
//
//	BIC2 = N·ln(SSE/N) + 2·P·ln N
//
// N counts rows, P constants. At this price pruning keeps the true terms and nothing else in
// nearly all runs on noisy data, at the usual price in three of four.
//
// Errors count times the root weights of their rows, see [RootWeights].
//
// SSE/N is not taken below Floor², since without noise every tiny term would pay, and with noise of a known size every
// term that explains a part of it.
type Criterion struct {
	N     int     // rows that the evidence counts for
	Floor float64 // smallest RMS that matters, in scaled units
}

// relativeFloor is the floor in standard deviations of the target: noise-free tables are given
// to about this precision, and float32 training finds structure down to it.
const relativeFloor = 1e-5

// NewCriterion returns the criterion for a set of rows.
func NewCriterion(d Data) Criterion {
	return Criterion{N: d.Rows(), Floor: max(relativeFloor*d.SpreadOf(d.Y), d.Sigma, 1e-150)}
}

// Value returns the criterion of a law with p constants and the given mean squared error.
func (c Criterion) Value(mse float64, p int) float64 {
	return float64(c.N)*math.Log(math.Max(mse, c.Floor*c.Floor)) + float64(p)*c.Price()
}

// Price is what one constant costs.
func (c Criterion) Price() float64 { return 2 * math.Log(math.Max(float64(c.N), 2)) }
