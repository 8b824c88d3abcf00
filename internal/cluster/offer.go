package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/eqlearner/eql/internal/work"
)

// atOnce is how many units are on their way to the engine at a time.
const atOnce = 256

// offer puts all units without a result into the stream, in the order of the plan. Those that it has it does not take.
func (c *coordinator) offer(ctx context.Context) error {
	c.heard = time.Now()
	for units := range slices.Chunk(c.plan.Units, atOnce) {
		var answers []jetstream.PubAckFuture
		for _, u := range units {
			if _, without := c.left[u.Key]; !without {
				continue
			}
			answer, err := c.publish(u, token(u.Key))
			if err != nil {
				return err
			}
			answers = append(answers, answer)
		}
		for _, a := range answers {
			if err := taken(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *coordinator) publish(u work.Unit, subject string) (jetstream.PubAckFuture, error) {
	o := order{Unit: u}
	if len(u.Body) > mostInline {
		o.Body, o.Blob = nil, hashOf(u.Body)
	}
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return c.js.PublishAsync(c.names.subject(c.manifest.Load().Start, jobs, subject), data)
}

// taken waits until a stream has a message. That it had one of that subject is no error.
func taken(ctx context.Context, a jetstream.PubAckFuture) error {
	select {
	case <-a.Ok():
		return nil
	case err := <-a.Err():
		var api *jetstream.APIError
		if errors.As(err, &api) && api.Description == subjectTaken {
			return nil
		}
		return fmt.Errorf("offering a unit: %w", err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// subjectTaken is what the engine says to a second message of a subject; it has no code of its own.
const subjectTaken = "maximum messages per subject exceeded"

// againSuffix is what the subject of a unit ends in that is offered to a second worker.
const againSuffix = ".again"

// patient is how many times the median a unit may take before it is offered to a second worker. It may take two leases
// in any case: if its worker has died, the engine offers it.
const patient = 3

// offerStragglers offers units that take too long once more, when nothing else is left to offer.
func (c *coordinator) offerStragglers(ctx context.Context) error {
	late := c.begins.late(patient, 2*c.Lease)
	late = slices.DeleteFunc(late, func(key string) bool { _, without := c.left[key]; return !without })
	if len(late) == 0 {
		return nil
	}
	info, err := c.queue.Info(ctx)
	if err != nil || info.NumPending > 0 {
		return err
	}
	for _, key := range late {
		answer, err := c.publish(c.left[key], token(key)+againSuffix)
		if err != nil {
			return err
		}
		if err := taken(ctx, answer); err != nil {
			return err
		}
		c.begins.offeredAgain(key)
	}
	return nil
}

// begins is what the coordinator hears of units that were begun. What it does not hear costs nothing but time.
type begins struct {
	mu      sync.Mutex
	at      map[string]time.Time // of the last begin of a unit without a result
	times   map[string]int       // how often a unit without a result was begun
	again   map[string]bool      // units that were offered to a second worker
	backs   map[string]int       // how often a unit was given back
	seconds []float64            // that units took
}

func newBegins() *begins {
	return &begins{
		at: map[string]time.Time{}, times: map[string]int{}, again: map[string]bool{}, backs: map[string]int{},
	}
}

func (b *begins) begun(m *nats.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at[string(m.Data)] = time.Now()
	b.times[string(m.Data)]++
}

func (b *begins) back(m *nats.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.backs[string(m.Data)]++
	delete(b.at, string(m.Data))
}

// answer says how often a unit was begun before and neither ended nor was given back. The engine counts all begins of
// an offer, and loses none; a straggler has two offers.
func (b *begins) answer(m *nats.Msg) {
	var q question
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return
	}
	b.mu.Lock()
	before := max(q.Begun-1, b.times[q.Key]) - b.backs[q.Key]
	b.mu.Unlock()
	respond(m, max(0, before))
}

func (b *begins) ended(key string, seconds float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.at, key)
	delete(b.times, key)
	delete(b.backs, key)
	b.seconds = append(b.seconds, seconds)
}

// late returns the units that have taken more than so many times the median, and a least time, longest first, and were
// not yet offered to a second worker.
func (b *begins) late(times float64, least time.Duration) (keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.seconds) == 0 {
		return nil
	}
	slices.Sort(b.seconds)
	most := max(times*b.seconds[len(b.seconds)/2], least.Seconds())
	for key, at := range b.at {
		if !b.again[key] && time.Since(at).Seconds() > most {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(x, y string) int { return b.at[x].Compare(b.at[y]) })
	return keys
}

func (b *begins) offeredAgain(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.again[key] = true
}
