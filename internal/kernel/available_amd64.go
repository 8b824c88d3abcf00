//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

// available tells whether the processor and the operating system have what a kernel needs.
func available(s set) bool {
	switch s {
	case avx2:
		return cpu.X86.HasAVX2 && cpu.X86.HasFMA
	case avx512:
		return available(avx2) && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ
	}
	return true
}
