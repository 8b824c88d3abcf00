package evidence

import (
	"fmt"
	"slices"
)

// Level is how far a formula can be trusted outside the data.
type Level string

// The levels.
const (
	Holds     Level = "holds"     // nothing speaks against it
	Uncertain Level = "uncertain" // the data cannot tell, or not all that should be there speaks for it
	Fails     Level = "fails"     // the data contradict it
)

// UnmarshalText reads a level, also in the words of runs that were saved before there were codes.
func (l *Level) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "holds outside the data as far as can be told":
		*l = Holds
	case "do not extrapolate":
		*l = Fails
	default:
		*l = Level(s)
	}
	if !slices.Contains([]Level{Holds, Uncertain, Fails}, *l) {
		return fmt.Errorf("unknown level of a verdict %q (there are %s, %s, %s)", *l, Holds, Uncertain, Fails)
	}
	return nil
}

// Code is the reason for a level, as a word for programs. Its meaning stays the same; the sentences for people may
// change.
type Code string

// Kind is the kind of a reason.
type Kind string

// The kinds of reasons.
const (
	Nothing     Kind = ""                        // nothing speaks against it
	Contradicts Kind = "the data contradict it"  // a test failed
	TooFew      Kind = "too few rows to say"     // more rows would tell
	Untested    Kind = "not tested"              // a test could not be made, or would pass whatever the formula
	Doubtful    Kind = "not all speaks for it"   // it may be right, and something else may be
	Nowhere     Kind = "it has no value in part" // of the data or of its surroundings
)

// Verdict is the level with its reason.
type Verdict struct {
	Level  Level
	Code   Code
	Kind   Kind
	Reason string // why, for people; "" where nothing speaks against it
}

// Sentence returns the verdict in words.
func (v Verdict) Sentence() string {
	switch {
	case v.Level == Holds && v.Reason == "":
		return "holds outside the data as far as can be told"
	case v.Level == Holds:
		return "holds " + v.Reason
	case v.Kind == Nothing: // of a run that was saved without one
		return fmt.Sprintf("%s: %s", v.Level, v.Reason)
	}
	return fmt.Sprintf("%s, %s: %s", v.Level, v.Kind, v.Reason)
}
