//go:build !amd64 || purego

package kernel

// available tells whether this build has a kernel.
func available(s set) bool { return s == portable }

// Features returns the vector extensions that kernels are written for: none in this build.
func Features() []string { return nil }
