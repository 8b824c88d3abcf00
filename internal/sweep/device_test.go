package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/gpu/emulator"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// useEmulator makes CUDA an emulated card.
func useEmulator(t *testing.T) *emulator.Card {
	t.Helper()
	if kernel.Name() == "portable" {
		t.Skip("the portable kernels round otherwise")
	}
	card := emulator.New(gpu.Info{})
	gpu.Emulated = card
	t.Cleanup(func() { gpu.Emulated = nil })
	return card
}

// smallGrid is a run of two small architectures with a choice of starts.
func smallGrid() Settings {
	s := run.Quick(60, 2)
	s.Layers, s.Width, s.Products = []int{2, 3}, []int{1}, []int{1}
	s.Lambda, s.Restarts, s.Extend = []float64{1e-3}, 16, 0
	s.Train.Epochs, s.Halving = 12, Halving{Starts: 2, Part: 0.25}
	s.Refine, s.Select, s.Split = false, SelectRank, 0.1
	return s
}

// runIn runs the grid in a folder, new or resumed, on a device.
func runIn(t *testing.T, dir string, s Settings, device trainer.Device, resume bool) (*Result, error) {
	t.Helper()
	task := gridTask(t)
	var store *Store
	var err error
	if resume {
		if store, err = Open(dir); err == nil {
			err = store.Resume()
		}
	} else {
		store, err = Create(dir, RunConfig{Settings: s, Inputs: task.Inputs, Targets: task.Targets,
			Data: DataFile{Name: "d.csv", Table: task.Data}})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	return Run(t.Context(), task, s, Options{Workers: 2, Device: device, Store: store})
}

func gridTask(t *testing.T) Task {
	t.Helper()
	return task(table(t, 60, 0.01, map[string]string{"p": "a*b"}), "p")
}

// networks returns the lines of the finished networks, sorted, without what says where they were trained.
func networks(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "jobs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(regexp.MustCompile(`"device":"cuda",?`).ReplaceAllString(string(text), "")),
		"\n")
	for i, l := range lines {
		var v any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(l, ",}", "}")), &v); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(again)
	}
	slices.Sort(lines)
	return lines
}

// A run on a GPU leaves the networks of a run on the processor, and so does one that was interrupted on one device and
// resumed on the other.
func TestRunOnCard(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	card := useEmulator(t)
	s := smallGrid()
	dirs := map[string]string{}
	for _, name := range []string{"processor", "card", "card first", "processor first"} {
		dirs[name] = filepath.Join(t.TempDir(), "run")
	}
	res, err := runIn(t, dirs["processor"], s, trainer.CPU, false)
	if err != nil {
		t.Fatal(err)
	}
	if res.Rounds[0].OnCard != 0 || card.Launches() != 0 {
		t.Errorf("the processor's run: %+v, %d launches", res.Rounds, card.Launches())
	}
	res, err = runIn(t, dirs["card"], s, trainer.CUDA, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range res.Rounds {
		if r.OnCard != r.Networks {
			t.Errorf("the card's run: %+v", r)
		}
	}
	for _, first := range []trainer.Device{trainer.CPU, trainer.CUDA} {
		name, then := "processor first", trainer.CUDA
		if first == trainer.CUDA {
			name, then = "card first", trainer.CPU
		}
		interrupt(t, dirs[name], s, first)
		if _, err := runIn(t, dirs[name], s, then, true); err != nil {
			t.Fatal(err)
		}
	}
	want := networks(t, dirs["processor"])
	for name, dir := range dirs {
		if !slices.Equal(networks(t, dir), want) {
			t.Errorf("%s: the folder has other networks", name)
		}
	}
}

// interrupt runs the grid until half of the work is done.
func interrupt(t *testing.T, dir string, s Settings, device trainer.Device) {
	t.Helper()
	task := gridTask(t)
	store, err := Create(dir, RunConfig{Settings: s, Inputs: task.Inputs, Targets: task.Targets,
		Data: DataFile{Name: "d.csv", Table: task.Data}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err = Run(ctx, task, s, Options{Workers: 1, Device: device, Store: store, Observe: func(e Event) {
		if e.Fraction > 0.5 {
			cancel()
		}
	}})
	if err := errors.Join(store.Close()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not interrupted: %v", err)
	}
}

// A card that is taken away in the middle ends the run with its error, what was finished is kept, and the processor
// goes on from there.
func TestCardTakenAway(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	card := useEmulator(t)
	s := smallGrid()
	dir := filepath.Join(t.TempDir(), "run")
	failure := errors.New("the card fell off the bus")
	card.Fail = func(call string) error {
		if call == "launch" && card.Launches() >= 6 {
			return failure
		}
		return nil
	}
	if _, err := runIn(t, dir, s, trainer.CUDA, false); !errors.Is(err, failure) {
		t.Fatalf("got %v", err)
	}
	res, err := runIn(t, dir, s, trainer.CPU, true)
	if err != nil || len(res.Rounds) != 2 {
		t.Fatalf("after it: %v, %v", res, err)
	}
	other := filepath.Join(t.TempDir(), "run")
	if _, err := runIn(t, other, s, trainer.CPU, false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(networks(t, dir), networks(t, other)) {
		t.Error("the folder has other networks than that of a run on the processor")
	}
}

// Auto takes the card for what takes the processor long, if the networks fit it.
func TestAutoDevice(t *testing.T) {
	p, err := newProblem(gridTask(t), smallGrid())
	if err != nil {
		t.Fatal(err)
	}
	long, short := smallGrid(), smallGrid()
	long.Train.Epochs = 1 << 30
	choice := func(s Settings, device trainer.Device) trainer.Device {
		return newRunner(p, s, Options{Device: device}).device(rounds(s, len(p.inputs), len(p.targets))[0])
	}
	if got := choice(long, trainer.Auto); got != trainer.CPU {
		t.Errorf("without a card: %v", got)
	}
	useEmulator(t)
	for _, c := range []struct {
		name   string
		s      Settings
		device trainer.Device
		want   trainer.Device
	}{
		{"long", long, trainer.Auto, trainer.CUDA},
		{"short", short, trainer.Auto, trainer.CPU},
		{"short, asked for", short, trainer.CUDA, trainer.CUDA},
		{"long, the processor asked for", long, trainer.CPU, trainer.CPU},
	} {
		if got := choice(c.s, c.device); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	gpu.Emulated = emulator.New(gpu.Info{Shared: 1 << 10})
	if got := choice(long, trainer.Auto); got != trainer.CPU {
		t.Errorf("a card without room for the networks: %v", got)
	}
}

// Groups have one architecture and consecutive ids, since the first id and the number name their checkpoint.
func TestGroups(t *testing.T) {
	a, b := model.Uniform(1, 1, 2, 1, 0, []model.Unit{model.Sin}), model.Uniform(1, 1, 2, 2, 0, []model.Unit{model.Sin})
	var jobs []Job
	for id := range 64 {
		j := Job{ID: id, Arch: a}
		if id >= 48 {
			j.Arch = b
		}
		if id < 16 || id >= 32 {
			jobs = append(jobs, j)
		}
	}
	r := &runner{}
	var names []string
	for _, g := range r.groups(jobs, trainer.CUDA) {
		names = append(names, checkpointName(g))
	}
	if want := []string{"0-16", "32-16", "48-16"}; !slices.Equal(names, want) {
		t.Errorf("groups %v, want %v", names, want)
	}
}
