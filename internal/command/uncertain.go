package command

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// errorNames are the names that a column with the uncertainty of another has: what stands before and behind the other's
// name, in small letters with _ for spaces and hyphens.
var errorNames = []struct {
	before, behind string
	ofTarget       bool // it means that only of a target: dx beside x may be a step
}{
	{"", "err", false}, {"", "_err", false}, {"", "error", false}, {"", "_error", false}, {"", "_errors", false},
	{"err_", "", false}, {"error_", "", false}, {"e_", "", true},
	{"", "_sd", false}, {"sd_", "", false}, {"", "_std", false}, {"std_", "", false}, {"", "_stdev", false},
	{"", "_std_dev", false},
	{"", "_se", false}, {"se_", "", true}, {"", "_stderr", false}, {"stderr_", "", false}, {"", "_sem", false},
	{"sigma_", "", false}, {"", "_sigma", false}, {"sigma", "", true}, {"s_", "", true}, {"σ_", "", false},
	{"σ", "", false}, {"", "_σ", false},
	{"", "_unc", false}, {"unc_", "", false}, {"", "_uncertainty", false}, {"uncertainty_", "", false},
	{"u(", ")", false}, {"u_", "", true},
	{"±", "", false}, {"±_", "", false}, {"", "_±", false}, {"", "±", false},
	{"d_", "", true}, {"d", "", true}, {"delta_", "", true}, {"delta", "", true}, {"δ", "", true}, {"δ_", "", true},
}

// errorsOfTarget are the names that such a column of the target has beside these.
var errorsOfTarget = []string{"±", "yerr", "y_err", "y_error", "uncertainty", "error_bar", "errorbar"}

// wordsOfErrors are names that mean an uncertainty where such a column stands directly behind the target, and its
// numbers are of a size to be one, see [columnsOf.uncertain]. Elsewhere sigma may be a stress, and error what is
// learned.
var wordsOfErrors = []string{"sigma", "σ", "error", "errors", "err", "se", "sem", "sd", "std", "stdev",
	"stddev", "std_dev", "std_err", "std_error", "stderr", "standard_deviation", "standard_error", "unc", "s_d", "s_e",
	"fehler", "messfehler", "unsicherheit", "standardabweichung", "erreur", "incertitude", "incertidumbre", "incertezza"}

// uncertainties returns the columns that look like the uncertainties of others, and for each which other. Targets are
// those that are named, or the last column that is not itself such a one. The columns among asWords count if words of
// errors are their names.
func uncertainties(columns, targets []string, asWords func(column, target string) bool) map[string]string {
	plain := make(map[string]string, len(columns)) // the columns by their names in small letters
	for _, name := range columns {
		plain[plainName(name)] = name
	}
	of := func(name string, isTarget func(other string) bool) (string, bool) {
		small := plainName(name)
		for _, n := range errorNames {
			rest, begins := strings.CutPrefix(small, n.before)
			rest, ends := strings.CutSuffix(rest, n.behind)
			if other, is := plain[rest]; begins && ends && is && other != name && (!n.ofTarget || isTarget(other)) {
				return other, true
			}
		}
		return "", false
	}
	if targets == nil {
		for _, name := range slices.Backward(columns) {
			if _, is := of(name, func(string) bool { return true }); !is && !slices.Contains(errorsOfTarget, plainName(name)) {
				targets = []string{name}
				break
			}
		}
		if n := len(columns); n > 2 && len(targets) == 1 && targets[0] == columns[n-1] &&
			worded(columns[n-1], columns[n-2], asWords) {
			targets = []string{columns[n-2]}
		}
	}
	found := map[string]string{}
	for _, name := range columns {
		if other, is := of(name, func(other string) bool { return slices.Contains(targets, other) }); is {
			found[name] = other
		} else if slices.Contains(errorsOfTarget, plainName(name)) && len(targets) == 1 {
			found[name] = targets[0]
		}
	}
	if len(targets) == 1 {
		if i := slices.Index(columns, targets[0]) + 1; i > 0 && i < len(columns) && worded(columns[i], targets[0], asWords) {
			found[columns[i]] = targets[0]
		}
	}
	return found
}

