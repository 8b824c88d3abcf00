package run

// Known is what is known of a law of which functions are searched for.
type Known struct {
	Form      string          `json:"form"` // y = x1*f(x2, x3) + g(x4)
	Constants []KnownConstant `json:"constants,omitempty"`
}

// KnownConstant is what is said of a constant of a form. What is nil is not said; a constant with equal bounds is held.
type KnownConstant struct {
	Name    string   `json:"name"`
	Start   *float64 `json:"start,omitempty"`
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Integer bool     `json:"integer,omitempty"`
}
