package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// parse reads the form and what is said of its constants.
func (o formOptions) parse(sheet *datasets.Sheet) (eql.KnownForm, error) {
	f, err := eql.ParseForm(o.form, sheet.Columns())
	if err != nil {
		return f, fmt.Errorf("%s: --form: %w", sheet.Name(), err)
	}
	var errs []error
	for _, flag := range []struct {
		name  string
		given []string
		read  func(f *eql.KnownForm, text string) error
	}{
		{"start", o.starts, startConstant}, {"bound", o.bounds, boundConstant}, {"positive", o.positive, positiveConstant},
		{"integer", o.integers, wholeConstant}, {"fix", o.fixed, fixConstant},
	} {
		for _, text := range flag.given {
			if err := flag.read(&f, text); err != nil {
				errs = append(errs, usagef("--%s: %w", flag.name, err))
			}
		}
	}
	for _, c := range f.Constants {
		switch {
		case !(c.Low < c.High) && !c.Fixed():
			errs = append(errs, usagef("--bound: no number is above %g and below %g, the bounds of %q", c.Low, c.High, c.Name))
		case c.Start < c.Low || c.Start > c.High:
			errs = append(errs, usagef("--start: %s=%g is not within its bounds", c.Name, c.Start))
		case c.Integer && !c.HoldsWhole():
			errs = append(errs, usagef("--integer: no whole number is within the bounds of %q, %g and %g",
				c.Name, c.Low, c.High))
		}
	}
	return f, errors.Join(errs...)
}

func startConstant(f *eql.KnownForm, text string) error {
	c, v, err := said(f, text, "=", "NAME=NUMBER, such as a=1")
	if err != nil {
		return err
	}
	if !math.IsNaN(c.Start) {
		return fmt.Errorf("constant %q has two starts", c.Name)
	}
	c.Start = v
	return nil
}

func boundConstant(f *eql.KnownForm, text string) error {
	c, v, err := said(f, text, "<>", "NAME>NUMBER or NAME<NUMBER, such as b>0")
	switch {
	case err != nil:
		return err
	case strings.Contains(text, ">"):
		c.Low = max(c.Low, v)
	default:
		c.High = min(c.High, v)
	}
	return nil
}

func positiveConstant(f *eql.KnownForm, text string) error {
	c, err := constantNamed(f, text)
	if err == nil {
		c.Low = max(c.Low, 0)
	}
	return err
}

func wholeConstant(f *eql.KnownForm, text string) error {
	c, err := constantNamed(f, text)
	if err == nil {
		c.Integer = true
	}
	return err
}

// fixConstant is read after the others, which a value that is given must agree with.
func fixConstant(f *eql.KnownForm, text string) error {
	c, v, err := said(f, text, "=", "NAME=NUMBER, such as c=0")
	switch {
	case err != nil:
		return err
	case c.Fixed():
		return fmt.Errorf("constant %q is given two values", c.Name)
	case !math.IsNaN(c.Start):
		return fmt.Errorf("constant %q has both a value and a start (leave one of them out)", c.Name)
	case v < c.Low || v > c.High:
		return fmt.Errorf("%s=%g is not within its bounds", c.Name, v)
	}
	c.Fix(v)
	return nil
}

// said reads NAME=NUMBER, or the same with another sign.
func said(f *eql.KnownForm, text, signs, want string) (*formula.Parameter, float64, error) {
	unclear := fmt.Errorf("%q is invalid, want %s", text, want)
	i := strings.IndexAny(text, signs)
	if i < 0 {
		return nil, 0, unclear
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text[i+1:]), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, 0, unclear
	}
	c, err := constantNamed(f, text[:i])
	return c, v, err
}

// constantNamed returns the constant of a name.
func constantNamed(f *eql.KnownForm, name string) (*formula.Parameter, error) {
	name = strings.Trim(strings.TrimSpace(name), "`")
	c := f.Constant(name)
	if c == nil {
		var names []string
		for _, c := range f.Constants {
			names = append(names, c.Name)
		}
		return nil, fmt.Errorf("the form has no constant %q (its constants are: %s)", name, strings.Join(names, ", "))
	}
	return c, nil
}
