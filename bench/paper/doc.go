// Package paper reproduces the experiments of Martius and Lampert 2016, "Extrapolation and
// learning equations" (arXiv:1610.02995), and puts its numbers beside the published ones.
//
// It stands on top of the library, and eql reproduce is its only caller. [Experiments] are
// data: data sets, grids, repetitions, baselines, published numbers. [Request.Plan] makes of one a
// [Plan], in which everything is spelled out; [Create] and [Open] make the [Folder] it is run in;
// [Folder.Run] runs it and returns a [Result], which writes itself as Markdown, CSV and JSON.
//
// A repetition is a new start of every network of the grid on the same rows, and one network is
// selected in each from that repetition's grid alone. Test sets enter only when it is chosen.
// Errors are root mean squares over rows and outputs, in the units of the data.
//
// The same plan gives the same numbers, whatever the number of workers and however often the run
// was killed and resumed; times differ. A Folder is used by one process at a time.
//
// Errors are unknown names, plans that do not fit the folder, and the file system's.
package paper
