package batch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/eqlearner/eql/internal/journal"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Plan is what is to be done: the content of config.json.
type Plan struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Flags   []string `json:"flags"`        // of eql batch: they determine the results
	By      string   `json:"by,omitempty"` // the column whose cells name the tables, which are parts of one file
	Keep    bool     `json:"keep,omitempty"`
	Shared  bool     `json:"shared,omitempty"` // whether laws are looked for that tables have in common
	Shards  int      `json:"shards,omitempty"` // 0: the batch is not in shards
	Class   string   `json:"class"`            // of bits: programs and processors of one class give the same
	Tables  []Table  `json:"tables"`
}

// Table is one of the tables.
type Table struct {
	Name   string `json:"name"`
	Path   string `json:"path"`   // of its file
	SHA256 string `json:"sha256"` // of its file; "" when that could not be read
	Size   int64  `json:"size"`   // in bytes, or in rows of parts of a file: the larger, the longer it takes
	Folder string `json:"folder,omitempty"`
}

const (
	planFormat  = "eql batch"
	planVersion = 1
	planFile    = "config.json"
	partFile    = "part.jsonl"
)

// ErrNotABatch says that a folder holds no batch.
var ErrNotABatch = errors.New("this is not the folder of a batch (it has no config.json of one)")

// Folder is the folder of a batch:
//
//	config.json       the plan
//	part.jsonl        finished tables, a line each; part-K.jsonl of shard K
//	disputes.jsonl    second results that differ from the first, where machines of a cluster disagree
//	summary.csv, summary.json, batch.html, and laws.csv where laws are looked for
//	tables/           a run folder of each table, where they are kept
type Folder struct {
	Dir string
	Plan
}

// Create makes the folder of a new batch. It must not exist, be empty, or be what a crash left of another Create;
// otherwise the error is a [*run.FolderError]. Of several processes that make one folder one succeeds.
func Create(dir string, p Plan) (*Folder, error) {
	p.Format, p.Version = planFormat, planVersion
	f := &Folder{dir, p}
	if planned, other := f.holds(); planned || other {
		return nil, &run.FolderError{Dir: dir, Run: planned}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder of the batch: %w (choose another by --out)", err)
	}
	first, err := journal.Create(filepath.Join(dir, partFile)) // it is held until there is a plan
	switch {
	case errors.Is(err, fs.ErrExist), errors.Is(err, journal.ErrInUse):
		return nil, &run.FolderError{Dir: dir, Run: true}
	case err != nil:
		return nil, fmt.Errorf("making the folder of the batch: %w (choose another by --out)", err)
	}
	if planned, _ := f.holds(); planned { // by a process that was done with it in between
		return nil, errors.Join(&run.FolderError{Dir: dir, Run: true}, first.Close())
	}
	data, err := json.MarshalIndent(p, "", " ")
	if err == nil {
		err = f.write(planFile, append(data, '\n'))
	}
	return f, errors.Join(err, first.Close())
}

// holds reports whether the folder holds a plan, and whether it holds something else than Create leaves there when it
// crashes before there is one.
func (f *Folder) holds() (planned, other bool) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return false, false // os.MkdirAll says why
	}
	for _, e := range entries {
		info, err := e.Info()
		empty := e.Name() == partFile && err == nil && info.Size() == 0
		planned = planned || e.Name() == planFile
		other = other || !empty && !strings.HasPrefix(e.Name(), "."+planFile)
	}
	return planned, other
}

// Open opens the folder of a batch.
func Open(dir string) (*Folder, error) {
	data, err := os.ReadFile(filepath.Join(dir, planFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%s: %w", dir, ErrNotABatch)
	case err != nil:
		return nil, fmt.Errorf("reading the batch: %w", err)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil || head.Format != planFormat:
		return nil, fmt.Errorf("%s: %w", dir, ErrNotABatch)
	case head.Version != planVersion:
		return nil, fmt.Errorf("%s was written in version %d of the format and this program reads version %d; "+
			"use a matching version of eql", dir, head.Version, planVersion)
	}
	f := &Folder{Dir: dir}
	if err := json.Unmarshal(data, &f.Plan); err != nil {
		return nil, fmt.Errorf("%s: config.json is damaged: %w", dir, err)
	}
	return f, f.check()
}

// check refuses a plan that no program wrote.
func (f *Folder) check() error {
	seen := map[string]bool{}
	for _, t := range f.Tables {
		if seen[t.Name] || filepath.Base("x"+t.Folder) != "x"+t.Folder || strings.HasPrefix(t.Folder, ".") {
			return fmt.Errorf("%s: config.json is damaged: table %q is there twice, or its folder is none", f.Dir, t.Name)
		}
		seen[t.Name] = true
	}
	if len(f.Tables) == 0 || f.Shards < 0 {
		return fmt.Errorf("%s: config.json is damaged: it has %d tables and %d shards", f.Dir, len(f.Tables), f.Shards)
	}
	return nil
}

// order returns the indices of the tables as they are begun: the largest first, so that no long one is left alone at
// the end.
func (p *Plan) order() []int {
	order := make([]int, len(p.Tables))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Tables[b].Size, p.Tables[a].Size) })
	return order
}

// All stands for all tables, in place of a shard.
const All = -1

// shardOf returns the indices of the tables of a shard, in the order in which they are begun.
func (p *Plan) shardOf(shard int) (tables []int) {
	for place, i := range p.order() {
		if shard == All || place%max(p.Shards, 1) == shard {
			tables = append(tables, i)
		}
	}
	return tables
}

// ShardsOf returns the shards that have any of the tables named, in ascending order.
func (p *Plan) ShardsOf(tables []string) (shards []int) {
	named, has := map[string]bool{}, map[int]bool{}
	for _, name := range tables {
		named[name] = true
	}
	for place, i := range p.order() {
		if named[p.Tables[i].Name] {
			has[place%max(p.Shards, 1)] = true
		}
	}
	return slices.Sorted(maps.Keys(has))
}

// write replaces a file of the folder in one step.
func (f *Folder) write(name string, data []byte) error {
	return f.writeBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (f *Folder) writeBy(name string, write func(io.Writer) error) error {
	if err := sweep.ReplaceFileBy(filepath.Join(f.Dir, name), write); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
