package sweep

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Below these the verdict is not the best.
const (
	leastRows    = 8    // a constant
	largestDoubt = 0.05 // standard deviations of the target, in a box of twice the size
	mostFaint    = 2    // terms smaller than the noise
)

// suspicions are what in a law itself speaks against it.
type suspicions struct {
	params, rows int
	open         []evidence.Constant // that the data leaves open
	redundant    bool                // constants can be traded against each other
	jumps        bool                // see [distill.Law.Jumps]
	vague        bool                // see [distill.Law.VaguePole]
	faint        int                 // see [distill.Law.Faint]
	told         float64             // bits that the rows tell beside the fitted constants, see [search.Told]
	nodes        int                 // of the formula
}

// A check is a reason for a level below [Holds].
type check struct {
	code  Code
	level Level
	kind  Kind
	// exact is whether it is made of a formula that meets the data to the last digit.
	exact bool
	// found returns what is wrong, "" for nothing.
	found func(e *Evidence, s *suspicions) string
}

// checks are made in this order. The first that finds something is the verdict.
var checks = []check{
	{"constant", Fails, Contradicts, true, func(e *Evidence, s *suspicions) string {
		return when(s.params == 0 || len(formula.Vars(e.Fitted)) == 0, "no dependence on the inputs was found")
	}},
	{"unexplained", Fails, Contradicts, true, func(e *Evidence, _ *suspicions) string {
		return when(!(e.Explained >= evidence.LeastExplained), "the formula explains %.0f %% of the variance",
			100*math.Max(0, e.Explained))
	}},
	{"power-law", Fails, Contradicts, true, func(e *Evidence, _ *suspicions) string {
		if !e.Power.Better {
			return ""
		}
		return "a power law predicts better: " + formula.Print(e.Power.Formula, formula.Text, 4)
	}},
	{"outer-rows", Fails, Contradicts, false, func(e *Evidence, _ *suspicions) string {
		return when(e.Extrapolation.Refutes(), "fitted to the inner rows, %s", e.Extrapolation.Failure())
	}},
	{"structure", Fails, Contradicts, false, func(e *Evidence, _ *suspicions) string {
		return when(e.Structure.Fails(),
			"its residuals have structure (z = %.1f, at most %.1f by chance), so it misses a part of the law",
			e.Structure.Z, e.Structure.Limit)
	}},
	{"units", Uncertain, Doubtful, true, func(e *Evidence, _ *suspicions) string {
		return when(e.Mismatch != "", "it contradicts the units of the columns: %s", e.Mismatch)
	}},
	{switching, Uncertain, Doubtful, true, func(e *Evidence, s *suspicions) string {
		return when(s.jumps && e.Support.Halves != Yes,
			"a sigmoid in it is nearly a step, and may imitate a step or a kink of the law")
	}},
	{"few-rows", Uncertain, TooFew, false, func(_ *Evidence, s *suspicions) string {
		return when(s.rows < leastRows*s.params, "%d rows are few for %s", s.rows, plural(s.params, "constant"))
	}},
	{"untested", Uncertain, TooFew, false, func(e *Evidence, _ *suspicions) string {
		return when(!e.Extrapolation.Defined,
			"there are too few to fit its constants to the inner rows and test it on the outer rows")
	}},
	{"pole", Uncertain, Nowhere, false, func(e *Evidence, _ *suspicions) string { return poleAmong(e) }},
	{"vague-edge", Uncertain, Doubtful, false, func(e *Evidence, s *suspicions) string {
		if !s.vague || len(e.Edges) == 0 {
			return ""
		}
		return "the data do not determine where it has no value, near " + place(&e.Edges[0])
	}},
	{"redundant", Uncertain, Doubtful, true, func(_ *Evidence, s *suspicions) string {
		return when(s.redundant, "constants in it can be traded against each other, so the data do not determine them")
	}},
	{"open", Uncertain, Doubtful, true, func(_ *Evidence, s *suspicions) string {
		if len(s.open) == 0 {
			return ""
		}
		return fmt.Sprintf("the data do not determine the constant %.3g", s.open[0].Value)
	}},
	{"untelling", Uncertain, TooFew, false, func(e *Evidence, s *suspicions) string {
		x := e.Extrapolation
		constants := x.Fails() || x.Inflation > (1+evidence.MostTelling)/2 // are what makes the limit large
		return when(e.SaysLittle() && !x.Telling() && !constants,
			"of %d rows the test on the outer ones would pass a law that misses them by %.0f %% more than others",
			s.rows, 100*(x.Limit-1))
	}},
	{"untelling", Uncertain, Untested, false, func(e *Evidence, _ *suspicions) string {
		x := e.Extrapolation
		if x.Telling() && !x.Fails() {
			return when(e.SaysLittle(), "the test on the outer rows takes inner rows next to them, and over twice the range of "+
				"the data the errors of its constants amount to %.1f %% of the standard deviation of the target", 100*x.Doubt)
		}
		return when(e.SaysLittle(),
			"fitted to the inner rows alone, its constants are too uncertain for a test on the outer rows")
	}},
	{"rough", Uncertain, TooFew, false, func(e *Evidence, _ *suspicions) string {
		return when(e.Extrapolation.Doubt > largestDoubt && !evidence.AllSpecial(e.Constants),
			"its constants are too uncertain: over twice the range of the data their errors alone amount to %.0f %% of the "+
				"standard deviation of the target", 100*e.Extrapolation.Doubt)
	}},
	{"rival", Uncertain, Doubtful, true, func(e *Evidence, _ *suspicions) string {
		switch {
		case e.Gap < 0:
			return "another formula that extrapolates differently fits better"
		case e.Gap < evidence.SmallestGap:
			return "another formula that extrapolates differently fits nearly as well"
		}
		return ""
	}},
	{"faint", Uncertain, Doubtful, false, func(e *Evidence, s *suspicions) string {
		// A term that mends a form has a constant of its own: those of a special value do not.
		n := min(s.faint, evidence.Free(e.Constants))
		return when(n >= mostFaint, "%d of its terms are below the noise, and may compensate for a wrong form", n)
	}},
	{"exponent", Uncertain, Doubtful, false, func(e *Evidence, _ *suspicions) string {
		power := highestPower(e.Fitted)
		return when(e.Support.Form == "" && power > largestHalf, "laws hardly have an exponent of %.3g: it may imitate an "+
			"exponential", power)
	}},
	// Of very many formulas some imitate any smooth curve. A standard form is one of few.
	{"smooth", Uncertain, Doubtful, false, func(e *Evidence, s *suspicions) string {
		return when(e.Support.Form == "" && s.told < bitsOf(s.nodes), "it may imitate another smooth curve: beside its "+
			"constants the rows tell %.0f bits, and to write down its %d nodes takes about %.0f", math.Max(0, s.told),
			s.nodes, bitsOf(s.nodes))
	}},
	{unsupported, Uncertain, Doubtful, false, func(e *Evidence, _ *suspicions) string {
		return when(!supported(e), "only one way led to it, and the search in halves of the rows found other formulas")
	}},
}

