package sweep

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced by all that was written or not at all, and nothing is left beside it.
func TestReplaceFileBy(t *testing.T) {
	dir := t.TempDir()
	path, bad := filepath.Join(dir, "f"), errors.New("bad")
	for _, tt := range []struct {
		text string
		err  error
		want string
	}{{"one", nil, "one"}, {"two", bad, "one"}, {"three", nil, "three"}} {
		err := ReplaceFileBy(path, func(w io.Writer) error {
			_, err := io.WriteString(w, tt.text)
			return errors.Join(err, tt.err)
		})
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: the error is %v", tt.text, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != tt.want {
			t.Errorf("after %q the file holds %q, %v", tt.text, got, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("the folder holds %v, %v", entries, err)
		}
	}
}
