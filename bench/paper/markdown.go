package paper

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eqlearner/eql/internal/sweep"
)

// WriteMarkdown writes the tables for a person: what was run, the errors beside the published ones,
// and the formulas. What depends on the machine is in the last section alone.
func (res *Result) WriteMarkdown(to io.Writer) error {
	w := new(bytes.Buffer)
	fmt.Fprintf(w, "# %s, %s preset\n\n%s.\n\n    %s\n\n",
		res.Plan.Experiment, res.Plan.Preset, capital(res.Plan.Title), res.Command)
	res.writeProtocol(w)
	if slices.Contains(res.Plan.Figures, Heat) {
		res.writeHeat(w)
	}
	for _, set := range res.sets {
		res.writeSet(w, set)
	}
	res.writeSuccess(w)
	res.writeFacts(w)
	_, err := to.Write(w.Bytes())
	return err
}

// writeProtocol says how the run differs from the published protocol, and what that leaves open.
func (res *Result) writeProtocol(w io.Writer) {
	list := func(lines []string) {
		for _, line := range lines {
			fmt.Fprintf(w, "- %s\n", line)
		}
		fmt.Fprintln(w)
	}
	if differences := res.Plan.differences(); len(differences) > 0 {
		fmt.Fprint(w, "Not the paper's protocol, which the published numbers are of. What differs (in brackets: preset "+
			"full):\n\n")
		list(differences)
		fmt.Fprint(w, "What the paper leaves open:\n\n")
	} else {
		fmt.Fprint(w, "The paper's protocol. What it leaves open:\n\n")
	}
	list(res.Plan.choices())
}

