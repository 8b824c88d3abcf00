package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/eqlearner/eql/internal/journal"
	"github.com/eqlearner/eql/internal/work"
)

// child is what a process of this test binary is started for.
type child struct {
	Role    string
	Dir     string
	Port    int
	Through string // the address by which a worker reaches the coordinator
	Units   int
	Each    time.Duration   // that a unit takes,
	Times   []time.Duration // unless these say otherwise
	Lease   time.Duration
	Poison  bool
}

const (
	childVariable = "EQL_CLUSTER_TEST"
	journalFile   = "journal.jsonl"
	beginsFile    = "begins.jsonl"
	usedPrefix    = "used "
)

func TestMain(m *testing.M) {
	config := os.Getenv(childVariable)
	if config == "" {
		_ = flag.Set("test.parallel", "6") // these tests wait, and hardly compute; the command line may say otherwise
		os.Exit(m.Run())
	}
	var c child
	err := json.Unmarshal([]byte(config), &c)
	if err == nil {
		err = map[string]func() error{"coordinator": c.coordinate, "worker": c.work}[c.Role]()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// coordinate keeps results in a journal, as a batch does.
func (c child) coordinate() error {
	file, err := journal.Open(filepath.Join(c.Dir, journalFile))
	if err != nil {
		return err
	}
	appendTo := func(j *journal.Journal) func(work.Result) error {
		return func(r work.Result) error {
			line, err := json.Marshal(r)
			if err != nil {
				return err
			}
			return j.Append(append(line, '\n'))
		}
	}
	l := &work.Ledger{
		Append: appendTo(file),
		Dispute: func(r work.Result) error {
			j, err := journal.Open(filepath.Join(c.Dir, "disputes.jsonl"))
			if err != nil {
				return err
			}
			return errors.Join(appendTo(j)(r), j.Close())
		},
		Same: func(r work.Result) ([]byte, error) { return r.Body, nil },
	}
	done := map[string]bool{}
	err = journal.Read(filepath.Join(c.Dir, journalFile), func(_ int, text []byte) error {
		var r work.Result
		if err := json.Unmarshal(text, &r); err != nil || r.Failed != "" {
			return err
		}
		done[r.Key] = true
		return l.Knows(r)
	})
	if err != nil {
		return err
	}
	p := work.Plan{Class: "here", Settings: json.RawMessage("{}")}
	for i := range c.Units {
		if key := fmt.Sprintf("unit %d", i); !done[key] {
			p.Units = append(p.Units, work.Unit{Key: key, Body: json.RawMessage(strconv.Itoa(i))})
		}
	}
	err = Coordinate(context.Background(), Options{
		Engine: fmt.Sprintf("listen=127.0.0.1:%d", c.Port), Dir: c.Dir, Lease: c.Lease,
		Note: func(text string) { fmt.Fprintln(os.Stderr, text) },
	}, p, l)
	fmt.Println(usedPrefix + used())
	return err
}

func (c child) work() error {
	a, err := ReadAddress(c.Dir)
	if err != nil {
		return err
	}
	a.URL = "nats://" + c.Through
	_, err = Work(context.Background(), a, WorkerOptions{
		Class: "here", Slots: 1, Patience: time.Minute, Ping: c.Lease / 4,
		Note:    func(text string) { fmt.Fprintln(os.Stderr, os.Getpid(), text) },
		Prepare: func(json.RawMessage) (Do, error) { return c.do, nil },
	})
	return err
}

// do sleeps, unless it is poison.
func (c child) do(_ context.Context, u work.Unit, _ string) (json.RawMessage, error) {
	if err := c.log(u.Key, false); err != nil {
		return nil, err
	}
	if c.Poison && u.Key == "unit 0" {
		os.Exit(137)
	}
	each := c.Each
	if len(c.Times) > 0 {
		i, err := strconv.Atoi(string(u.Body))
		if err != nil {
			return nil, err
		}
		each = c.Times[i]
	}
	time.Sleep(each)
	return json.RawMessage(answerTo(u.Key)), c.log(u.Key, true)
}

// event is that a process began a unit, or ended it.
type event struct {
	PID int
	Key string
	At  time.Time
	End bool
}

func (c child) log(key string, end bool) error {
	line, err := json.Marshal(event{os.Getpid(), key, time.Now(), end})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(c.Dir, beginsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

func readLines[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	err := journal.Read(path, func(_ int, text []byte) error {
		var v T
		err := json.Unmarshal(text, &v)
		all = append(all, v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readJournal(t *testing.T, dir string) []work.Result {
	t.Helper()
	return readLines[work.Result](t, filepath.Join(dir, journalFile))
}

func events(t *testing.T, dir string) []event {
	t.Helper()
	return readLines[event](t, filepath.Join(dir, beginsFile))
}

// tunnel carries connections to an address, until it swallows everything and says nothing.
type tunnel struct {
	net.Listener
	to string

	mu    sync.Mutex
	open  *sync.Cond
	holds bool
}

func dig(t *testing.T, to string) *tunnel {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &tunnel{Listener: l, to: to}
	h.open = sync.NewCond(&h.mu)
	t.Cleanup(func() { h.swallow(false); l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go h.carry(from)
		}
	}()
	return h
}

func (h *tunnel) address() string { return h.Addr().String() }

func (h *tunnel) swallow(yes bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds = yes
	h.open.Broadcast()
}

// carry connects both ends. What comes while it swallows arrives afterwards, as from a network that was cut.
func (h *tunnel) carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", h.to)
	if err != nil {
		return
	}
	defer to.Close()
	var both sync.WaitGroup
	one := func(to, from net.Conn) {
		defer to.Close()
		defer from.Close()
		data := make([]byte, 32<<10)
		for {
			n, err := from.Read(data)
			h.mu.Lock()
			for h.holds {
				h.open.Wait()
			}
			h.mu.Unlock()
			if _, werr := to.Write(data[:n]); err != nil || werr != nil {
				return
			}
		}
	}
	both.Go(func() { one(to, from) })
	both.Go(func() { one(from, to) })
	both.Wait()
}
