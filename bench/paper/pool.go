package paper

import (
	"context"
	"sync"
)

// pool shares a number of workers among everything that computes. Of the jobs that wait, the one
// that costs most is begun next, so that no long one is left alone at the end.
type pool struct {
	mu      sync.Mutex
	free    int
	waiting []*ticket
}

// ticket is a job that waits; its channel is closed when it may begin.
type ticket struct {
	cost  float64
	begin chan struct{}
}

func newPool(workers int) *pool { return &pool{free: workers} }

// do runs a job when a worker is free for it, in the caller's goroutine, and returns its error. If
// ctx is done before, the job is not run and the error is ctx's.
func (p *pool) do(ctx context.Context, cost float64, job func() error) error {
	if err := p.acquire(ctx, cost); err != nil {
		return err
	}
	defer p.release()
	if err := ctx.Err(); err != nil {
		return err
	}
	return job()
}

func (p *pool) acquire(ctx context.Context, cost float64) error {
	p.mu.Lock()
	if p.free > 0 {
		p.free--
		p.mu.Unlock()
		return nil
	}
	t := &ticket{cost, make(chan struct{})}
	p.waiting = append(p.waiting, t)
	p.mu.Unlock()
	select {
	case <-t.begin:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == t {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return ctx.Err()
		}
	}
	return nil // a worker was handed over in the meantime: do gives it back
}

// release hands the worker to the costliest job that waits; of equal ones to the first.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		p.free++
		return
	}
	best := 0
	for i, t := range p.waiting {
		if t.cost > p.waiting[best].cost {
			best = i
		}
	}
	close(p.waiting[best].begin)
	p.waiting = append(p.waiting[:best], p.waiting[best+1:]...)
}

// each calls f for 0 … n−1 in goroutines of their own, which are expected to wait for workers, and
// returns the first error, after which the context of the others is done.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
