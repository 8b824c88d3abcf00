// Package kernel holds the loops over lanes: everything that a training step computes.
//
// A lane is one network. Every array has the lanes as its innermost axis, so that each loop is
// the same arithmetic on contiguous lanes and no lane ever reads another:
//
//	weights      (rows, in+1, lanes)   the bias is the last column
//	activations  (units, batch, lanes)
//	shared input (in, batch)           one minibatch for all lanes
//
// The order of operations within a lane does not depend on the number of lanes, which gives a
// network the same bits wherever it is packed. Lanes come in multiples of [Block].
//
// There are three kernels, one of them in use (see [Name]): portable Go, which every platform has
// and which the others are tested against; avx2, assembly for AVX2 with FMA; and avx512, the same
// assembly with wider vectors. The one with the widest vectors is used unless EQL_KERNEL names
// another. Folder gen writes the assembly. avx2 and avx512 give the same bits, on every processor
// that has them, since they use no approximate instruction; portable differs from them in rounding
// because they fuse multiplications with additions.
//
// Values of sine, cosine, sigmoid and tanh are within 2 units in the last place of numbers of size
// one, slopes within 3. NaN and infinities come out as from package math.
//
// Nothing here allocates, and nothing keeps a reference to its arguments. Slices must have at
// least the lengths that the shape says; shorter ones are a bug of the caller and panic.
package kernel

// Float is the type that a network is trained in.
type Float interface{ float32 | float64 }

// Block is what the number of lanes must be a multiple of.
const Block = 4

// Shape is the size of one affine map: rows × (in+1) weights a lane, applied to batch columns.
type Shape struct{ Rows, In, Batch, Lanes int }

// Weights returns the number of weights of all lanes, biases included.
func (s Shape) Weights() int { return s.Rows * (s.In + 1) * s.Lanes }
