// Package journal is a file of finished pieces of work, a line each. A line that was appended survives a crash; one
// that a crash cut off is as if it had never been. One process at a time appends, which a lock sees to. Where the file
// system has no locks only the process that made a journal appends to it: no other can open it, but for one that by its
// name a single process appends to.
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// ErrInUse says that another process appends to the file.
var ErrInUse = errors.New("another eql is at work here; wait until it has ended")

// ErrNoLocks says that the file system cannot keep two processes from appending to the file.
var ErrNoLocks = errors.New("the file system cannot lock files (use a folder on another one, " +
	"or a copy of this one there, or work in shards)")

// Read calls each with the complete lines of a file, counted from one, until one fails. A file
// that does not exist has none.
func Read(path string, each func(line int, text []byte) error) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	line := 0
	for rest := data; err == nil; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break
		}
		line++
		err, rest = each(line, rest[:end]), rest[end+1:]
	}
	return err
}

// Journal is a file that is appended to.
type Journal struct {
	mu   sync.Mutex
	file *os.File
}

// Create makes a journal. The file must not exist, or be what a process left that ended before it appended: empty,
// and in nobody's use. Otherwise the error is [fs.ErrExist], or [ErrInUse] when another process was quicker.
func Create(path string) (*Journal, error) { return create(path, lock) }

func create(path string, lock func(*os.File) error) (*Journal, error) {
	j, err := open(path, os.O_EXCL, unlessNone(lock)) // the file is new: nobody else has it
	if !locks || !errors.Is(err, fs.ErrExist) {
		return j, err
	}
	if info, serr := os.Stat(path); serr != nil || info.Size() > 0 {
		return nil, err
	}
	left, lerr := open(path, 0, lock) // which must be there for this
	if lerr != nil {
		return nil, err
	}
	if info, serr := left.file.Stat(); serr != nil || info.Size() > 0 { // by a process that has ended since
		return nil, errors.Join(err, left.Close())
	}
	return left, nil
}

// Open makes a journal ready to be appended to, and cuts off what a crash left of a last line.
func Open(path string) (*Journal, error) { return open(path, 0, lock) }

// OpenShard is [Open] for the journal of a shard, which one process appends to because no other has its number: where
// the file system has no locks, it does without.
func OpenShard(path string) (*Journal, error) { return open(path, 0, unlessNone(lock)) }

// unlessNone does without locks where there are none.
func unlessNone(lock func(*os.File) error) func(*os.File) error {
	return func(f *os.File) error {
		if err := lock(f); !errors.Is(err, ErrNoLocks) {
			return err
		}
		return nil
	}
}

func open(path string, flag int, lock func(*os.File) error) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR|flag, 0o666)
	if err != nil {
		return nil, err
	}
	if err = lock(f); err == nil {
		err = cut(f)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &Journal{file: f}, nil
}

// cut removes what stands after the last newline.
func cut(f *os.File) error {
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return err
	}
	if whole := bytes.LastIndexByte(data, '\n') + 1; whole < len(data) {
		return f.Truncate(int64(whole))
	}
	return nil
}

// Append writes lines, each with its newline, and returns when they are on the disk. What could not be written
// whole is cut off.
func (j *Journal) Append(lines []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(lines); err != nil {
		return errors.Join(err, cut(j.file))
	}
	return j.file.Sync()
}

// Close lets another process append.
func (j *Journal) Close() error { return j.file.Close() }
