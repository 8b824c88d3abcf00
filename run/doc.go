// Package run says what a run of the equation learner is asked for and how it went, as values.
//
// [Settings] is everything that determines the result, apart from the data. [Quick] and [Paper] are the two presets;
// change the fields and call [Settings.Validate]. An [Event] tells an observer how far a run is. A [Round] is what was
// trained before anything was decided, and [Ended] is why there was no further round.
//
// In the flow it stands above packages model and trainer, whose configuration is a part of Settings, and below the
// search. Values share nothing but the lists in Settings.
//
// The errors are those of Validate, which reports every invalid setting in one joined error, and those of reading a
// name such as "auto".
//
// Source: Martius and Lampert 2016, arXiv:1610.02995, §3.3 and §4 for the preset of the paper.
package run
