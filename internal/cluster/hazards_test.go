package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/eqlearner/eql/internal/work"
)

const soon = 30 * time.Second // on a busy machine

func TestCoordinate(t *testing.T) {
	t.Parallel()
	p := planOf(20)
	r := begin(t, Options{}, p, newMemory())
	var both sync.WaitGroup // no worker comes when all is done: it would wait for another coordinator
	both.Add(2)
	begins := func() Do {
		came := sync.OnceFunc(both.Done)
		return func(_ context.Context, u work.Unit, _ string) (json.RawMessage, error) {
			came()
			both.Wait()
			return json.RawMessage(plus(u)), nil
		}
	}
	_, one := r.worker(t, does(begins()))
	_, two := r.worker(t, does(begins()))
	r.wait(t, soon)
	r.check(t, p, plus)
	for _, ended := range []chan error{one, two} {
		if err := <-ended; err != nil {
			t.Errorf("a worker ended with %v", err)
		}
	}
}

// coordinatorAlone returns a coordinator that has offered its units and collects nothing.
func coordinatorAlone(t *testing.T, p work.Plan) *coordinator {
	t.Helper()
	return coordinatorOn(t, Options{Engine: "listen=127.0.0.1", Dir: t.TempDir(), Lease: time.Second}, p)
}

func coordinatorOn(t *testing.T, o Options, p work.Plan) *coordinator {
	t.Helper()
	e, err := openEngine(o.Dir, o.Engine, o.Lease)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.close)
	o.Note = func(text string) { t.Log("coordinator:", text) }
	c := &coordinator{
		Options: o, engine: e, names: runNames(e.address.Run), plan: p,
		ledger: newMemory().ledger, left: map[string]work.Unit{}, begins: newBegins(), files: newFiles(p.Units),
	}
	for _, u := range p.Units {
		c.left[u.Key] = u
	}
	if c.js, err = jetstream.New(c.nc); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.answer(), c.start(context.Background())); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *coordinator) queued(t *testing.T) int {
	t.Helper()
	info, err := c.jobs.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return int(info.State.Msgs)
}

