package evidence

// Support is how a formula was found. A network counts for the formula that it led to by itself, not for one that it
// took over from another network or from the search without networks.
type Support struct {
	Networks int // trained networks, each from its own start
	// Trained of these have the form of the formula as they were trained, whatever their constants.
	Trained int
	// Agree of these are this formula after their constants were refitted and what the data does not need was pruned: in
	// form, or as a function, whose values differ from the formula's by less than a third of the noise in a box of one and
	// a half times the data's size.
	Agree int
	// Grown of these are different formulas from whose parts the search grew this one. They and the search without
	// networks are one way together.
	Grown int
	// Form is the name of the standard form that the formula is, "" if it is none. Its fit and the search are one way
	// together.
	Form string
	// Tables is how many other tables led to the form by themselves, of a law that tables share.
	Tables int
	// Ways is how many independent ways led to the formula: networks that agree, the search, and other tables.
	Ways int
	// Halves is whether the search without networks, in each of two random halves of the rows, finds what predicts the
	// same in a box of twice the data's size. It is asked when everything before it is in favour, and fewer than two ways
	// led to the formula or a sigmoid in it is nearly a step.
	Halves Answer
}

// Answer is yes, no, or not asked.
type Answer string

// The answers.
const (
	NotAsked Answer = ""
	Yes      Answer = "yes"
	No       Answer = "no"
)
