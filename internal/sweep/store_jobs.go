package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/eqlearner/eql/internal/journal"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

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