// The reasons that the search in halves of the rows may remove.
const (
	switching   Code = "switch"
	unsupported Code = "unsupported"
)

// bitsOf is about how many bits it takes to say which formula with some nodes one is, without its constants. Few are as
// short as a*x; each node more is one of some ten kinds, in one of some places. Rows of laws that were found tell more,
// those of imitations that held told less.
func bitsOf(nodes int) float64 {
	const short, ofEach = 4, 4
	return math.Max(0, float64(ofEach*(nodes-short)))
}

// verdict weighs the evidence.
func verdict(e *Evidence, s *suspicions) Verdict {
	for _, c := range checks {
		if e.Exact && !c.exact {
			continue
		}
		if reason := c.found(e, s); reason != "" {
			return Verdict{Level: c.level, Code: c.code, Kind: c.kind, Reason: reason}
		}
	}
	return Verdict{Level: Holds, Code: "holds", Reason: reachOf(e)}
}

func when(found bool, format string, args ...any) string {
	if !found {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// settled reports whether further networks would hardly change the formula: it holds, or it is only
// uncertain and was found in two ways, by networks and without one, or by most networks, or it is a standard form and
// the rows are few.
func settled(e *Evidence) bool {
	found := e.Exact || e.Support.Form != "" && e.Kind == TooFew || e.Greedy.Agrees && e.Support.Agree > 0 ||
		e.Support.Agree*4 > e.Support.Networks*3
	return e.Level == Holds || e.Level == Uncertain && found
}
