package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/sweep"
)

// checkView is one test of a formula: its mark, its result in short, and in a sentence or more.
type checkView struct {
	Class, Mark, Says string // Says is for screen readers
	Text              string
	Words             string
}

// The marks of checks.
var (
	passed  = checkView{Class: "yes", Mark: "✓", Says: "in favour"}
	unclear = checkView{Class: "maybe", Mark: "?", Says: "unclear"}
	failed  = checkView{Class: "no", Mark: "✗", Says: "against"}
)

// of returns the check with its result in short.
func (c checkView) of(format string, args ...any) checkView {
	c.Text = unbroken(fmt.Sprintf(format, args...))
	return c
}

// in returns the check with its result in sentences.
func (c checkView) in(format string, args ...any) checkView {
	c.Words = unbroken(fmt.Sprintf(format, args...))
	return c
}

// checks returns the tests of the formula, none where it was not judged.
func (s *study) checks() []checkView {
	e := s.choice.Evidence
	if s.choice.Model == nil || e == nil {
		return nil
	}
	return []checkView{
		waysCheck(e), outerCheck(e), residualsCheck(e, s.page.Result.Inputs),
		competitorsCheck(e.Gap), explainedCheck(e.Explained),
	}
}

// waysCheck tells how the formula was found.
func waysCheck(e *sweep.Evidence) checkView {
	u, mark := e.Support, unclear
	if u.Ways > 1 || u.Halves == sweep.Yes {
		mark = passed
	}
	search := map[bool]string{true: ", and the search without networks"}[e.Greedy.Agrees]
	var words []string
	if u.Networks > 0 {
		words = append(words, fmt.Sprintf("%s of %s, each from its own start, led to this formula after refitting and "+
			"pruning; %s had its form as trained.",
			thousands(u.Agree), count(u.Networks, "network"), thousands(u.Trained)))
	}
	if u.Grown > 0 && !e.Greedy.Agrees {
		words = append(words, fmt.Sprintf("The search found it, started from the formulas of %s.", count(u.Grown, "network")))
	}
	if e.Greedy.Agrees {
		words = append(words, "The search without networks found it.")
	}
	if u.Form != "" {
		words = append(words, fmt.Sprintf("It is the standard form “%s”, fitted to the data.", u.Form))
	}
	switch u.Halves {
	case sweep.Yes:
		words = append(words, "The search found it again in each of two random halves of the rows.")
	case sweep.No:
		words = append(words, "The search did not find it again in each of two random halves of the rows.")
	}
	words = append(words, fmt.Sprintf("That makes %s.", count(u.Ways, "independent way")))
	return mark.of("Found in %s: %s of %s%s", count(u.Ways, "independent way"), thousands(u.Agree),
		count(u.Networks, "network"), search).
		in("%s", strings.Join(words, " "))
}

// outerCheck tells the test on the outer rows.
func outerCheck(e *sweep.Evidence) checkView {
	x := e.Extrapolation
	if !x.Defined {
		return unclear.of("Outer rows: too few rows to test").
			in("There are too few rows to fit the constants to the inner rows and test the formula on the outer ones.")
	}
	ratio, limit := number(x.Ratio, 4), number(x.Limit, 4)
	which := "The constants were"
	if x.Held {
		which = "The constants that have no special value were"
	}
	const words = "%s fitted to the inner %.0f %% of the rows alone. " +
		"The error on the outer 30 %% is then %s times that of the fit to all rows. " +
		"The uncertainty of the constants explains a ratio of up to %s. %s"
	told := func(c checkView, result string) checkView {
		return c.in(words, which, 100*x.Inner, ratio, limit, result)
	}
	switch {
	case x.Refutes():
		return told(failed.of("Outer rows: error ratio %s, more than %s", ratio, limit), "The formula fails the test.")
	case e.SaysLittle():
		return told(unclear.of("Outer rows: error ratio %s, but up to %s would pass", ratio, limit),
			"Many wrong formulas would pass as well.")
	}
	return told(passed.of("Outer rows: error ratio %s, at most %s expected", ratio, limit), "The formula passes the test.")
}

// residualsCheck tells the test of the residuals for structure.
func residualsCheck(e *sweep.Evidence, inputs []string) checkView {
	s := e.Structure
	switch {
	case e.Exact:
		return passed.of("Residuals: none, to the last digit").
			in("The formula meets the data to the last digit, with many more rows than its constants need.")
	case !s.Defined:
		return unclear.of("Residuals: not tested").
			in("The residuals were not tested for structure: there are too few rows, or no errors.")
	}
	order := map[int]string{
		evidence.AlongPrediction: "by the prediction", evidence.AmongNeighbours: "as nearest neighbours",
	}[s.Order]
	if order == "" {
		order = "by " + s.Along(inputs)
	}
	z, limit := number(s.Z, 3), number(s.Limit, 3)
	const words = "With rows ordered %s, the residuals of neighbours resemble each other by z = %s. " +
		"Independent residuals stay below %s in 999 of 1,000 tables. %s"
	if s.Fails() {
		return failed.of("Residuals: structure, z = %s, more than %s", z, limit).
			in(words, order, z, limit, "The formula misses a part of the law.")
	}
	return passed.of("Residuals: no structure, z = %s, at most %s by chance", z, limit).
		in(words, order, z, limit, "The test finds no structure.")
}

// competitorsCheck tells the lead over formulas that extrapolate differently.
func competitorsCheck(gap float64) checkView {
	const margin = " A margin of %d or more is clear."
	switch {
	case math.IsInf(gap, 1) || math.IsNaN(gap):
		return passed.of("Competitors: none that extrapolates differently comes near").
			in("No competing formula with a different extrapolation came close.")
	case gap < 0:
		return failed.of("Competitors: another formula is better by %s in BIC2", number(-gap, 3)).
			in("Another formula, which extrapolates differently, is better by %s in BIC2.", number(-gap, 3))
	case gap < evidence.SmallestGap:
		return unclear.of("Competitors: the best is worse by only %s in BIC2", number(gap, 3)).
			in("The best competing formula with a different extrapolation is worse by only %s in BIC2."+margin,
				number(gap, 3), evidence.SmallestGap)
	}
	return passed.of("Competitors: the best is worse by %s in BIC2", number(gap, 4)).
		in("The best competing formula with a different extrapolation is worse by %s in BIC2."+margin,
			number(gap, 4), evidence.SmallestGap)
}

func explainedCheck(explained float64) checkView {
	mark := passed
	if !(explained >= evidence.LeastExplained) {
		mark = failed
	}
	part := percent(explained)
	return mark.of("Explains %s %% of the variance of rows that it was not fitted to", part).
		in("The formula explains %s %% of the variance of rows that it was not fitted to.", part)
}
