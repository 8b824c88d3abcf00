// Package units knows units of measurement, and which formulas agree with those of their columns.
//
// # Flow
//
// [Parse] reads a unit such as kg·m²/s as a [Unit]: its dimension, exponents of the seven SI bases, and its size in SI.
// [Check] asks whether a formula agrees with the units of its columns, and solves for the units of its constants.
// [Groups] finds products of powers of the inputs that have no dimension; a law in these has fewer inputs.
// The package stands above formula. Package sweep searches and chooses with it, and the commands print what it says.
//
// # What agrees
//
// A fitted constant may have any unit. A number that is a part of the form has none: the 1 of 1 + x, an exponent, a
// special value. All terms of a sum have one dimension. Arguments of exponentials and sines, and exponents, have none;
// the argument of a logarithm may have one if a constant beside it can absorb the choice of the unit. Only
// dimensions are compared. Sizes of units, such as the factor from mm to m, go into constants, whose units are written
// so that their values are right. Temperatures in °C and °F count as differences: their zero is not that of kelvin.
//
// # Determinism and errors
//
// All functions are pure and may be called from several goroutines. Parse returns an [*UnknownError] for an
// unknown word, with similar units; Check returns a [*Mismatch] with the term.
//
// # Sources
//
// BIPM, The International System of Units, 9th edition (2019), for units and prefixes; conversion factors of units
// outside it from NIST Special Publication 811. Buckingham, On physically similar systems, Physical Review 4 (1914),
// for groups without dimension.
package units
