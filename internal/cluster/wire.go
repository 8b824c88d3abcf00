package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/eqlearner/eql/internal/work"
)

// protocol is the version of what coordinator and workers say to each other.
const protocol = 1

// mostInline is the largest body in a message, and the size of the pieces of a file. NATS takes 1 MiB unless told
// otherwise.
const mostInline = 512 << 10

// manifest is what a worker must know. The coordinator answers with it whoever asks.
type manifest struct {
	Version  int             `json:"version"`
	Class    string          `json:"class"`
	Start    string          `json:"start"` // of the coordinator: the part of names that is never used again
	Lease    time.Duration   `json:"lease"`
	Settings json.RawMessage `json:"settings"`
	Ended    bool            `json:"ended"`
}

// renewal is how often a lease is renewed, and how often a worker looks whether the run has ended.
func (m manifest) renewal() time.Duration { return m.Lease / 4 }

// order is a unit on its way to a worker.
type order struct {
	work.Unit
	Blob string `json:"blob,omitempty"` // hash of the body where that is too large for a message
}

// outcome is a result on its way to the coordinator.
type outcome struct {
	work.Result
	Seconds float64 `json:"seconds"`
	Start   string  `json:"start"`            // of the coordinator under which it was sent
	Object  string  `json:"object,omitempty"` // that holds the body where it is too large for a message
}

// question is what a worker asks before it begins a unit that was begun before.
type question struct {
	Key   string `json:"key"`
	Begun int    `json:"begun"` // with this time
}

// runNames are the names of a run on an engine.
type runNames string

// subject returns "eql.RUN.part.part…".
func (r runNames) subject(parts ...string) string {
	return "eql." + string(r) + "." + strings.Join(parts, ".")
}

// stream returns the name of a stream of a coordinator.
func (r runNames) stream(start, kind string) string { return r.prefix() + start + "-" + kind }

// prefix is that of all streams of the run.
func (r runNames) prefix() string { return "eql-" + string(r) + "-" }

// The kinds of streams, and parts of subjects.
const (
	jobs      = "jobs"
	results   = "results"
	consumers = "all" // the consumer of each stream
)

// token stands for a key in a subject.
func token(key string) string {
	h := sha256.Sum256([]byte(key))
	return hex.EncodeToString(h[:16])
}

func hashOf(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
