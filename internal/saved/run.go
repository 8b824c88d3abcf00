package saved

import (
	"errors"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/internal/trajectory"
	"github.com/eqlearner/eql/run"
)

// Run is a result with its report, and the folder that it is in, if any.
type Run struct {
	Store  *sweep.Store // nil without a folder
	Report Report
	// Found is what the report says, in the types of package sweep, with the run's networks and tables.
	Found *sweep.Result
	Tests []sweep.DataFile // that formulas are scored on
	Path  *trajectory.Path // that targets are derivatives along, nil where they are not
	// Own is the run's own choice for targets whose formula a person chose; see [Run.TakeByHand].
	Own map[string]Own
}

// Open reads the folder of a run with the run's own choice.
func Open(dir string) (*Run, error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	return Read(store)
}

// Read reads the result in a folder that is open.
func Read(store *sweep.Store) (*Run, error) {
	r := &Run{Store: store}
	if err := store.ReadResult(&r.Report); err != nil {
		return nil, err
	}
	err := errors.New("it has no targets")
	if len(r.Report.Targets) > 0 && (len(r.Report.Inputs) > 0 || len(r.Report.Models) == 0) {
		r.Found, err = r.Report.Result(store.Finished())
	}
	if err != nil {
		return nil, &run.DamagedError{Dir: store.Dir(), File: "result.json", Err: err}
	}
	config := store.Config()
	r.Found.Train, r.Found.Validation, r.Tests = config.Fitted(), config.HeldOut(), config.Tests
	r.Path, err = config.Path()
	return r, err
}