// What is offered twice is there once.
func TestTakenOnce(t *testing.T) {
	c := coordinatorAlone(t, planOf(5))
	for range 2 {
		if err := c.offer(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.queued(t); n != 5 {
		t.Errorf("the stream has %d units, want 5", n)
	}
}

// An acknowledgement of a message of a stream that was made anew under its old name takes another message away. That is
// why names are never used again; the units of a coordinator that starts anew are safe from it.
func TestLateAcknowledgement(t *testing.T) {
	ctx := context.Background()
	c := coordinatorAlone(t, planOf(1))
	late, err := c.queue.Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.start(ctx); err != nil {
		t.Fatal(err)
	}
	taken, err := c.queue.Next() // by another worker, as the same number of the new stream
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	if err := late.DoubleAck(short); err == nil {
		t.Error("the late acknowledgement was taken")
	}
	if n := c.queued(t); n != 1 {
		t.Errorf("after a late acknowledgement the stream has %d units, want 1", n)
	}
	if err := taken.DoubleAck(ctx); err != nil || c.queued(t) != 0 {
		t.Errorf("after the right acknowledgement (%v) the stream has %d units, want 0", err, c.queued(t))
	}

	same := func() jetstream.Consumer { // a stream whose name is used again
		s, err := c.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: "same", Subjects: []string{"same.>"},
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
		})
		if err != nil {
			t.Fatal(err)
		}
		config := jetstream.ConsumerConfig{Durable: consumers, AckPolicy: jetstream.AckExplicitPolicy}
		consumer, err := s.CreateConsumer(ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.js.Publish(ctx, "same.unit", nil); err != nil {
			t.Fatal(err)
		}
		return consumer
	}
	late, err = same().Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.js.DeleteStream(ctx, "same"); err != nil {
		t.Fatal(err)
	}
	if _, err := same().Next(); err != nil {
		t.Fatal(err)
	}
	if err := late.DoubleAck(ctx); err != nil {
		t.Errorf("NATS refuses late acknowledgements now (%v): names of streams need not be new any more", err)
	}
}

// The first result counts; one with other bits is a dispute.
func TestSecondResult(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := coordinatorAlone(t, planOf(2))
	m := newMemory()
	c.ledger = m.ledger
	report := func(key, body string) {
		t.Helper()
		start := c.manifest.Load().Start
		data, err := json.Marshal(outcome{Result: work.Result{Key: key, Body: json.RawMessage(body)}, Start: start})
		if err == nil {
			_, err = c.js.Publish(ctx, c.names.subject(start, results, token(key)), data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a := c.plan.Units[0].Key
	for _, body := range []string{"1", "1", "2"} {
		report(a, body)
	}
	report("of another run", "1")
	if n, err := c.take(ctx, c.reported, time.Second); n != 4 || err != nil {
		t.Fatalf("took %d results, error %v; want 4", n, err)
	}
	if got := m.lines[a]; len(got) != 1 || got[0] != "1" || len(m.lines) != 1 {
		t.Errorf("the journal has %v, want one line", m.lines)
	}
	if len(m.disputes) != 1 || string(m.disputes[0].Body) != "2" {
		t.Errorf("disputed are %v, want the result that differs", m.disputes)
	}
}

// What the engine loses is offered again, under new names.
func TestEngineForgets(t *testing.T) {
	waits(t)
	p := planOf(6)
	r := begin(t, Options{Lease: time.Second}, p, newMemory())
	nc, err := connect(r.Address, "saboteur", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, kind := range []string{jobs, results} {
		names := js.StreamNames(ctx)
		for name := range names.Name() {
			if strings.HasSuffix(name, kind) {
				if err := js.DeleteStream(ctx, name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	r.worker(t, does(nil))
	r.wait(t, soon)
	r.check(t, p, plus)
}

// A unit of which the engine forgets only the message is offered after two leases in which nothing came.
func TestMessageLost(t *testing.T) {
	waits(t)
	p := planOf(2)
	r := begin(t, Options{Lease: time.Second}, p, newMemory())
	nc, err := connect(r.Address, "saboteur", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name := range js.StreamNames(ctx).Name() {
		if s, err := js.Stream(ctx, name); err != nil || s.Purge(ctx) != nil {
			t.Fatal(err)
		}
	}
	r.worker(t, does(nil))
	r.wait(t, soon)
	r.check(t, p, plus)
}

// A panic is a failed unit, and so is an error; the others go on.
func TestFailures(t *testing.T) {
	waits(t)
	p := planOf(3)
	r := begin(t, Options{}, p, newMemory())
	r.worker(t, does(func(_ context.Context, u work.Unit, _ string) (json.RawMessage, error) {
		switch string(u.Body) {
		case "0":
			panic("of a test")
		case "1":
			return nil, errors.New("it cannot be done")
		}
		return u.Body, nil
	}))
	r.wait(t, soon)
	lines := func(i int) string { return strings.Join(r.lines[p.Units[i].Key], "|") }
	if !strings.HasPrefix(lines(0), "the program panicked, which is a mistake in it: of a test") {
		t.Errorf("the panic became %q", lines(0))
	}
	if lines(1) != "it cannot be done" || lines(2) != "2" {
		t.Errorf("the others became %q and %q", lines(1), lines(2))
	}
}

// A worker that is asked to end gives its leases back at once, and that does not count against the unit.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	p := planOf(1)
	r := begin(t, Options{Lease: 5 * time.Minute}, p, newMemory())
	for range 5 {
		begun := make(chan bool, 1)
		stop, ended := r.worker(t, does(func(ctx context.Context, _ work.Unit, _ string) (json.RawMessage, error) {
			begun <- true
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		select {
		case <-begun:
		case <-time.After(soon):
			t.Fatal("the unit was not given back")
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a worker that was asked to end returns %v", err)
		}
	}
	r.worker(t, does(nil))
	r.wait(t, soon)
	r.check(t, p, plus)
}

// When the coordinator is interrupted its workers end, though they are at work.
func TestInterrupted(t *testing.T) {
	r := begin(t, Options{Lease: 8 * time.Second}, planOf(4), newMemory())
	var begun atomic.Int32
	_, ended := r.worker(t, does(func(ctx context.Context, _ work.Unit, _ string) (json.RawMessage, error) {
		begun.Add(1)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	eventually(t, soon, "two units are begun", func() bool { return begun.Load() == 2 })
	r.stop()
	if err := <-r.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the coordinator returns %v", err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the worker ended with %v", err)
		}
	case <-time.After(2 * time.Second): // a renewal
		t.Error("the worker has not ended within a renewal")
	}
	if r.count() != 0 {
		t.Errorf("%d units have a result", r.count())
	}
}

// A unit that takes far longer than others is offered again when nothing else is left, and the first result counts.
func TestStraggler(t *testing.T) {
	waits(t)
	p := planOf(8)
	r := begin(t, Options{Lease: time.Second}, p, newMemory())
	var slow atomic.Bool
	do := func(ctx context.Context, u work.Unit, _ string) (json.RawMessage, error) {
		if string(u.Body) == "7" && !slow.Swap(true) {
			<-ctx.Done() // a machine that hangs, and renews its lease
			return nil, ctx.Err()
		}
		return json.RawMessage(plus(u)), nil
	}
	r.worker(t, does(do))
	r.wait(t, soon)
	r.check(t, p, plus)
}

// A unit that was begun twice and never ended is the only one in its process when it is begun again.
func TestAlone(t *testing.T) {
	waits(t)
	p := planOf(12)
	r := begin(t, Options{Lease: time.Second}, p, newMemory())
	nc, err := connect(r.Address, "dies", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	var queue jetstream.Consumer
	for name := range js.StreamNames(context.Background()).Name() {
		if strings.HasSuffix(name, jobs) {
			if queue, err = js.Consumer(context.Background(), name, consumers); err != nil {
				t.Fatal(err)
			}
		}
	}
	bad := p.Units[0].Key
	for times := 0; times < 2; { // it is begun twice, by what never reports; so are the others, which are given back
		msg, err := queue.Next(jetstream.FetchMaxWait(soon))
		if err != nil {
			t.Fatal(err)
		}
		var o order
		if err := json.Unmarshal(msg.Data(), &o); err != nil {
			t.Fatal(err)
		}
		if o.Key == bad {
			times++
			continue
		}
		_ = nc.Publish(runNames(r.Run).subject("back"), []byte(o.Key))
		_ = msg.Nak()
	}
	_ = nc.Flush()
	nc.Close()
	var mu sync.Mutex
	var now, atOnce int
	do := func(_ context.Context, u work.Unit, _ string) (json.RawMessage, error) {
		mu.Lock()
		now++
		if u.Key == bad {
			atOnce = now
		}
		mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		if u.Key == bad {
			atOnce = max(atOnce, now)
		}
		now--
		return json.RawMessage(plus(u)), nil
	}
	o := does(do)
	o.Slots = 4
	r.worker(t, o)
	r.wait(t, soon)
	r.check(t, p, plus)
	mu.Lock()
	defer mu.Unlock()
	if atOnce != 1 {
		t.Errorf("the unit ran with %d at once, want alone", atOnce)
	}
}

// Without a coordinator a worker ends when its patience does.
func TestPatience(t *testing.T) {
	a := Address{URL: "nats://127.0.0.1:1", Run: randomHex(8), Secret: randomHex(16), Fingerprint: randomHex(32)}
	o := does(nil)
	o.Patience = 200 * time.Millisecond
	if _, err := Work(context.Background(), a, o); err == nil || errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("got %v, want that nobody answers", err)
	}
}
