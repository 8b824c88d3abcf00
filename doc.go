// Package eql learns short formulas from tables of measurements: formulas that hold outside the
// range of the data, not just inside it.
//
// [Fit] is the whole program in one call. It trains many small networks whose units are the
// building blocks of physics (identity, sine, cosine, sigmoid, products), reads laws off them,
// fits and prunes these on the data, and chooses:
//
//	table, _, err := sheet.Table(sheet.Columns())
//	result, err := eql.Fit(ctx, table, eql.Targets("torque"))
//	fmt.Println(result.Formulas["torque"])
//
// A [Result] has the chosen formulas, all models with their errors, and the Pareto fronts of
// complexity against validation error. Formulas are values of package formula: they print as
// text, LaTeX and programs in ten languages, and evaluate without any of the rest.
//
// [Result.Predictor] predicts with intervals. [Refit] fits the constants of a formula to other rows, and [FitForm] those
// of a form that is known, without a search.
//
// Tables come from package datasets; columns may be in any units. The same table, options and
// processor family give the same result, bit for bit, whatever the number of workers; a run kept
// in a [Folder] can be interrupted and resumed. Calls of Fit may run in parallel.
//
// Errors are wrong columns, settings and folders, all mistakes at once, and the context's.
//
// Source: Martius and Lampert, Extrapolation and learning equations, arXiv:1610.02995.
package eql
