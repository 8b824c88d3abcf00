// Command eql learns short formulas from tables of measurements. Run eql --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() { os.Exit(run()) }

// run is main without the exit, so that deferred calls happen.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	app := newApp()
	err := app.RunContext(ctx, flagsFirst(app, os.Args))
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "eql: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(os.Stderr, "eql: %v\n", err)
	return exitFailed
}
