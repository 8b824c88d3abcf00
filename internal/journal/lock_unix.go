//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
)

const locks = true

// lock takes the file until it is closed or the process ends, however it ends.
func lock(f *os.File) error {
	return meaning(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
}

// meaning returns what an error of the system says about the lock.
func meaning(err error) error {
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrInUse
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
		return ErrNoLocks // some network file systems
	}
	return err
}
