package sweep

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
)

// Level is how far a formula can be trusted outside the data.
type Level string

// The levels.
const (
	Holds     Level = "holds"     // nothing speaks against it
	Uncertain Level = "uncertain" // the data cannot tell, or not all that should be there speaks for it
	Fails     Level = "fails"     // the data contradict it
)

// UnmarshalText reads a level, also in the words of runs that were saved before there was a code.
func (l *Level) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "holds outside the data as far as can be told":
		*l = Holds
	case "do not extrapolate":
		*l = Fails
	default:
		return choose(l, "level of a verdict", s, Holds, Uncertain, Fails)
	}
	return nil
}

// Code is the reason for a level, a word for programs. What is said beside it may change.
type Code string

// Kind is what a reason is about.
type Kind string

// The kinds of reasons.
const (
	Nothing     Kind = ""                        // nothing speaks against it
	Contradicts Kind = "the data contradict it"  // a test failed
	TooFew      Kind = "too few rows to say"     // more rows would tell
	Untested    Kind = "not tested"              // a test could not be made, or would pass whatever the formula
	Doubtful    Kind = "not all speaks for it"   // it may be right, and something else may be
	Nowhere     Kind = "it has no value in part" // of the data or of its surroundings
)

// Verdict is the level with its reason.
type Verdict struct {
	Level  Level
	Code   Code
	Kind   Kind
	Reason string // why, for people; "" where nothing speaks against it
}

// Sentence returns the verdict in words.
func (v Verdict) Sentence() string {
	switch {
	case v.Level == Holds && v.Reason == "":
		return "holds outside the data as far as can be told"
	case v.Level == Holds:
		return "holds " + v.Reason
	case v.Kind == Nothing: // of a run that was saved without one
		return fmt.Sprintf("%s: %s", v.Level, v.Reason)
	}
	return fmt.Sprintf("%s, %s: %s", v.Level, v.Kind, v.Reason)
}

// Below these the verdict is not the best.
const (
	leastExplained  = 0.5   // of the variance
	leastRows       = 8     // a constant
	negligibleDoubt = 0.001 // standard deviations of the target, in a box of twice the size
	smallDoubt      = 0.01
	largestDoubt    = 0.05
	mostFaint       = 2 // terms smaller than the noise
)

// SmallestGap is the difference of BIC2 below which another formula is nearly as good; 10 is called decisive
// between two models.
const SmallestGap = 10

