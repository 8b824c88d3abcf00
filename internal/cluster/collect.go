package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// objects is the kind of a store for bodies of results that are too large for a message.
const objects = "objects"

// keepError is an error of the ledger, which trying again does not mend.
type keepError struct{ err error }

func (e *keepError) Error() string { return e.err.Error() }

// take gives the ledger the results that come within a time, and returns how many came. Each is acknowledged when it is
// in the journal.
func (c *coordinator) take(ctx context.Context, from jetstream.Consumer, wait time.Duration) (n int, err error) {
	batch, err := from.Fetch(256, jetstream.FetchMaxWait(wait))
	if err != nil {
		pause(ctx, wait)
		return 0, err
	}
	for m := range batch.Messages() {
		n++
		if err := c.keep(ctx, m.Data()); err != nil {
			return n, err
		}
		_ = m.Ack() // when it is lost the result comes again
		if len(c.left) == 0 {
			break
		}
	}
	return n, batch.Error()
}

// keep gives the ledger a result.
func (c *coordinator) keep(ctx context.Context, data []byte) error {
	var o outcome
	if err := json.Unmarshal(data, &o); err != nil {
		c.Note("a result that is damaged is left out: " + err.Error())
		return nil
	}
	unit, wanted := c.left[o.Key]
	if !wanted && !c.ledger.Has(o.Key) {
		c.Note(fmt.Sprintf("a result of %q, which is not in the plan, is left out", o.Key))
		return nil
	}
	if o.Object != "" {
		store, err := c.js.ObjectStore(ctx, c.names.stream(o.Start, objects))
		if err == nil {
			o.Body, err = store.GetBytes(ctx, o.Object)
		}
		switch {
		case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrObjectNotFound):
			c.Note(fmt.Sprintf("the engine has lost the result of %q; the unit is offered again", o.Key))
			return nil
		case err != nil:
			return err
		}
		defer store.Delete(ctx, o.Object) //nolint:errcheck // it is deleted with the store at the latest
	}
	if _, err := c.ledger.Take(o.Result); err != nil {
		return &keepError{err}
	}
	if wanted {
		c.begins.ended(o.Key, o.Seconds)
		delete(c.left, unit.Key)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
