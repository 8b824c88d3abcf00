package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/eqlearner/eql/internal/work"
)

// WorkerOptions say how a worker works.
type WorkerOptions struct {
	Class    string        // of bits of this program on this machine
	AnyClass bool          // work also for a run of another class
	Slots    int           // units at a time, at least 1
	Patience time.Duration // how long to wait for a coordinator that does not answer
	Ping     time.Duration // how often to ask whether the connection is alive; 0: a quarter of [DefaultLease]
	Note     func(string)  // is called with what a person should know; nil: nobody asks

	// Prepare returns what does a unit, given the settings of the run.
	Prepare func(settings json.RawMessage) (Do, error)
}

// Do does a unit whose file is at path. An error, and a panic, is what came of the unit, unless ctx is done.
type Do func(ctx context.Context, u work.Unit, path string) (json.RawMessage, error)

// The ways in which a run ends for a worker.
var (
	errEnded    = errors.New("the run has ended")
	errPatience = errors.New("the coordinator does not answer")
)

// answerTime is how long an answer of coordinator or engine may take.
const answerTime = 5 * time.Second

// grace is how long a worker that must end reports results that it has.
const grace = 5 * time.Second

// worker takes units and reports results.
type worker struct {
	WorkerOptions
	nc    *nats.Conn
	js    jetstream.JetStream
	names runNames
	do    Do
	files cache
	done  atomic.Int64
	heard atomic.Int64 // when the coordinator answered last, in Unix nanoseconds

	life context.Context // until the run has ended, or SIGTERM and the time to report is over

	alone sync.RWMutex // held for writing by a unit that must be the only one

	mu       sync.Mutex // guards what follows
	manifest manifest
	queue    jetstream.Consumer // of jobs; nil: that of the manifest is not yet looked up
}

// Work takes units of a run until it has ended, and returns how many it did. When ctx is done, it gives its leases back
// at once and returns ctx's error. Without a coordinator it waits as long as its patience says, results in hand.
func Work(ctx context.Context, a Address, o WorkerOptions) (done int, err error) {
	if o.Ping == 0 {
		o.Ping = DefaultLease / 4
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	w := &worker{WorkerOptions: o, names: runNames(a.Run)}
	w.heard.Store(time.Now().UnixNano())
	defer func() {
		if w.nc != nil {
			w.nc.Close()
		}
	}()
	if err := w.join(ctx, a); errors.Is(err, errEnded) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	w.files.fetch = func(ctx context.Context, hash string, to io.Writer) error {
		return fetch(ctx, w.nc, w.names, hash, to)
	}
	defer w.files.close()
	err = w.work(ctx)
	if errors.Is(err, errEnded) {
		err = nil
	}
	return int(w.done.Load()), err
}

// join connects, and prepares for what the run is about.
func (w *worker) join(ctx context.Context, a Address) (err error) {
	host, _ := os.Hostname() // for people
	waiting := false
	for {
		if w.nc == nil {
			w.nc, err = connect(a, fmt.Sprintf("worker %s %d", host, os.Getpid()), w.Ping)
		}
		if err == nil {
			if w.js, err = jetstream.New(w.nc); err != nil {
				return err
			}
			err = w.ask(ctx)
		}
		var refused *refusedError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &refused), errors.Is(err, errEnded):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case w.isImpatient():
			return fmt.Errorf("%w within %v (start it, or give the line of the one that runs now; %s)",
				errPatience, w.Patience, err.Error())
		case !waiting:
			waiting = true
			w.Note(fmt.Sprintf("the coordinator does not answer (%v); waiting for it for up to %v", err, w.Patience))
		}
		pause(ctx, 500*time.Millisecond)
	}
}

func (w *worker) isImpatient() bool {
	return time.Since(time.Unix(0, w.heard.Load())) > w.Patience
}

