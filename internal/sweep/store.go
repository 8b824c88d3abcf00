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
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Store is the folder of a run:
//
//	config.json       settings, columns, and the files below with their SHA-256
//	data.csv          the rows learned from; validation.csv and test-N.csv where given
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
		return nil, &run.VersionError{Dir: dir, File: "config.json", Version: head.Version, Oldest: plainVersion, Newest: runVersion}
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
		return fmt.Errorf("%s: %s is not what the run was made with (its SHA-256 differs); restore it, or fit again", s.dir, f.File)
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

// jobLine is a line of jobs.jsonl.
type jobLine struct {
	Job
	Network  *model.Network         `json:"network"`
	Loss     []float64              `json:"loss,omitempty"`
	Diverged *trainer.DivergedError `json:"diverged,omitempty"`
}

// readJobs reads the finished jobs of all journals.
func (s *Store) readJobs() error {
	s.done = map[int]*Model{}
	if s.run.Shards != nil {
		for k := range s.run.Shards.Count {
			if err := s.readJournal(s.shardPath(k)); err != nil {
				return err
			}
		}
	}
	return s.readJournal(s.jobsPath())
}

func (s *Store) readJournal(path string) error {
	return journal.Read(path, func(line int, text []byte) error {
		var j jobLine
		if err := json.Unmarshal(text, &j); err != nil {
			return fmt.Errorf("%s:%d: the line is damaged: %w (delete it to train that network again)", path, line, err)
		}
		if j.Network == nil {
			return fmt.Errorf("%s:%d: the line holds no network (delete it to train that network again)", path, line)
		}
		j.Arch = j.Network.Arch
		if j.Epochs < 1 || !within(j.Network.Inputs, s.run.Inputs) || !within(j.Network.Outputs, s.run.Targets) {
			return fmt.Errorf("%s:%d: the network is not of this run (delete the line)", path, line)
		}
		s.done[j.ID] = &Model{Job: j.Job, Network: j.Network, Loss: j.Loss, Diverged: j.Diverged}
		return nil
	})
}

// within reports whether all names are among others.
func within(names, others []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(others, name) })
}

func (s *Store) jobsPath() string { return filepath.Join(s.dir, "jobs.jsonl") }

func (s *Store) shardPath(k int) string { return filepath.Join(s.dir, fmt.Sprintf("jobs-%d.jsonl", k)) }

// ResumeShard makes a store that was opened ready for a shard, which appends to a journal of its own.
func (s *Store) ResumeShard(k int) (err error) {
	if s.jobs, err = journal.OpenShard(s.shardPath(k)); err != nil {
		return fmt.Errorf("going on with the shard: %w", err)
	}
	return nil
}

// Resume makes a store that was opened ready to be appended to, by this process alone. What a crash
// left of a line is cut off, what it left of a file removed, and so is the checkpoint of a group that is finished.
func (s *Store) Resume() (err error) {
	if s.jobs, err = journal.Open(s.jobsPath()); err == nil {
		err = errors.Join(s.remove("*.tmp*"), s.removeIf("checkpoint-*.json", func(name string) bool {
			var first, n int
			_, err := fmt.Sscanf(name, "checkpoint-%d-%d.json", &first, &n)
			for i := range n {
				if s.done[first+i] == nil {
					return false
				}
			}
			return err == nil && n > 0
		}))
	}
	if err != nil {
		return fmt.Errorf("resuming the run: %w", err)
	}
	return nil
}

// Finished returns the networks that the run has trained, by id.
func (s *Store) Finished() []*Model {
	models := make([]*Model, 0, len(s.done))
	for _, m := range s.done {
		models = append(models, m)
	}
	slices.SortFunc(models, func(a, b *Model) int { return a.ID - b.ID })
	return models
}

// finished returns the networks of a group if all of them are there and are what was asked for.
func (s *Store) finished(group []Job) ([]*Model, bool) {
	if s == nil {
		return nil, false
	}
	models := make([]*Model, len(group))
	for i, j := range group {
		m, ok := s.done[j.ID]
		if !ok || m.Network.Arch.String() != j.Arch.String() || m.Lambda != j.Lambda || m.Epochs != j.Epochs {
			return nil, false
		}
		models[i] = m
	}
	return models, true
}

// append writes the networks of a group, all or none, and removes the group's checkpoint.
func (s *Store) append(models []*Model) error {
	if s == nil {
		return nil
	}
	var b bytes.Buffer
	group := make([]Job, len(models))
	for i, m := range models {
		group[i] = m.Job
		line, err := json.Marshal(jobLine{m.Job, m.Network, m.Loss, m.Diverged})
		if err != nil {
			return fmt.Errorf("saving network %d: %w", m.ID, err)
		}
		b.Write(append(line, '\n'))
	}
	if err := s.jobs.Append(b.Bytes()); err != nil {
		return fmt.Errorf("saving networks: %w", err)
	}
	if err := os.Remove(s.checkpointPath(checkpointName(group))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// checkpointName returns the name of the checkpoint of a group.
func checkpointName(group []Job) string { return fmt.Sprintf("%d-%d", group[0].ID, len(group)) }

func (s *Store) checkpointPath(name string) string {
	return filepath.Join(s.dir, fmt.Sprintf("checkpoint-%s.json", name))
}

// savedCheckpoint is the content of a checkpoint file.
type savedCheckpoint struct {
	*trainer.Checkpoint
	Loss curves `json:"loss,omitempty"`
}

func (s *Store) saveCheckpoint(name string, c *trainer.Checkpoint, loss curves) error {
	if s == nil {
		return nil
	}
	data, err := json.Marshal(savedCheckpoint{c, loss})
	if err != nil {
		return err
	}
	return s.write(filepath.Base(s.checkpointPath(name)), data)
}

// checkpoint returns the saved state of so many lanes with the curves so far, nil when there is none that
// can be read: they are then trained from their starts, with the same result.
func (s *Store) checkpoint(name string, lanes int) (*trainer.Checkpoint, curves) {
	if s == nil {
		return nil, make(curves, lanes)
	}
	var c savedCheckpoint
	data, err := os.ReadFile(s.checkpointPath(name))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return nil, make(curves, lanes)
	}
	if c.Checkpoint == nil || len(c.Loss) != lanes {
		c.Loss = make(curves, lanes)
	}
	return c.Checkpoint, c.Loss
}

// forgetStarts removes the checkpoints of starts, when the networks that began with them are stored.
func (s *Store) forgetStarts() error {
	if s == nil {
		return nil
	}
	return s.remove(filepath.Base(s.checkpointPath("start-*")))
}

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
