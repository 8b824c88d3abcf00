package evidence

// ErrorKind is what the errors of the rows of a target are taken to be.
type ErrorKind string

// The kinds.
const (
	ErrorsEqual    ErrorKind = ""         // of one size
	ErrorsRelative ErrorKind = "relative" // in proportion to the prediction
	ErrorsGiven    ErrorKind = "sigma"    // standard deviations in a column
	ErrorsWeighted ErrorKind = "weights"  // a column in proportion to 1/σ²
)

// Errors is what the errors of the rows of a target are taken to be, and which rows the law does not explain.
type Errors struct {
	Kind   ErrorKind
	Column string // that says so
	// Size is the standard deviation of errors that are equal, or of a row of weight 1; of relative ones that over the
	// prediction; and of those in a column by how many times they are larger than it says.
	Size float64
	// Floor is the least size of a prediction that relative errors are in proportion to.
	Floor float64
	// Known is whether intervals take the standard deviations of the column as they are. They do not where the residuals
	// are larger than these allow.
	Known bool
	// Rows and Used are how many rows there are to fit to and validate with, and how many of them were.
	Rows, Used int
	// Outliers are the other rows, the farthest from the law first.
	Outliers []Outlier
}

// Outlier is a row that a law does not explain.
type Outlier struct {
	Row        int  // of the table, from 0
	Validation bool // of the table that was given to validate with
	Value      float64
	Predicted  float64
	Size       float64 // of the residual, in standard deviations of the errors
}
