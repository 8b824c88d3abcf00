package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

type showOptions struct {
	run, format string
	model       int
}

const dotFormat = "dot"

func showFormats() []string {
	var names []string
	for _, f := range formula.Forms() {
		names = append(names, string(f))
	}
	return append(names, dotFormat)
}

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print the formulas of a run, for a paper, a notebook or a program",
		ArgsUsage: "RUN",
		Description: `Without --format, prints the evidence for each formula and the formula as text.
With --format, prints the formulas alone, in a notation or as a complete
function of a programming language; dot is a drawing of a network in the
language of Graphviz.

  eql show eql-runs/pendulum-1
  eql show eql-runs/pendulum-1 --format latex
  eql show eql-runs/pendulum-1 --format dot --model 3 | dot -Tsvg > network.svg`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format",
				Usage: "`FORMAT`: " + strings.Join(showFormats(), ", ") + " (default: text, after the evidence)"},
			modelFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "RUN")
			if err != nil {
				return err
			}
			model, err := parseModel(c)
			if err != nil {
				return err
			}
			o := showOptions{run: args[0], format: c.String("format"), model: model}
			if c.IsSet("format") && !slices.Contains(showFormats(), o.format) {
				return usagef("--format: there is no form %q (there are %s)", o.format, strings.Join(showFormats(), ", "))
			}
			return runShow(o, os.Stdout, os.Stderr)
		},
	}
}

func runShow(o showOptions, stdout, stderr io.Writer) error {
	if o.format == dotFormat {
		return showNetwork(o, stdout)
	}
	r, err := openRun(o.run, o.model, stderr)
	if err != nil {
		return err
	}
	formulas := writtenFor(r.formulas, r.Found.Train, r.Report.Inputs, r.Report.Targets)
	if o.model < 0 { // the evidence is of the formulas that were chosen
		for i := range formulas {
			formulas[i].evidence = r.evidence(formulas[i].target)
		}
	}
	if o.format == "" {
		if o.model < 0 {
			w := &strings.Builder{}
			r.printByHand(w)
			for _, target := range r.Report.Targets {
				printEvidence(w, target, r.evidence(target))
			}
			printTrajectory(w, r.Report.Trajectory.Read())
			printShared(w, formulas)
			if err := write(stdout, w.String()); err != nil {
				return err
			}
		}
		o.format = string(formula.Text)
	} else {
		r.noteByHand(os.Stderr)
	}
	form := formula.Form(o.format)
	if comment := form.Comment(); comment != "" {
		if _, err := io.WriteString(stdout, r.columnComments(comment)); err != nil {
			return err
		}
	} else if form != formula.Text {
		r.printColumns(stderr) // these forms have no place for it
	}
	if slices.Contains(formula.Programs(), form) {
		text, err := formula.Function(form, "predict", r.used(), named(r.Report.Targets, r.formulas))
		if err != nil {
			return err
		}
		_, err = io.WriteString(stdout, text)
		return err
	}
	if form == formula.SymPy {
		_, err = io.WriteString(stdout, formula.SymPyScript(apart(formulas)))
		return err
	}
	if form == formula.JSON {
		return printTrees(stdout, r.Report.Targets, r.formulas)
	}
	if form == formula.Text {
		r.printColumns(stdout)
		return printFormulas(stdout, formulas, r.Store.Config().Columns)
	}
	equation := "%s = %s\n"
	if form == formula.MathML {
		equation = `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">%s<mo>=</mo>%s</math>` + "\n"
	}
	for _, f := range formulas {
		name := formula.Print(formula.Var(f.target), form, 0)
		if _, err := fmt.Fprintf(stdout, equation, name, f.in(form)); err != nil {
			return err
		}
	}
	return nil
}

func (r *savedRun) printColumns(w io.Writer) {
	printColumns(w, slices.Concat(r.Report.Inputs, r.Report.Targets), r.Store.Config().Columns)
}

// columnComments returns a line of a program for each column that a formula reads whose numbers stand for something
// else.
func (r *savedRun) columnComments(comment string) string {
	var b strings.Builder
	codings := r.Store.Config().Columns
	for _, name := range r.used() {
		if c, ok := codings[name]; ok && c.HasMeaning() {
			fmt.Fprintf(&b, "%s column %s: %s\n", comment, formula.Print(formula.Var(name), formula.Text, 0), c.Meaning())
		}
	}
	return b.String()
}

// printTrees writes one JSON object: the expression tree of each target.
func printTrees(w io.Writer, targets []string, formulas map[string]formula.Expr) error {
	var b bytes.Buffer
	for i, target := range targets {
		name, err := json.Marshal(target)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%c%s:%s", "{,"[min(i, 1)], name, formula.Print(formulas[target], formula.JSON, 0))
	}
	_, err := fmt.Fprintf(w, "%s}\n", b.Bytes())
	return err
}

// showNetwork draws the trained network behind a model, by default behind the first target's
// formula.
func showNetwork(o showOptions, stdout io.Writer) error {
	r, err := openRun(o.run, -1, os.Stderr)
	if err != nil {
		return err
	}
	id := o.model
	if id < 0 {
		for _, target := range slices.Backward(r.Report.Targets) {
			if m, ok := r.Report.Chosen[target]; ok {
				id = m
			}
		}
	}
	for _, m := range r.Store.Finished() {
		if m.ID == id {
			return m.Network.WriteDOT(stdout)
		}
	}
	if id < 0 {
		return fmt.Errorf("%s: the formulas are constants, which need no network; %s", o.run, networksOf(r.Store))
	}
	return fmt.Errorf("%s: model %d has no network to draw; %s", o.run, id, networksOf(r.Store))
}

func networksOf(s *sweep.Store) string {
	m := s.Finished()
	if len(m) == 0 {
		return "the run trained none"
	}
	return fmt.Sprintf("--model takes one of the %d networks from %d to %d", len(m), m[0].ID, m[len(m)-1].ID)
}
