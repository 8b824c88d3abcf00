package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// usageError is a mistake in the command line; the exit code tells it from others.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

func newApp() *cli.App {
	app := &cli.App{
		Name:    "eql",
		Usage:   "learn short formulas, which hold outside the data, from tables of measurements",
		Version: version(),
		Description: `eql fit data.csv             learn a formula for the last column
eql fit data.csv --target y1,y2 --test far.csv
eql show eql-runs/data-1 --format latex
eql predict eql-runs/data-1 new.csv`,
		EnableBashCompletion: true,
		HideHelpCommand:      true,
		Commands: []*cli.Command{
			fitCommand(), predictCommand(), scoreCommand(), showCommand(), dataCommand(), devicesCommand(), completionCommand(),
		},
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("there is no command %q; eql --help lists them", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = onUsageError
		c.HideHelpCommand = true
	}
	return app
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	command := "eql"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "eql" {
		command += " " + c.Command.Name
	}
	text := strings.Replace(err.Error(), "flag provided but not defined: -", "there is no flag --", 1)
	text = strings.ReplaceAll(text, "there is no flag ---", "there is no flag --")
	return usagef("%s (%s --help lists the flags)", text, command)
}

// version returns the version that the module was built as.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// flagsFirst moves the flags of a command before its arguments: the flag package would stop at
// the first argument, and people write the file first.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 {
		return args
	}
	i := slices.IndexFunc(app.Commands, func(c *cli.Command) bool { return c.HasName(args[1]) })
	if i < 0 {
		return args
	}
	var flags, rest []string
	for k := 2; k < len(args); k++ {
		arg := args[k]
		if arg == "--" {
			rest = append(rest, args[k+1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		if !strings.Contains(arg, "=") && takesValue(app.Commands[i], strings.TrimLeft(arg, "-")) && k+1 < len(args) {
			k++
			flags = append(flags, args[k])
		}
	}
	if len(rest) > 0 {
		flags = append(flags, "--")
	}
	return slices.Concat(args[:2], flags, rest)
}

func takesValue(c *cli.Command, name string) bool {
	for _, f := range c.Flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false // an unknown flag, help or version
}

// arguments checks the number of arguments of a command and returns them.
func arguments(c *cli.Context, names ...string) ([]string, error) {
	if got := c.Args().Len(); got != len(names) {
		return nil, usagef("%s takes %s, and %d arguments were given; see eql %[1]s --help", c.Command.Name, strings.Join(names, " and "), got)
	}
	return c.Args().Slice(), nil
}
