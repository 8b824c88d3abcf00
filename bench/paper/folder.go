package paper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eqlearner/eql/internal/sweep"
)

// Folder is where an experiment is run:
//
//	experiment.json  the plan, and the builds that worked on it
//	journal.jsonl    finished pieces of work, one a line, synced; journal-K.jsonl of shard K
//	clock.json       the time it took so far; clock-K.json of shard K
//	SET-METHOD/      the networks of a sweep, in the form that eql fit keeps them
//	table.md, …      what came out of it
//
// It holds all that is needed to go on after a crash at any moment.
type Folder struct {
	dir   string
	saved savedRun
}

// savedRun is the content of experiment.json.
type savedRun struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Plan    Plan     `json:"plan"`
	Builds  []string `json:"builds"` // of the program, in the order they worked on it

	// Shards is how the work is divided; nil: it is not planned so.
	Shards *sweep.Shards `json:"shards,omitempty"`
}

const (
	runFormat  = "eql reproduce"
	runVersion = 1
)

// Create makes the folder of a new run. It must not exist, or be empty.
func Create(dir string, p Plan) (*Folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("making the folder: %w (choose another by --out)", err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == planFile }) {
		return nil, fmt.Errorf("%s holds a run already; go on with it by --resume, or choose another folder by --out", dir)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+planFile) { // what is left of a process that was killed as it began
			return nil, fmt.Errorf("%s exists already and is not empty; choose another folder by --out", dir)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder: %w (choose another by --out)", err)
	}
	f := &Folder{dir, savedRun{Format: runFormat, Version: runVersion, Plan: p}}
	return f, f.save()
}

const planFile = "experiment.json"

// Begun returns what a run in a folder was asked for when it was begun.
func Begun(dir string) (Request, error) {
	f, err := read(dir)
	if err != nil {
		return Request{}, err
	}
	return f.saved.Plan.Request, nil
}

// Open opens the folder of a run that was begun, to go on with the plan it was begun with. Another
// plan is refused.
func Open(dir string, p Plan) (*Folder, error) {
	f, err := read(dir)
	if err != nil {
		return nil, err
	}
	if err := f.saved.Plan.differs(p.Request); err != nil {
		return nil, fmt.Errorf("%s cannot be resumed with other settings:\n%w", dir, err)
	}
	if !p.equal(f.saved.Plan) {
		return nil, fmt.Errorf("%s was begun by a version of eql in which %s is another experiment; finish it with that "+
			"one, or begin anew in another folder", dir, p.Experiment)
	}
	return f, nil
}

// read reads what a folder was made for.
func read(dir string) (*Folder, error) {
	data, err := os.ReadFile(filepath.Join(dir, planFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no run to resume in %s (it has no %s); give the --preset or --out that it was "+
			"begun with, or leave --resume out to begin one", dir, planFile)
	case err != nil:
		return nil, fmt.Errorf("resuming: %w", err)
	}
	f := &Folder{dir: dir}
	if err := json.Unmarshal(data, &f.saved); err != nil || f.saved.Format != runFormat {
		return nil, fmt.Errorf("%s: %s is damaged, or not of eql reproduce; begin anew in another folder", dir, planFile)
	}
	if f.saved.Version != runVersion {
		return nil, fmt.Errorf("%s was written in version %d of the format and this program reads version %d; use a "+
			"matching version of eql", dir, f.saved.Version, runVersion)
	}
	return f, nil
}

// Shards returns how the work is divided, nil where it is not.
func (f *Folder) Shards() *sweep.Shards { return f.saved.Shards }

// Plan returns what the folder was made for.
func (f *Folder) Plan() Plan { return f.saved.Plan }

// build adds a build of the program to those that worked on the run.
func (f *Folder) build(name string) error {
	if name == "" || slices.Contains(f.saved.Builds, name) {
		return nil
	}
	f.saved.Builds = append(f.saved.Builds, name)
	return f.save()
}

func (f *Folder) save() error { return f.writeJSON(planFile, f.saved) }

func (f *Folder) writeJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return f.write(name, append(data, '\n'))
}

func (f *Folder) write(name string, data []byte) error {
	if err := sweep.ReplaceFile(filepath.Join(f.dir, name), data); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
