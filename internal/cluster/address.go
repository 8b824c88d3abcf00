package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Address is what a worker must know to reach a run. As text it is one line:
//
//	nats://HOST:PORT#RUN.SECRET.FINGERPRINT   of an embedded engine
//	nats://HOST:PORT#RUN                      of one that was there
type Address struct {
	URL         string // of the engine
	Run         string // tells the run from others of the engine
	Secret      string // of an embedded engine
	Fingerprint string // of its certificate: SHA-256, in hexadecimal digits
}

// JoinFile is the name of the file, in the folder of a run, that has its address. Only its owner may read it.
const JoinFile = "join"

func (a Address) String() string {
	if a.Fingerprint == "" {
		return a.URL + "#" + a.Run
	}
	return a.URL + "#" + strings.Join([]string{a.Run, a.Secret, a.Fingerprint}, ".")
}

// embedded reports whether the coordinator brings the engine.
func (a Address) embedded() bool { return a.Fingerprint != "" }

// ParseAddress reads the line that a coordinator prints.
func ParseAddress(line string) (Address, error) {
	line = strings.TrimSpace(line)
	engine, rest, _ := strings.Cut(line, "#")
	if err := checkURL(engine); err != nil {
		return Address{}, err
	}
	parts := strings.Split(rest, ".")
	a := Address{URL: engine, Run: parts[0]}
	if len(parts) == 3 {
		a.Secret, a.Fingerprint = parts[1], parts[2]
	}
	if !isHex(a.Run, 16) || len(parts) != 1 && (len(parts) != 3 || !isHex(a.Secret, 32) || !isHex(a.Fingerprint, 64)) {
		return Address{}, errors.New("the address of the run is not whole " +
			"(copy all of the line that the coordinator printed, from nats:// to its end, between single quotes)")
	}
	return a, nil
}

// ReadAddress reads the address of a run from its folder, or from a file with the line.
func ReadAddress(path string) (Address, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		path = filepath.Join(path, JoinFile)
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Address{}, fmt.Errorf("%s: nobody coordinates this run (start eql-cluster batch … --cluster listen "+
			"first; if it runs elsewhere, give the line that it printed)", path)
	case err != nil:
		return Address{}, fmt.Errorf("reading the address of the run: %w", err)
	}
	a, err := ParseAddress(string(data))
	if err != nil {
		return a, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func checkURL(engine string) error {
	u, err := url.Parse(engine)
	if err != nil || u.Host == "" || (u.Scheme != "nats" && u.Scheme != "tls") {
		return fmt.Errorf("%q is not the address of an engine (want nats://HOST:PORT, or tls://HOST:PORT)", engine)
	}
	return nil
}

func isHex(text string, digits int) bool {
	return len(text) == digits && strings.Trim(text, "0123456789abcdef") == ""
}

// writePrivate replaces a file that only its owner may read.
func writePrivate(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
