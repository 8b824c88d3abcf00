package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/eqlearner/eql/internal/work"
)

// memory is a journal in memory.
type memory struct {
	mu       sync.Mutex
	lines    map[string][]string // by key, in the order in which they came
	disputes []work.Result
	ledger   *work.Ledger
}

func newMemory() *memory {
	m := &memory{lines: map[string][]string{}}
	m.ledger = &work.Ledger{
		Append: func(r work.Result) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.lines[r.Key] = append(m.lines[r.Key], string(r.Body)+r.Failed)
			return nil
		},
		Dispute: func(r work.Result) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.disputes = append(m.disputes, r)
			return nil
		},
		Same: func(r work.Result) ([]byte, error) { return r.Body, nil },
	}
	return m
}

// count returns how many units have a result.
func (m *memory) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.lines)
}

// check fails unless each unit of a plan has exactly one line, which is what want says.
func (m *memory) check(t *testing.T, p work.Plan, want func(u work.Unit) string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, u := range p.Units {
		if got := m.lines[u.Key]; len(got) != 1 || got[0] != want(u) {
			t.Errorf("%s: the journal has %.200q, want %.200q", u.Key, got, want(u))
		}
	}
	if len(m.lines) != len(p.Units) {
		t.Errorf("the journal has %d units, want %d", len(m.lines), len(p.Units))
	}
}

// planOf returns n units with numbers as bodies. Their keys are no words of NATS.
func planOf(n int) work.Plan {
	p := work.Plan{Class: "here", Settings: json.RawMessage(`{"add":1}`)}
	for i := range n {
		key := fmt.Sprintf("tables/a b.%d > *.csv", i)
		p.Units = append(p.Units, work.Unit{Key: key, Body: json.RawMessage(fmt.Sprint(i))})
	}
	return p
}

// plus adds what the settings say.
func plus(u work.Unit) string {
	var i int
	if err := json.Unmarshal(u.Body, &i); err != nil {
		return err.Error()
	}
	return fmt.Sprint(i + 1)
}

// does returns options of a worker that does units by a function; nil adds.
func does(do Do) WorkerOptions {
	if do == nil {
		do = func(_ context.Context, u work.Unit, _ string) (json.RawMessage, error) {
			return json.RawMessage(plus(u)), nil
		}
	}
	return WorkerOptions{
		Class: "here", Slots: 2, Patience: 20 * time.Second, Ping: 500 * time.Millisecond,
		Prepare: func(json.RawMessage) (Do, error) { return do, nil },
	}
}

// running is a coordinator at work.
type running struct {
	*memory
	Address
	stop  context.CancelFunc
	ended chan error
}

// begin starts a coordinator and waits until workers may come.
func begin(t *testing.T, o Options, p work.Plan, m *memory) *running {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Engine == "" {
		o.Engine = "listen=127.0.0.1"
	}
	o.Note = func(text string) { t.Log("coordinator:", text) }
	ready := make(chan Address, 1)
	o.Ready = func(a Address) { ready <- a }
	ctx, stop := context.WithCancel(context.Background())
	r := &running{memory: m, stop: stop, ended: make(chan error, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		r.ended <- Coordinate(ctx, o, p, m.ledger)
	}()
	t.Cleanup(func() { stop(); <-over })
	select {
	case r.Address = <-ready:
	case err := <-r.ended:
		t.Fatalf("the coordinator ended: %v", err)
	}
	return r
}

// wait fails unless the coordinator ends within a time without an error.
func (r *running) wait(t *testing.T, most time.Duration) {
	t.Helper()
	select {
	case err := <-r.ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(most):
		t.Fatalf("after %v %d units have a result", most, r.count())
	}
}

// worker starts a worker. The channel has the error with which it ends.
func (r *running) worker(t *testing.T, o WorkerOptions) (stop context.CancelFunc, ended chan error) {
	ctx, stop := context.WithCancel(context.Background())
	ended = make(chan error, 1)
	o.Note = func(text string) { t.Log("worker:", text) }
	var over sync.WaitGroup
	over.Go(func() {
		_, err := Work(ctx, r.Address, o)
		ended <- err
	})
	t.Cleanup(func() { stop(); over.Wait() })
	return stop, ended
}

// waits marks a test that waits for seconds until leases are over: others run meanwhile, and with -short it does not.
func waits(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it waits for a second or more")
	}
	t.Parallel()
}

// eventually fails unless something happens within a time.
func eventually(t *testing.T, most time.Duration, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", most, what)
		}
	}
}
