// Package sweep trains many networks, turns them into formulas, and selects.
//
// In the flow it stands above trainer and distill and below the root package. [Run] trains the
// grid that [Settings] span, one round of networks for each architecture, packed into groups of
// lanes that workers train in parallel; reads laws off the networks; and chooses by one of three
// rules (select.go). What is chosen is judged: [Evidence] is what speaks for and against a formula, [Verdict] what
// follows from it (verdict.go). [Quick] and [Paper] are the two presets. [Store] is the folder of a run. A law that is
// known in part is a run for the function that is not (known.go).
//
// Tables and errors are in the user's units; training and refinement see scaled columns
// ([Scaling]). Validation rows are held out at random or, when there are few rows, replaced by
// cross-validation; test data is not known here and cannot be used by selection.
//
// The same settings and data give the same result, whatever the number of workers and whether or
// not the run was interrupted and resumed. A time limit ends the rounds after the first, and the
// result says whether it did.
//
// Errors are bad settings, all at once, columns that are not there, and the file system's. A
// network that diverges is no error: it is reported in its [Model].
//
// Source: Martius and Lampert 2016, arXiv:1610.02995, §3.3 for the selection and §4 for the grid.
package sweep
