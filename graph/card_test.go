package graph

import (
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
)

type named struct {
	gpu.Card
	info gpu.Info
}

func (n named) Info() gpu.Info { return n.info }

func TestEmulatedCard(t *testing.T) {
	gpu.Emulated = named{info: gpu.Info{Name: "none", Driver: "12.0", Compute: 75, Memory: 3, Processors: 2}}
	t.Cleanup(func() { gpu.Emulated = nil })
	want := CardInfo{Name: "none", Driver: "12.0", Compute: 75, Memory: 3, Processors: 2}
	if got, err := CUDACard(); got != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
