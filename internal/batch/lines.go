package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/eqlearner/eql/internal/journal"
)

// Line is what became of a table: a line of a journal.
type Line struct {
	Table    string   `json:"table"`
	SHA256   string   `json:"sha256,omitempty"` // of the file that was read
	Rows     []Row    `json:"rows,omitempty"`   // one a target
	Sketches []Sketch `json:"sketches,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Error    string   `json:"error,omitempty"` // why it failed
	Class    string   `json:"class,omitempty"` // of bits, where it is not that of the plan
	Seconds  float64  `json:"seconds"`
}

// Same returns what two results of a table have in common, whatever time they took.
func (l Line) Same() []byte {
	l.Seconds, l.Class, l.Rows = 0, "", slices.Clone(l.Rows)
	for i := range l.Rows {
		l.Rows[i].Seconds = 0
	}
	data, _ := json.Marshal(l) // numbers in a line are finite: it was read
	return data
}

// disputesFile keeps second results that differ from the first, and those firsts.
const disputesFile = "disputes.jsonl"

// Dispute keeps a second result of a table, which differs from the first.
func (f *Folder) Dispute(second Line) error {
	done, err := f.Finished()
	if err != nil {
		return err
	}
	file, err := journal.Open(filepath.Join(f.Dir, disputesFile))
	if err != nil {
		return fmt.Errorf("keeping a second result: %w", err)
	}
	w := &Writer{file}
	return errors.Join(w.Append(done.Lines[second.Table]), w.Append(second), w.Close())
}

// Finished is what the journals of a folder hold.
type Finished struct {
	Lines    map[string]Line // by table: the first that did not fail, or the last that did
	Disputed []string        // tables with two results that differ
}

// Finished reads all journals.
func (f *Folder) Finished() (*Finished, error) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, fmt.Errorf("reading the batch: %w", err)
	}
	tables := map[string]bool{}
	for _, t := range f.Tables {
		tables[t.Name] = true
	}
	done := &Finished{Lines: map[string]Line{}}
	for _, e := range entries {
		if ours, _ := filepath.Match("part*.jsonl", e.Name()); !ours && e.Name() != disputesFile {
			continue
		}
		path := filepath.Join(f.Dir, e.Name())
		err := journal.Read(path, func(n int, text []byte) error {
			var l Line
			if err := json.Unmarshal(text, &l); err != nil || !tables[l.Table] {
				return fmt.Errorf("%s:%d: the line is damaged, or of no table of this batch "+
					"(delete it to learn from that table again)", path, n)
			}
			done.add(l)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return done, nil
}

// add adds a line to those before.
func (d *Finished) add(l Line) {
	before, there := d.Lines[l.Table]
	switch {
	case !there || before.Error != "":
		d.Lines[l.Table] = l
	case l.Error == "" && !bytes.Equal(before.Same(), l.Same()) && !slices.Contains(d.Disputed, l.Table):
		d.Disputed = append(d.Disputed, l.Table)
	}
}

// Writer appends to the journal of one process.
type Writer struct{ file *journal.Journal }

// Begin makes the journal of a shard ready, or of a process that does all that is left, and returns the tables to do:
// those without a result, and those that failed. The latter may have changed: their hash is empty.
func (f *Folder) Begin(shard int) (w *Writer, todo []Table, err error) {
	name, open := partFile, journal.Open
	if shard != All {
		name, open = fmt.Sprintf("part-%d.jsonl", shard), journal.OpenShard
	}
	file, err := open(filepath.Join(f.Dir, name))
	if err != nil {
		return nil, nil, fmt.Errorf("going on with the batch: %w", err)
	}
	done, err := f.Finished() // now that nobody else appends to this journal
	if err != nil {
		file.Close() //nolint:errcheck // nothing was appended
		return nil, nil, err
	}
	for _, i := range f.shardOf(shard) {
		t := f.Tables[i]
		l, there := done.Lines[t.Name]
		if l.Error != "" {
			t.SHA256 = ""
		}
		if !there || l.Error != "" {
			todo = append(todo, t)
		}
	}
	return &Writer{file}, todo, nil
}

// Append adds a line and returns when it is on the disk.
func (w *Writer) Append(l Line) error {
	data, err := json.Marshal(l)
	if err == nil {
		err = w.file.Append(append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping the result of %q: %w", l.Table, err)
	}
	return nil
}

// Close lets another process append.
func (w *Writer) Close() error { return w.file.Close() }
