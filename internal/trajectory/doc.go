// Package trajectory computes derivatives of a table that holds the motion of a system, and integrates formulas for
// these derivatives to test whether they reproduce the motion.
//
// [New] takes the states x(t) of a table, [Path.Slopes] returns a table with the smoothed states and the derivative of
// each, named dx_dt, for an ordinary fit. [Path.Check] integrates formulas for the derivatives and compares the result
// with the data.
//
// A derivative is the slope of a polynomial of the sixth degree that is fitted to the rows around each row, so any
// times do that increase. The rows are fewer by a fifth than those whose polynomials predict left-out rows best.
// Rejected: differences of neighbouring rows, which multiply the noise by one over the step; a smoothing spline, whose
// one parameter is the same everywhere as well and whose errors are harder to state; the weak form, integrals of f
// against test functions, which is linear in the terms of a dictionary only, and networks and the other searches need f
// row by row.
//
// All times and states are in the units of the table. Nothing is random; a [Path] may be shared. Errors name the row
// or the column.
//
// Sources: Savitzky and Golay, Anal. Chem. 36 (1964) 1627; Fan and Gijbels, Local Polynomial Modelling (1996), for the
// choice of degree and width; Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19.
package trajectory
