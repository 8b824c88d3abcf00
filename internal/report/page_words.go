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
		return verdictView{"open", "•", "Not judged: this run chose among trained networks, without refining them."}
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
	words := []string{fmt.Sprintf("The formula comes from model %d. It has a validation RMS of %s at complexity %d.",
		c.Model.ID, number(c.Validation, 4), c.Complexity)}
	e := c.Evidence
	if e == nil {
		return words
	}
	for _, check := range s.checks() {
		words = append(words, check.Words)
	}
	words = append(words, errorsOfRows(e.Errors))
	if !math.IsNaN(e.Line) && !math.IsInf(e.Line, 0) {
		words = append(words, fmt.Sprintf("Linear regression on all inputs has a validation RMS of %s.", number(e.Line, 4)))
	}
	if w := e.Power; w.Formula != nil {
		words = append(words, fmt.Sprintf("The power law of the inputs has a validation RMS of %s: %s.",
			number(w.Validation, 4), formula.Print(w.Formula, formula.Text, 4)))
	}
	if g := e.Greedy; g.Formula != nil {
		same := ""
		if g.Agrees {
			same = " It found this formula."
		}
		words = append(words, fmt.Sprintf("The search without networks reaches a validation RMS of %s at complexity %d.%s",
			number(g.Validation, 4), g.Complexity, same))
	}
	if x := e.Extrapolation; x.Defined && !math.IsNaN(x.Doubt) {
		words = append(words, fmt.Sprintf("Over twice the data's range, the uncertainty of the constants alone amounts to "+
			"%s %% of the target's standard deviation.",
			number(100*x.Doubt, 2)))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	for i, w := range words {
		words[i] = unbroken(w)
	}
	return words
}

// errorsOfRows tells what errors are taken to be, and which rows are left out.
func errorsOfRows(e evidence.Errors) string {
	const most = 20 // rows
	var words []string
	if of := e.Sentence(); of != "" {
		words = append(words,
			"The errors of the rows are taken to be "+of+". Fits, tests and validation weight rows accordingly.")
	}
	if of := e.OfTails(); of != "" {
		words = append(words, "The tails of their distribution are "+of+".")
	}
	if head, rows := e.LeftOut(most); head != "" {
		words = append(words, "The formula was fitted and tested without "+head+", which it does not explain: "+
			strings.Join(rows, "; ")+".")
	}
	return strings.Join(words, " ")
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
