package kernel

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n numbers that end where, or begin where, memory ends: to touch a byte beyond
// them is a fault.
func guarded[T Float](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	var zero T
	bytes, page := n*int(unsafe.Sizeof(zero)), syscall.Getpagesize()
	inner := (bytes + page - 1) / page * page
	mem, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(mem); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{mem[:page], mem[page+inner:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	start := page
	if atEnd {
		start += inner - bytes
	}
	s := unsafe.Slice((*T)(unsafe.Pointer(&mem[start])), n)
	for i := range s {
		s[i] = T(i%7) - 3
	}
	return s
}

func TestKernelsStayInBounds(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		for _, atEnd := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/atEnd=%t", s, atEnd), func(t *testing.T) {
				use(t, s)
				testBounds[float32](t, atEnd)
				testBounds[float64](t, atEnd)
			})
		}
	}
}

func testBounds[T Float](t *testing.T, atEnd bool) {
	for _, lanes := range []int{4, 8, 12, 28} {
		for _, s := range []Shape{{Rows: 1, In: 1, Batch: 1}, {Rows: 4, In: 3, Batch: 7}, {Rows: 11, In: 13, Batch: 12},
			{Rows: 34, In: 2, Batch: 2}} {
			s.Lanes = lanes
			mem := func(n int) []T { return guarded[T](t, n, atEnd) }
			z, y := mem(s.Rows*s.Batch*lanes), mem(s.In*s.Batch*lanes)
			w, dw, m, v := mem(s.Weights()), mem(s.Weights()), mem(s.Weights()), mem(s.Weights())
			x, lambda := mem(s.In*s.Batch), mem(lanes)
			clear(lambda)
			AffineForward(z, w, y, s)
			AffineForwardShared(z, w, x, s)
			AffineInput(y, w, z, s)
			AffineWeights(dw, z, y, s)
			AffineWeightsShared(dw, z, x, s)
			for _, mask := range []T{0, 1e-3} {
				Adam(w, dw, m, v, lambda, AdamStep[T]{Rate: 1e-3, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 1e-3, Mask: mask}, s)
			}
			SquaredError(lambda, y, x, lanes)
			SquaredErrorBackward(y, y, x, lambda, lanes)
		}
	}
	for _, n := range sizes {
		z, d, p := guarded[T](t, n, atEnd), guarded[T](t, n, atEnd), guarded[T](t, 3*n, atEnd)
		factors, dz := guarded[T](t, 6*n, atEnd), guarded[T](t, 6*n, atEnd)
		z[n-1], z[0] = 1e7, -1e7
		for _, f := range []UnaryFunc[T]{Sin[T], Cos[T], Sigmoid[T], Tanh[T], Scale[T]} {
			f(z, d)
		}
		Products(p, factors, n)
		ProductsBackward(dz, factors, p, n)
	}
}
