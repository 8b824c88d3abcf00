//go:build !amd64 || purego

package kernel

// available tells whether this build has a kernel.
func available(s set) bool { return s == portable }
