package command

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
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
		Usage:     "choose another formula of a run, by its number in the table",
		ArgsUsage: "RUN ID, or RUN --reset",
		Description: `Chooses the formula of model ID, which show, predict, score, refit and report
then use. IDs are in the column "model" of the tables that eql fit prints;
each row of these tables has its own evidence. The choice is kept in
choice.json in the folder of the run; --reset returns to the choice that eql
fit made.

  eql choose eql-runs/pendulum-1 17 --target y1
  eql choose eql-runs/pendulum-1 --reset`,
		Flags: []cli.Flag{
			namesFlag("target", "", "`COLUMNS` that the formula is for (default: the only target; with --reset, all)"),
			&cli.BoolFlag{Name: "reset", Usage: "return to the choice that eql fit made", DisableDefaultText: true},
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
		return o, usagef("ID is %q, want a whole number from the column model of the tables that eql fit prints", args[1])
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
	byHand, err := r.ByHand()
	if err != nil {
		return err
	}
	if o.targets == nil && len(r.Report.Targets) > 1 {
		return usagef("the run has several targets; name the target of the formula by --target (there are: %s)",
			strings.Join(r.Report.Targets, ", "))
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
	if err := r.Store.WriteByHand(byHand); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, strings.Join(lines, "\n"))
	return err
}

// choose enters a model for a target, or takes out what is there when the model is the run's own choice, and returns
// what to say of it.
func (r *savedRun) choose(byHand map[string]sweep.ByHand, target string, o chooseOptions) (string, error) {
	if err := r.Take(target, o.model); err != nil {
		return "", err
	}
	own, changed := r.Own[target]
	if !changed {
		delete(byHand, target)
		return fmt.Sprintf("%s: model %d, the run's own choice", target, o.model), nil
	}
	byHand[target] = r.Hand(target, o.model)
	return fmt.Sprintf("%s: model %d, in place of model %d, the run's own choice\n%s", target, o.model, own.Model,
		equationOf(target, saved.Formulas(r.Found)[target])), nil
}

// resetByHand forgets what was chosen by hand, for all targets or for some. To forget all, the file need not be
// readable.
func (r *savedRun) resetByHand(o chooseOptions, stdout io.Writer) error {
	left := map[string]sweep.ByHand{}
	targets, err := r.targetsNamed(o.targets, o.run)
	if err != nil {
		return err
	}
	if o.targets != nil {
		if left, err = r.Store.ReadByHand(); err != nil {
			return err
		}
		maps.DeleteFunc(left, func(target string, _ sweep.ByHand) bool { return slices.Contains(targets, target) })
	}
	if err := r.Store.WriteByHand(left); err != nil {
		return err
	}
	for _, target := range targets {
		if own, ok := r.Report.Chosen[target]; ok {
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

// ownWords says what the run's own choice for a target was.
func (r *savedRun) ownWords(target string) string {
	own := r.Own[target]
	return fmt.Sprintf("the run's own choice is model %d, %s", own.Model, equationOf(target, own.Formula))
}

// noteByHand says which formulas were chosen by hand, where they are used.
func (r *savedRun) noteByHand(w io.Writer) {
	for _, target := range r.Report.Targets {
		if own, ok := r.Own[target]; ok && r.model < 0 {
			tell(w, "note: the formula of %q is that of model %d, chosen by hand; %s --reset returns to model %d",
				target, r.Report.Chosen[target], chooseCommandOf(r.Store.Dir()), own.Model)
		}
	}
}

// printByHand says the same where the evidence is.
func (r *savedRun) printByHand(w io.Writer) {
	for _, target := range r.Report.Targets {
		if _, ok := r.Own[target]; ok {
			fmt.Fprintf(w, "%s: model %d, chosen by hand%s\n  %s\n\n",
				formula.Print(formula.Var(target), formula.Text, 0), r.Report.Chosen[target],
				r.unjudged(target, " and"), r.ownWords(target))
		}
	}
}

// unjudged says after a word that a formula that was chosen by hand was not judged, "" where it was.
func (r *savedRun) unjudged(target, and string) string {
	if r.evidence(target) != nil {
		return ""
	}
	return and + " not judged"
}

// byHandWords says for the page of a run what was chosen by hand.
func (r *savedRun) byHandWords() map[string]string {
	words := map[string]string{}
	for target := range r.Own {
		words[target] = "Chosen by hand" + r.unjudged(target, ", and") + "; " + r.ownWords(target) + "."
	}
	return words
}
