package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/datasets"
)

type predictOptions struct {
	run, data, out string
	model          int
	reading        datasets.Options
}

func modelFlag() cli.Flag {
	return &cli.IntFlag{Name: "model", Usage: "use model `ID` of the run instead of the chosen formulas", Value: -1}
}

func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "decimal", Usage: "`MARK` in numbers: point or comma", Value: "point"},
		&cli.StringFlag{Name: "missing", Usage: "what to `DO` about empty cells: error, or drop the row", Value: "error"},
	}
}

func parseReading(c *cli.Context) (o datasets.Options, err error) {
	if err := o.Decimal.UnmarshalText([]byte(c.String("decimal"))); err != nil {
		return o, usagef("--decimal: %w", err)
	}
	if err := o.Missing.UnmarshalText([]byte(c.String("missing"))); err != nil {
		return o, usagef("--missing: %w", err)
	}
	return o, nil
}

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict targets for new rows with the formulas of a run",
		ArgsUsage: "RUN DATA.csv (- reads standard input)",
		Description: `Writes a CSV with a column for each target and a row for each row of the data.

  eql predict eql-runs/pendulum-1 new.csv --out predictions.csv`,
		Flags: append(readingFlags(), modelFlag(), &cli.StringFlag{Name: "out", Usage: "write to `FILE` instead of standard output"}),
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "RUN", "DATA.csv")
			if err != nil {
				return err
			}
			reading, err := parseReading(c)
			if err != nil {
				return err
			}
			o := predictOptions{run: args[0], data: args[1], out: c.String("out"), model: c.Int("model"), reading: reading}
			return runPredict(o, os.Stdin, os.Stdout, os.Stderr)
		},
	}
}

func runPredict(o predictOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	r, err := openRun(o.run, o.model)
	if err != nil {
		return err
	}
	sheet, err := readSheet(o.data, stdin, o.reading)
	if err != nil {
		return err
	}
	used := r.used()
	rows, cols := sheet.Rows(), [][]float64(nil)
	if len(used) > 0 {
		t, err := useColumns(sheet, used, stderr)
		if err != nil {
			return err
		}
		rows, cols = t.Rows(), t.Cols
	}
	y, err := r.predict(used, cols, rows)
	if err != nil {
		return err
	}
	out := &datasets.Table{Names: r.report.Targets}
	for _, target := range r.report.Targets {
		out.Cols = append(out.Cols, y[target])
	}
	if o.out == "" {
		return out.WriteCSV(stdout)
	}
	return writeFile(o.out, out.WriteCSV)
}

// writeFile creates a file, or replaces it when all of it could be written.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close() //nolint:errcheck // the first error counts
		return err
	}
	return f.Close()
}
