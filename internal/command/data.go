package command

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/datasets"
)

type dataOptions struct {
	name, out string
	generate  datasets.GenerateOptions
}

func dataCommand() *cli.Command {
	return &cli.Command{
		Name:      "data",
		Usage:     "write the data of a built-in problem, or list the problems",
		ArgsUsage: "[NAME]",
		Description: `Without NAME, lists the problems. With NAME, writes data.csv (training and
validation rows), the problem's test sets (interpolation.csv, near.csv,
far.csv), and all of these without noise as *_clean.csv.

  eql data
  eql data F-1 --out f1 && eql fit f1/data.csv --test f1/far.csv`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` to write to (default: the problem's name)"},
			&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of the random numbers"},
			&cli.IntFlag{Name: "rows", Usage: "`N` rows of data.csv", DefaultText: "the problem's"},
			&cli.Float64Flag{Name: "noise", Usage: "standard deviation `SD` of the noise", DefaultText: "the problem's"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Len() == 0 && c.NumFlags() == 0 {
				return listProblems(os.Stdout)
			}
			args, err := arguments(c, "NAME")
			if err != nil {
				return err
			}
			o := dataOptions{name: args[0], out: c.String("out"),
				generate: datasets.GenerateOptions{Seed: c.Uint64("seed"), Rows: c.Int("rows")}}
			if c.IsSet("noise") {
				noise := c.Float64("noise")
				o.generate.Noise = &noise
			}
			if c.IsSet("rows") && o.generate.Rows < 1 {
				return usagef("--rows is %d, want at least 1", o.generate.Rows)
			}
			return runData(o, os.Stderr)
		},
	}
}

func listProblems(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "name\tinputs\ttargets\trows\twhat")
	for _, p := range datasets.Problems() {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%s\n", p.Name, len(p.Inputs), len(p.Targets), p.Rows, p.Title)
	}
	return tw.Flush()
}

func runData(o dataOptions, stderr io.Writer) error {
	p, err := datasets.Lookup(o.name)
	if err != nil {
		return &usageError{err}
	}
	suite, err := p.Generate(o.generate)
	if err != nil {
		return generateError(err)
	}
	if o.out == "" {
		o.out = o.name
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return fmt.Errorf("making the folder: %w (choose another by --out)", err)
	}
	files := map[string]*datasets.Table{}
	for _, f := range append([]datasets.Test{{Name: "data", Noisy: suite.Data, Clean: suite.DataClean}}, suite.Tests...) {
		files[f.Name+".csv"], files[f.Name+"_clean.csv"] = f.Noisy, f.Clean
	}
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(o.out, name)); err == nil {
			return fmt.Errorf("%s exists already (choose another folder by --out)", filepath.Join(o.out, name))
		}
	}
	for _, name := range names {
		if err := writeFile(filepath.Join(o.out, name), files[name].WriteCSV); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "wrote %d rows of data to %s", suite.Data.Rows(), filepath.Join(o.out, "data.csv"))
	if len(suite.Tests) > 0 {
		names := make([]string, len(suite.Tests))
		for i, t := range suite.Tests {
			names[i] = t.Name + ".csv"
		}
		fmt.Fprintf(stderr, ", and beside it %s", strings.Join(names, ", "))
	}
	fmt.Fprintln(stderr)
	return nil
}

// generateError names the flag when it is a flag's value that is wrong.
func generateError(err error) error {
	for _, flag := range []string{"rows", "noise"} {
		if strings.HasPrefix(err.Error(), flag+" is ") {
			return flagError(flag, err)
		}
	}
	return err
}
