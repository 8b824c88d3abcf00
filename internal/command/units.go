package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/units"
	"github.com/eqlearner/eql/run"
)

// measured is what flags say of units of measurement.
type measured struct {
	unitsOf    []string       // v=m/s
	dimensions run.Dimensions // empty where the flag was not given
}

func unitFlags() []cli.Flag {
	const category = "Units of measurement (a line of units below the header of the table is read, too)"
	return []cli.Flag{
		namesFlag("units-of", category, "`UNITS` of columns, such as v=m/s,F=N (default: those in the line of units)"),
		&cli.StringFlag{Name: "dimensions", Category: category,
			Usage: "`prefer|require|off`: prefer formulas whose constants need no units, accept only formulas that agree " +
				"with the units, or ignore units",
			DefaultText: "prefer, where columns have units"},
	}
}

// parseMeasured reads the flags about units.
func parseMeasured(c *cli.Context) (m measured, err error) {
	m.unitsOf = list(c, "units-of")
	if c.IsSet("dimensions") {
		if err := m.dimensions.UnmarshalText([]byte(c.String("dimensions"))); err != nil {
			return m, flagError("dimensions", err)
		}
	}
	return m, nil
}

// of returns the units of the columns that are used: those of the line of units, and those that the flag says instead.
func (m measured) of(sheet *datasets.Sheet, used []string, notes io.Writer) (map[string]string, error) {
	if m.dimensions == run.DimensionsOff {
		return nil, nil
	}
	texts := map[string]string{}
	for _, name := range used {
		if unit := sheet.Unit(name); unit != "" {
			texts[name] = unit
		}
	}
	said, err := m.said(sheet.Columns())
	if err != nil {
		return nil, err
	}
	for name, unit := range said {
		if slices.Contains(used, name) {
			texts[name] = unit
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		_, err := units.Parse(texts[name])
		_, flag := said[name]
		switch {
		case err == nil && units.FromOwnZero(texts[name]):
			tell(notes, "note: column %q: %s counts as a difference of temperatures "+
				"(a law of the absolute temperature needs kelvin)",
				name, texts[name])
		case err != nil && flag:
			return nil, usagef("--units-of: column %q: %w", name, err)
		case err != nil:
			return nil, &datasets.Error{File: sheet.Name(), Line: sheet.UnitLine(), Column: name, Err: fmt.Errorf(
				"%w (write a known unit, name it by --units-of, or ignore units by --dimensions off; "+
					"if the line holds no units, put # before it)", err)}
		}
	}
	if len(texts) == 0 {
		if m.dimensions == run.DimensionsRequire {
			return nil, usagef("--dimensions require needs units of columns (name them by --units-of v=m/s, or in a line " +
				"below the header)")
		}
		return nil, nil
	}
	noteWithout(used, texts, notes)
	return texts, nil
}

// measuredIn returns the option with the units of the columns that are used, nil without any. The functions of a form
// have units of their own, which nothing says.
func (o fitOptions) measuredIn(sheet *datasets.Sheet, roles columnRoles, notes io.Writer) ([]eql.Option, error) {
	if o.form != nil {
		if len(o.measured.unitsOf) > 0 || o.measured.dimensions != "" {
			return nil, usagef("--units-of and --dimensions cannot be combined with a form with unknown functions")
		}
		return nil, nil
	}
	unitsOf, err := o.measured.of(sheet, slices.Concat(roles.inputs, roles.targets), notes)
	if len(unitsOf) == 0 {
		return nil, err
	}
	return []eql.Option{eql.UnitsOf(unitsOf, o.measured.dimensions)}, nil
}

// said returns what --units-of says, by column.
func (m measured) said(columns []string) (map[string]string, error) {
	said := map[string]string{}
	ofColumn := func(text string) bool {
		i := strings.LastIndex(text, "=")
		return i >= 0 && slices.Contains(columns, text[:i])
	}
	for _, text := range split(m.unitsOf, ofColumn) {
		i := strings.LastIndex(text, "=")
		if i < 0 {
			return nil, usagef("--units-of: %q is invalid, want COLUMN=UNIT, such as v=m/s", text)
		}
		name := strings.Trim(strings.TrimSpace(text[:i]), "`")
		if !slices.Contains(columns, name) {
			return nil, usagef("--units-of: there is no column %q (there are: %s)", name, strings.Join(columns, ", "))
		}
		said[name] = strings.TrimSpace(text[i+1:])
	}
	return said, nil
}

// noteWithout says which columns count as pure numbers since nothing says their unit.
func noteWithout(used []string, texts map[string]string, notes io.Writer) {
	var without []string
	for _, name := range used {
		if _, ok := texts[name]; !ok {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		tell(notes, "note: columns without a unit count as pure numbers: %s (--units-of names units)",
			strings.Join(without, ", "))
	}
}