// suspicions are what in a law itself speaks against it.
type suspicions struct {
	params, rows int
	open         []distill.Constant // that the data leaves open
	redundant    bool               // constants can be traded against each other
	jumps        bool               // see [distill.Law.Jumps]
	vague        bool               // see [distill.Law.VaguePole]
	faint        int                // see [distill.Law.Faint]
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
		return when(!(e.Explained >= leastExplained), "the formula explains %.0f %% of the variance", 100*math.Max(0, e.Explained))
	}},
	{"power-law", Fails, Contradicts, true, func(e *Evidence, _ *suspicions) string {
		if !e.Power.Better {
			return ""
		}
		return "a power law predicts better: " + formula.Print(e.Power.Formula, formula.Text, 4)
	}},
	{"outer-rows", Fails, Contradicts, false, func(e *Evidence, _ *suspicions) string {
		x := e.Extrapolation
		return when(x.Fails(), "fitted to the inner rows, it misses the outer ones by %.0f %% more than it should", 100*(x.Ratio/x.Limit-1))
	}},
	{"structure", Fails, Contradicts, false, func(e *Evidence, _ *suspicions) string {
		return when(e.Structure.Fails(), "its residuals have structure (z = %.1f, at most %.1f by chance), so it misses a part of the law", e.Structure.Z, e.Structure.Limit)
	}},
	{switching, Uncertain, Doubtful, true, func(e *Evidence, s *suspicions) string {
		return when(s.jumps && e.Support.Halves != Yes, "a sigmoid in it is nearly a switch, which may stand for a step or a kink that the units cannot express")
	}},
	{"few-rows", Uncertain, TooFew, false, func(_ *Evidence, s *suspicions) string {
		return when(s.rows < leastRows*s.params, "%d rows are few for %s", s.rows, plural(s.params, "constant"))
	}},
	{"untested", Uncertain, TooFew, false, func(e *Evidence, _ *suspicions) string {
		return when(!e.Extrapolation.Defined, "there are not enough to fit its constants to the inner ones and predict the outer ones")
	}},
	{"pole", Uncertain, Nowhere, false, func(e *Evidence, _ *suspicions) string { return e.poleAmong() }},
	{"vague-edge", Uncertain, Doubtful, false, func(e *Evidence, s *suspicions) string {
		if !s.vague || len(e.Edges) == 0 {
			return ""
		}
		return "the data does not determine where it has no value, near " + e.Edges[0].place()
	}},
	{"redundant", Uncertain, Doubtful, true, func(_ *Evidence, s *suspicions) string {
		return when(s.redundant, "constants in it can be traded against each other, so the data does not determine them")
	}},
	{"open", Uncertain, Doubtful, true, func(_ *Evidence, s *suspicions) string {
		if len(s.open) == 0 {
			return ""
		}
		return fmt.Sprintf("the data leaves the constant %.3g open", s.open[0].Value)
	}},
	{"untelling", Uncertain, Untested, false, func(e *Evidence, _ *suspicions) string {
		return when(e.SaysLittle(), "the inner rows say too little about its constants for a test on the outer ones")
	}},
	{"rough", Uncertain, TooFew, false, func(e *Evidence, _ *suspicions) string {
		return when(e.Extrapolation.Doubt > largestDoubt,
			"its constants are known too roughly, and at twice the size of the data their errors alone make %.0f %% of the target's spread", 100*e.Extrapolation.Doubt)
	}},
	{"rival", Uncertain, Doubtful, true, func(e *Evidence, _ *suspicions) string {
		switch {
		case e.Gap < 0:
			return "a longer formula, which predicts differently outside, fits better"
		case e.Gap < SmallestGap:
			return "another formula, which predicts differently outside, fits nearly as well"
		}
		return ""
	}},
	{"faint", Uncertain, Doubtful, false, func(_ *Evidence, s *suspicions) string {
		return when(s.faint >= mostFaint, "%d of its terms are smaller than the noise, and may be there to mend a form that is not right", s.faint)
	}},
	{unsupported, Uncertain, Doubtful, false, func(e *Evidence, _ *suspicions) string {
		return when(!e.supported(), "only one way led to it, and the search in halves of the rows led elsewhere")
	}},
}

// The reasons that the search in halves of the rows may remove.
const (
	switching   Code = "switch"
	unsupported Code = "unsupported"
)

// verdict weighs the evidence.
func verdict(e *Evidence, s *suspicions) Verdict {
	for _, c := range checks {
		if e.Exact && !c.exact {
			continue
		}
		if reason := c.found(e, s); reason != "" {
			return Verdict{c.level, c.code, c.kind, reason}
		}
	}
	return Verdict{Level: Holds, Code: "holds", Reason: e.reach()}
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
// uncertain and was found in two ways, by networks and without one, or by most networks.
func (e *Evidence) settled() bool {
	found := e.Exact || e.Greedy.Agrees && e.Support.Agree > 0 || e.Support.Agree*4 > e.Support.Networks*3
	return e.Level == Holds || e.Level == Uncertain && found
}

// allSnapped reports whether every constant is a special value, which chance does not make.
func allSnapped(constants []distill.Constant) bool {
	for _, c := range constants {
		if c.Snapped == c.Value {
			return false
		}
	}
	return true
}

// mostDoubt is how large the doubt may be that remains after the test on the outer rows: with inner rows far from them there
// is no bound here, with inner rows next to them it must be small, unless both networks and the search led to the formula, and with a test
// that tells nothing negligible.
func (e *Evidence) mostDoubt() float64 {
	switch x := e.Extrapolation; {
	case !x.Telling():
		return negligibleDoubt
	case x.Inner > distill.FirstInner && !e.robust():
		return smallDoubt
	}
	return math.Inf(1)
}

// SaysLittle reports whether the test on the outer rows may pass by chance: the constants fitted to the inner
// rows are so uncertain that much would be within it.
func (e *Evidence) SaysLittle() bool {
	x := e.Extrapolation
	return (x.Doubt > e.mostDoubt() || x.Defined && !x.Telling() && !(x.Ratio <= distill.MostTelling)) && !allSnapped(e.Constants)
}
