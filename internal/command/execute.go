package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// headroom is how much memory is taken and never touched: the garbage collector counts it as used, and so it lets the
// heap of a small table grow to twice this before it runs. Fits of a thousand rows take an eighth less time and tens
// of megabytes more memory; a large table has the usual share of garbage.
const headroom = 64 << 20

// Execute runs the command of eql that the arguments name, the first of which is the program's name, and returns the
// exit code.
func Execute(args []string, stderr io.Writer) int {
	untouched := make([]byte, headroom)
	defer runtime.KeepAlive(untouched)
	return execute(newApp(), args, stderr)
}

func execute(app *cli.App, args []string, stderr io.Writer) int {
	err := app.RunContext(context.Background(), flagsFirst(app, args))
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range all.Unwrap() {
				if !errors.Is(e, context.Canceled) {
					report(stderr, app.Name, e)
				}
			}
		}
		return exitInterrupted
	case errors.As(err, &usage):
		report(stderr, app.Name, err)
		return exitUsage
	}
	report(stderr, app.Name, err)
	return exitFailed
}

// report prints an error of a program, or several that were joined, each on its line, with what to do.
func report(w io.Writer, program string, err error) {
	tell(w, "%s: %s", program, strings.ReplaceAll(withAdvice(err).Error(), "\n", "\n"+program+": "))
}

// untilInterrupt returns a context that the first Ctrl-C, a request to end, or the end of the terminal cancels, after
// it has called heard. A second one ends the program at once, as the first does wherever this was not called. What
// nohup ignores stays ignored.
func untilInterrupt(ctx context.Context, heard func()) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(interrupts, syscall.SIGHUP)
	}
	go func() {
		select {
		case <-interrupts:
			signal.Stop(interrupts)
			heard()
			cancel()
		case <-ctx.Done():
			signal.Stop(interrupts)
		}
	}()
	return ctx, cancel
}
