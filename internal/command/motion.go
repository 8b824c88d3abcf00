package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/eqlearner/eql/evidence"
)

// ofMotion decides which columns of a trajectory are states, whose derivatives are learned, and which are inputs.
func (s columnsOf) ofMotion(time string, named map[string][]string, notes io.Writer) (columnRoles, error) {
	r := columnRoles{inputs: named["inputs"], targets: named["target"], time: time}
	for _, list := range []map[string][]string{
		{"target": {time}}, // which says what is wrong with it
		{"target": named["target"], "ignore": named["ignore"]}, {"inputs": named["inputs"], "ignore": named["ignore"]},
	} {
		if err := s.checkNames(list); err != nil {
			return r, err
		}
	}
	var free []string
	for _, name := range s.all {
		switch {
		case name == time || slices.Contains(named["ignore"], name):
		case s.Numeric(name):
			free = append(free, name)
		case !slices.Contains(named["inputs"], name) && !slices.Contains(named["target"], name):
			fmt.Fprintf(notes, "note: column %q %s\n", name, s.whyNot(name))
		}
	}
	if r.targets == nil {
		r.targets = free
	}
	if r.inputs == nil {
		r.inputs = free
	}
	if len(r.targets) == 0 {
		return r, fmt.Errorf("%s: no column of numbers is left beside %q (add the states of the system)", s.Name(), time)
	}
	r.codings = codingsOf(r.used(), s.codings)
	return r, nil
}

// printTrajectory writes how derivatives were made, and how the formulas follow the trajectory; nothing of other runs.
func printTrajectory(w io.Writer, t *evidence.Trajectory) {
	if t == nil {
		return
	}
	fmt.Fprintln(w, "trajectory:")
	for _, sentence := range t.Sentences() {
		fmt.Fprintf(w, "  %s\n", sentence)
	}
	fmt.Fprintln(w)
}
