package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func lines(t *testing.T, path string) []string {
	t.Helper()
	var got []string
	err := Read(path, func(line int, text []byte) error {
		got = append(got, string(text))
		if line != len(got) {
			t.Errorf("line %d is called %d", len(got), line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Wherever a crash cuts the file, whole lines stay and what is appended afterwards is readable.
func TestCrash(t *testing.T) {
	const whole = "one\ntwo\n\nfour\n"
	path := filepath.Join(t.TempDir(), "j")
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, []byte(whole[:cut]), 0o666); err != nil {
			t.Fatal(err)
		}
		want := lines(t, path)
		j, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.Append([]byte("a\nb\n")), j.Close()); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, path); !slices.Equal(got, append(want, "a", "b")) {
			t.Errorf("cut at %d: %q", cut, got)
		}
	}
}

func TestReadStopsAtAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if got := lines(t, path); got != nil {
		t.Errorf("a file that does not exist has the lines %q", got)
	}
	if err := os.WriteFile(path, []byte("1\n2\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bad, last := errors.New("bad"), 0
	err := Read(path, func(line int, _ []byte) error {
		last = line
		if line == 2 {
			return bad
		}
		return nil
	})
	if !errors.Is(err, bad) || last != 2 {
		t.Errorf("got %v after line %d", err, last)
	}
}

func TestOneAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	if locks {
		if _, err := Open(path); !errors.Is(err, ErrInUse) {
			t.Errorf("opened twice: %v", err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = Open(path); err != nil {
		t.Fatalf("opened after it was closed: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// FuzzJournal reads any file, appends to it, and reads it again: its whole lines are there, and what was appended.
func FuzzJournal(f *testing.F) {
	for _, seed := range []string{"", "\n", "one\ntwo", "\x00\n\xff", "a\r\nb\r"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		want := lines(t, path)
		j, err := Create(path)
		if left := locks && len(data) == 0; left != (err == nil) || !left && !errors.Is(err, fs.ErrExist) {
			t.Fatalf("made where there is a file of %d bytes: %v", len(data), err)
		}
		if err != nil {
			j, err = Open(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.Append([]byte("a\nb\n")), j.Close()); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, path); !slices.Equal(got, append(want, "a", "b")) {
			t.Errorf("got %q, want %q and a, b", got, want)
		}
	})
}
