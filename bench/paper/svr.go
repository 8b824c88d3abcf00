package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/baseline"
	"github.com/eqlearner/eql/trainer"
)

// searchSVR scores every setting of the grid on the validation rows, fits the best to the training
// rows, one machine an output, and scores that. A setting is one for all outputs, as a network is.
func (r *runner) searchSVR(ctx context.Context, p *part) error {
	repetition := p.repetitions[0]
	train, validation := p.set.split(repetition)
	grid := p.set.plan.SVR
	some := p.set.someRows(train, grid.Rows)
	settings := grid.settings()
	scores := make([]baseline.Score, len(settings))
	all, finished := 0.0, 0.0
	for _, s := range settings {
		all += p.set.fitCost(s, some.Rows())
	}
	err := each(ctx, len(settings), func(ctx context.Context, i int) error {
		s := settings[i]
		key := fmt.Sprintf("%s/C=%g,gamma=%g,epsilon=%g", p.key(repetition), s.C, s.Gamma, s.Epsilon)
		cost := p.set.fitCost(s, some.Rows())
		if p.finished.get(key, &scores[i]) {
			p.countSVR(&finished, cost/all, "")
			return nil
		}
		return p.do(ctx, cost, func() error {
			score, err := s.Score(ctx, p.set.columns(some), p.set.columns(validation))
			if err != nil {
				return err
			}
			scores[i] = score
			p.countSVR(&finished, cost/all, "svr")
			return p.finished.put([]string{key}, score)
		})
	})
	if err != nil {
		return err
	}
	best := 0
	for i, s := range scores {
		if s.RMS < scores[best].RMS {
			best = i
		}
	}
	o := Outcome{Repetition: repetition, Candidates: len(settings), Validation: number(scores[best].RMS)}
	o.Choice = fmt.Sprintf("C=%.4g, γ=%g, ε=%g", settings[best].C, settings[best].Gamma, settings[best].Epsilon)
	return r.finalSVR(ctx, p, settings[best], p.set.someRows(train, grid.FinalRows), o)
}

// finalSVR fits the chosen setting, an output a job, and keeps the outcome.
func (r *runner) finalSVR(ctx context.Context, p *part, s baseline.SVR, train *datasets.Table, o Outcome) error {
	outputs := p.set.targets(train)
	machines := make([]*baseline.SVRModel, len(outputs))
	err := each(ctx, len(outputs), func(ctx context.Context, t int) error {
		return p.do(ctx, p.set.fitCost(s, train.Rows()), func() (err error) {
			machines[t], err = s.Fit(ctx, p.set.inputs(train), outputs[t])
			return err
		})
	})
	if err != nil {
		return err
	}
	support, stopped := 0, 0
	for _, m := range machines {
		support += m.Support()
		if !m.Converged() {
			stopped++
		}
	}
	o.Note = fmt.Sprintf("%d support vectors of %d rows × %d outputs", support, train.Rows(), len(outputs))
	if stopped > 0 {
		o.Note += fmt.Sprintf("; %d machines stopped at the limit of iterations", stopped)
	}
	predict := func(x [][]float64) [][]float64 {
		y := make([][]float64, len(machines))
		for t, m := range machines {
			y[t] = m.Predict(x)
		}
		return y
	}
	return p.do(ctx, 0, func() error {
		o.Errors, o.Slice = p.set.score(predict, o.Repetition), numbers(predict(p.set.slice))
		return p.keep(o)
	})
}

// countSVR adds a part of the work of the grid to what is finished.
func (p *part) countSVR(finished *float64, share float64, phase string) {
	p.mu.Lock()
	*finished += share
	done := 0.9 * *finished // the chosen machine is left
	p.mu.Unlock()
	p.progress(done, phase)
}

// settings returns every combination.
func (g *SVRGrid) settings() []baseline.SVR {
	var all []baseline.SVR
	for _, c := range g.C {
		for _, gamma := range g.Gamma {
			for _, epsilon := range g.Epsilon {
				all = append(all, baseline.SVR{C: c, Gamma: gamma, Epsilon: epsilon})
			}
		}
	}
	return all
}

// svrStream separates the draw of rows for support vector regression from other random numbers.
const svrStream = 2

// someRows returns at most the given number of rows, drawn at random; all for 0.
func (p *prepared) someRows(t *datasets.Table, most int) *datasets.Table {
	if most <= 0 || t.Rows() <= most {
		return t
	}
	rows := rand.New(rand.NewPCG(p.seed, svrStream)).Perm(t.Rows())[:most]
	slices.Sort(rows)
	return t.Take(rows)
}

// columns returns a table in the form that baselines take.
func (p *prepared) columns(t *datasets.Table) trainer.Data {
	return trainer.Data{X: p.inputs(t), Y: p.targets(t)}
}

// fitCost is a guess at the seconds of a fit: the number of pairs that are changed grows with C
// and as ε shrinks.
func (p *prepared) fitCost(s baseline.SVR, rows int) float64 {
	return 4e-8 * float64(rows) * float64(rows) * float64(len(p.problem.Targets)) * math.Sqrt(s.C/s.Epsilon/10)
}

// svrCost guesses the seconds of a part.
func (p *prepared) svrCost() float64 {
	train, _ := p.split(0)
	rows := func(most int) int { return p.someRows(train, most).Rows() }
	cost := 0.0
	for _, s := range p.plan.SVR.settings() {
		cost += p.fitCost(s, rows(p.plan.SVR.Rows))
	}
	return cost + p.fitCost(baseline.SVR{C: 10, Epsilon: 0.01}, rows(p.plan.SVR.FinalRows))
}
