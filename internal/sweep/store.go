package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/journal"
	"github.com/eqlearner/eql/run"
)

// Store is the folder of a run:
//
//	config.json       settings, columns, and the files below with their SHA-256
//	data.csv          the rows learned from; validation.csv, test-N.csv and trajectory.csv where given
//	jobs.jsonl        a finished network a line, appended and synced; jobs-K.jsonl of shard K
//	checkpoint-*.json the state of groups in training
//	result.json       what the run found
//	choice.json       what a person chose in place of the run's own choice, if anything
//
// It holds all that is needed to resume the run or to use its models. A nil Store keeps nothing.
type Store struct {
	dir  string
	run  RunConfig
	done map[int]*Model // finished before this process began

	jobs *journal.Journal
}

// Create makes the folder of a new run. The folder must not exist, be empty, or be what a crash left of
// another Create; otherwise the error is a [*run.FolderError]. Of several processes that create one folder one
// succeeds.
func Create(dir string, c RunConfig) (*Store, error) {
	c.Format, c.Version = runFormat, c.needs()
	s := &Store{dir: dir, run: c}
	s.nameFiles()
	if whole, other := s.holds(); whole || other {
		return nil, &run.FolderError{Dir: dir, Run: whole}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &run.FolderError{Dir: dir, Err: err}
	}
	var err error
	switch s.jobs, err = journal.Create(s.jobsPath()); {
	case errors.Is(err, fs.ErrExist), errors.Is(err, journal.ErrInUse):
		return nil, &run.FolderError{Dir: dir, Run: true}
	case err != nil:
		return nil, &run.FolderError{Dir: dir, Err: err}
	}
	if whole, _ := s.holds(); whole { // of a process that was done with it in between
		return nil, errors.Join(&run.FolderError{Dir: dir, Run: true}, s.Close())
	}
	if err := s.writeInputs(); err != nil {
		return nil, errors.Join(err, s.Discard())
	}
	return s, s.remove("*.tmp*")
}

// holds reports whether the folder holds a run, and whether it holds something else than Create leaves there when
// it crashes before there is one: a journal without a line, and beside it perhaps tables.
func (s *Store) holds() (whole, other bool) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return false, false // os.MkdirAll says why
	}
	ours := s.ours()
	other = len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "jobs.jsonl" })
	for _, e := range entries {
		left, _ := filepath.Match(".*.tmp*", e.Name())
		whole = whole || e.Name() == "config.json"
		other = other || !left && !ours(e)
	}
	return whole, other
}

// nameFiles names the files of the tables.
func (s *Store) nameFiles() {
	s.run.Data.File = "data.csv"
	if s.run.Validation != nil {
		s.run.Validation.File = "validation.csv"
	}
	if s.run.Trajectory != nil {
		s.run.Trajectory.File = "trajectory.csv"
	}
	for i := range s.run.Tests {
		s.run.Tests[i].File = fmt.Sprintf("test-%d.csv", i+1)
	}
}

// files returns the tables of the run.
func (s *Store) files() []*DataFile {
	files := []*DataFile{&s.run.Data}
	if s.run.Validation != nil {
		files = append(files, s.run.Validation)
	}
	if s.run.Trajectory != nil {
		files = append(files, &s.run.Trajectory.DataFile)
	}
	for i := range s.run.Tests {
		files = append(files, &s.run.Tests[i])
	}
	return files
}

// ours returns whether a file of the folder is one that Create makes and nothing was learned in.
func (s *Store) ours() func(fs.DirEntry) bool {
	names := []string{"config.json", "jobs.jsonl"}
	for _, f := range s.files() {
		names = append(names, f.File)
	}
	return func(e fs.DirEntry) bool {
		info, err := e.Info()
		return err == nil && slices.Contains(names, e.Name()) && (e.Name() != "jobs.jsonl" || info.Size() == 0)
	}
}

// writeInputs writes the tables and config.json, last, so that a folder with one is complete.
func (s *Store) writeInputs() error {
	for _, f := range s.files() {
		var b bytes.Buffer
		if err := f.Table.WriteCSV(&b); err != nil {
			return err
		}
		f.SHA256 = sum(b.Bytes())
		if err := s.write(f.File, b.Bytes()); err != nil {
			return err
		}
	}
	return s.writeJSON("config.json", s.run)
}

