package paper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// trainGrid trains the networks of a part's repetitions, of which each is a restart of the grid,
// selects one in each from that repetition's grid alone, and scores it.
func (r *runner) trainGrid(ctx context.Context, p *part) (err error) {
	task, settings := p.sweep()
	store, err := openStore(r.storeDir(p), task, settings, r.folder.saved.Shards)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	found, err := sweep.Run(ctx, task, settings, p.training(store))
	if err != nil {
		return err
	}
	outcomes := make([]Outcome, len(p.repetitions))
	for i, repetition := range p.repetitions {
		if err := p.do(ctx, 0, func() error {
			outcomes[i] = p.set.selected(gridOf(found.Models, i), settings.Select, p.method, repetition)
			return nil
		}); err != nil {
			return err
		}
	}
	return p.keep(outcomes...)
}

// sweep returns what the networks of a part learn.
func (p *part) sweep() (sweep.Task, sweep.Settings) {
	settings := *p.set.plan.sweep(p.method)
	if p.set.plan.Resplit {
		settings.Seed += uint64(p.repetitions[0])
	}
	train, validation := p.set.split(p.repetitions[0])
	return sweep.Task{Inputs: p.set.problem.Inputs, Targets: p.set.problem.Targets, Data: train,
		Validation: validation}, settings
}

// training returns how they are trained.
func (p *part) training(store *sweep.Store) sweep.Options {
	task, settings := p.sweep()
	steps := float64(max(1, task.Data.Rows()/settings.Train.Batch))
	return sweep.Options{
		Workers: manyWorkers, Device: p.opt.Device, Store: store,
		Gate:    func(ctx context.Context, cost float64, work func() error) error { return p.do(ctx, cost*steps, work) },
		Observe: func(e sweep.Event) { p.watch(e) },
	}
}

// manyWorkers lets every group of a sweep wait for one of the workers that all parts share.
const manyWorkers = 1 << 20

// storeDir is where the networks of a part are kept.
func (r *runner) storeDir(p *part) string {
	name := fmt.Sprintf("%s-%s", p.set.plan.Name, p.method)
	if p.set.plan.Resplit {
		name += fmt.Sprintf("-%d", p.repetitions[0])
	}
	return filepath.Join(r.folder.dir, name)
}

// openStore opens the store of a sweep, or makes it. A folder without a configuration is what a
// process left that was killed before anything was trained.
func openStore(dir string, t sweep.Task, s sweep.Settings, shards *sweep.Shards) (*sweep.Store, error) {
	store, err := sweep.Open(dir)
	switch {
	case err == nil:
		return store, store.Resume()
	case !errors.Is(err, run.ErrNotARun):
		return nil, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	return sweep.Create(dir, sweep.RunConfig{
		Settings: s, Inputs: t.Inputs, Targets: t.Targets, Shards: shards,
		Data:       sweep.DataFile{Name: "data", Table: t.Data},
		Validation: &sweep.DataFile{Name: "validation", Table: t.Validation},
	})
}

// watch takes over how far the sweep of a part is.
func (p *part) watch(e sweep.Event) {
	p.mu.Lock()
	p.networks, p.trained = e.Networks, e.Done
	p.mu.Unlock()
	phase := ""
	if e.Phase != "" {
		phase = string(p.method) + " " + e.Phase
	}
	p.progress(0.999*e.Fraction, phase) // scoring is left
}

// gridOf returns the networks of one repetition. Networks that only fill the lanes, and the least
// squares line, take no part in the protocol.
func gridOf(models []*sweep.Model, restart int) []*sweep.Model {
	var grid []*sweep.Model
	for _, m := range models {
		if !m.Baseline && !m.Padding && m.Restart == restart {
			grid = append(grid, m)
		}
	}
	return grid
}

// selected selects a network from the grid of a repetition, by what validation says, and only then
// looks at the test sets.
func (p *prepared) selected(grid []*sweep.Model, rule sweep.Select, method Method, repetition int) Outcome {
	instances := make([]Instance, len(grid))
	for i, m := range grid {
		instances[i] = Instance{Validation: m.Validation(), Sparsity: m.Sparsity()}
	}
	best := choose(instances, rule)
	o := Outcome{Repetition: repetition, Candidates: len(grid)}
	if best < 0 {
		o.Choice, o.Note = "none", "every network diverged"
		o.Errors = p.notFinite(repetition)
		return o
	}
	m := grid[best]
	s := m.Sparsity()
	o.Choice = fmt.Sprintf("L=%d, width %d, λ=%.3g, id %d", m.Layers, m.Width, m.Lambda, m.ID)
	o.Validation = number(instances[best].Validation)
	o.Errors = p.score(m.Network.Predict, repetition)
	o.Slice = numbers(m.Network.Predict(p.slice))
	if method == EQL {
		o.Sparsity, o.Network = &s, m.Network
		for t, target := range p.problem.Targets {
			o.Formulas = append(o.Formulas, writeFormula(target, m.Targets[t].Formula, m.Targets[t].Complexity))
		}
		o.Instances = p.instances(grid, instances, best, repetition)
	}
	return o
}

// notFinite returns what stands for the errors of a network that there is not.
func (p *prepared) notFinite(repetition int) []TestError {
	var errors []TestError
	for _, t := range p.testsOf(repetition) {
		errors = append(errors, TestError{Test: t.Name})
	}
	return errors
}

// instances returns all networks of a repetition for tables and figures.
func (p *prepared) instances(grid []*sweep.Model, instances []Instance, best, repetition int) []Scored {
	scored := make([]Scored, len(grid))
	for i, m := range grid {
		s := Scored{
			ID: m.ID, Layers: m.Layers, Width: m.Width, Lambda: m.Lambda,
			Validation: number(instances[i].Validation), Sparsity: instances[i].Sparsity, Chosen: i == best,
		}
		if p.plan.Instances {
			s.Errors = p.score(m.Network.Predict, repetition)
		}
		for t, target := range p.problem.Targets {
			if f := m.Targets[t]; f.Formula != nil && f.Complexity <= instanceFormula {
				s.Formulas = append(s.Formulas, writeFormula(target, f.Formula, f.Complexity))
			}
		}
		scored[i] = s
	}
	return scored
}

// sweepCost estimates the seconds that a worker needs for the networks of a part.
func (p *prepared) sweepCost(m Method) float64 {
	s := p.plan.sweep(m)
	train, _ := p.split(0)
	steps := float64(max(1, train.Rows()/s.Train.Batch) * s.Train.Epochs)
	_, padded := s.OfEachArch()
	params := 0
	for _, layers := range s.Layers {
		for _, width := range s.Width {
			products := width
			if len(s.Products) > 0 {
				products = s.Products[0]
			}
			params += overhead + archOf(p.problem, layers, width, products, s.Units).Params()
		}
	}
	seconds := 3e-9 * float64(params) * float64(padded) * steps * float64(s.Train.Batch+10) / 30
	if s.Train.DType == trainer.Float64 {
		seconds *= 2.2
	}
	return seconds
}

// overhead is what a step costs beside the work on its parameters, in parameters.
const overhead = 150

func archOf(problem datasets.Problem, layers, width, products int, units []model.Unit) model.Arch {
	return model.Uniform(len(problem.Inputs), len(problem.Targets), layers, width, products, units)
}
