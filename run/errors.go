package run

import "slices"

// Errors is how the sizes of the errors of a target's rows compare, where no column says so.
type Errors string

// The ways. Auto takes errors to be equal unless replicates, or what a law leaves, show that they are in proportion to
// the prediction. Runs that were saved without a way have equal ones.
const (
	ErrorsAuto     Errors = "auto"
	ErrorsAbsolute Errors = "absolute"
	ErrorsRelative Errors = "relative"
)

// UnmarshalText reads auto, absolute or relative.
func (e *Errors) UnmarshalText(text []byte) error {
	return choose(e, "way of errors", string(text), ErrorsAuto, ErrorsAbsolute, ErrorsRelative)
}

// Outliers is what happens to rows that a law does not explain.
type Outliers string

// The ways: rows beyond the bound are left out if there is evidence that they are not of the law (auto), in any case
// (drop), or are not looked for (keep). Runs that were saved without a way keep them.
const (
	OutliersAuto Outliers = "auto"
	OutliersKeep Outliers = "keep"
	OutliersDrop Outliers = "drop"
)

// UnmarshalText reads auto, keep or drop.
func (o *Outliers) UnmarshalText(text []byte) error {
	return choose(o, "way of outliers", string(text), OutliersAuto, OutliersKeep, OutliersDrop)
}

// ErrorColumn is a column of the table that says how large the errors of a target are.
type ErrorColumn struct {
	Column string `json:"column"`
	// in proportion to 1/σ², on an unknown scale; otherwise σ, the standard deviation
	Weights bool `json:"weights,omitempty"`
}

// Columns returns the columns of a table that a run uses: inputs, targets, and those that tell the errors of targets.
func Columns(inputs, targets []string, errors map[string]ErrorColumn) []string {
	columns := slices.Concat(inputs, targets)
	for _, target := range targets {
		if c, ok := errors[target]; ok && !slices.Contains(columns, c.Column) {
			columns = append(columns, c.Column)
		}
	}
	return columns
}
