package sweep

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eqlearner/eql/trainer"
)

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
