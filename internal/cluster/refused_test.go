package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/eqlearner/eql/internal/work"
)

// Who may not work is told why, and what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	r := begin(t, Options{}, planOf(1), newMemory())
	plain := plainServer(t)
	for _, tt := range []struct {
		name   string
		change func(*Address, *WorkerOptions)
		want   string
	}{
		{"another secret", func(a *Address, _ *WorkerOptions) { a.Secret = randomHex(16) },
			"the secret is wrong: use the line"},
		{"another certificate", func(a *Address, _ *WorkerOptions) { a.Fingerprint = randomHex(32) }, "copy the whole line"},
		{"a server without TLS", func(a *Address, _ *WorkerOptions) { a.URL = plain }, "does not speak TLS, so it is not"},
		{"another class", func(_ *Address, o *WorkerOptions) { o.Class = "there" }, "planned for here, and this is there"},
	} {
		a, o := r.Address, does(nil)
		tt.change(&a, &o)
		began := time.Now()
		if _, err := Work(context.Background(), a, o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if waited := time.Since(began); waited > o.Patience/2 {
			t.Errorf("%s: it took %v", tt.name, waited)
		}
	}
	if reply := speakPlainly(t, r.URL, r.Secret); strings.Contains(reply, "PONG") {
		t.Errorf("a client that speaks no TLS was let in: %q", reply)
	}
	if nc, err := nats.Connect(r.URL, nats.Secure(pinned(r.Fingerprint))); err == nil {
		nc.Close()
		t.Error("a client without the secret was let in")
	}
	o := does(nil)
	o.Class, o.AnyClass = "elsewhere", true
	r.worker(t, o)
	r.wait(t, soon)
}

// speakPlainly knows the secret and speaks the protocol of NATS without TLS. It returns all that the server says.
func speakPlainly(t *testing.T, url, secret string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(conn, "CONNECT {\"auth_token\":%q,\"verbose\":false}\r\nPING\r\n", secret)
	said, _ := io.ReadAll(conn) // until it is closed, or the time is over
	return string(said)
}

// plainServer starts a server without TLS and returns its URL.
func plainServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server did not start")
	}
	return s.ClientURL()
}

func TestAnotherVersion(t *testing.T) {
	c := coordinatorAlone(t, planOf(1))
	m := *c.manifest.Load()
	m.Version++
	c.manifest.Store(&m)
	_, err := Work(context.Background(), c.address, does(nil))
	if want := "use the same build of eql-cluster"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestParseAddress(t *testing.T) {
	whole := Address{URL: "nats://host:4222", Run: randomHex(8), Secret: randomHex(16), Fingerprint: randomHex(32)}
	there := Address{URL: "tls://user:word@host", Run: randomHex(8)}
	for _, a := range []Address{whole, there} {
		if got, err := ParseAddress(a.String() + "\n"); got != a || err != nil {
			t.Errorf("%v is read as %v, error %v", a, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                           "want nats://HOST:PORT",
		"http://host:1#" + whole.Run: "want nats://HOST:PORT",
		"nats://host:4222":           "copy all of the line",
		"nats://host:4222#" + whole.Run + "." + whole.Secret:    "copy all of the line",
		whole.String()[:len(whole.String())-1]:                  "copy all of the line",
		strings.ToUpper(whole.String()):                         "copy all of the line",
		"nats://host:4222#" + strings.Repeat("*", 16):           "copy all of the line",
		"nats://host:4222#" + whole.Run + ".x." + randomHex(32): "copy all of the line",
	} {
		if _, err := ParseAddress(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// The address and the private key are for their owner alone, and a coordinator that starts again keeps them.
func TestJoinFile(t *testing.T) {
	dir := t.TempDir()
	r := begin(t, Options{Dir: dir}, planOf(1), newMemory())
	for _, name := range []string{JoinFile, certificateFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v, want 0600", name, mode)
		}
	}
	if a, err := ReadAddress(dir); a != r.Address || err != nil {
		t.Errorf("the file has %v, error %v; want %v", a, err, r.Address)
	}
	r.stop()
	t.Log("ended:", <-r.ended)
	if again := begin(t, Options{Dir: dir, Engine: Listen}, planOf(1), newMemory()); again.Address != r.Address {
		t.Errorf("the second coordinator is at %v, want %v", again.Address, r.Address)
	}
}

// Files that a worker does not see come from the coordinator, and so do bodies that no message can hold.
func TestLarge(t *testing.T) {
	waits(t)
	path := filepath.Join(t.TempDir(), "far.csv")
	data := bytes.Repeat([]byte("0123456789abcdef"), (mostInline+16)/16)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	p := planOf(2)
	p.Units[0].Body = json.RawMessage(`"` + strings.Repeat("b", 2*mostInline) + `"`)
	p.Units[1].File = work.File{Path: path, SHA256: hashOf(data)}
	r := begin(t, Options{}, p, newMemory())
	o := does(func(_ context.Context, u work.Unit, path string) (json.RawMessage, error) {
		if u.File.SHA256 == "" {
			return u.Body, nil
		}
		read, err := os.ReadFile(path)
		return json.RawMessage(`"` + string(read) + `"`), err
	})
	r.worker(t, o)
	r.wait(t, soon)
	r.check(t, p, func(u work.Unit) string {
		if u.File.SHA256 == "" {
			return string(u.Body)
		}
		return `"` + string(data) + `"`
	})
}

func TestFetch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "far.csv")
	if err := os.WriteFile(path, []byte("as planned"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := planOf(1)
	p.Units[0].File = work.File{Path: path, SHA256: hashOf([]byte("as planned"))}
	c := coordinatorAlone(t, p)
	get := func(hash string) (string, error) {
		var b bytes.Buffer
		err := fetch(context.Background(), c.nc, c.names, hash, &b)
		return b.String(), err
	}
	if got, err := get(p.Units[0].File.SHA256); got != "as planned" || err != nil {
		t.Errorf("got %q, error %v", got, err)
	}
	if err := os.WriteFile(path, []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := get(p.Units[0].File.SHA256); err == nil || !strings.Contains(err.Error(), "it has changed since") {
		t.Errorf("a file that changed: got %v", err)
	}
	if _, err := get(hashOf(nil)); err == nil || !strings.Contains(err.Error(), "no unit reads a file with this hash") {
		t.Errorf("a file of no unit: got %v", err)
	}
}

// An engine that is there outlives coordinators. What workers reported while there was none counts.
func TestExistingEngine(t *testing.T) {
	waits(t)
	dir, p, m := t.TempDir(), planOf(4), newMemory()
	o := Options{Engine: plainServer(t), Dir: dir, Lease: 2 * time.Second}
	killed := coordinatorOn(t, o, p) // it collects nothing
	worker := &running{memory: m, Address: killed.address}
	stop, ended := worker.worker(t, does(nil))
	eventually(t, soon, "all units are done", func() bool {
		info, err := killed.reported.Info(context.Background())
		return err == nil && info.NumPending == 4
	})
	stop()
	t.Log("ended:", <-ended)
	killed.nc.Close()
	second := begin(t, o, p, m) // without a worker
	if second.Address != killed.address || second.embedded() {
		t.Errorf("the second coordinator is at %v, want %v", second.Address, killed.address)
	}
	second.wait(t, soon)
	m.check(t, p, plus)
}
