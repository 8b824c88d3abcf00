package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/eqlearner/eql/internal/work"
)

// Options say how work is coordinated.
type Options struct {
	Engine string        // [Listen], "listen=HOST:PORT", or the URL of a NATS server with JetStream
	Dir    string        // of the run; its journal must be in nobody else's use
	Lease  time.Duration // after which a unit whose worker was not heard of is another's; 0: [DefaultLease]
	Ready  func(Address) // is called when workers may come
	Note   func(string)  // is called with what a person should know; nil: nobody asks
}

// DefaultLease is long enough for a machine that is busy, and short beside most units.
const DefaultLease = 30 * time.Second

// tick is how long the coordinator waits for results before it looks at everything else.
const tick = 200 * time.Millisecond

// coordinator offers units and collects results.
type coordinator struct {
	Options
	*engine
	js     jetstream.JetStream
	names  runNames
	plan   work.Plan
	ledger *work.Ledger
	left   map[string]work.Unit // units without a result
	files  *files
	begins *begins

	manifest        atomic.Pointer[manifest]
	jobs            jetstream.Stream
	queue, reported jetstream.Consumer // of jobs, of results
	heard           time.Time          // of a result, or of an offer
}

// Coordinate has workers do the units of a plan and gives their results to the ledger. It returns when every unit has
// one. When ctx is done it tells the workers that the run has ended and returns ctx's error; after another error they
// wait for the next coordinator.
func Coordinate(ctx context.Context, o Options, p work.Plan, l *work.Ledger) error {
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	c := &coordinator{Options: o, plan: p, ledger: l, left: map[string]work.Unit{}, begins: newBegins()}
	for _, u := range p.Units {
		c.left[u.Key] = u
	}
	if len(c.left) == 0 {
		return nil
	}
	var err error
	if c.engine, err = openEngine(o.Dir, o.Engine, o.Lease); err != nil {
		return err
	}
	defer c.close()
	c.names = runNames(c.address.Run)
	if c.js, err = jetstream.New(c.nc); err != nil {
		return err
	}
	c.files = newFiles(p.Units)
	if err := c.answer(); err != nil {
		return err
	}
	switch err := c.start(ctx); {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("the engine has no JetStream: %w (start it by nats-server -js)", err)
	case err != nil:
		return fmt.Errorf("preparing the engine: %w", err)
	}
	if o.Ready != nil {
		o.Ready(c.address)
	}
	return c.run(ctx)
}

// answer begins to answer workers.
func (c *coordinator) answer() error {
	c.manifest.Store(&manifest{Version: protocol}) // until it has a start
	for subject, handle := range map[string]nats.MsgHandler{
		c.names.subject("manifest"): func(m *nats.Msg) {
			if now := c.manifest.Load(); now.Start != "" {
				respond(m, now)
			}
		},
		c.names.subject("file", "*"):     c.files.serve,
		c.names.subject("begun"):         c.begins.begun,
		c.names.subject("back"):          c.begins.back,
		c.names.subject("begun", "ever"): c.begins.answer,
	} {
		if _, err := c.nc.Subscribe(subject, handle); err != nil {
			return err
		}
	}
	return c.nc.Flush()
}

func respond(m *nats.Msg, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		_ = m.Respond(data) // who does not hear asks again
	}
}

// start makes streams under names that were never used, takes what old ones hold, and offers what is left.
func (c *coordinator) start(ctx context.Context) (err error) {
	start := strconv.FormatInt(time.Now().UnixNano(), 36)
	if c.jobs, c.queue, err = c.makeStream(ctx, start, jobs, c.Lease, true); err != nil {
		return err
	}
	if _, c.reported, err = c.makeStream(ctx, start, results, max(c.Lease, 10*time.Second), false); err != nil {
		return err
	}
	m := manifest{Version: protocol, Class: c.plan.Class, Start: start, Lease: c.Lease, Settings: c.plan.Settings}
	c.manifest.Store(&m) // from now on results come here
	if err := c.takeOld(ctx, start); err != nil {
		return err
	}
	return c.offer(ctx)
}

