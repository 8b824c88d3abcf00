package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// application is what predict and score start from: the formulas of a run, and a table.
type application struct {
	run, data string
	model     int
	reading   datasets.Options
}

func applicationFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "decimal", Usage: "decimal `MARK`: point or comma; the other one, if this is given, parts thousands", Value: "point"},
		&cli.StringFlag{Name: "missing", Usage: "what to `DO` about missing cells: error, or drop the row", Value: "error"},
		modelFlag(),
	}
}

func parseApplication(c *cli.Context) (a application, err error) {
	args, err := arguments(c, "RUN", "DATA.csv")
	if err != nil {
		return a, err
	}
	a = application{run: args[0], data: args[1], reading: datasets.Options{AllNeeded: true}}
	if err := a.reading.Decimal.UnmarshalText([]byte(c.String("decimal"))); err != nil {
		return a, flagError("decimal", err)
	}
	a.reading.DecimalKnown = c.IsSet("decimal")
	if err := a.reading.Missing.UnmarshalText([]byte(c.String("missing"))); err != nil {
		return a, flagError("missing", err)
	}
	a.model, err = parseModel(c)
	return a, err
}

func (a application) open(stdin io.Reader, notes io.Writer) (*savedRun, *datasets.Sheet, error) {
	r, err := openRun(a.run, a.model, notes)
	if err != nil {
		return nil, nil, err
	}
	r.noteByHand(notes)
	sheet, err := readSheet(a.data, stdin, a.reading, notes)
	return r, sheet, err
}

func modelFlag() cli.Flag {
	return &cli.IntFlag{Name: "model", Usage: "use model `ID` of the run", DefaultText: "the chosen formulas", Value: chosen}
}

// chosen stands for the formulas that the run chose, in place of the id of a model.
const chosen = -1

func parseModel(c *cli.Context) (int, error) {
	id := c.Int("model")
	if c.IsSet("model") && id < 0 {
		return 0, usagef("--model is %d, want the id of a model, as the tables of eql fit show it", id)
	}
	return id, nil
}

// savedRun is a finished run as predict, score and show use it.
type savedRun struct {
	store    *sweep.Store
	model    int // whose formulas they are; negative for the chosen ones
	report   eql.Report
	formulas map[string]formula.Expr
	own      map[string]ownChoice // for targets whose formula was chosen by hand
}

// openRun reads the folder of a run and the formulas of model id, or for id < 0 the chosen ones: those chosen by hand
// where there are such, otherwise the run's own.
func openRun(dir string, id int, notes io.Writer) (*savedRun, error) {
	r, err := openOwn(dir, notes)
	if err != nil {
		return nil, err
	}
	if id < 0 {
		if err := r.takeByHand(); err != nil {
			return nil, err
		}
	}
	return r, r.take(id, dir)
}

// openOwn reads the folder of a run with the run's own choice.
func openOwn(dir string, notes io.Writer) (*savedRun, error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	r := &savedRun{store: store}
	if err := store.ReadResult(&r.report); err != nil {
		return nil, err
	}
	if len(r.report.Targets) == 0 || len(r.report.Inputs) == 0 && len(r.report.Models) > 0 {
		return nil, fmt.Errorf("%s: result.json is damaged: it has no targets; make it anew by eql fit --resume %s",
			dir, shellWord(dir))
	}
	if r.report.Ended == sweep.EndedInterrupted {
		fmt.Fprintf(notes, "note: %s was interrupted: these are partial results; eql fit --resume %s goes on\n",
			dir, shellWord(dir))
	}
	return r, r.take(chosen, dir)
}

// take reads the formulas of model id, or the chosen ones for id < 0.
func (r *savedRun) take(id int, dir string) (err error) {
	r.model = id
	texts := r.report.Formula
	if id >= 0 {
		if texts, err = modelFormulas(&r.report, id, dir); err != nil {
			return err
		}
	}
	r.formulas = map[string]formula.Expr{}
	for _, target := range r.report.Targets {
		text, ok := texts[target]
		if !ok {
			return noFormula(dir, id, target)
		}
		if r.formulas[target], err = formula.Parse(text); err != nil {
			return fmt.Errorf("%s: result.json is damaged: the formula of %q: %w", dir, target, err)
		}
		for _, v := range formula.Vars(r.formulas[target]) {
			if !slices.Contains(r.report.Inputs, v) {
				return fmt.Errorf("%s: result.json is damaged: the formula of %q uses %q, which is no input", dir, target, v)
			}
		}
	}
	return nil
}

// used returns the inputs that any of the formulas reads.
func (r *savedRun) used() []string {
	var names []string
	for _, name := range r.report.Inputs {
		for _, e := range r.formulas {
			if slices.Contains(formula.Vars(e), name) {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// predict evaluates the formulas on columns in the order of used.
func (r *savedRun) predict(used []string, cols [][]float64, rows int) (map[string][]float64, error) {
	y := map[string][]float64{}
	for target, e := range r.formulas {
		p, err := formula.Compile(e, used)
		if err != nil {
			return nil, err
		}
		y[target] = make([]float64, rows)
		p.EvalColumns(y[target], cols)
	}
	return y, nil
}
