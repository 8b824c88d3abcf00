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
// A [Coding] is proposed only where a column has one reading as numbers: of 3/1/2024, or 1,234 in
// a file whose decimal mark is not known, it takes another cell of the column that decides. Columns
// of plain numbers have none and are the same bits as strconv.ParseFloat gives, except integers
// that are dates (20240331) or, by the name of their column too, Unix times. Dates are counted in
// seconds, hours or days since a round origin, or in years of the calendar, by their span. A Coding
// is saved beside what was learned and applied to other tables; it reads their cells or refuses them.
//
// A file that is larger than memory is read in part, by [Options].Most, or in parts, by [ReadParts].
//
// A Table is column-major, Cols[j][i] being row i of column j, always finite, in the units
// of the file. Inputs of the built-in problems are named x1, x2, …, targets y or y1, y2, ….
//
// Everything is deterministic: random numbers come from the generator passed in, or from
// the seed, with one stream per purpose. Tables may share columns with one another and
// with their Sheet and are not changed by this package once made, so they may be read
// from any number of goroutines.
//
// What is wrong with a file comes out as an [*Error] with file, line and column. The
// advice in its text is in words; a program puts its own in their place by Options.Words.
//
// Sources: Martius and Lampert, "Extrapolation and learning equations" (arXiv:1610.02995);
// Sahoo, Lampert and Martius, "Learning Equations for Extrapolation and Control"
// (arXiv:1806.07259), for F-4 and DIV; data/README.md for the measured data.
package datasets
