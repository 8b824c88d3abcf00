package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
	return appOf("eql", "learn short formulas from tables of measurements, and say how far to trust them",
		`eql fit data.csv                         learn a formula for the last column
eql show eql-runs/data-1 --format latex  print it for a paper or a program
eql predict eql-runs/data-1 new.csv      predict the rows of another table
eql report eql-runs/data-1               write a page with figures
eql fit --help                           explain the flags of a command, here fit`,
		fitCommand(), batchCommand(nil), predictCommand(), scoreCommand(), refitCommand(), chooseCommand(),
		showCommand(), reportCommand(), dataCommand(), reproduceCommand(), devicesCommand(), completionCommand(),
	)
}

// appOf returns the command line of a program with these commands.
func appOf(name, usage, examples string, commands ...*cli.Command) *cli.App {
	app := &cli.App{
		Name:                 name,
		Usage:                usage,
		Version:              version(),
		Description:          examples,
		EnableBashCompletion: true,
		HideHelpCommand:      true,
		Commands:             commands,
		ExitErrHandler:       func(*cli.Context, error) {},
		OnUsageError:         onUsageError,
		Action:               runApp,
	}
	for _, c := range app.Commands {
		c.OnUsageError = onUsageError
		c.HideHelpCommand = true
	}
	cli.FlagStringer = flagText(cli.FlagStringer)
	cli.HelpPrinter = wrapped(cli.HelpPrinter)
	return app
}

// runApp answers a command line that names no command.
func runApp(c *cli.Context) error {
	if c.Args().First() == "help" && c.NArg() == 1 {
		return cli.ShowAppHelp(c)
	}
	if c.Args().First() == "help" && c.App.Command(c.Args().Get(1)) != nil {
		return cli.ShowCommandHelp(c, c.Args().Get(1))
	}
	if c.Args().Present() {
		return usagef("there is no command %q; %s --help lists them", c.Args().First(), c.App.Name)
	}
	c.App.Writer = c.App.ErrWriter
	return errors.Join(cli.ShowAppHelp(c), usagef("name a command"))
}

// wrapped breaks the lines of help at the width of the terminal.
func wrapped(help func(w io.Writer, template string, data any)) func(io.Writer, string, any) {
	return func(w io.Writer, template string, data any) {
		var b strings.Builder
		help(&b, template, data)
		write(w, b.String()) //nolint:errcheck // there is nothing to be done where help cannot be written
	}
}

// release is the version that a release was built as; python/build_wheels.py has the linker set it.
var release string

// version returns the version that the program was built as: of the release, otherwise of the module.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

const completionFlag = "--generate-bash-completion"

// flagsFirst moves the flags of a command before its arguments: the flag package would stop at
// the first argument, and people write the file first.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 || args[len(args)-1] == completionFlag {
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
		if arg == "-h" || arg == "-help" || arg == "--help" {
			return []string{args[0], args[1], arg} // cli would look for help on the argument
		}
		flags = append(flags, arg)
		if !strings.Contains(arg, "=") && takesValue(app.Commands[i], strings.TrimLeft(arg, "-")) {
			if k++; k == len(args) || args[k] == "--" {
				return slices.Concat(args[:2], flags) // without its value; the parser says so
			}
			flags = append(flags, args[k])
		}
	}
	if len(rest) > 0 {
		flags = append(flags, "--")
	}
	return slices.Concat(args[:2], flags, rest)
}

func takesValue(c *cli.Command, name string) bool {
	f := flagNamed(c, name)
	_, isBool := f.(*cli.BoolFlag)
	return f != nil && !isBool
}

// flagNamed returns a flag of a command, nil when it has none of that name.
func flagNamed(c *cli.Command, name string) cli.Flag {
	for _, f := range c.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// arguments checks the number of arguments of a command and returns them.
func arguments(c *cli.Context, names ...string) ([]string, error) {
	if got := c.Args().Len(); got != len(names) {
		return nil, usagef("%s takes %s, and %s given; eql %[1]s --help says more",
			c.Command.Name, cmp.Or(strings.Join(names, " and "), "no argument"), given(got))
	}
	args := c.Args().Slice()
	if slices.Contains(args, "") {
		return nil, usagef("%s is given an empty argument", c.Command.Name)
	}
	return args, nil
}

func given(n int) string {
	switch n {
	case 0:
		return "no argument was"
	case 1:
		return "one argument was"
	}
	return fmt.Sprintf("%d arguments were", n)
}
