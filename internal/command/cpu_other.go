//go:build !unix

package command

import "time"

// cpuTime returns 0: the time that this process took of all cores is not known.
func cpuTime() time.Duration { return 0 }
