package kernel

import "unsafe"

//go:generate go run -C gen . ..

// A vector is a type of vector register with its elements. Its methods, which are generated, call
// the assembly for it; sizes are in bytes and n counts vectors.
type vector uint8

const (
	vX32 vector = iota + 1 // 4 float32
	vY32                   // 8 float32
	vY64                   // 4 float64
	vZ32                   // 16 float32
	vZ64                   // 8 float64
)

// widest returns the widest vector that the kernel in use has for so many lanes, a positive
// multiple of [Block], and how many lanes it takes.
func widest[T Float](lanes int) (v vector, n int) {
	var zero T
	single := unsafe.Sizeof(zero) == 4
	switch {
	case single && lanes >= 16 && active == avx512:
		return vZ32, 16
	case single && lanes >= 8:
		return vY32, 8
	case single:
		return vX32, 4
	case lanes >= 8 && active == avx512:
		return vZ64, 8
	}
	return vY64, 4
}

// split returns the widest vector for the first of n numbers, how many of them it takes, and in
// how many vectors. It takes none when they are fewer than [Block] or the kernel is the portable.
func split[T Float](n int) (v vector, numbers, vectors int) {
	if active == portable || n < Block {
		return 0, 0, 0
	}
	v, width := widest[T](n)
	vectors = n / width
	return v, vectors * width, vectors
}

// vectorised tells whether assembly computes maps of this shape.
func (s Shape) vectorised() bool {
	return active != portable && s.Lanes > 0 && s.Lanes%Block == 0 && s.Rows > 0 && s.In > 0 && s.Batch > 0
}

// first returns the address of s[0] and panics unless s has n > 0 elements.
func first[T Float](s []T, n int) unsafe.Pointer {
	need(s, n)
	return unsafe.Pointer(unsafe.SliceData(s))
}

// need panics unless s has n elements.
func need[T Float](s []T, n int) {
	if n > 0 {
		_ = s[n-1]
	}
}

// Constants returns, as bits, what the assembly computes elements of T with: limits, π and ln 2 in parts, and the
// coefficients of its polynomials, s0, s1, … of sines, c0, … of cosines and e0, … of exponentials
// (gen/constants.go). The map must not be changed.
func Constants[T Float]() map[string]uint64 {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		return constants32
	}
	return constants64
}
