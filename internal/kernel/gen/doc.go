// Command gen writes the assembly of package kernel: one set of routines per type and width of
// vector, all from the same description, so that they do the same operations in the same order
// and give the same bits.
//
//	vector.go      types of vector, their instructions, constants
//	affine.go      matrix products in register tiles
//	elementary.go  sine, cosine, sigmoid, tanh
//	pointwise.go   products, scaling, squared error, Adam
//	dispatch.go    the Go methods that choose a routine
//	table.go       the constants once more, as a table in Go
//
// It is a module of its own: who builds eql needs neither it nor avo. Run it with go generate in
// the folder above.
package main
