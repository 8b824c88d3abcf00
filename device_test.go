package eql

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/gpu/emulator"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/trainer"
)

// A card that fails in the first round leaves a folder that the processor goes on from.
func TestFitKeepsWhatACardFinished(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	card := emulator.New(gpu.Info{})
	gpu.Emulated = card
	t.Cleanup(func() { gpu.Emulated = nil })
	failure := errors.New("the card fell off the bus")
	card.Fail = func(call string) error {
		if call == "launch" && card.Launches() >= 3 {
			return failure
		}
		return nil
	}
	dir := filepath.Join(t.TempDir(), "run")
	tiny := Adjust(func(s *sweep.Settings) {
		s.Layers, s.Width, s.Products, s.Restarts, s.Extend, s.Train.Epochs = []int{2}, []int{1}, []int{1}, 4, 0, 8
		s.Refine, s.Split = false, 0.2
	})
	data := small(t)
	_, err := Fit(context.Background(), data, tiny, Folder(dir), OnDevice(trainer.CUDA))
	var lost *trainer.CardError
	if !errors.As(err, &lost) || !errors.Is(err, failure) {
		t.Fatalf("got %v, want the card's error", err)
	}
	r, err := Resume(context.Background(), dir, OnDevice(trainer.CPU))
	if err != nil || len(r.Formulas) == 0 {
		t.Fatalf("resumed: %v, %v", r, err)
	}
}
