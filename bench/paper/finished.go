package paper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// openFinished reads all journals of a folder and makes that of a shard ready to be appended to, or that of a process
// that does all that is left.
func openFinished(dir string, shard int) (*finished, error) {
	name, open := "journal.jsonl", journal.Open
	if shard != all {
		name, open = fmt.Sprintf("journal-%d.jsonl", shard), journal.OpenShard
	}
	file, err := open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	f := &finished{file: file, have: map[string]json.RawMessage{}}
	paths, err := matching(dir, "journal*.jsonl")
	for _, path := range paths {
		if err == nil {
			err = f.read(path)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

func (f *finished) read(path string) error {
	return journal.Read(path, func(line int, text []byte) error {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil || e.Key == "" {
			return fmt.Errorf("%s:%d: the line is damaged (delete it to have its work done again)", path, line)
		}
		f.have[e.Key] = e.Value
		return nil
	})
}

// matching returns the files of a folder whose names match a pattern, in the order of their names.
func matching(dir, pattern string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
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
