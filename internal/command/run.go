package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/trajectory"
	"github.com/eqlearner/eql/run"
)

// application is what predict and score start from: the formulas of a run, and a table.
type application struct {
	run, data string
	model     int
	reading   datasets.Options
}

// decimalTold says which decimal mark is taken without the flag.
const decimalTold = "the mark that cells tell, else point"

func applicationFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "decimal", Usage: "`point|comma`: the decimal mark; the other mark separates thousands",
			Value: "point", DefaultText: decimalTold},
		&cli.StringFlag{Name: "missing", Usage: "`error|drop`: missing cells stop the program (error), or their rows are " +
			"left out (drop); in predict such a row stays, and its prediction is NaN", Value: "error"},
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

// rowsWithTargets takes the columns that the formulas read, targets, and the columns that tell their errors, in this
// order, from a sheet. Of a run along a trajectory the sheet is another trajectory, unless it has the derivatives:
// these and their errors are made as they were for the run.
func (r *savedRun) rowsWithTargets(sheet *datasets.Sheet, targets []string, told map[string]run.ErrorColumn,
	notes io.Writer) (*datasets.Table, map[string]run.ErrorColumn, error) {
	codings := r.Store.Config().Columns
	along := r.Store.Config().Trajectory
	lacks := func(name string) bool { return !slices.Contains(sheet.Columns(), name) }
	if along == nil || !slices.ContainsFunc(targets, lacks) {
		t, kept, err := useColumns(sheet, run.Columns(r.used(), targets, told), codings, notes)
		if err == nil {
			err = checkErrorCells(sheet, t, kept, toldColumns(told, targets))
		}
		return t, told, err
	}
	if len(told) > 0 {
		return nil, nil, usagef("a column of errors is not that of the derivatives that %s is fitted to (leave it out)",
			targets[0])
	}
	var names []string
	for _, name := range slices.Concat([]string{along.Time}, along.States, r.used()) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t, _, err := useColumns(sheet, names, codings, notes)
	if err != nil {
		return nil, nil, err
	}
	path, err := trajectory.New(t, along.Time, along.States)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", sheet.Name(), err)
	}
	rates, rows, err := path.SlopesOf(eql.MinRows)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", sheet.Name(), err)
	}
	tell(notes, "note: %s: derivatives by %s from %d rows, at %d of them", sheet.Name(), along.Time, t.Rows(), len(rows))
	told = map[string]run.ErrorColumn{}
	for k, name := range path.Rates {
		if slices.Contains(targets, name) {
			told[name] = run.ErrorColumn{Column: path.Errors[k]}
		}
	}
	t, err = rates.Select(run.Columns(r.used(), targets, told)...)
	return t, told, err
}

func modelFlag() cli.Flag {
	return &cli.IntFlag{Name: "model", Usage: "use model `ID` of the run",
		DefaultText: "the chosen formulas", Value: chosen}
}

// chosen stands for the formulas that the run chose, in place of the id of a model.
const chosen = -1

func parseModel(c *cli.Context) (int, error) {
	id := c.Int("model")
	if c.IsSet("model") && id < 0 {
		return 0, usagef("--model is %d, want a number from the column model of the tables that eql fit prints", id)
	}
	return id, nil
}

// savedRun is a finished run as predict, score and show use it.
type savedRun struct {
	*saved.Run
	model    int // whose formulas they are; negative for the chosen ones
	formulas map[string]formula.Expr
}

// openRun reads the folder of a run and the formulas of model id, or for id < 0 the chosen ones: those chosen by hand
// where there are such, otherwise the run's own.
func openRun(dir string, id int, notes io.Writer) (*savedRun, error) {
	r, err := openOwn(dir, notes)
	if err != nil {
		return nil, err
	}
	if id >= 0 {
		r.model = id
		r.formulas, err = r.Formulas(id)
		return r, err
	}
	err = r.TakeByHand()
	r.formulas = saved.Formulas(r.Found)
	return r, err
}

// openOwn reads the folder of a run with the run's own choice.
func openOwn(dir string, notes io.Writer) (*savedRun, error) {
	there, err := saved.Open(dir)
	if err != nil {
		return nil, err
	}
	if there.Report.Ended == run.EndedInterrupted {
		tell(notes, "note: %s was interrupted: these are partial results; eql fit --resume %s continues the run",
			dir, shellWord(dir))
	}
	return &savedRun{there, chosen, saved.Formulas(there.Found)}, nil
}

// evidence returns the evidence for the chosen formula of a target, nil where there is none.
func (r *savedRun) evidence(target string) *evidence.Evidence {
	for _, c := range r.Found.Chosen {
		if c.Target == target {
			return c.Evidence
		}
	}
	return nil
}

// used returns the inputs that any of the formulas reads.
func (r *savedRun) used() []string {
	var names []string
	for _, name := range r.Report.Inputs {
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
