package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
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
	v := verdictView{"no", "✗", unbroken(sentence(e.Sentence()))}
	switch e.Level {
	case sweep.Holds:
		v.Class, v.Mark = "yes", "✓"
	case sweep.Uncertain:
		v.Class, v.Mark = "maybe", "?"
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
		agreement(e),
		outerTest(e),
		structure(e, s.page.Result.Inputs),
		errorsOfRows(e.Errors),
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
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	for i, w := range words {
		words[i] = unbroken(w)
	}
	return words
}

// agreement tells how the formula was found.
func agreement(e *sweep.Evidence) string {
	u := e.Support
	var words []string
	if u.Networks > 0 {
		words = append(words, fmt.Sprintf("%s of %s, each from its own start, led to this formula by themselves, by refitting and pruning; %s had its form as trained.",
			thousands(u.Agree), count(u.Networks, "network"), thousands(u.Trained)))
	}
	if u.Grown > 0 && !e.Greedy.Agrees {
		words = append(words, fmt.Sprintf("The search grew it from the parts of %s.", count(u.Grown, "network")))
	}
	if e.Greedy.Agrees {
		words = append(words, "The search without networks found it.")
	}
	if u.Form != "" {
		words = append(words, fmt.Sprintf("It is the standard form “%s”, which was fitted to the data.", u.Form))
	}
	switch u.Halves {
	case sweep.Yes:
		words = append(words, "The search found it again in each of two random halves of the rows.")
	case sweep.No:
		words = append(words, "The search did not find it again in each of two random halves of the rows.")
	}
	return strings.Join(append(words, fmt.Sprintf("That makes %s.", count(u.Ways, "independent way"))), " ")
}

// structure tells the test of the residuals.
func structure(e *sweep.Evidence, inputs []string) string {
	s := e.Structure
	switch {
	case e.Exact:
		return "It meets the data to the last digit, with many more rows than its constants need."
	case !s.Defined:
		return "Its residuals were not tested for structure: there are too few rows, or no errors."
	}
	of := map[int]string{evidence.AlongPrediction: "by the prediction", evidence.AmongNeighbours: "as nearest neighbours"}[s.Order]
	if of == "" {
		of = "by " + s.Along(inputs)
	}
	result := "so the test finds no structure"
	if s.Fails() {
		result = "so the formula misses a part of the law"
	}
	return fmt.Sprintf("The residuals of neighbouring rows, ordered %s, resemble each other by z = %s; independent ones stay below %s in 999 of 1,000 tables, %s.",
		of, number(s.Z, 3), number(s.Limit, 3), result)
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

// errorsOfRows tells what errors are taken to be, and which rows are left out.
func errorsOfRows(e evidence.Errors) string {
	const most = 20 // rows
	var words []string
	if of := e.Sentence(); of != "" {
		words = append(words, "Errors are taken to be "+of+"; fits, tests and errors that validate count rows by that.")
	}
	if head, rows := e.LeftOut(most); head != "" {
		words = append(words, "The formula does not explain, and was fitted and tested without, "+head+": "+strings.Join(rows, "; ")+".")
	}
	return strings.Join(words, " ")
}

func gap(g float64) string {
	switch {
	case math.IsInf(g, 1) || math.IsNaN(g):
		return "No other formula came near that predicts something else outside the data."
	case g < 0:
		return fmt.Sprintf("A longer formula, which predicts something else outside the data, is better by %s in BIC2.", number(-g, 3))
	case g < evidence.SmallestGap:
		return fmt.Sprintf("The best formula that predicts something else outside the data is worse by only %s in BIC2; from %d on the choice is clear.", number(g, 3), evidence.SmallestGap)
	}
	return fmt.Sprintf("The best formula that predicts something else outside the data is worse by %s in BIC2; from %d on the choice is clear.", number(g, 4), evidence.SmallestGap)
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
