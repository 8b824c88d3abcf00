// Package run holds the settings of a run of the equation learner and its course, as values.
//
// [Settings] is everything that determines the result, apart from the data. [Quick] and [Paper] are the two presets;
// change the fields and call [Settings.Validate]. An [Event] reports progress to an observer. A [Round] counts the
// networks that were trained together, and [Ended] is why there was no further round.
//
// In the flow it stands above packages model and trainer, whose configuration is a part of Settings, and below the
// search. Values share nothing but the lists in Settings.
//
// The errors are those of Validate, which reports every invalid setting in one joined error, and those of reading a
// name such as "auto".
//
// Source: Martius and Lampert 2016, arXiv:1610.02995, §3.3 and §4 for the preset of the paper.
package run
