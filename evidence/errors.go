package evidence

import "fmt"

// ErrorKind is the model of the errors of a target's rows.
type ErrorKind string

// The kinds.
const (
	ErrorsEqual    ErrorKind = "equal"    // of one size
	ErrorsRelative ErrorKind = "relative" // in proportion to the prediction
	ErrorsGiven    ErrorKind = "sigma"    // standard deviations in a column
	ErrorsWeighted ErrorKind = "weights"  // a column in proportion to 1/σ²
)

// Errors is the model of the errors of a target's rows, with the rows that the law does not explain.
type Errors struct {
	Kind   ErrorKind `json:"kind"`
	Column string    `json:"column,omitempty"` // that says so
	// Size is the standard deviation of errors that are equal, or of a row of weight 1; of relative ones that over the
	// prediction; and of those in a column by how many times they are larger than it says.
	Size float64 `json:"size"`
	// Floor is the least size of a prediction that relative errors are in proportion to.
	Floor float64 `json:"floor,omitempty"`
	// Known is whether intervals use the standard deviations of the column as given. They do not if the residuals are
	// larger than these allow.
	Known bool `json:"known,omitempty"`
	// Tails is the degrees of freedom of the Student's t whose weights the constants are fitted with, since the errors
	// have heavier tails than the normal distribution; 0 where they have not.
	Tails float64 `json:"tails,omitempty"`
	// Rows is the number of rows for fitting and validation, Used the number of rows that were used.
	Rows int `json:"rows"`
	Used int `json:"used"`
	// Outliers are the other rows, the farthest from the law first.
	Outliers []Outlier `json:"outliers,omitempty"`
}

// Outlier is a row that a law does not explain.
type Outlier struct {
	Row        int     `json:"row"`                  // of the table, from 0
	Line       int     `json:"line,omitempty"`       // of the file, where it is known
	Validation bool    `json:"validation,omitempty"` // of the table that was given to validate with
	Value      float64 `json:"value"`
	Predicted  float64 `json:"predicted"`
	Size       float64 `json:"size"` // of the residual, in standard deviations of the errors; at most 1e9
}

// Plain reports whether errors are equal, without heavy tails, and no row was left out.
func (e Errors) Plain() bool {
	return (e.Kind == "" || e.Kind == ErrorsEqual) && e.Tails == 0 && len(e.Outliers) == 0
}

// Sentence describes the model of errors, "" if errors are equal.
func (e Errors) Sentence() string {
	switch e.Kind {
	case ErrorsRelative:
		return fmt.Sprintf("%.3g %% of the prediction, but at least %.3g", 100*e.Size, e.Size*e.Floor)
	case ErrorsGiven:
		if e.Known {
			return fmt.Sprintf("as large as column %s says, with which the residuals agree (%.2g times as large)",
				e.Column, e.Size)
		}
		return fmt.Sprintf("%.3g times as large as column %s says, because the residuals are", e.Size, e.Column)
	case ErrorsWeighted:
		return fmt.Sprintf("in proportion to 1/√weight of column %s, %.3g where the weight is 1", e.Column, e.Size)
	}
	return ""
}

// OfTails describes the tails of errors, "" if they are those of the normal distribution.
func (e Errors) OfTails() string {
	if e.Tails == 0 {
		return ""
	}
	return fmt.Sprintf("heavy, as of Student's t with %g degrees of freedom; the constants are fitted with its weights, "+
		"by which rows that are far off count less", e.Tails)
}

// LeftOut describes the rows that were left out: how many, and the first ones, at most a given number; "" if there are
// none.
func (e Errors) LeftOut(most int) (head string, rows []string) {
	if len(e.Outliers) == 0 {
		return "", nil
	}
	for _, x := range e.Outliers[:min(most, len(e.Outliers))] {
		where := fmt.Sprintf("row %d", x.Row+1)
		if x.Line > 0 {
			where = fmt.Sprintf("line %d", x.Line)
		}
		if x.Validation {
			where = "validation " + where
		}
		rows = append(rows, fmt.Sprintf("%s: %.6g, by the formula %.4g, off by %.3g standard deviations",
			where, x.Value, x.Predicted, x.Size))
	}
	if n := len(e.Outliers) - len(rows); n > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("%d of %d rows", len(e.Outliers), e.Rows), rows
}
