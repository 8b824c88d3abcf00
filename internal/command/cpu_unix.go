//go:build unix

package command

import (
	"syscall"
	"time"
)

// cpuTime returns the time that this process took of all cores, 0 when it is not known.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
