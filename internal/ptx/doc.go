// Package ptx writes kernels in PTX, the assembly language of NVIDIA's GPUs.
//
// Package graph uses it to write the training step of a graph: one block of threads trains one network. A [Writer]
// knows registers, loops over the threads of a block, vectors of 16 bytes in shared memory, where a barrier must stand,
// and the elementary functions. Numbers are float32 or float64, as the writer's Size says.
//
// Every operation is written with its rounding (.rn) and without contraction, and the polynomials are those of package
// kernel, so a kernel computes the bits of kernel's assembly. The text needs PTX 7.0 and compute capability 7.0; it
// depends on nothing but what is written, so equal calls give equal texts.
//
// Source: Parallel Thread Execution ISA, NVIDIA.
package ptx
