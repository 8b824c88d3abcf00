package command

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// columnRoles says which columns of the data are used, and how their cells become numbers.
type columnRoles struct {
	inputs, targets []string
	sigma, weights  []string                   // columns that tell the errors of targets, one for each or ""
	codings         map[string]datasets.Coding // of those that are not plain numbers
	time            string                     // the column of the times of a trajectory, "" without one
}

func (r columnRoles) used() []string {
	var used []string
	for _, name := range slices.Concat(r.inputs, r.targets, []string{r.time}, r.sigma, r.weights) {
		if name != "" && !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	return used
}

// errorColumns returns the columns that tell the errors of targets.
func (r columnRoles) errorColumns() (told []run.ErrorColumn) {
	for _, list := range []struct {
		columns []string
		weights bool
	}{{r.sigma, false}, {r.weights, true}} {
		for _, name := range list.columns {
			if name != "" {
				told = append(told, run.ErrorColumn{Column: name, Weights: list.weights})
			}
		}
	}
	return told
}

// note says how the columns of a table are read that are not plain numbers.
func (r columnRoles) note(t *datasets.Table, lines datasets.Lines, w io.Writer) {
	for _, name := range r.used() {
		coding, ok := r.codings[name]
		if !ok || coding.Level != nil {
			continue
		}
		tell(w, "note: column %q: %s", name, coding.Note())
		if col, ok := t.Col(name); ok {
			if row := coding.PastMidnight(col); row > 0 {
				tell(w, "note: column %q: times fall at line %d, as past midnight; if the rows follow each other, put dates "+
					"before the times", name, lines.Of(row))
			}
		}
	}
}

// columnsOf is what is known of the columns of the data when their roles are decided.
type columnsOf struct {
	*datasets.Sheet
	all     []string
	codings map[string]datasets.Coding
}

// usable reports whether a column is one of numbers, or can be read as one.
func (s columnsOf) usable(name string) bool {
	_, coded := s.codings[name]
	return coded || s.Numeric(name)
}

// free reports whether a column is used that nobody speaks of. Words are not where some are missing: remarks on single
// rows look like that.
func (s columnsOf) free(name string) bool {
	return s.usable(name) && (s.codings[name].Words == nil || !s.HasMissing(name))
}

// canBeTarget reports whether a column may be the target when none is named.
func (s columnsOf) canBeTarget(name string) bool {
	coding, coded := s.codings[name]
	return !coded || !coding.InputOnly()
}

// columns decides which columns are inputs and which are targets.
func (o fitOptions) columns(sheet *datasets.Sheet, notes io.Writer) (columnRoles, error) {
	s := columnsOf{sheet, sheet.Columns(), sheet.Codings()}
	isColumn := func(name string) bool { return slices.Contains(s.all, name) }
	named := map[string][]string{
		"target": split(o.targets, isColumn), "inputs": split(o.inputs, isColumn), "ignore": split(o.ignore, isColumn),
	}
	if o.time != "" {
		return s.ofMotion(o.time, named, notes)
	}
	if o.by != "" {
		named["by"] = []string{o.by}
	}
	if err := s.checkNames(named); err != nil {
		return columnRoles{}, err
	}
	r := columnRoles{inputs: named["inputs"], targets: named["target"]}
	if err := s.checkLast(named); r.targets == nil && err != nil {
		return columnRoles{}, err
	}
	var free, texts, left []string
	uncertain, told := s.uncertain(r.targets), o.toldBy(isColumn)
	for _, name := range s.all {
		switch {
		case slices.Contains(told, name):
		case uncertain[name] != "" && !slices.Contains(named["inputs"], name) && !slices.Contains(named["ignore"], name):
			if !o.sigmaAuto(isColumn) {
				tell(notes, "note: column %q looks like the uncertainty of %q and is left out "+
					"(--sigma %s uses it as the uncertainty, --inputs as an input)",
					name, uncertain[name], shellWord(name))
			}
		case spoken(named, name, "ignore", "by") || slices.Contains(r.targets, name):
		case s.free(name):
			free = append(free, name)
		case r.inputs == nil && s.mayBeGroups(name):
			texts = append(texts, name)
		case r.inputs == nil:
			left = append(left, fmt.Sprintf("column %q %s", name, s.whyNot(name)))
			tell(notes, "note: %s", left[len(left)-1])
		}
	}
	if r.targets == nil {
		var err error
		if r.targets, err = s.defaultTarget(free, named, notes); err != nil {
			return columnRoles{}, err
		}
	}
	if r.inputs == nil {
		r.inputs = slices.DeleteFunc(free, func(name string) bool { return slices.Contains(r.targets, name) })
	}
	if len(r.inputs) == 0 {
		why := " (add one)"
		if len(left) > 0 {
			why = ": " + strings.Join(left[:min(len(left), 3)], "; ")
		}
		return columnRoles{}, fmt.Errorf("%s: no column of numbers is left as an input beside the target%s",
			sheet.Name(), why)
	}
	var err error
	if r.sigma, r.weights, err = o.errorFlags(s, r.targets); err != nil {
		return columnRoles{}, err
	}
	r.codings = codingsOf(r.used(), s.codings)
	by := o.by
	if by == "" && o.inputs == nil {
		by = s.groupsThatMatter(r, texts, notes)
	}
	if by != "" {
		noteSpellings(sheet, by, notes)
		return r, r.addGroups(sheet, by)
	}
	return r, nil
}

// addGroups adds an input for each group of rows that have the same cell in a column.
func (r *columnRoles) addGroups(sheet *datasets.Sheet, column string) error {
	names, codings, err := sheet.Levels(column)
	if err != nil {
		return err
	}
	r.inputs = slices.Concat(r.inputs, names)
	if r.codings == nil {
		r.codings = map[string]datasets.Coding{}
	}
	maps.Copy(r.codings, codings)
	return nil
}

// notTarget are the flags that give a column another role than that of the target.
var notTarget = []string{"ignore", "inputs", "by"}

// spoken reports whether one of some flags names the column.
func spoken(named map[string][]string, column string, flags ...string) bool {
	return slices.ContainsFunc(flags, func(flag string) bool { return slices.Contains(named[flag], column) })
}

// checkLast refuses a last column that looks like numbers and cannot be read as such: another target would be learned
// in its place.
func (s columnsOf) checkLast(named map[string][]string) error {
	last := s.all[len(s.all)-1]
	if len(s.all) > 1 && !spoken(named, last, notTarget...) && !s.usable(last) && s.LooksNumeric(last) {
		return s.badTarget(last)
	}
	return nil
}

// defaultTarget returns the last column of numbers that has no other role.
func (s columnsOf) defaultTarget(free []string, named map[string][]string, notes io.Writer) ([]string, error) {
	candidates := slices.DeleteFunc(slices.Clone(free), func(name string) bool {
		return slices.Contains(named["inputs"], name) || !s.canBeTarget(name)
	})
	if len(candidates) == 0 {
		advice := "name one by --target"
		if len(s.all) == 1 {
			advice = "are its columns separated by something else than commas, semicolons, bars, tabs or spaces, " +
				"or do lines of notes above the table lack a #?"
		}
		return nil, fmt.Errorf("%s: no column of numbers is left to be the target (%s)", s.Name(), advice)
	}
	target, last := candidates[len(candidates)-1], s.all[len(s.all)-1]
	if target != last && !spoken(named, last, notTarget...) {
		tell(notes, "note: the target is %q, the last column with numbers (--target names another)", target)
	}
	if i := slices.Index(s.all, target); i > 1 && slices.Contains(wordsOfErrors, plainName(target)) {
		tell(notes, "note: the target is %q, the last column; if it is the uncertainty of %q, use --target %s --sigma %s",
			target, s.all[i-1], shellWord(s.all[i-1]), shellWord(target))
	}
	return []string{target}, nil
}

// badTarget says what is wrong with the cells of the last column, which would be the target.
func (s columnsOf) badTarget(column string) error {
	_, _, err := s.Table([]string{column})
	const last = "the last column is the target unless --target names another"
	if bad := (*datasets.Error)(nil); errors.As(err, &bad) {
		others := ""
		if n := s.Texts(column) - 1; n > 0 {
			others = fmt.Sprintf("%d more of its cells are not numbers either; ", n)
		}
		bad.Err = fmt.Errorf("%w; %s%s", bad.Err, others, last)
	}
	return err
}

// whyNot says why a column is left out.
func (s columnsOf) whyNot(column string) string {
	const out = "is left out"
	n := s.DifferentTexts(column)
	switch line, cell, way := s.FirstText(column); {
	case line == 0:
		return "has no numbers and " + out
	case way != "":
		return "has no numbers and " + out + "; " + way
	case s.codings[column].Words != nil:
		return fmt.Sprintf("holds words and missing cells and %s (--inputs uses it)", out)
	case n == 1:
		return fmt.Sprintf("holds the same text everywhere and %s; line %d has %q", out, line, cell)
	default:
		return fmt.Sprintf("%s: it holds %d different texts, such as %q in line %d, and only two short words are read "+
			"as 0 and 1", out, n, cell, line)
	}
}

// checkNames checks the columns that flags name: each exists, holds numbers, and has one role.
func (s columnsOf) checkNames(named map[string][]string) error {
	roles := map[string]string{}
	for _, flag := range []string{"target", "inputs", "ignore", "by"} {
		for _, name := range named[flag] {
			switch role := roles[name]; {
			case !slices.Contains(s.all, name):
				_, _, err := s.Table([]string{name}) // says what there is
				return err
			case role == flag && flag != "ignore":
				return usagef("column %q is named twice by --%s", name, flag)
			case role != "" && role != flag:
				return usagef("column %q is named by both --%s and --%s (leave it out of one)", name, role, flag)
			case flag != "ignore" && flag != "by" && !s.usable(name):
				if _, _, way := s.FirstText(name); way != "" || s.LooksNumeric(name) {
					_, _, err := s.Table([]string{name}) // says which cell, and the way out
					return err
				}
				return fmt.Errorf("%s: column %q, named by --%s, has no numbers%s (name another)",
					s.Name(), name, flag, s.textsOf(name))
			}
			roles[name] = flag
		}
	}
	return nil
}

// textsOf says how many different texts a column has that are too many to be 0 and 1.
func (s columnsOf) textsOf(name string) string {
	if n := s.DifferentTexts(name); n > 2 {
		return fmt.Sprintf(" but %d different texts, and only two short words become 0 and 1", n)
	}
	return ""
}

// codingsOf returns the codings that there are for the columns named, nil without any.
func codingsOf(columns []string, all map[string]datasets.Coding) map[string]datasets.Coding {
	var codings map[string]datasets.Coding
	for _, name := range columns {
		if coding, ok := all[name]; ok {
			if codings == nil {
				codings = map[string]datasets.Coding{}
			}
			codings[name] = coding
		}
	}
	return codings
}
