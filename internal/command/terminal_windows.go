package command

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalWidth returns how many characters a line has, 0 when that is not known.
func terminalWidth(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
