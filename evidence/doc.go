// Package evidence says how far a learned formula can be trusted, as values.
//
// An [Evidence] belongs to one formula. It begins with the [Verdict]: a level (holds, uncertain or fails), a code for
// programs, and the reason in words. The rest is what the verdict was drawn from: the constants with their intervals,
// the test on the outer rows, the test of the residuals, how the formula was found, its lead over other formulas, and
// where it has no value.
//
// In the flow it stands above package formula and below the search. The search makes these values, the library returns
// them, and pages and tables show them.
//
// Errors and RMS are in the user's units unless a field says otherwise. Values share nothing that changes.
package evidence
