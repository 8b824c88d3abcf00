package command

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// listFlag is a flag with one or more values, separated by commas or given by repeating it. It
// keeps the text: whether a comma separates is known only when the names of the columns are.
type listFlag []string

// Set adds a value of the flag.
func (l *listFlag) Set(s string) error {
	*l = append(*l, s)
	return nil
}

func (l *listFlag) String() string { return "" }

// namesFlag returns a flag for a list of column or file names.
func namesFlag(name, category, usage string) cli.Flag {
	return &cli.GenericFlag{Name: name, Category: category, Usage: usage, Value: new(listFlag)}
}

// list returns what was given to a [namesFlag], nil when it was not given or the command has no such flag.
func list(c *cli.Context, flag string) []string {
	given, ok := c.Generic(flag).(*listFlag)
	if !ok {
		return nil
	}
	return *given
}

// split cuts values at their commas, except those that are names as they stand.
func split(values []string, isName func(string) bool) []string {
	var names []string
	for _, value := range values {
		if isName(value) {
			names = append(names, value)
			continue
		}
		for part := range strings.SplitSeq(value, ",") {
			names = append(names, strings.TrimSpace(part))
		}
	}
	return names
}

var (
	repeated = regexp.MustCompile(` \[ --[^]]*\]`)
	choices  = regexp.MustCompile(`\t\w+(\|\w+)+: `)
	inQuotes = regexp.MustCompile(`\(default: "([^"]*)"\)$`)
)

// flagText prints flags in help without three habits of cli: lists are not shown twice, the choices of a flag, such as
// auto|off, stand beside its name only, and defaults have no quotes.
func flagText(show cli.FlagStringFunc) cli.FlagStringFunc {
	return func(f cli.Flag) string {
		text := choices.ReplaceAllString(repeated.ReplaceAllString(show(f), ""), "\t")
		return inQuotes.ReplaceAllString(text, "(default: $1)")
	}
}

var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -+(.*)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -+(.*)$`)
	invalidValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-+([^:]*): `)
)

// onUsageError says in our words what cli says in those of package flag.
func onUsageError(c *cli.Context, err error, _ bool) error {
	command := c.App.Name
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != c.App.Name {
		command += " " + c.Command.Name
	}
	text := err.Error()
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("there is no flag --%s", m[1])
		if c.Command != nil {
			text += meant(m[1], cli.SuggestFlag(c.Command.Flags, m[1], true))
		}
	} else if m := missingValue.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("--%s needs a value", m[1])
	} else if m := invalidValue.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("--%s is %s, want %s", m[2], m[1], wanted(flagNamed(c.Command, m[2])))
	}
	return usagef("%s (%s --help lists the flags)", text, command)
}

// meant asks whether a name stands for the flag that is nearest to it, such as --inputs, if both begin alike.
func meant(name, nearest string) string {
	const alike = 3 // letters
	if len(name) < alike || !strings.HasPrefix(nearest, "--"+name[:alike]) {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", nearest)
}

// wanted says what values a flag takes.
func wanted(f cli.Flag) string {
	switch f.(type) {
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number of at least 0"
	case *cli.IntSliceFlag:
		return "whole numbers, separated by commas"
	case *cli.Float64Flag:
		return "a number"
	case *cli.Float64SliceFlag:
		return "numbers, separated by commas"
	case *cli.DurationFlag:
		return "a time with its unit, such as 90s or 5m"
	case *cli.BoolFlag:
		return "true or false"
	}
	return "another value"
}

// flagError is a mistake in the value of a flag, with the flag named once.
func flagError(flag string, err error) error {
	if text := err.Error(); strings.HasPrefix(text, flag+" is ") {
		return usagef("--%s", text)
	}
	return usagef("--%s: %w", flag, err)
}
