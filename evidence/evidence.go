package evidence

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// Evidence holds the tests of a formula and its intervals, with the verdict that follows.
type Evidence struct {
	Verdict

	Fitted formula.Expr // before special values were put in, without constants that can be traded against others
	// Constants are those of Fitted, in the order of formula.Constants: a free one with its value and interval in the
	// formula as it is printed, a special value with what it was before.
	Constants []Constant
	// Groups has, of each group of rows, half the 95 % interval of each constant that differs between groups, in the order
	// of formula.ByGroup: 0 of a special value, +Inf of one that the data leave open. It is nil without groups.
	Groups [][]float64
	// Gap is how much larger BIC2 is for the best formula that predicts differently; +Inf when
	// there is none. A constant that turned out to be a special value counts less than a free one.
	Gap       float64
	Support   Support
	Explained float64 // fraction of the target's variance on the validation rows, R²
	Line      float64 // validation RMS of the least squares line
	Power     Power   // the power law of the inputs that are positive
	Greedy    Greedy  // the formula that was grown without a network
	// Extrapolation is the test on the outer rows.
	Extrapolation Extrapolation
	// Structure is the test of the residuals of the formula as it is printed.
	Structure Structure
	// Noise is an upper estimate of the standard deviation of the target's noise, in the user's units.
	Noise float64
	// Exact is whether the formula meets the data to their last digit, with so many more rows than constants that this is
	// not by chance.
	Exact bool
	// Mismatch names the term that contradicts the units of the columns; "" if there is none, and without units.
	Mismatch string
	// Edges are where the formula has no value, in the data or up to twice their size.
	Edges []Edge
	// Errors is the model of the errors of rows.
	Errors Errors
}

// Greedy is the formula that was grown without a network. It is both a baseline and a candidate.
type Greedy struct {
	Formula    formula.Expr // nil when the run ended before there was one
	Complexity int          // its number of nodes
	Validation float64      // RMS, in the user's units
	Agrees     bool         // it is the formula that was chosen
}

// Power is a power law of the inputs and how well it predicts.
type Power struct {
	Formula    formula.Expr // nil where the signs of the data allow none
	Validation float64      // RMS, in the user's units
	Better     bool         // it beats the formula clearly
}

// Edge is a place where a formula has no value, in the box of the data or in the one of twice the size.
type Edge struct {
	Kind     formula.EdgeKind
	Critical formula.Expr // what is zero or negative there: a denominator, the argument of a logarithm or a root
	Among    bool         // rows lie on both sides of it
	Inside   bool         // in the box of the data
	Inputs   []string     // that Critical depends on
	Place    []float64    // a value of each of these, the nearest to the data that was found
	Beyond   []float64    // how far these are outside the range of the data, with the sign of the direction
}

// AllSpecial reports whether every constant is a special value, which is unlikely by chance.
func AllSpecial(constants []Constant) bool { return Free(constants) == 0 }

// Free returns how many constants are as fitted, not special values.
func Free(constants []Constant) (n int) {
	for _, c := range constants {
		if c.Snapped == c.Value {
			n++
		}
	}
	return n
}

// Bits returns how many bits the fitted constants take, each as exactly as its interval says.
func Bits(constants []Constant) (bits float64) {
	for _, c := range constants {
		if se := c.StandardError(); c.Snapped == c.Value && se > 0 {
			bits += math.Log2(math.Hypot(1, c.Value/se))
		}
	}
	return bits
}

// SmallestGap is the difference of BIC2 below which another formula counts as nearly as good. A difference of 10 is
// usually called decisive.
const SmallestGap = 10

// LeastExplained is the R² on validation rows below which a formula fails.
const LeastExplained = 0.5

// Doubts that remain after the test on the outer rows, in standard deviations of the target.
const (
	negligibleDoubt = 0.001
	smallDoubt      = 0.01
)

// mostDoubt is how large the doubt may be that remains after the test on the outer rows: with inner rows far from them
// there is no bound here, with inner rows next to them it must be small, unless both networks and the search led to the
// formula, and with a test that tells nothing negligible.
func (e *Evidence) mostDoubt() float64 {
	switch x := e.Extrapolation; {
	case !x.Telling():
		return negligibleDoubt
	case x.Inner > FirstInner && !e.robust():
		return smallDoubt
	}
	return math.Inf(1)
}

// SaysLittle reports whether the test on the outer rows may pass by chance, or fail without refuting the law, because
// the constants fitted to the inner rows are too uncertain.
func (e *Evidence) SaysLittle() bool {
	x := e.Extrapolation
	loose := x.Doubt > e.mostDoubt() || x.Defined && !x.Telling() && !(x.Ratio <= MostTelling)
	return loose && !AllSpecial(e.Constants) || x.Fails() && !x.Refutes()
}

// robust reports whether ways of two kinds led to a formula, a network and the search, or the rows of several other
// tables. Networks alone, however many, share their mistakes, and so does the search with itself.
func (e *Evidence) robust() bool {
	return e.Support.Agree > 0 && e.Greedy.Agrees || e.Support.Tables > 1
}
