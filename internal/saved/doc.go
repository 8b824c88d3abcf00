// Package saved keeps the result of a run: each thing is written and read back in one file.
//
// [Report] is the object in result.json, which eql fit --json prints too. [Outcome.Report] makes it from what a run
// found. [Open] reads the folder of a run: its [Run] has the report, and the same result in the types of package sweep,
// with the trained networks. A choice that a person made is in choice.json, beside the result; [Run.TakeByHand] applies
// it.
//
// In the flow it stands above sweep and below package eql and the command. Numbers have all their digits; what is not
// finite is null.
//
// Functions return a [*run.DamagedError] for a damaged file, a [*run.NoResultError] if there is no result, and the
// errors of sweep.Open.
package saved
