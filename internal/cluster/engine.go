package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Listen is the [Options.Engine] that starts an engine in the coordinator. "listen=HOST:PORT" says where it listens and
// how others reach it.
const Listen = "listen"

// engine is a connection to NATS, and the server where it is embedded.
type engine struct {
	nc      *nats.Conn
	server  *server.Server // nil: it was there
	address Address
	dir     string // where the server keeps what it must have on disk
}

// startTime is how long an engine may take to start.
const startTime = 20 * time.Second

// openEngine starts an engine for the run in a folder, or connects to one, and writes the file that workers join by.
func openEngine(dir, which string, lease time.Duration) (e *engine, err error) {
	listen, isListen := strings.CutPrefix(which, Listen)
	if isListen && (listen == "" || listen[0] == '=') {
		e, err = embed(dir, strings.TrimPrefix(listen, "="), lease)
	} else {
		e, err = existing(dir, which, lease)
	}
	if err != nil {
		return nil, err
	}
	if err := writePrivate(filepath.Join(dir, JoinFile), []byte(e.address.String()+"\n")); err != nil {
		e.close()
		return nil, fmt.Errorf("keeping the address of the run: %w", err)
	}
	return e, nil
}

func embed(dir, at string, lease time.Duration) (*engine, error) {
	id, err := identityIn(dir)
	if err != nil {
		return nil, err
	}
	host, told, port, err := listenAt(at, id.URL)
	if err != nil {
		return nil, err
	}
	e := &engine{address: id.Address, dir: filepath.Join(dir, ".engine")}
	if err := os.RemoveAll(e.dir); err != nil { // of a coordinator that was killed
		return nil, err
	}
	if err := portIsFree(host, port); err != nil {
		return nil, fmt.Errorf("the coordinator cannot listen on %s, port %d: %w (end what uses it, choose another by "+
			"--cluster listen=HOST:PORT, or delete %s to have any)", host, port, err, filepath.Join(dir, JoinFile))
	}
	e.server, err = server.NewServer(&server.Options{
		ServerName: "eql-" + id.Run, Host: host, Port: port, NoLog: true, NoSigs: true, DisableJetStreamBanner: true,
		Authorization: id.Secret, TLSTimeout: 10,
		TLSConfig:    &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{id.certificate}},
		JetStream:    true,
		StoreDir:     e.dir,
		PingInterval: max(lease/4, time.Second), MaxPingsOut: 2,
	})
	if err != nil {
		return nil, fmt.Errorf("starting the engine: %w", err)
	}
	go e.server.Start()
	if !e.server.ReadyForConnections(startTime) {
		e.close()
		return nil, fmt.Errorf("the engine did not start within %v", startTime)
	}
	bound := e.server.Addr().(*net.TCPAddr).Port
	e.address.URL = "nats://" + net.JoinHostPort(told, strconv.Itoa(bound))
	e.nc, err = nats.Connect("", nats.InProcessServer(e.server), nats.Token(id.Secret), nats.Name("coordinator"))
	if err != nil {
		e.close()
		return nil, fmt.Errorf("starting the engine: %w", err)
	}
	return e, nil
}

// portIsFree asks before the server does, which would only not start.
func portIsFree(host string, port int) error {
	if port <= 0 {
		return nil
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}

// existing connects to an engine that is there. A coordinator that is started again finds the run that it had on it.
func existing(dir, engineURL string, lease time.Duration) (*engine, error) {
	if err := checkURL(engineURL); err != nil {
		return nil, fmt.Errorf("--cluster: %w; or %s, to start one", err, Listen)
	}
	a := Address{URL: engineURL, Run: randomHex(8)}
	if before, err := ReadAddress(dir); err == nil && !before.embedded() && before.URL == engineURL {
		a.Run = before.Run
	}
	nc, err := connect(a, "coordinator", lease/4)
	if err != nil {
		return nil, err
	}
	return &engine{nc: nc, address: a}, nil
}

// workers returns how many workers are connected, −1 where nobody can say.
func (e *engine) workers() int {
	if e.server == nil {
		return -1
	}
	return e.server.NumClients() - 1
}

func (e *engine) close() {
	if e.nc != nil {
		e.nc.Close()
	}
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
		os.RemoveAll(e.dir) //nolint:errcheck // the next coordinator tries again
	}
}

// connect opens a connection that is made again, without end, when it is lost.
func connect(a Address, name string, ping time.Duration) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.Timeout(10 * time.Second), nats.PingInterval(ping), nats.MaxPingsOutstanding(2),
		nats.MaxReconnects(-1), nats.CustomReconnectDelay(func(attempts int) time.Duration {
			return min(50*time.Millisecond<<min(attempts, 10), 2*time.Second)
		}),
	}
	if a.embedded() {
		options = append(options, nats.Secure(pinned(a.Fingerprint)), nats.Token(a.Secret))
	}
	nc, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, connectError(a, err)
	}
	return nc, nil
}

// refusedError is an error of a connection that trying again does not mend.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// connectError says what to do about an error of a connection.
func connectError(a Address, err error) error {
	host := a.URL[strings.LastIndexAny(a.URL, "/@")+1:] // without a password
	refused := func(format string, args ...any) error {
		return &refusedError{fmt.Errorf("%s: %w "+format, append([]any{host, err}, args...)...)}
	}
	switch {
	case errors.Is(err, errImpostor):
		return refused("(copy the whole line of the coordinator that runs now; if it is the same, another listens there)")
	case errors.Is(err, nats.ErrAuthorization) && a.embedded():
		return refused("(the secret is wrong: use the line, or the file join, of the coordinator that runs now)")
	case errors.Is(err, nats.ErrAuthorization):
		return refused("(the engine asks for credentials: nats://USER:PASSWORD@HOST:PORT, or nats://TOKEN@HOST:PORT)")
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("%s: nobody listens there, or it cannot be reached (check the address)", host)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return refused("(what listens there does not speak TLS, so it is not the coordinator of the run)")
	}
	return fmt.Errorf("%s: %w", host, err)
}
