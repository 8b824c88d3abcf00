// Package fit fits the constants of formulas to rows and says how sure they are.
//
// It stands below the searches for laws: [Data] is the rows, [Criterion] what selection and pruning minimise,
// [Levenberg] the least squares of any [Problem]. The constants of a formula in the user's units are fitted by [Refit],
// those of a form that a person gives by [Named] (named.go, whole.go; standard.go by variable projection), those of a
// form with unknown functions after [Solve] (solve.go, smooth.go), those of rows in groups by [Groups] and those of
// tables by [Tables], a power law in logarithms by [Power]. [Confidence] has intervals and bands, [Snap] puts special
// values in (redundant.go takes out constants that can be traded against each other), [Residuals] asks whether the
// errors have structure.
//
// Data is column-major: X[j][i] is input j of row i, Y[i] the target. All arithmetic is float64 and deterministic;
// functions change none of their arguments, so calls may run in parallel. Errors say that a formula has no value on
// some of the rows, or that these leave its constants open.
//
// Sources: Levenberg 1944 and Marquardt 1963; Golub and Pereyra 1973 and Ruhe and Wedin 1980 for variable projection;
// Schwarz 1978 for the criterion.
package fit
