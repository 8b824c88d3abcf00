package paper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/eqlearner/eql/internal/journal"
)

// finished holds the finished pieces of work of an experiment, kept in a journal.
type finished struct {
	mu   sync.Mutex
	file *journal.Journal
	have map[string]json.RawMessage
}

// entry is a line of the journal.
type entry struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// openFinished reads a journal and makes it ready to be appended to.
func openFinished(path string) (*finished, error) {
	file, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	f := &finished{file: file, have: map[string]json.RawMessage{}}
	err = journal.Read(path, func(line int, text []byte) error {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil || e.Key == "" {
			return fmt.Errorf("%s:%d: the line is damaged (delete it to have its work done again)", path, line)
		}
		f.have[e.Key] = e.Value
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

// get reads the value of a key and reports whether there is one that can be read.
func (f *finished) get(key string, v any) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, ok := f.have[key]
	return ok && json.Unmarshal(data, v) == nil
}

// put keeps values under their keys, all or none.
func (f *finished) put(keys []string, values ...any) error {
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
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.file.Append(b.Bytes()); err != nil {
		return fmt.Errorf("saving results: %w", err)
	}
	for i, key := range keys {
		f.have[key] = lines[i]
	}
	return nil
}

func (f *finished) close() error { return f.file.Close() }
