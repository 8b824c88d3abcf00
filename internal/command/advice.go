package command

import (
	"errors"
	"fmt"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// advised is an error with what to do about it on the command line. The library says what is wrong; what flags and
// commands do about it is known here.
type advised struct {
	error
	advice string
}

func (e advised) Unwrap() error { return e.error }

func (e advised) Error() string { return e.error.Error() + "; " + e.advice }

// adviceOn returns what a command can do about an error of the library, "" for nothing.
func adviceOn(err error) string {
	for _, row := range adviceRows {
		if advice := row(err); advice != "" {
			return advice
		}
	}
	return ""
}

// adviceRows has a row for each kind of error that flags or commands help with.
var adviceRows = []func(error) string{
	about(func(e *run.FolderError) string {
		if e.Run {
			return "go on with it by --resume, or choose another folder by --out"
		}
		return "choose another folder by --out"
	}),
	about(func(e *run.NoResultError) string {
		return fmt.Sprintf("eql fit --resume %s finishes it", shellWord(e.Dir))
	}),
	about(func(e *run.DamagedError) string {
		switch e.File {
		case "result.json":
			return fmt.Sprintf("eql fit --resume %s makes it anew", shellWord(e.Dir))
		case "choice.json":
			return removesChoice(e.Dir)
		}
		return ""
	}),
	about(func(e *run.VersionError) string {
		if e.File == "choice.json" {
			return removesChoice(e.Dir)
		}
		return ""
	}),
	about(func(e *run.StaleChoiceError) string {
		return fmt.Sprintf("choose another, after %s --reset", chooseCommandOf(e.Dir))
	}),
	about(func(*trainer.TooLargeError) string { return onProcessor }),
	func(err error) string {
		if errors.Is(err, trainer.ErrNoCUDA) {
			return onProcessor
		}
		return ""
	},
	func(err error) string {
		if errors.Is(err, sweep.ErrNotInShards) {
			return "--preset paper trains a grid whose networks do not"
		}
		return ""
	},
}

func removesChoice(dir string) string { return chooseCommandOf(dir) + " --reset removes it" }

const onProcessor = "--device cpu or auto trains on the processor"

// about returns a row for the errors of one type.
func about[E error](advice func(E) string) func(error) string {
	return func(err error) string {
		var e E
		if errors.As(err, &e) {
			return advice(e)
		}
		return ""
	}
}

// withAdvice adds the advice of the command to an error, or to each of several that were joined.
func withAdvice(err error) error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []error
		for _, e := range all.Unwrap() {
			errs = append(errs, withAdvice(e))
		}
		return errors.Join(errs...)
	}
	if advice := adviceOn(err); advice != "" {
		return advised{err, advice}
	}
	return err
}
