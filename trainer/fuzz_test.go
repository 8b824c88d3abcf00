package trainer

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/eqlearner/eql/model"
)

// FuzzCheckpoint goes on from whatever can be read as a checkpoint. Refusing it is fine.
func FuzzCheckpoint(f *testing.F) {
	lanes, data := randomLanes(model.Uniform(2, 1, 2, 1, 1, paperUnits), 4, 0.001), linearData(40)
	c := shortConfig(6)
	c.DType = Float32
	for _, at := range []int{1, 3, 6} {
		var seed []byte
		if _, err := Fit(context.Background(), lanes, data, c, Options{CheckpointEvery: 1, Observe: func(e Event) {
			if e.Epoch == at {
				seed, _ = json.Marshal(e.Checkpoint())
			}
		}}); err != nil || seed == nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	within, err := within(lanes, data, c)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(within)
	f.Fuzz(func(t *testing.T, text []byte) {
		var resume *Checkpoint
		if json.Unmarshal(text, &resume) != nil {
			return
		}
		r, err := Fit(context.Background(), lanes, data, c, Options{Resume: resume})
		if err == nil && (len(r.Networks) != len(lanes) || len(r.Diverged) != len(lanes)) {
			t.Errorf("%d networks, %d of them may have diverged", len(r.Networks), len(r.Diverged))
		}
	})
}

// within returns a checkpoint that was taken within an epoch.
func within(lanes []Lane, data Data, c Config) ([]byte, error) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Fit(ctx, lanes, data, c, Options{})
	if !errors.Is(err, context.Canceled) {
		return nil, err
	}
	r.Checkpoint.Losses = make([]byte, 8*len(lanes))
	r.Checkpoint.Step = 1
	return json.Marshal(r.Checkpoint)
}