// ask gets the manifest, and looks whether this worker may work for the run. After the end it returns errEnded.
func (w *worker) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answer, err := w.nc.RequestWithContext(ctx, w.names.subject("manifest"), nil)
	if err != nil {
		return err
	}
	var m manifest
	if err := json.Unmarshal(answer.Data, &m); err != nil {
		return fmt.Errorf("the coordinator's answer is damaged: %w", err)
	}
	w.heard.Store(time.Now().UnixNano())
	switch {
	case m.Version != protocol:
		return &refusedError{fmt.Errorf("the coordinator speaks version %d of the protocol, and this worker %d "+
			"(use the same build of eql-cluster)", m.Version, protocol)}
	case m.Class != w.Class && !w.AnyClass:
		return &refusedError{fmt.Errorf("the run was planned for %s, and this is %s: the bits of results may differ "+
			"(use the same build on the same family of processors, or --any-class to mix them)", m.Class, w.Class)}
	case m.Ended:
		return errEnded
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.do == nil {
		if w.do, err = w.Prepare(m.Settings); err != nil {
			return &refusedError{err}
		}
	}
	if m.Start != w.manifest.Start {
		w.queue = nil
	}
	w.manifest = m
	return nil
}

// work runs the slots until the run ends, or ctx is done.
func (w *worker) work(ctx context.Context) error {
	life, end := context.WithCancelCause(context.Background())
	defer end(nil)
	w.life = life
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	context.AfterFunc(life, func() { stop(context.Cause(life)) })
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { end(ctx.Err()) }) })
	if _, err := w.nc.Subscribe(w.names.subject("ended"), func(*nats.Msg) { end(errEnded) }); err != nil {
		return err
	}
	var slots sync.WaitGroup
	for range w.Slots {
		slots.Go(func() { w.slot(working) })
	}
	go w.watch(life, end)
	over := make(chan struct{})
	go func() { slots.Wait(); close(over) }()
	<-working.Done()
	select {
	case <-over:
	case <-life.Done():
		pauseUntil(over, time.Second) // for leases to be given back; what still computes ends with the process
	}
	if err := context.Cause(life); err != nil && ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

func pauseUntil(over <-chan struct{}, most time.Duration) {
	select {
	case <-over:
	case <-time.After(most):
	}
}

// watch asks for the manifest at every renewal, and ends the worker's life when the run has ended, when it may not work
// for it any more, and when its patience is over.
func (w *worker) watch(life context.Context, end context.CancelCauseFunc) {
	quiet := false
	for life.Err() == nil {
		pause(life, w.current().renewal())
		err := w.ask(life)
		var refused *refusedError
		switch {
		case life.Err() != nil:
		case err == nil:
			quiet = false
		case errors.Is(err, errEnded), errors.As(err, &refused):
			end(err)
		case w.nc.IsClosed():
			end(fmt.Errorf("the coordinator refuses the connection: %w (use the line of the one that runs now)",
				w.nc.LastError()))
		case w.isImpatient():
			end(fmt.Errorf("%w since %v (start it again; it offers what has no result)", errPatience, w.Patience))
		case !quiet:
			quiet = true
			w.Note(fmt.Sprintf("the coordinator does not answer; waiting for it for up to %v", w.Patience))
		}
	}
}

func (w *worker) current() manifest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.manifest
}

// slot takes one unit after the other.
func (w *worker) slot(ctx context.Context) {
	for ctx.Err() == nil {
		m, queue, err := w.jobs(ctx)
		if err == nil {
			var msg jetstream.Msg
			// When ctx is done meanwhile the unit is given back; what is asked for and not waited for would stay leased.
			if msg, err = queue.Next(jetstream.FetchMaxWait(time.Second)); err == nil {
				w.unit(ctx, m, msg)
				continue
			}
			if isQuiet(err) {
				continue
			}
		}
		w.mu.Lock()
		w.queue = nil // it may be that of an earlier coordinator
		w.mu.Unlock()
		pause(ctx, 100*time.Millisecond)
		_ = w.ask(ctx) // what it says watch hears, too
	}
}

// isQuiet reports whether an error only says that there is no unit at the moment.
func isQuiet(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) ||
		errors.Is(err, context.DeadlineExceeded)
}

// jobs returns the consumer of the units of the present coordinator.
func (w *worker) jobs(ctx context.Context) (manifest, jetstream.Consumer, error) {
	w.mu.Lock()
	m, queue := w.manifest, w.queue
	w.mu.Unlock()
	if queue != nil {
		return m, queue, nil
	}
	within, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	queue, err := w.js.Consumer(within, w.names.stream(m.Start, jobs), consumers)
	if err != nil {
		return m, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.manifest.Start == m.Start {
		w.queue = queue
	}
	return m, queue, nil
}