// Discard closes the store of a run that could not begin and removes its folder, provided that
// nothing has been learned in it.
func (s *Store) Discard() error {
	if s == nil {
		return nil
	}
	if err := s.Close(); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	ours := s.ours()
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !ours(e) }) {
		return nil
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(s.dir)
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Open reads the folder of a run and checks all of it.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	data, err := os.ReadFile(filepath.Join(dir, "config.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%s: %w", dir, run.ErrNotARun)
	case err != nil:
		return nil, fmt.Errorf("reading the run: %w", err)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Format != runFormat {
		return nil, fmt.Errorf("%s: config.json is damaged, or not of an eql run; restore it, or fit again", dir)
	}
	if head.Version < plainVersion || head.Version > runVersion {
		return nil, &run.VersionError{Dir: dir, File: "config.json", Version: head.Version,
			Oldest: plainVersion, Newest: runVersion}
	}
	if err := json.Unmarshal(data, &s.run); err != nil {
		return nil, &run.DamagedError{Dir: dir, File: "config.json", Err: err}
	}
	if err := errors.Join(s.run.Settings.Validate(), s.run.checkColumns(), s.run.Shards.check()); err != nil {
		return nil, &run.DamagedError{Dir: dir, File: "config.json", Err: err}
	}
	for _, f := range s.files() {
		if err := s.readTable(f); err != nil {
			return nil, err
		}
	}
	if _, err := s.run.Data.Table.Select(s.run.used()...); err != nil {
		return nil, fmt.Errorf("%s: config.json and data.csv do not fit: %w", dir, err)
	}
	return s, s.readJobs()
}

func (s *Store) readTable(f *DataFile) error {
	if f.File == "" || filepath.Base(f.File) != f.File {
		return &run.DamagedError{Dir: s.dir, File: "config.json", Err: fmt.Errorf("%q is not a file of the run", f.File)}
	}
	data, err := os.ReadFile(filepath.Join(s.dir, f.File))
	if err != nil {
		return fmt.Errorf("reading the run: %w", err)
	}
	if sum(data) != f.SHA256 {
		return fmt.Errorf("%s: %s is not what the run was made with (its SHA-256 differs); restore it, or fit again",
			s.dir, f.File)
	}
	sheet, err := datasets.Read(bytes.NewReader(data), filepath.Join(s.dir, f.File), datasets.Options{})
	if err != nil {
		return err
	}
	f.Table, _, err = sheet.Table(sheet.Columns())
	return err
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

// Config returns what the run was made with, tables included.
func (s *Store) Config() RunConfig { return s.run }

// WriteResult keeps what the finished run found, in place of what is there. Before, it removes the checkpoints that
// a crash or a time limit left, so that a folder with the result of a complete run has none.
func (s *Store) WriteResult(result any) error {
	if err := s.remove("checkpoint-*.json"); err != nil {
		return err
	}
	return s.writeJSON("result.json", result)
}

// WritePartial keeps what an interrupted run found, in place of what is there, until it is resumed and finished.
func (s *Store) WritePartial(result any) error { return s.writeJSON("result.json", result) }

// remove removes the files of the folder whose names match a pattern.
func (s *Store) remove(pattern string) error {
	return s.removeIf(pattern, func(string) bool { return true })
}

// removeIf removes those of them that a condition holds for.
func (s *Store) removeIf(pattern string, condition func(name string) bool) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if ok, err := filepath.Match(pattern, e.Name()); err != nil || !ok || !condition(e.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// ReadResult reads what [Store.WriteResult] or [Store.WritePartial] wrote.
func (s *Store) ReadResult(result any) error {
	data, err := os.ReadFile(filepath.Join(s.dir, "result.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return &run.NoResultError{Dir: s.dir}
	}
	if err != nil {
		return fmt.Errorf("reading the run: %w", err)
	}
	if err := json.Unmarshal(data, result); err != nil {
		return &run.DamagedError{Dir: s.dir, File: "result.json", Err: err}
	}
	return nil
}

// Close closes the files of the store.
func (s *Store) Close() error {
	if s == nil || s.jobs == nil {
		return nil
	}
	jobs := s.jobs
	s.jobs = nil
	return jobs.Close()
}

func (s *Store) writeJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return s.write(name, append(data, '\n'))
}

// write replaces a file of the folder in one step: a crash leaves the old one or the new one.
func (s *Store) write(name string, data []byte) error {
	if err := ReplaceFile(filepath.Join(s.dir, name), data); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