// writeHeat writes mean errors without noise over the number of rows and the noise.
func (res *Result) writeHeat(w io.Writer) {
	rows, noises := res.scanned()
	for _, test := range []string{Interpolation, Far} {
		fmt.Fprintf(w, "Mean error on the %s set against the true targets:\n\n| rows \\ noise |", test)
		for _, noise := range noises {
			fmt.Fprintf(w, " %g |", noise)
		}
		fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(noises)))
		for _, n := range rows {
			fmt.Fprintf(w, "| %d |", n)
			for _, noise := range noises {
				fmt.Fprintf(w, " %s |", show(number(res.meanOf(n, noise, test))))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
}

// writeSet writes the errors on one data set.
func (res *Result) writeSet(w io.Writer, set *prepared) {
	fmt.Fprintf(w, "## %s\n\n", set.plan.Name)
	if set.noisy() {
		fmt.Fprint(w, "RMS over rows and outputs against targets with noise, as published, and against the true ones.\n\n")
	} else {
		fmt.Fprint(w, "RMS over rows and outputs; the targets carry no noise.\n\n")
	}
	if set.plan.Resplit {
		fmt.Fprint(w, "Each repetition has its own split; interpolation is the error on its validation rows, by which all "+
			"but eql quick, which does not see them, were selected.\n\n")
	}
	fmt.Fprint(w, "| method | test set | targets | mean ± sd | median | min | max | n | published | ratio "+
		"|\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range res.Rows {
		if r.Set != set.plan.Name {
			continue
		}
		published, ratio := "", ""
		if r.Published != nil {
			published, ratio = r.Published.String(), show(r.Ratio)
		}
		mean := show(r.Mean)
		if r.SD != nil {
			mean += " ± " + show(r.SD)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %d | %s | %s |\n",
			r.Method.Title(), r.Test, r.Against, mean, show(r.Median), show(r.Min), show(r.Max), r.N, published, ratio)
	}
	fmt.Fprintln(w)
	res.writeFormulas(w, set)
	if set.plan.EQL != nil && set.plan.EQL.Select == sweep.SelectValidation {
		res.writeBySparsity(w, set)
	}
}

// writeFormulas writes what each repetition learned.
func (res *Result) writeFormulas(w io.Writer, set *prepared) {
	for _, m := range []Method{EQL, Quick} {
		outcomes := res.of(set.plan.Name, m)
		if len(outcomes) == 0 {
			continue
		}
		fmt.Fprintf(w, "Learned by %s, with the error on the far set as measured (formulas.txt has all in full):\n\n",
			m.Title())
		for _, o := range outcomes {
			far, _ := o.errorOn(Far, false)
			fmt.Fprintf(w, "%d. ", o.Repetition+1)
			if o.Sparsity != nil {
				fmt.Fprintf(w, "s=%d, ", *o.Sparsity)
			}
			fmt.Fprintf(w, "far %s: ", show(number(far)))
			for i, f := range o.Formulas {
				if i > 0 {
					fmt.Fprint(w, "; ")
				}
				fmt.Fprintf(w, "`%s = %s`", f.Target, shorten(f.Text))
			}
			if o.Note != "" {
				fmt.Fprintf(w, " (%s)", o.Note)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
}

// writeBySparsity writes the network with the smallest validation error of each sparsity, as the
// paper's Fig. 5 does, of the first repetition.
func (res *Result) writeBySparsity(w io.Writer, set *prepared) {
	outcomes := res.of(set.plan.Name, EQL)
	if len(outcomes) == 0 {
		return
	}
	best := bySparsity(outcomes[0].Instances)
	fmt.Fprint(w, "The smallest validation error of each sparsity s in the first repetition:\n\n| s | validation | "+
		"formula |\n|---|---|---|\n")
	for _, s := range best {
		text := joinFormulas(s.Formulas)
		if text == "" {
			text = fmt.Sprintf("(more than %d nodes)", instanceFormula)
		}
		fmt.Fprintf(w, "| %d | %s | `%s` |\n", s.Sparsity, show(s.Validation), text)
	}
	fmt.Fprintln(w)
}

// mostSparsities bounds the list of formulas by sparsity.
const mostSparsities = 8

// bySparsity returns the best instance by validation of each sparsity, sparsest first.
func bySparsity(instances []Scored) []Scored {
	var best []Scored
	for _, s := range instances {
		if s.Validation == nil {
			continue
		}
		i := slices.IndexFunc(best, func(b Scored) bool { return b.Sparsity == s.Sparsity })
		switch {
		case i < 0:
			best = append(best, s)
		case *s.Validation < *best[i].Validation:
			best[i] = s
		}
	}
	slices.SortFunc(best, func(a, b Scored) int { return a.Sparsity - b.Sparsity })
	return best[:min(len(best), mostSparsities)]
}

// writeSuccess writes how often each method succeeded, and what it took.
func (res *Result) writeSuccess(w io.Writer) {
	fmt.Fprint(w, "## Success\n\nA repetition succeeds when its error on the far set against the true targets is at "+
		"most the bound.\n\n")
	fmt.Fprint(w, "| data set | method | succeeded | bound | networks |\n|---|---|---|---|---|\n")
	for _, s := range res.Methods {
		networks := ""
		if s.Networks > 0 {
			networks = strconv.Itoa(s.Networks)
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %g | %s |\n",
			s.Set, s.Method.Title(), s.Succeeded, s.Repetitions, s.Bound, networks)
	}
	fmt.Fprintln(w)
}

// writeFacts writes what depends on program and machine.
func (res *Result) writeFacts(w io.Writer) {
	fmt.Fprintf(w, "## Made by\n\n- program: %s\n- machine: %s\n",
		orUnknown(strings.Join(res.Builds, ", then ")), orUnknown(res.Machine))
	fmt.Fprintf(w, "- time: %.0f s", res.Times.Wall)
	if res.Times.CPU > 0 {
		fmt.Fprintf(w, ", of all cores %.0f s", res.Times.CPU)
	}
	fmt.Fprint(w, "; of workers, in seconds:")
	separator := " "
	for _, s := range res.Methods {
		fmt.Fprintf(w, "%s%s %s %.0f", separator, s.Set, s.Method, s.Seconds)
		separator = ", "
	}
	fmt.Fprintln(w)
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// longest is where formulas are cut in Markdown.
const longest = 200

func shorten(s string) string {
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}
