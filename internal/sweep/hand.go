package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/eqlearner/eql/run"
)

// ByHand is a model that a person chose for a target, in place of the run's own choice.
type ByHand struct {
	Model   int    `json:"model"`
	Formula string `json:"formula"` // as result.json has it, so that another result is noticed
}

// handFile is the content of choice.json.
type handFile struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Targets map[string]ByHand `json:"targets"`
}

const (
	handName    = "choice.json"
	handFormat  = "eql choice"
	handVersion = 1
)

// ReadByHand returns what was chosen by hand, by target; nothing when nothing was.
func (s *Store) ReadByHand() (map[string]ByHand, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, handName))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]ByHand{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the run: %w", err)
	}
	var f handFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, &run.DamagedError{Dir: s.dir, File: handName, Err: err}
	}
	switch {
	case f.Format != handFormat || f.Targets == nil:
		return nil, &run.DamagedError{Dir: s.dir, File: handName, Err: fmt.Errorf("it is no %q", handFormat)}
	case f.Version != handVersion:
		return nil, &run.VersionError{Dir: s.dir, File: handName, Version: f.Version,
			Oldest: handVersion, Newest: handVersion}
	}
	return f.Targets, nil
}

// HasByHand reports whether anything was chosen by hand in the run of a folder.
func HasByHand(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, handName))
	return err == nil
}

// WriteByHand keeps what was chosen by hand; without any target it removes the file.
func (s *Store) WriteByHand(targets map[string]ByHand) error {
	if len(targets) > 0 {
		return s.writeJSON(handName, handFile{handFormat, handVersion, targets})
	}
	if err := os.Remove(filepath.Join(s.dir, handName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %w", handName, err)
	}
	return nil
}
