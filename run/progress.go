package run

// An Event tells an observer how far a run is.
type Event struct {
	Networks, Done int     // to train, and trained
	Fraction       float64 // of the work, 0 to 1
	Phase          string  // of training; "searching" while laws are searched for, with what the general search tries
	Best           float64 // lowest validation RMS in scaled units so far; +Inf before there is one
}

// A Round is what was trained of one architecture before anything was decided.
type Round struct {
	Layers   int     `json:"layers"`
	Width    int     `json:"width"`
	Products int     `json:"products"`
	Epochs   int     `json:"epochs"`
	Networks int     `json:"networks"` // trained to the end
	Starts   int     `json:"starts"`   // networks begun
	Removed  float64 `json:"removed"`  // the probability with which nonlinear units were left out
	Further  bool    `json:"further"`  // not of the grid
	// OnCard is how many of the networks a GPU trained to the end; the processor trained the others.
	OnCard int `json:"on_card,omitempty"`
}

// Ended is why a run trained no further networks.
type Ended string

// The reasons. After [EndedByTime] the same settings may give another result on another machine.
const (
	// every formula passed the tests, or leaves a doubt that only more rows can settle
	EndedSettled     Ended = "settled"
	EndedGrid        Ended = "grid"        // the grid was to be trained and nothing else
	EndedRounds      Ended = "rounds"      // all further rounds were trained, and a formula does not hold
	EndedByTime      Ended = "time limit"  // it cut a round, or the next would have ended after it
	EndedInterrupted Ended = "interrupted" // the context was done, or the folder of the run could not be written to
)

// Complete reports whether the run did all that its settings ask for: going on with it changes nothing.
func (e Ended) Complete() bool { return e == EndedSettled || e == EndedGrid || e == EndedRounds }
