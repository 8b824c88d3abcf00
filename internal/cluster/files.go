package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/eqlearner/eql/internal/work"
)

// files are what units read, by the hash of their content, and bodies of units that are too large for a message.
// Whoever needs one asks for it piece by piece, so the coordinator holds none in memory.
type files struct {
	paths map[string]string
	blobs map[string][]byte
}

func newFiles(units []work.Unit) *files {
	f := &files{map[string]string{}, map[string][]byte{}}
	for _, u := range units {
		if u.File.SHA256 != "" {
			f.paths[u.File.SHA256] = u.File.Path
		}
		if len(u.Body) > mostInline {
			f.blobs[hashOf(u.Body)] = u.Body
		}
	}
	return f
}

// errorHeader is where an answer says why there is no piece.
const errorHeader = "Eql-Error"

// serve answers with the piece of a file that begins at an offset. One that is shorter than [mostInline] is the last.
func (f *files) serve(m *nats.Msg) {
	hash := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	answer := nats.NewMsg(m.Reply)
	data, err := f.piece(hash, string(m.Data))
	if answer.Data = data; err != nil {
		answer.Header.Set(errorHeader, err.Error())
	}
	_ = m.RespondMsg(answer) // who does not hear asks again
}

func (f *files) piece(hash, at string) ([]byte, error) {
	offset, err := strconv.ParseInt(at, 10, 64)
	if err != nil || offset < 0 {
		return nil, fmt.Errorf("%q is not an offset", at)
	}
	if blob, ok := f.blobs[hash]; ok {
		offset = min(offset, int64(len(blob)))
		return blob[offset:min(offset+mostInline, int64(len(blob)))], nil
	}
	path, ok := f.paths[hash]
	if !ok {
		return nil, errors.New("no unit reads a file with this hash")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, mostInline)
	n, err := file.ReadAt(data, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// errFile says that a file cannot be had from the coordinator; asking again does not mend that.
var errFile = errors.New("the coordinator cannot give the file that the unit reads")

// fetch copies a file from the coordinator and checks its hash. Where the coordinator does not answer it returns
// another error than errFile.
func fetch(ctx context.Context, nc *nats.Conn, names runNames, hash string, to io.Writer) error {
	sum := sha256.New()
	both := io.MultiWriter(to, sum)
	for offset := int64(0); ; {
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		m, err := nc.RequestWithContext(within, names.subject("file", hash), strconv.AppendInt(nil, offset, 10))
		cancel()
		if err != nil {
			return err
		}
		if reason := m.Header.Get(errorHeader); reason != "" {
			return fmt.Errorf("%w: %s", errFile, reason)
		}
		n, err := both.Write(m.Data)
		if err != nil {
			return err
		}
		offset += int64(n)
		if n < mostInline {
			break
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != hash {
		return fmt.Errorf("%w: it has changed since the run was planned (restore it)", errFile)
	}
	return nil
}

// idleFiles is how many files are kept that no unit reads at the moment.
const idleFiles = 4

// cache holds the files that a worker reads.
type cache struct {
	fetch func(ctx context.Context, hash string, to io.Writer) error

	mu    sync.Mutex
	dir   string // of copies; "" while there are none
	files map[string]*cached
	order []string // of hashes, by their last use
}

type cached struct {
	mu     sync.Mutex // held while the file is looked for
	path   string     // "" until it is there
	copied bool
	users  int
}

// use returns where a file is, for as long as release was not called: in its place, where that has the content, or as a
// copy from the coordinator.
func (c *cache) use(ctx context.Context, f work.File) (path string, release func(), err error) {
	if f.SHA256 == "" {
		return f.Path, func() {}, nil
	}
	entry := c.entry(f.SHA256)
	release = func() { c.release(entry) }
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.path == "" {
		if entry.path, entry.copied, err = c.get(ctx, f); err != nil {
			release()
			return "", nil, err
		}
	}
	return entry.path, release, nil
}

func (c *cache) entry(hash string) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*cached{}
	}
	entry, there := c.files[hash]
	if !there {
		entry = &cached{}
		c.files[hash] = entry
	}
	entry.users++
	c.order = append(slices.DeleteFunc(c.order, func(h string) bool { return h == hash }), hash)
	return entry
}

// get finds a file in its place, or copies it.
func (c *cache) get(ctx context.Context, f work.File) (path string, copied bool, err error) {
	if h, _, err := work.HashFile(f.Path); err == nil && h == f.SHA256 {
		return f.Path, false, nil
	}
	c.mu.Lock()
	if c.dir == "" {
		c.dir, err = os.MkdirTemp("", "eql-worker-*")
	}
	dir := filepath.Join(c.dir, f.SHA256)
	c.mu.Unlock()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", false, err
	}
	name := f.Path[strings.LastIndexAny(f.Path, `/\`)+1:] // its ending says how it is read
	file, err := os.Create(filepath.Join(dir, "table-"+name))
	if err != nil {
		return "", false, err
	}
	if err := errors.Join(c.fetch(ctx, f.SHA256, file), file.Close()); err != nil {
		return "", true, err
	}
	return file.Name(), true, nil
}

// release forgets files that nobody has used for long.
func (c *cache) release(entry *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry.users--
	idle := 0
	for i := len(c.order) - 1; i >= 0; i-- {
		hash := c.order[i]
		if c.files[hash].users > 0 {
			continue
		}
		if idle++; idle > idleFiles || c.files[hash].path == "" {
			if c.files[hash].copied {
				os.RemoveAll(filepath.Join(c.dir, hash)) //nolint:errcheck // the folder is removed in the end
			}
			delete(c.files, hash)
			c.order = slices.Delete(c.order, i, i+1)
		}
	}
}

// close removes all copies.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir != "" {
		os.RemoveAll(c.dir) //nolint:errcheck // it is in the system's folder for what may be removed
	}
}
