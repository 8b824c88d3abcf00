package trainer

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A Checkpoint is the state of training between two steps. Everything else, the order of the
// rows included, follows from the settings; training that goes on from a checkpoint ends with
// the same bits as training that was never interrupted.
type Checkpoint struct {
	Version  int              `json:"version"`
	Step     int              `json:"step"` // update steps done
	Total    int              `json:"total"`
	Arch     string           `json:"arch"`
	DType    DType            `json:"dtype"`
	Diverged []*DivergedError `json:"diverged"` // one a lane
	// State holds, layer by layer, weights, first and second moments of all lanes as
	// little-endian numbers of DType.
	State []byte `json:"state"`
	// Losses holds, within an epoch, the sum of its losses so far, one float64 a lane.
	Losses []byte `json:"losses,omitempty"`
}

const checkpointVersion = 1

func (r *run[T]) checkpoint() *Checkpoint {
	var b bytes.Buffer
	for _, s := range r.state() {
		binary.Write(&b, binary.LittleEndian, s) //nolint:errcheck // a buffer never fails
	}
	c := &Checkpoint{
		Version: checkpointVersion, Step: r.adam.t, Total: r.adam.total, Arch: r.graph.Arch.String(),
		DType: r.config.DType, Diverged: append([]*DivergedError(nil), r.diverged...), State: b.Bytes(),
	}
	if r.adam.t%r.steps != 0 {
		var losses bytes.Buffer
		binary.Write(&losses, binary.LittleEndian, r.losses) //nolint:errcheck // a buffer never fails
		c.Losses = losses.Bytes()
	}
	return c
}

// state returns the memory that a checkpoint holds, in its order.
func (r *run[T]) state() (parts [][]T) {
	for l := range r.model {
		parts = append(parts, r.graph.Weights(l), r.adam.m[l], r.adam.v[l])
	}
	return parts
}

// restore puts the run where the checkpoint was taken, after checking that it fits.
func (r *run[T]) restore(c *Checkpoint) error {
	size := 0
	for _, s := range r.state() {
		size += binary.Size(s)
	}
	lanes, losses := len(r.lanes), len(c.Losses)
	damaged := c.Step < 0 || c.Step > c.Total || len(c.State) != size || len(c.Diverged) != lanes ||
		losses != 0 && losses != 8*lanes
	switch {
	case c.Version != checkpointVersion:
		return fmt.Errorf("the checkpoint has version %d and this program reads version %d", c.Version, checkpointVersion)
	case c.Arch != r.graph.Arch.String() || c.DType != r.config.DType || c.Total != r.adam.total:
		return fmt.Errorf("the checkpoint is of another training: %s in %s with %d steps, want %s in %s with %d",
			c.Arch, c.DType, c.Total, r.graph.Arch, r.config.DType, r.adam.total)
	case damaged:
		return fmt.Errorf("the checkpoint is damaged: step %d of %d, %d bytes, %d lanes, want %d bytes, %d lanes",
			c.Step, c.Total, len(c.State), len(c.Diverged), size, lanes)
	}
	b := bytes.NewReader(c.State)
	for _, s := range r.state() {
		if err := binary.Read(b, binary.LittleEndian, s); err != nil {
			return fmt.Errorf("reading the checkpoint: %w", err)
		}
	}
	if len(c.Losses) > 0 {
		if err := binary.Read(bytes.NewReader(c.Losses), binary.LittleEndian, r.losses); err != nil {
			return fmt.Errorf("reading the checkpoint: %w", err)
		}
	}
	for r.adam.t < c.Step {
		r.adam.advance()
	}
	for e, why := range c.Diverged {
		if why != nil {
			r.freeze(e, why)
		}
	}
	return nil
}
