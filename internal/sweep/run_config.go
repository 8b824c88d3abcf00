package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/trajectory"
	"github.com/eqlearner/eql/run"
)

// RunConfig is the content of config.json.
type RunConfig struct {
	Format     string     `json:"format"`
	Version    int        `json:"version"`
	Settings   Settings   `json:"settings"`
	Inputs     []string   `json:"inputs"`
	Targets    []string   `json:"targets"`
	Data       DataFile   `json:"data"`
	Validation *DataFile  `json:"validation,omitempty"`
	Tests      []DataFile `json:"tests,omitempty"`

	// Columns says how cells became the numbers of the tables, where they were not plain numbers. Since version 2.
	Columns map[string]datasets.Coding `json:"columns,omitempty"`
	// Errors says which columns of the tables tell the errors of targets. Since version 3.
	Errors map[string]ErrorColumn `json:"errors,omitempty"`
	// Lines are the lines of the user's file that the rows of the data stood in, where there was one.
	Lines datasets.Lines `json:"lines,omitempty"`
	// Shards is how the grid is trained by several processes; nil: it is not planned so.
	Shards *Shards `json:"shards,omitempty"`
	// Whole is the user's file where the data is a sample of its rows: those in Lines.
	Whole *Whole `json:"whole,omitempty"`
	// Trajectory is what the data are derivatives along, where they are. Since version 5.
	Trajectory *Trajectory `json:"trajectory,omitempty"`
}

// Whole is a file that is too large to be kept.
type Whole struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// Trajectory is a table of states at the times of a column.
type Trajectory struct {
	DataFile
	Time   string   `json:"time"`
	States []string `json:"states"`
}

// Path returns the trajectory that targets are derivatives along, nil without one.
func (c *RunConfig) Path() (*trajectory.Path, error) {
	if c.Trajectory == nil {
		return nil, nil
	}
	return trajectory.New(c.Trajectory.Table, c.Trajectory.Time, c.Trajectory.States)
}

// DataFile is a table kept in the folder.
type DataFile struct {
	Name   string `json:"name"` // as the user gave it
	File   string `json:"file"` // in the folder
	SHA256 string `json:"sha256"`

	Table *datasets.Table `json:"-"`
}

// A run is written in the lowest version that can say all of it, so that earlier programs read what they understand.
const (
	runFormat    = "eql run"
	runVersion   = 5
	unitsVersion = 4 // has no trajectories
	errorVersion = 3 // has no units of columns either
	codedVersion = 2 // has no columns that tell errors either
	plainVersion = 1 // has no codings of columns either
)

// needs returns the lowest version that can say what the configuration says.
func (c *RunConfig) needs() int {
	switch {
	case c.Trajectory != nil:
		return runVersion
	case len(c.Settings.UnitsOf) > 0:
		return unitsVersion
	case len(c.Errors) > 0:
		return errorVersion
	case len(c.Columns) > 0:
		return codedVersion
	}
	return plainVersion
}

// used returns the columns of the tables that the run uses.
func (c *RunConfig) used() []string { return run.Columns(c.Inputs, c.Targets, c.Errors) }

// checkColumns checks the codings of columns.
func (c *RunConfig) checkColumns() error {
	if len(c.Columns) > 0 && c.Version < codedVersion {
		return fmt.Errorf("version %d has no codings of columns", c.Version)
	}
	if len(c.Errors) > 0 && c.Version < errorVersion {
		return fmt.Errorf("version %d has no columns that tell errors", c.Version)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.Columns)) {
		if !slices.Contains(c.Inputs, name) && !slices.Contains(c.Targets, name) {
			errs = append(errs, fmt.Errorf("there is a coding for %q, which is not a column of the run", name))
		}
		if err := c.Columns[name].Validate(); err != nil {
			errs = append(errs, fmt.Errorf("column %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}
