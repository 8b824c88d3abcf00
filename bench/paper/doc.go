// Package paper reproduces the experiments of Martius and Lampert 2016, "Extrapolation and
// learning equations" (arXiv:1610.02995), and puts its numbers beside the published ones.
//
// It stands on top of the library, and eql reproduce is its only caller. [Experiments] are
// data: data sets, grids, repetitions, baselines, published numbers. [Request.Plan] turns one into a
// [Plan] with every setting in it. [Create] and [Open] return the [Folder] of a plan, and [Folder.Run]
// runs it and returns a [Result], which writes itself as Markdown, CSV and JSON.
//
// A repetition is a new start of every network of the grid on the same rows, and one network is
// selected in each from that repetition's grid alone. Test sets enter only when it is chosen.
// Errors are root mean squares over rows and outputs, in the units of the data.
//
// The same plan gives the same numbers, whatever the number of workers and however often the run
// was killed and resumed; times differ. A Folder is used by one process at a time.
//
// Functions return an error for an unknown name, for a plan that differs from the one in the folder, and for what the
// file system refuses.
package paper
