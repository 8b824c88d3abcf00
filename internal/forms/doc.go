// Package forms is the table of the standard forms of curves: the exponentials, hyperbolas, waves and peaks that the
// sciences fit to their measurements. It holds data; package fit fits the forms.
//
// In the flow it stands above formula and below sweep, which fits every form that suits a table and lets it compete
// with the formulas of networks and searches. A [Form] is a row: a name, an expression in the constants a, b, c, …, and
// where the constants begin that least squares cannot solve for. Columns are in the user's units.
//
// Everything is deterministic and may be shared. Nothing fails: a form that does not suit the data has no finite value
// on it.
//
// Sources: NIST StRD, Nonlinear Regression (models of Misra, Chwirut, Lanczos, Gauss, DanWood, Kirby, Hahn, MGH, ENSO,
// Thurber, BoxBOD, Ratkowsky, Eckerle, Bennett); Ratkowsky, Handbook of Nonlinear Regression Models, 1990; Seber and
// Wild, Nonlinear Regression, 1989. The rest is named in the rows.
package forms
