//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth returns how many characters a line has, 0 when that is not known.
func terminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
