// Package sweep trains many networks, turns them into formulas, and selects.
//
// In the flow it stands above trainer and distill and below the root package. [Run] trains the
// grid that [Settings] span, one round of networks for each architecture, packed into groups of
// lanes that workers train in parallel; reads laws off the networks; and chooses by one of three
// rules (select.go). Each chosen formula is judged: [Evidence] holds the tests, and [Verdict] follows from them
// (verdict.go). [Quick] and [Paper] are the two presets. [Store] is the folder of a run. If a law is known in part, the
// run searches for its unknown function (known.go).
//
// Tables and errors are in the user's units; training and refinement see scaled columns
// ([Scaling]). Validation rows are held out at random or, when there are few rows, replaced by
// cross-validation. This package never sees test data, so selection cannot use it.
//
// The same settings and data give the same result, whatever the number of workers and whether or
// not the run was interrupted and resumed. A time limit ends the rounds after the first, and the
// result says whether it did.
//
// Run reports all bad settings in one joined error; other errors name a missing column or come from
// the file system. A network that diverges is reported in its [Model], not as an error.
//
// Source: Martius and Lampert 2016, arXiv:1610.02995, §3.3 for the selection and §4 for the grid.
package sweep
