package paper

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// clock adds up the time that a run takes, over all processes that worked on it. The time of a job, a
// group of networks for instance, is added when it ends: of what was interrupted it is lost.
type clock struct {
	folder *Folder
	file   string // clock.json, or that of a shard
	opt    Options
	before Times // what earlier processes took, of those that wrote the same file

	mu    sync.Mutex
	times Times
	saved time.Duration
}

// Times is what a run took, in seconds.
type Times struct {
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"` // of all cores; 0: not known
	// Work is the time that workers spent, by data set and method. On a machine that does nothing
	// else it is the time of cores.
	Work map[string]map[Method]float64 `json:"work"`
}

const (
	clockFile  = "clock.json"
	clockEvery = 2 * time.Second
)

func openClock(f *Folder, opt Options, shard int) (*clock, error) {
	c := &clock{folder: f, file: clockFile, opt: opt}
	if shard != all {
		c.file = fmt.Sprintf("clock-%d.json", shard)
	}
	var err error
	c.before, err = readClock(filepath.Join(f.dir, c.file))
	c.times.Work = c.before.Work
	if c.times.Work == nil {
		c.times.Work = map[string]map[Method]float64{}
	}
	return c, err
}

// readClock reads a clock. One that is not there or damaged costs the times alone; it is written in one step, so that
// is not a crash.
func readClock(path string) (t Times, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil && json.Unmarshal(data, &t) != nil {
		t = Times{}
	}
	return t, err
}

// total returns the times with those of all shards.
func (c *clock) total() (Times, error) {
	t := Times{Wall: c.times.Wall, CPU: c.times.CPU, Work: map[string]map[Method]float64{}}
	add := func(work map[string]map[Method]float64) {
		for set, of := range work {
			if t.Work[set] == nil {
				t.Work[set] = map[Method]float64{}
			}
			for m, seconds := range of {
				t.Work[set][m] += seconds
			}
		}
	}
	add(c.times.Work)
	paths, err := matching(c.folder.dir, "clock-*.json")
	for _, path := range paths {
		shard, rerr := readClock(path)
		err = cmp.Or(err, rerr)
		t.Wall, t.CPU = t.Wall+shard.Wall, t.CPU+shard.CPU
		add(shard.Work)
	}
	return t, err
}

func (c *clock) now() time.Duration {
	if c.opt.Elapsed == nil {
		return 0
	}
	return c.opt.Elapsed()
}

// add adds the time of a job, and saves the clock now and then.
func (c *clock) add(set string, m Method, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times.Work[set] == nil {
		c.times.Work[set] = map[Method]float64{}
	}
	c.times.Work[set][m] += d.Seconds()
	if now := c.now(); now-c.saved < clockEvery {
		return nil
	}
	return c.write()
}

func (c *clock) save() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write()
}

func (c *clock) write() error {
	c.saved = c.now()
	c.times.Wall = c.before.Wall + c.saved.Seconds()
	c.times.CPU = c.before.CPU
	if c.opt.CPU != nil {
		c.times.CPU += c.opt.CPU().Seconds()
	}
	return c.folder.writeJSON(c.file, c.times)
}
