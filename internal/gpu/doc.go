// Package gpu says what training needs of a GPU: memory, kernels in PTX, streams of work.
//
// Package graph writes the kernels and drives a [Card]. There are two: the driver's, in graph, in builds with the tag
// gpu, and that of package emulator, which runs kernels in Go for tests.
package gpu
