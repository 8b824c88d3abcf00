// Package report draws figures, and writes the page of a run: one HTML file that opens offline.
//
// In the flow it stands at the end, beside the command: it shows a person which formula sweep chose,
// and why. [Page.Write] writes the page. The figures can be drawn on their own:
//
//	f := report.Chart{
//		X:      report.Axis{Label: "x1 = x2"},
//		Y:      report.Axis{Label: "y1"},
//		Series: []report.Series{{Name: "truth", X: x, Y: y, Style: report.Truth}, {Name: "EQL", X: x, Y: eql}},
//		Bands:  []report.Band{{From: -2, To: 2, Label: "training"}},
//		Marks:  []report.Mark{{At: -3, Label: "near"}, {At: 3, Label: "near"},
//			{At: -4, Label: "far"}, {At: 4, Label: "far"}},
//	}.Figure()
//	err := f.WriteSVG(w) // or WritePNG
//
// Each kind of figure is a struct of columns and labels with a method Figure:
//
//   - [Chart]: curves and points over one quantity, with shaded ranges and marks: slices, fits,
//     errors a row, training curves;
//   - [Scatter]: points in the plane, coloured by a third quantity, with a colour bar;
//   - [HeatMap]: a table of numbers as colours;
//   - [Drawing]: a network, layers from left to right.
//
// Sizes are in pixels of a screen; a PNG has two dots for each, in both directions. The colours of
// curves can be told apart by people who see red and green alike (Okabe and Ito 2008), the colours
// of quantities are viridis, from dark to light; curves also differ in their dashes and points in
// their shapes. Values that are not finite, or not positive on a logarithmic axis, are left out.
//
// The same data gives the same bytes, PNG on processors of one family. Figures share nothing and
// may be written by several goroutines. The only errors are those of the writer. Column
// names may hold any text and are escaped.
package report
