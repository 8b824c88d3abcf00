package report

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/sweep"
)

// checkView is a line of the evidence in short.
type checkView struct{ Class, Mark, Says, Text string }

// The marks of checks: says is for screen readers.
var (
	passed  = checkView{Class: "yes", Mark: "✓", Says: "in favour"}
	unclear = checkView{Class: "maybe", Mark: "?", Says: "unclear"}
	failed  = checkView{Class: "no", Mark: "✗", Says: "against"}
)

func (c checkView) of(format string, args ...any) checkView {
	c.Text = unbroken(fmt.Sprintf(format, args...))
	return c
}

// checks returns the evidence in short: what was asked, and the answer.
func (s *study) checks() []checkView {
	e := s.choice.Evidence
	if s.choice.Model == nil || e == nil {
		return nil
	}
	return []checkView{waysCheck(e), outerCheck(e), residualsCheck(e), competitorsCheck(e.Gap), explainedCheck(e.Explained)}
}

func waysCheck(e *sweep.Evidence) checkView {
	mark := unclear
	if e.Support.Ways > 1 || e.Support.Halves == sweep.Yes {
		mark = passed
	}
	return mark.of("Found in %s: %s of %s%s", count(e.Support.Ways, "independent way"), thousands(e.Support.Agree),
		count(e.Support.Networks, "network"), map[bool]string{true: ", and the search without networks"}[e.Greedy.Agrees])
}

func outerCheck(e *sweep.Evidence) checkView {
	x := e.Extrapolation
	switch {
	case !x.Defined:
		return unclear.of("Outer rows: too few rows to test")
	case x.Fails():
		return failed.of("Outer rows: error ratio %s, more than %s", number(x.Ratio, 4), number(x.Limit, 4))
	case e.SaysLittle():
		return unclear.of("Outer rows: error ratio %s, but up to %s would pass", number(x.Ratio, 4), number(x.Limit, 4))
	}
	return passed.of("Outer rows: error ratio %s, at most %s expected", number(x.Ratio, 4), number(x.Limit, 4))
}

func residualsCheck(e *sweep.Evidence) checkView {
	switch s := e.Structure; {
	case e.Exact:
		return passed.of("Residuals: none, to the last digit")
	case !s.Defined:
		return unclear.of("Residuals: not tested")
	case s.Fails():
		return failed.of("Residuals: structure, z = %s, more than %s", number(s.Z, 3), number(s.Limit, 3))
	default:
		return passed.of("Residuals: no structure, z = %s, at most %s by chance", number(s.Z, 3), number(s.Limit, 3))
	}
}

func competitorsCheck(gap float64) checkView {
	switch {
	case math.IsInf(gap, 1) || math.IsNaN(gap):
		return passed.of("Competitors: none that extrapolates differently comes near")
	case gap < 0:
		return failed.of("Competitors: a longer formula is better by %s in BIC2", number(-gap, 3))
	case gap < evidence.SmallestGap:
		return unclear.of("Competitors: the best is worse by only %s in BIC2", number(gap, 3))
	}
	return passed.of("Competitors: the best is worse by %s in BIC2", number(gap, 4))
}

// leastExplained is the part of the variance below which the verdict is that a formula fails.
const leastExplained = 0.5

func explainedCheck(explained float64) checkView {
	mark := passed
	if !(explained >= leastExplained) {
		mark = failed
	}
	return mark.of("Explains %s %% of the variance of rows that it was not fitted to", percent(explained))
}
