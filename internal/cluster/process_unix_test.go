//go:build unix

package cluster

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// Signals that stop a process for a while.
const (
	suspend = syscall.SIGSTOP
	resume  = syscall.SIGCONT
)

// used returns the CPU time and the largest memory of this process.
func used() string {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return err.Error()
	}
	unit := int64(1) // darwin counts bytes, others KiB
	if runtime.GOOS != "darwin" {
		unit = 1 << 10
	}
	cpu := time.Duration(r.Utime.Nano() + r.Stime.Nano())
	return fmt.Sprintf("%v of CPU time and %d MB of memory", cpu.Round(time.Millisecond), int64(r.Maxrss)*unit>>20)
}