// worded reports whether a word of errors is the name of a column that may hold those of the target before it.
func worded(column, target string, asWords func(column, target string) bool) bool {
	return slices.Contains(wordsOfErrors, plainName(column)) && asWords(column, target)
}

// plainName writes a name in small letters with ± for +/- and _ for spaces, hyphens and points, without a unit in
// brackets behind it.
func plainName(name string) string {
	if i := strings.LastIndexAny(name, "[("); i > 0 && unicode.IsSpace(rune(name[i-1])) {
		name = name[:i]
	}
	name = strings.NewReplacer("+/-", "±", "+-", "±").Replace(strings.ToLower(name))
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -_.", r) })
	return strings.Join(parts, "_")
}

// uncertain returns the columns that look like uncertainties, which are numbers that are never negative, and of what.
func (s columnsOf) uncertain(targets []string) map[string]string {
	found := uncertainties(s.all, targets, s.smallBeside)
	for name := range found {
		if !s.Numeric(name) || slices.Contains(targets, name) || s.HasNegative(name) {
			delete(found, name)
		}
	}
	return found
}

// smallBeside reports whether a column of numbers is of a size to be the uncertainty of another: none is larger than
// half the range of that one.
func (s columnsOf) smallBeside(column, target string) bool {
	_, most, ok := s.Range(column)
	low, high, too := s.Range(target)
	return ok && too && most <= (high-low)/2
}

// sigmaAuto reports whether the columns with standard deviations are to be found by their names.
func (o fitOptions) sigmaAuto(isColumn func(string) bool) bool {
	return slices.Equal(o.sigma, []string{"auto"}) && !isColumn("auto")
}

// toldBy returns the columns that --sigma and --weights name.
func (o fitOptions) toldBy(isColumn func(string) bool) []string {
	return slices.Concat(split(o.sigma, isColumn), split(o.weights, isColumn))
}

// errorFlags returns the columns that --sigma and --weights name, those of --sigma auto by their names.
func (o fitOptions) errorFlags(s columnsOf, targets []string) (sigma, weights []string, err error) {
	isColumn := func(name string) bool { return slices.Contains(s.all, name) }
	sigma, weights = split(o.sigma, isColumn), split(o.weights, isColumn)
	if o.sigmaAuto(isColumn) {
		if sigma = s.sigmaOf(targets); sigma == nil {
			return nil, nil, fmt.Errorf("%s: no column looks like the uncertainty of %s (name it by --sigma)",
				s.Name(), quoted(targets))
		}
	}
	for _, name := range slices.Concat(sigma, weights) {
		if !isColumn(name) || !s.Numeric(name) {
			_, _, err := s.Table([]string{name})
			return nil, nil, err
		}
	}
	return sigma, weights, nil
}

// checkErrorCells returns an error for the first cell of a column that is to tell errors and cannot: all are above 0.
func checkErrorCells(sheet *datasets.Sheet, t *datasets.Table, kept []int, columns []run.ErrorColumn) error {
	for _, c := range columns {
		what := "a standard deviation"
		if c.Weights {
			what = "a weight"
		}
		col, _ := t.Col(c.Column)
		for i, v := range col {
			if !(v > 0) || math.IsInf(v, 0) {
				return &datasets.Error{
					File: sheet.Name(), Line: sheet.Lines(kept).Of(i), Column: c.Column,
					Err: fmt.Errorf("%g is not %s; want more than 0 (mend the cell, or drop the row)", v, what),
				}
			}
		}
	}
	return nil
}

// toldColumns returns the columns that tell the errors of targets, in the order of the targets.
func toldColumns(told map[string]run.ErrorColumn, targets []string) (columns []run.ErrorColumn) {
	for _, target := range targets {
		if c, ok := told[target]; ok {
			columns = append(columns, c)
		}
	}
	return columns
}

// sigmaOf returns the columns that look like the uncertainties of targets, "" where there is none, nil where there are
// none.
func (s columnsOf) sigmaOf(targets []string) []string {
	sigma, found := make([]string, len(targets)), false
	of := s.uncertain(targets)
	for i, target := range targets {
		for _, name := range s.all {
			if sigma[i] == "" && of[name] == target {
				sigma[i], found = name, true
			}
		}
	}
	if !found {
		return nil
	}
	return sigma
}

// quoted lists names.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(list, ", ")
}
