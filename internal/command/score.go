package command

import (
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
)

type scoreOptions struct {
	application
	sigma []string // at most one column for each target
	json  bool
}

// score is how well a formula predicts one target. What is not finite is missing, R² also when
// the target is constant.
type score struct {
	Target string   `json:"target"`
	Rows   int      `json:"rows"`
	RMS    *float64 `json:"rms"`
	MAE    *float64 `json:"mae"`
	R2     *float64 `json:"r2"`
	// Sigmas is the RMS of errors over standard deviations that a column tells; missing without one.
	Sigmas *float64 `json:"rms_over_sigma,omitempty"`
}

func scoreCommand() *cli.Command {
	return &cli.Command{
		Name:      "score",
		Usage:     "measure the formulas of a run on a table: RMS, MAE and R² of each target",
		ArgsUsage: "RUN DATA.csv (- reads standard input)",
		Description: `Prints, for each target, the number of rows, the root mean square error (RMS),
the mean absolute error (MAE) and R² of the chosen formula, or of that of
--model ID.

  eql score eql-runs/pendulum-1 far.csv
  eql score eql-runs/pendulum-1 far.csv --model 12 --json
  eql score eql-runs/counts-1 new.csv --sigma d_counts`,
		Flags: append(applicationFlags(),
			namesFlag("sigma", "", "`COLUMN` with the standard deviation of the target in each row, in the target's unit; "+
				"several targets: one each; auto finds it; the RMS of errors over standard deviations is printed, too, "+
				"about 1 for the right law (default: none)"),
			&cli.BoolFlag{Name: "json", Usage: "print a JSON list", DisableDefaultText: true}),
		Action: func(c *cli.Context) error {
			a, err := parseApplication(c)
			if err != nil {
				return err
			}
			return runScore(scoreOptions{a, list(c, "sigma"), c.Bool("json")}, os.Stdin, os.Stdout, os.Stderr)
		},
	}
}

func runScore(o scoreOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	r, sheet, err := o.open(stdin, stderr)
	if err != nil {
		return err
	}
	told, err := errorsTold(sheet, r.Report.Targets, o.sigma, nil)
	if err != nil {
		return err
	}
	used := r.used()
	t, told, err := r.rowsWithTargets(sheet, r.Report.Targets, told, stderr)
	if err != nil {
		return err
	}
	y, err := r.predict(used, t.Cols[:len(used)], t.Rows())
	if err != nil {
		return err
	}
	var scores []score
	for i, target := range r.Report.Targets {
		s := scoreOf(target, y[target], t.Cols[len(used)+i])
		if e, ok := told[target]; ok {
			s.Sigmas = overSigma(y[target], t.Cols[len(used)+i], e.Column, t)
		}
		scores = append(scores, s)
	}
	if o.json {
		return encodeJSON(stdout, scores, "")
	}
	tw := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	head, sigmas := "target\trows\tRMS\tMAE\tR²", len(told) > 0
	if sigmas {
		head += "\tRMS/σ"
	}
	fmt.Fprintln(tw, head)
	for _, s := range scores {
		cell := func(x *float64, none string) string {
			if x == nil {
				return none
			}
			return showNumber(*x)
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s", s.Target, s.Rows, cell(s.RMS, "not finite"), cell(s.MAE, "not finite"),
			cell(s.R2, "-"))
		if sigmas {
			fmt.Fprintf(tw, "\t%s", cell(s.Sigmas, "-"))
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}

// scoreOf compares predictions p with targets y.
func scoreOf(target string, p, y []float64) score {
	e := sweep.ErrorsOf(p, y)
	return score{Target: target, Rows: len(y), RMS: finite(e.RMS), MAE: finite(e.MAE), R2: finite(e.R2)}
}

// overSigma returns the RMS of errors over the standard deviations of a column, nil where it is not finite.
func overSigma(predicted, y []float64, column string, t *datasets.Table) *float64 {
	sigma, _ := t.Col(column)
	over := make([]float64, len(y))
	for i, s := range sigma {
		over[i] = (predicted[i] - y[i]) / s
	}
	return finite(fit.RMS(over))
}

// finite returns x for JSON and tables, nil when it is infinite or no number.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
