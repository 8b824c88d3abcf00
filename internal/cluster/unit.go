package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/eqlearner/eql/internal/work"
)

// A unit that was begun and never ended so often runs alone in its process, so that no neighbour is blamed for what it
// does; one more, and it is given up.
const (
	endlessAlone = 2
	endlessMost  = 3
)

// unit does a unit, reports its result and gives up its lease.
func (w *worker) unit(ctx context.Context, m manifest, msg jetstream.Msg) {
	var o order
	meta, err := msg.Metadata()
	if err = errors.Join(err, json.Unmarshal(msg.Data(), &o)); err != nil {
		w.Note("a unit that is damaged is left to others: " + err.Error())
		return
	}
	stop := renew(msg, m.renewal())
	defer stop()
	gaveBack := make(chan struct{})
	ours := context.AfterFunc(ctx, func() {
		defer close(gaveBack)
		w.giveBack(m, o.Key, msg)
	})
	began := time.Now()
	begun := int(meta.NumDelivered)
	r, ok := w.result(ctx, o, begun, begun > 1 || strings.HasSuffix(msg.Subject(), againSuffix))
	if !ok { // ctx is done
		<-gaveBack
		return
	}
	ours()
	w.done.Add(1)
	if w.report(outcome{Result: r, Seconds: time.Since(began).Seconds()}) {
		w.acknowledge(m, msg)
	}
}

// result does a unit, which may have been begun before. It reports false when ctx was done before that came to an end.
func (w *worker) result(ctx context.Context, o order, begun int, before bool) (work.Result, bool) {
	r := work.Result{Key: o.Key}
	endless := 0
	if before {
		endless = w.endless(ctx, o.Key, begun)
	}
	switch {
	case endless >= endlessMost:
		r.Failed = fmt.Sprintf("it was begun %d times and never ended: each time its worker died, or was not heard of "+
			"(--resume tries it again)", endless)
		return r, ctx.Err() == nil
	case endless >= endlessAlone:
		w.alone.Lock()
		defer w.alone.Unlock()
	default:
		w.alone.RLock()
		defer w.alone.RUnlock()
	}
	if ctx.Err() != nil {
		return r, false
	}
	_ = w.nc.Publish(w.names.subject("begun"), []byte(o.Key))
	if before { // it may end this process before the coordinator hears that it is no straggler
		_ = w.nc.FlushTimeout(answerTime)
	}
	body, path, release, err := w.fetch(ctx, o)
	if err == nil {
		defer release()
		o.Body = body
		r.Body, err = protect(ctx, w.do, o.Unit, path)
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return r, err == nil || ctx.Err() == nil
}

// endless returns how often a unit was begun before and never ended. Where nobody says, it is run, perhaps alone.
func (w *worker) endless(ctx context.Context, key string, begun int) (n int) {
	n = min(begun-1, endlessAlone)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	ask, err := json.Marshal(question{key, begun})
	if err != nil {
		return n
	}
	answer, err := w.nc.RequestWithContext(ctx, w.names.subject("begun", "ever"), ask)
	if err == nil {
		_ = json.Unmarshal(answer.Data, &n)
	}
	return n
}

// fetch gets what a unit needs from the coordinator, as long as it takes.
func (w *worker) fetch(ctx context.Context, o order) (body json.RawMessage, path string, release func(), err error) {
	for {
		body = o.Body
		if o.Blob != "" {
			var b bytes.Buffer
			err = fetch(ctx, w.nc, w.names, o.Blob, &b)
			body = b.Bytes()
		}
		if err == nil {
			path, release, err = w.files.use(ctx, o.File)
		}
		if err == nil || ctx.Err() != nil || !isAbsence(err) {
			return body, path, release, err
		}
		pause(ctx, 200*time.Millisecond)
	}
}

// isAbsence reports whether an error says that nobody answered.
func isAbsence(err error) bool {
	for _, absence := range []error{
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrConnectionClosed, nats.ErrConnectionReconnecting,
		context.DeadlineExceeded,
	} {
		if errors.Is(err, absence) {
			return true
		}
	}
	return false
}

// protect makes an error of a panic. One in another goroutine ends the process; then the lease runs out.
func protect(ctx context.Context, do Do, u work.Unit, path string) (body json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the program panicked, which is a mistake in it: %v\n%s", p, debug.Stack())
		}
	}()
	return do(ctx, u, path)
}

// renew keeps a lease until it is stopped.
func renew(msg jetstream.Msg, every time.Duration) (stop func()) {
	over := make(chan struct{})
	go func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-over:
				return
			case <-ticker.C:
				_ = msg.InProgress() // without a connection the lease runs out, as it should
			}
		}
	}()
	return func() { close(over) }
}

// giveBack lets another worker have a unit at once. It does not count as one that never ended.
func (w *worker) giveBack(m manifest, key string, msg jetstream.Msg) {
	if w.life.Err() != nil || m.Start != w.current().Start {
		return
	}
	_ = w.nc.Publish(w.names.subject("back"), []byte(key))
	_ = msg.Nak()
	_ = w.nc.FlushTimeout(time.Second) // otherwise the lease runs out
}

// report publishes a result until the engine has it, or the worker's life is over.
func (w *worker) report(o outcome) bool {
	for wait := 50 * time.Millisecond; w.life.Err() == nil; wait = min(2*wait, time.Second) {
		o.Start = w.current().Start
		ctx, cancel := context.WithTimeout(w.life, answerTime)
		err := w.publish(ctx, o)
		cancel()
		if err == nil {
			return true
		}
		pause(w.life, wait)
		_ = w.ask(w.life) // perhaps another coordinator has started
	}
	return false
}

func (w *worker) publish(ctx context.Context, o outcome) error {
	if len(o.Body) > mostInline {
		store, err := w.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: w.names.stream(o.Start, objects), Storage: jetstream.MemoryStorage,
		})
		if err != nil {
			return err
		}
		name := hashOf(o.Body)
		if _, err := store.PutBytes(ctx, name, o.Body); err != nil {
			return err
		}
		o.Body, o.Object = nil, name
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.js.Publish(ctx, w.names.subject(o.Start, results, token(o.Key)), data)
	return err
}

// acknowledge ends a lease. When that does not succeed the unit is done once more, and nothing is lost.
func (w *worker) acknowledge(m manifest, msg jetstream.Msg) {
	for range 3 {
		if m.Start != w.current().Start {
			return // its stream is no more
		}
		ctx, cancel := context.WithTimeout(w.life, time.Second)
		err := msg.DoubleAck(ctx)
		cancel()
		if err == nil || w.life.Err() != nil {
			return
		}
	}
}
