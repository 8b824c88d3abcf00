// Package datasets holds tables of numbers: reading them from files, splitting and
// scaling them, and the problems with a known law that the learner is measured on.
//
// It is where data enters the program. [ReadFile] turns a CSV or TSV file, compressed by gzip or not, into a [Sheet],
// whose columns need not be numbers; [Sheet.Codings] proposes how dates, words and amounts
// become numbers, and [Sheet.Encode] makes them so; [Sheet.Table] checks the columns that are used and
// gives a [Table], which everything downstream works with. [Split] and [Folds] divide its
// rows, [AutoScale] proposes a scale for a column. [Problems] lists the built-in problems
// and [Problem.Generate] makes the data and the test sets of one.
//
// A [Coding] is proposed only if a column can be read as numbers in one way. 3/1/2024, or 1,234 in
// a file with an unknown decimal mark, can be read in two; then another cell of the column has to
// decide. Columns of plain numbers have no Coding and are read by strconv.ParseFloat, except
// integers that are dates (20240331), or Unix times if the name of the column says so. Dates are
// counted in seconds, hours or days since a round origin, or in years, depending on their span. A
// Coding is saved with the result and applied to other tables; it refuses cells that it cannot read.
//
// A file that is larger than memory is sampled, by [Options].Most, or read in parts, by [ReadParts].
//
// A Table is column-major, Cols[j][i] being row i of column j, always finite, in the units
// of the file. Inputs of the built-in problems are named x1, x2, …, targets y or y1, y2, ….
//
// Everything is deterministic: random numbers come from the generator passed in, or from
// the seed, with one stream per purpose. Tables may share columns with one another and
// with their Sheet and are not changed by this package once made, so they may be read
// from any number of goroutines.
//
// A bad file gives an [*Error] with file, line and column. Its text says in words what to do; a
// program replaces these words, for instance by flags, with Options.Words.
//
// Sources: Martius and Lampert, "Extrapolation and learning equations" (arXiv:1610.02995);
// Sahoo, Lampert and Martius, "Learning Equations for Extrapolation and Control"
// (arXiv:1806.07259), for F-4 and DIV; data/README.md for the measured data.
package datasets
