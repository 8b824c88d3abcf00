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

// Features returns the vector extensions of the processor that kernels are written for.
func Features() []string {
	var names []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"AVX2", cpu.X86.HasAVX2},
		{"FMA", cpu.X86.HasFMA},
		{"AVX512F", cpu.X86.HasAVX512F},
		{"AVX512DQ", cpu.X86.HasAVX512DQ},
	} {
		if f.has {
			names = append(names, f.name)
		}
	}
	return names
}
