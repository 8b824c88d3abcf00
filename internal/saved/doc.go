// Package saved keeps the result of a run: each thing is written and read back in one file.
//
// [Report] is the object in result.json, which eql fit --json prints too. [Outcome.Report] makes it from what a run
// found, and [Open] reads the folder of a run back: its [Run] has the report, and the same result in the types of
// package sweep, with the trained networks. What a person chose in place of the run's own choice is beside the result,
// in choice.json; [Run.TakeByHand] puts it in.
//
// In the flow it stands above sweep and below package eql and the command. Numbers have all their digits; what is not
// finite is null.
//
// Errors are [*run.DamagedError] for files that do not hold what they should, [*run.NoResultError], and those of
// sweep.Open.
package saved
