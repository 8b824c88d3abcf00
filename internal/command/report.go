package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	page "github.com/eqlearner/eql/internal/report"
)

type reportOptions struct{ run, out string }

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write the page of a run: formulas, evidence and figures in one HTML file",
		ArgsUsage: "RUN",
		Description: `Writes one HTML file, which any browser opens without a connection to the
internet, and prints its path.

  eql report eql-runs/pendulum-1
  eql report eql-runs/pendulum-1 --out pendulum.html`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FILE` to write, - for standard output " +
				"(default: report.html in the folder of the run)"},
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
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	config := r.Store.Config()
	config.Inputs = r.Report.Inputs // without constant ones
	p := &page.Page{
		Name: filepath.Base(name), Run: config, Result: r.Found, Seconds: r.Report.Seconds,
		Trajectory: r.Report.Trajectory.Read(), ByHand: r.byHandWords(), Device: r.Report.Device, Card: r.Report.Card,
		Kernel: r.Report.Kernel, Version: version() + ", " + runtime.Version(),
	}
	var complete bool
	p.Command, complete = fitCommandOf(dir, r.Store.Config())
	if !complete {
		p.CommandNote = "Some settings of the run have no flag; config.json in its folder lists them all. "
	}
	if len(config.Columns) > 0 {
		p.CommandNote += "The tables in the folder hold numbers in place of dates, words and units, " +
			"so a new run does not know these. "
	}
	p.CommandNote += fmt.Sprintf("This command starts a new run on the tables in the folder of this one. On the same "+
		"family of processors the results are equal bit for bit. eql fit --resume %s continues this run.", shellWord(dir))
	return p, nil
}
