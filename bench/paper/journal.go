package paper

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// journal is a file to which finished pieces of work are appended, one a line, synced: what is in
// it survives a crash, and a line that a crash cut off is as if it had never been.
type journal struct {
	mu   sync.Mutex
	file *os.File
	have map[string]json.RawMessage
}

// entry is a line of the journal.
type entry struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// openJournal reads a journal, cuts off the end of a broken last line, and makes it ready to be
// appended to. A file that does not exist is an empty journal.
func openJournal(path string) (*journal, error) {
	j := &journal{have: map[string]json.RawMessage{}}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	r := bufio.NewReader(bytes.NewReader(data[:whole]))
	for line := 1; ; line++ {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil || e.Key == "" {
			return nil, fmt.Errorf("%s:%d: the line is damaged (delete it to have its work done again)", path, line)
		}
		j.have[e.Key] = e.Value
	}
	if whole < len(data) {
		if err := os.Truncate(path, int64(whole)); err != nil {
			return nil, err
		}
	}
	j.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	return j, err
}

// get reads the value of a key and reports whether there is one that can be read.
func (j *journal) get(key string, v any) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	data, ok := j.have[key]
	return ok && json.Unmarshal(data, v) == nil
}

// put keeps values under their keys, all or none.
func (j *journal) put(keys []string, values ...any) error {
	var b bytes.Buffer
	lines := make([]json.RawMessage, len(values))
	for i, v := range values {
		value, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("saving %s: %w", keys[i], err)
		}
		line, err := json.Marshal(entry{keys[i], value})
		if err != nil {
			return fmt.Errorf("saving %s: %w", keys[i], err)
		}
		lines[i] = value
		b.Write(append(line, '\n'))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("saving results: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("saving results: %w", err)
	}
	for i, key := range keys {
		j.have[key] = lines[i]
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }
