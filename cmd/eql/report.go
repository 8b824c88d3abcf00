package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	page "github.com/eqlearner/eql/internal/report"
	"github.com/eqlearner/eql/internal/sweep"
)

type reportOptions struct{ run, out string }

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write the page of a run: formulas, evidence and figures in one HTML file",
		ArgsUsage: "RUN",
		Description: `Writes one file that opens in any browser without a network, and prints its path.

  eql report eql-runs/pendulum-1
  eql report eql-runs/pendulum-1 --out pendulum.html`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FILE` to write, - for standard output (default: report.html in the folder of the run)"},
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "RUN")
			if err != nil {
				return err
			}
			return runReport(reportOptions{run: args[0], out: c.String("out")}, os.Stdout)
		},
	}
}

func runReport(o reportOptions, stdout io.Writer) error {
	r, err := openRun(o.run, -1, os.Stderr)
	if err != nil {
		return err
	}
	p, err := r.page(o.run)
	if err != nil {
		return err
	}
	if o.out == "-" {
		return p.Write(stdout)
	}
	if o.out == "" {
		o.out = filepath.Join(o.run, "report.html")
	}
	if err := writeFile(o.out, p.Write); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, o.out)
	return err
}

// page returns what the page of the run is made from.
func (r *savedRun) page(dir string) (*page.Page, error) {
	found, err := r.result(dir)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	config := r.store.Config()
	config.Inputs = r.report.Inputs // without constant ones
	p := &page.Page{
		Name: filepath.Base(name), Run: config, Result: found, Seconds: r.report.Seconds,
		ByHand: r.byHandWords(), Device: r.report.Device, Card: r.report.Card, Kernel: r.report.Kernel, Version: version() + ", " + runtime.Version(),
	}
	var complete bool
	p.Command, complete = fitCommandOf(dir, r.store.Config())
	if !complete {
		p.CommandNote = "The run has settings that no flag of the command can say; the folder's config.json has them all. "
	}
	if len(config.Columns) > 0 {
		p.CommandNote += "The tables in the folder have numbers in place of dates, words and units: a run on them does not know what these were. "
	}
	p.CommandNote += fmt.Sprintf("It learns from the tables in the folder of the run. On processors of one family the same bits come out; eql fit --resume %s goes on with this run itself.", shellWord(dir))
	return p, nil
}

// result puts the result of the run together again, from result.json and the networks.
func (r *savedRun) result(dir string) (*sweep.Result, error) {
	rep := &r.report
	res := &sweep.Result{Inputs: rep.Inputs, Warnings: rep.Warnings, Rounds: rep.Rounds, Ended: rep.Ended}
	if rep.TimedOut {
		res.Ended = sweep.EndedByTime // earlier versions kept only this
	}
	for _, target := range rep.Targets {
		if _, learned := rep.Chosen[target]; learned {
			res.Targets = append(res.Targets, target)
		}
	}
	networks := map[int]*sweep.Model{}
	for _, m := range r.store.Finished() {
		networks[m.ID] = m
	}
	byID := map[int]*sweep.Model{}
	var errs []error
	for _, saved := range rep.Models {
		m, err := savedModel(saved, networks[saved.ID], res.Targets)
		errs = append(errs, err)
		res.Models = append(res.Models, m)
		byID[m.ID] = m
	}
	if len(res.Targets) > 1 && len(rep.Models) > 0 && rep.Models[0].Target == nil {
		res.Warnings = append(slices.Clip(res.Warnings), "The run is of an earlier version, which kept the validation errors of its models over all targets only.")
	}
	for _, target := range rep.Targets {
		if errors.Join(errs...) != nil {
			break // a model lacks a target
		}
		c, err := r.choice(target, byID, res.Targets)
		errs = append(errs, err)
		res.Chosen = append(res.Chosen, c)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%s: result.json is damaged: %w; make it anew by eql fit --resume %s", dir, err, shellWord(dir))
	}
	return res, nil
}

// savedModel returns a model with its network, nil when it has none.
func savedModel(saved eql.ReportModel, network *sweep.Model, targets []string) (*sweep.Model, error) {
	m := &sweep.Model{
		Job:      sweep.Job{ID: saved.ID, Layers: saved.Layers, Width: saved.Width, Lambda: saved.Lambda, Restart: saved.Seed},
		Baseline: saved.Baseline, Greedy: saved.Greedy, Short: saved.Short,
	}
	var errs []error
	if network != nil && !saved.Baseline && !saved.Greedy && !saved.Short { // a later round, cut off, may have reached the baseline's id
		m.Job, m.Network, m.Loss, m.Diverged = network.Job, network.Network, network.Loss, network.Diverged
		if !slices.Equal(m.Network.Outputs, targets) {
			errs = append(errs, fmt.Errorf("model %d is of a network with other targets", saved.ID))
		}
	}
	for _, target := range targets {
		t := sweep.TargetModel{Validation: value(saved.Validation, math.Inf(1)), Criterion: math.Inf(1)}
		if text, ok := saved.Formula[target]; ok {
			e, err := formula.Parse(text)
			if err != nil {
				errs = append(errs, fmt.Errorf("model %d: %w", saved.ID, err))
				continue
			}
			t.Formula, t.Complexity = e, formula.Complexity(e)
		}
		if own, ok := saved.Target[target]; ok {
			t.Complexity, t.Validation = own.Complexity, value(own.Validation, math.Inf(1))
		}
		m.Targets = append(m.Targets, t)
	}
	return m, errors.Join(errs...)
}

// choice returns the choice for a target.
func (r *savedRun) choice(target string, models map[int]*sweep.Model, learned []string) (sweep.Choice, error) {
	c := sweep.Choice{Target: target}
	if id, ok := r.report.Chosen[target]; ok {
		if c.Model = models[id]; c.Model == nil {
			return c, fmt.Errorf("there is no model %d, which %q was chosen from", id, target)
		}
		if o := slices.Index(learned, target); o >= 0 {
			c.TargetModel = c.Model.Targets[o]
		}
	}
	c.Formula = r.formulas[target]
	c.Complexity = formula.Complexity(c.Formula)
	if saved, ok := r.report.Evidence[target]; ok && c.Model != nil {
		e, err := savedEvidence(saved, r.report.Inputs)
		if err != nil {
			return c, fmt.Errorf("the evidence for %q: %w", target, err)
		}
		c.Evidence = e
	}
	return c, nil
}

func savedEvidence(saved eql.ReportEvidence, inputs []string) (*sweep.Evidence, error) {
	fitted, err := formula.Parse(saved.Fitted)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	e := &sweep.Evidence{
		Verdict: sweep.Verdict{Level: saved.Verdict, Code: saved.Code, Kind: saved.Kind, Reason: saved.Reason},
		Fitted:  fitted, Gap: value(saved.Gap, math.Inf(1)), Support: sweep.Support(saved.ReportSupport), Noise: value(saved.Noise, nan), Exact: saved.Exact,
		Explained: value(saved.Explained, nan), Line: value(saved.Line, nan),
	}
	if saved.Errors != nil {
		e.Errors = *saved.Errors
	}
	if w := saved.Power; w != nil {
		e.Power.Validation = value(w.Validation, nan)
		if e.Power.Formula, err = formula.Parse(w.Formula); err != nil {
			return nil, err
		}
	}
	if g := saved.Greedy; g != nil {
		e.Greedy.Complexity, e.Greedy.Validation, e.Greedy.Agrees = g.Complexity, value(g.Validation, nan), g.Agrees
		if e.Greedy.Formula, err = formula.Parse(g.Formula); err != nil {
			return nil, err
		}
	}
	for _, k := range saved.Constants {
		v := value(k.Value, nan)
		e.Constants = append(e.Constants, distill.Constant{
			Value: v, Low: value(k.Low, math.Inf(-1)), High: value(k.High, math.Inf(1)), Snapped: value(k.Snapped, v),
		})
	}
	if s := saved.Residuals; s != nil {
		e.Structure = distill.Structure{Z: value(s.Z, math.Inf(1)), Limit: value(s.Limit, nan), Order: evidence.OrderOf(s.Order, inputs), Defined: true}
	}
	if x := saved.Outer; x != nil {
		e.Extrapolation = distill.Extrapolation{
			Ratio: value(x.Ratio, math.Inf(1)), Inflation: value(x.Inflation, nan), Limit: value(x.Limit, nan), Doubt: value(x.Doubt, nan), Inner: value(x.Inner, evidence.FirstInner),
			Defined: true,
		}
	}
	return e, nil
}

// value returns a number of JSON, or what stands for a missing one.
func value(x *float64, missing float64) float64 {
	if x == nil {
		return missing
	}
	return *x
}
