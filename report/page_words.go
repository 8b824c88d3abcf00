package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/sweep"
)

// verdictOf returns the verdict with a mark and a class for its colour.
func verdictOf(c sweep.Choice) verdictView {
	e := c.Evidence
	switch {
	case c.Model == nil:
		return verdictView{"open", "•", "The target does not depend on an input that varies: its formula is a constant."}
	case e == nil:
		return verdictView{"open", "•", "Not judged: this run chose among trained networks and looked for no law behind them."}
	}
	v := verdictView{"no", "✗", sentence(string(e.Level))}
	switch e.Level {
	case sweep.Holds:
		v.Class, v.Mark = "yes", "✓"
	case sweep.Uncertain:
		v.Class, v.Mark = "maybe", "?"
	}
	if e.Reason != "" {
		v.Text = unbroken(strings.TrimSuffix(v.Text, ".") + ": " + e.Reason + ".")
	}
	return v
}

// unbroken keeps numbers and their percent signs in one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " %", "\u00a0%") }

// sentence writes words as a sentence.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + strings.TrimSuffix(words[1:], ".") + "."
}

// evidence says in words what speaks for and against the formula.
func (s *study) evidence() []string {
	c := s.choice
	if c.Model == nil {
		return nil
	}
	chosen := fmt.Sprintf("It comes from model %d and has a validation RMS of %s, at complexity %d.", c.Model.ID, number(c.Validation, 4), c.Complexity)
	e := c.Evidence
	if e == nil {
		return []string{chosen}
	}
	words := []string{
		chosen,
		agreement(e.Agree, e.Networks),
		outerTest(e),
		gap(e.Gap),
		fmt.Sprintf("It explains %s %% of the variance of rows that it was not fitted to.", percent(e.Explained)),
	}
	if !math.IsNaN(e.Line) && !math.IsInf(e.Line, 0) {
		words = append(words, fmt.Sprintf("The least squares line through all inputs, the simplest competitor, has a validation RMS of %s.", number(e.Line, 4)))
	}
	if w := e.Power; w.Formula != nil {
		words = append(words, fmt.Sprintf("The power law of the inputs has a validation RMS of %s: %s.",
			number(w.Validation, 4), formula.Print(w.Formula, formula.Text, 4)))
	}
	if g := e.Greedy; g.Formula != nil {
		same := ""
		if g.Agrees {
			same = ", and is this formula"
		}
		words = append(words, fmt.Sprintf("Growing a formula term by term, without a network, reaches a validation RMS of %s at complexity %d%s.", number(g.Validation, 4), g.Complexity, same))
	}
	if x := e.Extrapolation; x.Defined && !math.IsNaN(x.Doubt) {
		words = append(words, fmt.Sprintf("At twice the size of the data, the errors of its constants alone make %s %% of the target's spread.",
			number(100*x.Doubt, 2)))
	}
	for i, w := range words {
		words[i] = unbroken(w)
	}
	return words
}

func agreement(agree, networks int) string {
	switch {
	case networks == 0:
		return "No network led to a formula; it was grown without one, or is the least squares line."
	case agree == 0:
		return fmt.Sprintf("None of the %s led to this very formula; it was shortened from theirs, grown without one, or is the least squares line.", count(networks, "network"))
	}
	return fmt.Sprintf("%s of %s, each from its own start, led to this formula.", thousands(agree), count(networks, "network"))
}

// outerTest tells the test on the outer rows.
func outerTest(e *sweep.Evidence) string {
	x := e.Extrapolation
	if !x.Defined {
		return "There are too few rows to fit its constants to the inner ones and test it on the outer ones."
	}
	result := "so it passes"
	switch {
	case x.Fails():
		result = "so it fails"
	case e.SaysLittle():
		result = "which much else would pass too"
	}
	return fmt.Sprintf("With its constants fitted to the inner %.0f %% of the rows alone, its error on the outer 30 %% is %s times that of the fit to all rows. The uncertainty of the constants explains up to %s, %s.",
		100*x.Inner, number(x.Ratio, 4), number(x.Limit, 4), result)
}

func gap(g float64) string {
	switch {
	case math.IsInf(g, 1) || math.IsNaN(g):
		return "No other formula came near that predicts something else outside the data."
	case g < 0:
		return fmt.Sprintf("A longer formula, which predicts something else outside the data, is better by %s in BIC2.", number(-g, 3))
	case g < sweep.SmallestGap:
		return fmt.Sprintf("The best formula that predicts something else outside the data is worse by only %s in BIC2; from %d on the choice is clear.", number(g, 3), sweep.SmallestGap)
	}
	return fmt.Sprintf("The best formula that predicts something else outside the data is worse by %s in BIC2; from %d on the choice is clear.", number(g, 4), sweep.SmallestGap)
}

// percent writes a fraction in percent with the digits that tell it from one.
func percent(fraction float64) string {
	p := 100 * fraction
	for digits := 0; digits <= 6; digits++ {
		if s := fmt.Sprintf("%.*f", digits, p); !strings.HasPrefix(s, "100") && (p < 99 || digits > 0) {
			return minus(s)
		}
	}
	return minus(fmt.Sprintf("%.4g", p))
}
