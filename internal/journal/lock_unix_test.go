//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"syscall"
	"testing"
)

// Where there are no locks, only shards go on.
func TestNoLocks(t *testing.T) {
	for _, tt := range []struct {
		system      error
		want, shard error
	}{
		{nil, nil, nil},
		{syscall.EWOULDBLOCK, ErrInUse, ErrInUse},
		{syscall.ENOLCK, ErrNoLocks, nil},
		{syscall.ENOSYS, ErrNoLocks, nil},
		{syscall.ENOTSUP, ErrNoLocks, nil},
		{syscall.EIO, syscall.EIO, syscall.EIO},
	} {
		got := meaning(tt.system)
		if !errors.Is(got, tt.want) || !errors.Is(unlessNoLocks(got), tt.shard) {
			t.Errorf("%v: got %v, of a shard %v; want %v and %v", tt.system, got, unlessNoLocks(got), tt.want, tt.shard)
		}
	}
}