// makeStream makes a stream and its consumer. With once it takes no second message of a subject while it has one.
func (c *coordinator) makeStream(ctx context.Context, start, kind string, lease time.Duration, once bool) (
	jetstream.Stream, jetstream.Consumer, error) {
	config := jetstream.StreamConfig{
		Name: c.names.stream(start, kind), Subjects: []string{c.names.subject(start, kind, ">")},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
	}
	if once {
		config.MaxMsgsPerSubject, config.Discard, config.DiscardNewPerSubject = 1, jetstream.DiscardNew, true
	}
	s, err := c.js.CreateStream(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	consumer, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1,
		MaxAckPending: 1_000_000, MaxWaiting: 100_000, MemoryStorage: true,
	})
	return s, consumer, err
}

// takeOld takes the results that workers reported to earlier coordinators, and deletes their streams.
func (c *coordinator) takeOld(ctx context.Context, start string) error {
	names := c.js.StreamNames(ctx, jetstream.WithStreamListSubject(c.names.subject(">")))
	var old []string
	for name := range names.Name() {
		if name != c.names.stream(start, jobs) && name != c.names.stream(start, results) {
			old = append(old, name)
		}
	}
	if err := names.Err(); err != nil {
		return err
	}
	for _, name := range old {
		if consumer, err := c.js.Consumer(ctx, name, consumers); err == nil && strings.HasSuffix(name, "-"+results) {
			for {
				n, err := c.take(ctx, consumer, tick)
				if err != nil {
					return err
				}
				if n == 0 {
					break
				}
			}
		}
		if err := c.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// run collects results until no unit is left.
func (c *coordinator) run(ctx context.Context) error {
	looked := time.Now()
	for len(c.left) > 0 {
		n, err := c.take(ctx, c.reported, tick)
		var kept *keepError
		switch {
		case errors.As(err, &kept):
			return kept.err // workers wait, results in hand, until this is mended
		case ctx.Err() != nil:
			c.end()
			return ctx.Err()
		case c.nc.IsClosed():
			return fmt.Errorf("the engine refuses the connection: %w (start the coordinator again)", c.nc.LastError())
		case n > 0:
			c.heard = time.Now()
		}
		if time.Since(looked) < c.Lease/4 {
			continue
		}
		looked = time.Now()
		if err := c.look(ctx); err != nil && ctx.Err() == nil {
			c.Note("the engine does not answer: " + err.Error())
		}
	}
	c.end()
	return nil
}

// look finds out what the engine has lost, and which units take too long.
func (c *coordinator) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(c.Lease, time.Second))
	defer cancel()
	info, err := c.jobs.Info(ctx)
	if err == nil {
		_, err = c.reported.Info(ctx)
	}
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound):
		c.Note("the engine has lost the run; what has no result is offered again")
		return c.start(ctx)
	case err != nil:
		return err
	case time.Since(c.heard) > 2*c.Lease && info.State.Msgs != uint64(len(c.left)):
		return c.offer(ctx)
	}
	return c.offerStragglers(ctx)
}

// end tells all workers that there is nothing left to do, and gives those that did not hear it the time of a renewal.
func (c *coordinator) end() {
	m := *c.manifest.Load()
	m.Ended = true
	c.manifest.Store(&m)
	ctx, cancel := context.WithTimeout(context.Background(), max(m.renewal(), time.Second))
	defer cancel()
	_ = c.nc.Publish(c.names.subject("ended"), nil) // they ask at their next renewal, too
	_ = c.nc.FlushWithContext(ctx)
	if c.server == nil {
		for _, kind := range []string{jobs, results} {
			_ = c.js.DeleteStream(ctx, c.names.stream(m.Start, kind)) // the next coordinator of the run tries again
		}
		_ = c.js.DeleteObjectStore(ctx, c.names.stream(m.Start, objects))
	}
	for c.workers() != 0 && ctx.Err() == nil {
		pause(ctx, 20*time.Millisecond)
	}
}
