package sweep

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile writes a file in one step: a crash leaves the old one or the new one, and perhaps a
// hidden one beside it. Of a link it replaces what that leads to.
func ReplaceFile(path string, data []byte) error {
	return ReplaceFileBy(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceFileBy is [ReplaceFile] of what a function writes, in whatever pieces. If it fails the file stays as it is.
func ReplaceFileBy(path string, write func(w io.Writer) error) error {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // gone after the rename
	w := bufio.NewWriter(f)
	if err = errors.Join(write(w), w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// createBeside creates a hidden file in the folder of another, with the permissions that new files have here,
// which [os.CreateTemp] does not give.
func createBeside(path string) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.tmp%d", filepath.Base(path), n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if failed := new(fs.PathError); errors.As(err, &failed) {
			failed.Path = path
		}
		return f, err
	}
}
