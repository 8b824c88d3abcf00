//go:build !unix

package cluster

import "os"

// Without signals that stop a process there are no pauses.
var suspend, resume os.Signal = os.Interrupt, os.Interrupt

func used() string { return "unknown" }
