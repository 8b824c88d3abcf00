package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

type chooseOptions struct {
	run     string
	model   int
	reset   bool
	targets []string
}

func chooseCommand() *cli.Command {
	return &cli.Command{
		Name:      "choose",
		Usage:     "make another row of the table the formula of a run",
		ArgsUsage: "RUN ID, or RUN --reset",
		Description: `Makes the formula of model ID the chosen one, for show, predict, score, refit and report. The ids are
those in the tables of eql fit. The choice is kept in choice.json in the folder of the run, whose own
choice stays known: --reset returns to it. The evidence is of the run's own choice and is not shown
for another.

  eql choose eql-runs/pendulum-1 17 --target y1
  eql choose eql-runs/pendulum-1 --reset`,
		Flags: []cli.Flag{
			namesFlag("target", "", "`COLUMNS` that the formula is for (default: the only target; with --reset, all)"),
			&cli.BoolFlag{Name: "reset", Usage: "return to the run's own choice", DisableDefaultText: true},
		},
		Action: func(c *cli.Context) error {
			o, err := parseChoose(c)
			if err != nil {
				return err
			}
			return runChoose(o, os.Stdout, os.Stderr)
		},
	}
}

func parseChoose(c *cli.Context) (o chooseOptions, err error) {
	o = chooseOptions{reset: c.Bool("reset"), targets: list(c, "target")}
	if o.reset {
		args, err := arguments(c, "RUN")
		if err != nil {
			if c.Args().Len() == 2 {
				err = usagef("choose takes a model or --reset, and both were given (leave one of them out)")
			}
			return o, err
		}
		o.run = args[0]
		return o, nil
	}
	args, err := arguments(c, "RUN", "ID")
	if err != nil {
		if c.Args().Len() == 1 {
			err = usagef("choose takes RUN and the ID of a model, or RUN and --reset; eql choose --help says more")
		}
		return o, err
	}
	o.run = args[0]
	if o.model, err = strconv.Atoi(args[1]); err != nil || o.model < 0 {
		return o, usagef("%q is no id of a model, which is a whole number, as the tables of eql fit show it", args[1])
	}
	return o, nil
}

func runChoose(o chooseOptions, stdout, stderr io.Writer) error {
	r, err := openOwn(o.run, stderr)
	if err != nil {
		return err
	}
	if o.reset {
		return r.resetByHand(o, stdout)
	}
	byHand, err := r.byHand()
	if err != nil {
		return err
	}
	if o.targets == nil && len(r.report.Targets) > 1 {
		return usagef("the run has several targets; name the one that the formula is for by --target (there are: %s)",
			strings.Join(r.report.Targets, ", "))
	}
	targets, err := r.targetsNamed(o.targets, o.run)
	if err != nil {
		return err
	}
	var lines []string
	for _, target := range targets {
		line, err := r.choose(byHand, target, o)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if err := r.store.WriteByHand(byHand); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, strings.Join(lines, "\n"))
	return err
}

// choose enters a model for a target, or takes out what is there when the model is the run's own choice, and returns
// what to say of it.
func (r *savedRun) choose(byHand map[string]sweep.ByHand, target string, o chooseOptions) (string, error) {
	own, ok := r.report.Chosen[target]
	if !ok {
		return "", fmt.Errorf("%s: %q does not depend on any input, so no model is for it", o.run, target)
	}
	texts, err := modelFormulas(&r.report, o.model, o.run)
	if err != nil {
		return "", err
	}
	text, ok := texts[target]
	if !ok {
		return "", noFormula(o.run, o.model, target)
	}
	if o.model == own {
		delete(byHand, target)
		return fmt.Sprintf("%s: model %d, the run's own choice", target, own), nil
	}
	e, err := formula.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%s: result.json is damaged: the formula of %q: %w", o.run, target, err)
	}
	byHand[target] = sweep.ByHand{Model: o.model, Formula: text}
	return fmt.Sprintf("%s: model %d, in place of model %d, the run's own choice\n%s", target, o.model, own,
		equationOf(target, e)), nil
}

// resetByHand forgets what was chosen by hand, for all targets or for some. To forget all, the file need not be readable.
func (r *savedRun) resetByHand(o chooseOptions, stdout io.Writer) error {
	left := map[string]sweep.ByHand{}
	targets, err := r.targetsNamed(o.targets, o.run)
	if err != nil {
		return err
	}
	if o.targets != nil {
		if left, err = r.store.ReadByHand(); err != nil {
			return fmt.Errorf("%w; %s --reset without --target removes it", err, chooseCommandOf(o.run))
		}
		maps.DeleteFunc(left, func(target string, _ sweep.ByHand) bool { return slices.Contains(targets, target) })
	}
	if err := r.store.WriteByHand(left); err != nil {
		return err
	}
	for _, target := range targets {
		if own, ok := r.report.Chosen[target]; ok {
			fmt.Fprintf(stdout, "%s: model %d, the run's own choice\n", target, own)
		}
	}
	return nil
}

