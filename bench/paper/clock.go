package paper

import (
	"encoding/json"
	"errors"
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
	opt    Options
	before Times // what earlier processes took

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

func openClock(f *Folder, opt Options) (*clock, error) {
	c := &clock{folder: f, opt: opt}
	data, err := os.ReadFile(filepath.Join(f.dir, clockFile))
	if err == nil {
		// A damaged clock costs the times alone; it is written in one step, so this is no crash.
		if json.Unmarshal(data, &c.before) != nil {
			c.before = Times{}
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	c.times.Work = c.before.Work
	if c.times.Work == nil {
		c.times.Work = map[string]map[Method]float64{}
	}
	return c, err
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
	return c.folder.writeJSON(clockFile, c.times)
}
