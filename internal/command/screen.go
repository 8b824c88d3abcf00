package command

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// style is how words stand out on a terminal.
type style string

// The styles.
const (
	bold   style = "1"
	green  style = "32"
	yellow style = "33"
	red    style = "31"
)

// in returns words in a style, which [write] takes away again where there is no terminal.
func (s style) in(words string) string { return "\x1b[" + string(s) + "m" + words + "\x1b[0m" }

var styled = regexp.MustCompile("\x1b\\[[0-9]*m")

// write writes lines for people. On a terminal they break at its width, and styles show unless NO_COLOR is set;
// elsewhere lines are whole and plain.
func write(w io.Writer, text string) error {
	width := widthOf(w)
	if width == 0 || !colours() {
		text = styled.ReplaceAllString(text, "")
	}
	if width > 0 {
		text = wrap(text, width)
	}
	_, err := io.WriteString(w, text)
	return err
}

// colours reports whether terminals are to show styles: NO_COLOR forbids them, and old consoles of Windows, which set
// neither of the other two, would show their codes.
func colours() bool {
	return os.Getenv("NO_COLOR") == "" && (os.Getenv("TERM") != "" || os.Getenv("WT_SESSION") != "")
}

// tell writes a line about the work. If it cannot be written, the work goes on.
func tell(w io.Writer, format string, args ...any) {
	write(w, fmt.Sprintf(format, args...)+"\n") //nolint:errcheck // see above
}

// narrowest is the width below which lines are left to the terminal.
const narrowest = 30

// widthOf returns how many characters a line of a terminal has, 0 where there is none.
func widthOf(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width := terminalWidth(w.(*os.File))
	if width < narrowest {
		return 0
	}
	return width
}

// wrap breaks lines that are wider than a width between words. What follows goes on below the last column of a table,
// or a little to the right of where the line began.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, end := strings.CutSuffix(line, "\n")
		for _, part := range broken(line, width) {
			b.WriteString(part)
			if end {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// columnGap is what parts the columns of a table.
const columnGap = "  "

// broken returns the lines that a line is broken into.
func broken(line string, width int) (lines []string) {
	indent := hanging(line, width)
	for lettersIn(line) > width {
		at := lastBreak(line, indent, width)
		if at < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(line[:at], " "))
		line = strings.Repeat(" ", indent) + strings.TrimLeft(line[at:], " ")
	}
	return append(lines, line)
}

// hanging returns where the lines begin that a line goes on in.
func hanging(line string, width int) int {
	const least = 24 // letters beside the columns of a table, else the lines go on from the left
	start := len(line) - len(strings.TrimLeft(line, " "))
	if at := strings.LastIndex(line, columnGap); at > start {
		if column := lettersIn(line[:at+len(columnGap)]); width-column >= least {
			return column
		}
	}
	return start + 2
}

// lastBreak returns the place of the last space within a width, behind an indent; −1 for none.
func lastBreak(line string, indent, width int) int {
	at, letters := -1, 0
	for i := 0; i < len(line) && letters <= width; {
		if style := styled.FindStringIndex(line[i:]); style != nil && style[0] == 0 {
			i += style[1]
			continue
		}
		if line[i] == ' ' && letters > indent && strings.TrimSpace(line[:i]) != "" {
			at = i
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i, letters = i+size, letters+1
	}
	return at
}

// lettersIn returns how many characters a line has on a terminal.
func lettersIn(line string) int {
	return utf8.RuneCountInString(styled.ReplaceAllString(line, ""))
}