func chooseCommandOf(run string) string { return "eql choose " + shellWord(run) }

// equationOf writes a formula for its target, for people.
func equationOf(target string, e formula.Expr) string {
	return formula.Print(formula.Var(target), formula.Text, 0) + " = " + formula.Print(e, formula.Text, printDigits)
}

// ownChoice is what the run itself chose for a target for which a person chose something else.
type ownChoice struct {
	model int
	text  string // the formula
}

// byHand reads what was chosen by hand and finds it in the result, where a resumed run may have given it another id.
func (r *savedRun) byHand() (map[string]sweep.ByHand, error) {
	dir := r.store.Dir()
	byHand, err := r.store.ReadByHand()
	if err != nil {
		return nil, fmt.Errorf("%w; %s --reset removes it", err, chooseCommandOf(dir))
	}
	for target, hand := range byHand {
		i := slices.IndexFunc(r.report.Models, func(m eql.ReportModel) bool {
			return m.ID == hand.Model && m.Formula[target] == hand.Formula
		})
		if i < 0 {
			same := func(m eql.ReportModel) bool { return m.Formula[target] == hand.Formula }
			i = slices.IndexFunc(r.report.Models, same)
		}
		if _, isTarget := r.report.Chosen[target]; i < 0 || hand.Formula == "" || !isTarget {
			return nil, fmt.Errorf("%s: model %d was chosen by hand for %q, and the result of the run has it no longer; "+
				"choose another, after %s --reset", dir, hand.Model, target, chooseCommandOf(dir))
		}
		byHand[target] = sweep.ByHand{Model: r.report.Models[i].ID, Formula: hand.Formula}
	}
	return byHand, nil
}

// takeByHand puts what was chosen by hand in place of the run's own choice: formula and model, and no evidence, since no
// other formula was judged.
func (r *savedRun) takeByHand() error {
	byHand, err := r.byHand()
	if err != nil {
		return err
	}
	r.own = map[string]ownChoice{}
	for target, hand := range byHand {
		r.own[target] = ownChoice{r.report.Chosen[target], r.report.Formula[target]}
		r.report.Chosen[target], r.report.Formula[target] = hand.Model, hand.Formula
		delete(r.report.Evidence, target)
	}
	return nil
}

// ownWords says what the run's own choice for a target was.
func (r *savedRun) ownWords(target string) string {
	own := r.own[target]
	text := own.text
	if e, err := formula.Parse(own.text); err == nil {
		text = formula.Print(e, formula.Text, printDigits)
	}
	name := formula.Print(formula.Var(target), formula.Text, 0)
	return fmt.Sprintf("the run's own choice is model %d, %s = %s", own.model, name, text)
}

// noteByHand says which formulas were chosen by hand, where they are used.
func (r *savedRun) noteByHand(w io.Writer) {
	for _, target := range r.report.Targets {
		if own, ok := r.own[target]; ok && r.model < 0 {
			fmt.Fprintf(w, "note: the formula of %q is that of model %d, chosen by hand; %s --reset returns to model %d\n",
				target, r.report.Chosen[target], chooseCommandOf(r.store.Dir()), own.model)
		}
	}
}

// printByHand says the same where the evidence would be.
func (r *savedRun) printByHand(w io.Writer) {
	for _, target := range r.report.Targets {
		if _, ok := r.own[target]; ok {
			fmt.Fprintf(w, "%s: model %d, chosen by hand and not judged\n  %s\n\n",
				formula.Print(formula.Var(target), formula.Text, 0), r.report.Chosen[target], r.ownWords(target))
		}
	}
}

// byHandWords says for the page of a run what was chosen by hand.
func (r *savedRun) byHandWords() map[string]string {
	words := map[string]string{}
	for target := range r.own {
		words[target] = "Chosen by hand, and not judged; " + r.ownWords(target) + "."
	}
	return words
}

// modelFormulas returns the formulas of a model as they were saved.
func modelFormulas(r *eql.Report, id int, dir string) (map[string]string, error) {
	i := slices.IndexFunc(r.Models, func(m eql.ReportModel) bool { return m.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("%s: there is no model %d; the models are 0 to %d", dir, id, len(r.Models)-1)
	}
	return r.Models[i].Formula, nil
}

func noFormula(dir string, id int, target string) error {
	return fmt.Errorf("%s: model %d has no formula for %q; it diverged, or its network is too dense to be written as one",
		dir, id, target)
}
