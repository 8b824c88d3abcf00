package run

import (
	"errors"
	"fmt"
)

// ErrNotARun says that a folder holds no run.
var ErrNotARun = errors.New("this is not the folder of a run (it has no config.json)")

// A FolderError says that the folder of a new run is in use, or could not be made.
type FolderError struct {
	Dir string
	Run bool  // it holds a run already
	Err error // why it could not be made; nil when it is in use
}

// Error says what is in the folder.
func (e *FolderError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("making the folder of the run: %v", e.Err)
	case e.Run:
		return e.Dir + " holds a run already"
	}
	return e.Dir + " exists already and is not empty"
}

// Unwrap returns the error of the file system.
func (e *FolderError) Unwrap() error { return e.Err }

// A NoResultError says that a run was begun and has no result yet.
type NoResultError struct{ Dir string }

// Error names the folder.
func (e *NoResultError) Error() string { return e.Dir + ": the run has no result yet" }

// A DamagedError says that a file in the folder of a run does not hold what it should.
type DamagedError struct {
	Dir, File string
	Err       error // what is wrong with it
}

// Error says what is wrong.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: %s is damaged: %v", e.Dir, e.File, e.Err)
}

// Unwrap returns what is wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// A VersionError says that a file in the folder of a run is of a version that this program does not read.
type VersionError struct {
	Dir, File      string
	Version        int
	Oldest, Newest int // that this program reads
}

// Error says which versions are read.
func (e *VersionError) Error() string {
	reads := fmt.Sprintf("version %d", e.Oldest)
	if e.Newest > e.Oldest {
		reads = fmt.Sprintf("versions %d to %d", e.Oldest, e.Newest)
	}
	return fmt.Sprintf("%s: %s is of version %d and this program reads %s; use a matching version of eql",
		e.Dir, e.File, e.Version, reads)
}

// A StaleChoiceError says that a model was chosen by hand that the result of a run no longer has.
type StaleChoiceError struct {
	Dir, Target string
	Model       int
}

// Error says which model.
func (e *StaleChoiceError) Error() string {
	return fmt.Sprintf("%s: model %d was chosen by hand for %q, and the result of the run has it no longer",
		e.Dir, e.Model, e.Target)
}
