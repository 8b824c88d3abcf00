// Package eql learns short formulas from tables of measurements, and says how far to trust them
// outside the range of the data.
//
// [Fit] is the whole program in one call. It trains many small networks whose units are the
// building blocks of physics (identity, sine, cosine, sigmoid, products), reads a formula off each,
// fits and prunes it on the data, and chooses by error and simplicity:
//
//	table, err := datasets.New(names, columns)
//	result, err := eql.Fit(ctx, table, eql.Targets("torque"), eql.Folder("run"))
//	fmt.Println(result.Equation("torque"))
//	fmt.Println(result.Verdict("torque").Sentence())
//	torque, err := result.Predict(other)
//
// A [Result] has the chosen formulas with the evidence for each, and the others in a table: [Result.Front] returns the
// best by complexity and validation error. [Result.Predictor] predicts with intervals. [Load] reads the result in the
// folder of a run, and [Resume] continues one that was interrupted. [Refit] fits the constants of a formula to other
// rows. [FitForm] fits the constants of a known form, without a search.
//
// Formulas are values of package formula: they print as text, LaTeX and programs, and evaluate without any of the
// rest. Tables come from package datasets; columns may be in any units. Settings and progress are values of package
// run, verdicts of package evidence.
//
// The same table, options and processor family give the same result, bit for bit, whatever the number of workers; a
// run kept in a [Folder] can be interrupted and resumed. Calls of Fit may run in parallel.
// [FitEach] learns from many tables, several at a time, and [Share] finds the laws that they have in common.
//
// Fit reports every invalid column, setting and folder in one joined error. If ctx is cancelled, it returns ctx.Err()
// and the partial result. Errors that a caller can act on have types: [*OtherRunError] here, those of the folder of a
// run in package run, and [*trainer.CardError] when a GPU fails.
//
// Source: Martius and Lampert, Extrapolation and learning equations, arXiv:1610.02995.
package eql
