//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
		lock := func(*os.File) error { return meaning(tt.system) }
		if got, shard := lock(nil), unlessNone(lock)(nil); !errors.Is(got, tt.want) || !errors.Is(shard, tt.shard) {
			t.Errorf("%v: got %v, of a shard %v; want %v and %v", tt.system, got, shard, tt.want, tt.shard)
		}
	}
}

// Where there are no locks, the process that made a journal appends to it, and no other makes or opens it, also when it
// is empty.
func TestCreateWithoutLocks(t *testing.T) {
	none := func(*os.File) error { return ErrNoLocks }
	path := filepath.Join(t.TempDir(), "j")
	j, err := create(path, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"", "a\n"} {
		if err := j.Append([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if _, err := create(path, none); !errors.Is(err, fs.ErrExist) {
			t.Errorf("made twice: %v", err)
		}
		if _, err := open(path, 0, none); !errors.Is(err, ErrNoLocks) {
			t.Errorf("opened: %v", err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, path); !slices.Equal(got, []string{"a"}) {
		t.Errorf("it holds %q", got)
	}
}
