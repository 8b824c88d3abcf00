package command

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/sweep"
)

type scoreOptions struct {
	application
	json bool
}

// score is how well a formula predicts one target. What is not finite is missing, R² also when
// the target is constant.
type score struct {
	Target string   `json:"target"`
	Rows   int      `json:"rows"`
	RMS    *float64 `json:"rms"`
	MAE    *float64 `json:"mae"`
	R2     *float64 `json:"r2"`
}

func scoreCommand() *cli.Command {
	return &cli.Command{
		Name:      "score",
		Usage:     "measure the formulas of a run on a table: RMS, MAE and R² of each target",
		ArgsUsage: "RUN DATA.csv (- reads standard input)",
		Description: `  eql score eql-runs/pendulum-1 far.csv
  eql score eql-runs/pendulum-1 far.csv --model 12 --json`,
		Flags: append(applicationFlags(), &cli.BoolFlag{Name: "json", Usage: "print a JSON list", DisableDefaultText: true}),
		Action: func(c *cli.Context) error {
			a, err := parseApplication(c)
			if err != nil {
				return err
			}
			return runScore(scoreOptions{a, c.Bool("json")}, os.Stdin, os.Stdout, os.Stderr)
		},
	}
}

func runScore(o scoreOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	r, sheet, err := o.open(stdin, stderr)
	if err != nil {
		return err
	}
	used := r.used()
	t, _, err := useColumns(sheet, slices.Concat(used, r.Report.Targets), r.Store.Config().Columns, stderr)
	if err != nil {
		return err
	}
	y, err := r.predict(used, t.Cols[:len(used)], t.Rows())
	if err != nil {
		return err
	}
	var scores []score
	for i, target := range r.Report.Targets {
		scores = append(scores, scoreOf(target, y[target], t.Cols[len(used)+i]))
	}
	if o.json {
		return encodeJSON(stdout, scores, "")
	}
	tw := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "target\trows\tRMS\tMAE\tR²")
	for _, s := range scores {
		cell := func(x *float64, none string) string {
			if x == nil {
				return none
			}
			return showNumber(*x)
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\n", s.Target, s.Rows, cell(s.RMS, "not finite"), cell(s.MAE, "not finite"),
			cell(s.R2, "-"))
	}
	return tw.Flush()
}

// scoreOf compares predictions p with targets y.
func scoreOf(target string, p, y []float64) score {
	e := sweep.ErrorsOf(p, y)
	return score{Target: target, Rows: len(y), RMS: finite(e.RMS), MAE: finite(e.MAE), R2: finite(e.R2)}
}

// finite returns x for JSON and tables, nil when it is infinite or no number.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
