package command

import (
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/internal/sweep"
)

func TestWrap(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"short": {"a b\n", "a b\n"},
		"words": {"one two three four five six seven eight nine\n", "one two three four five six seven eight\n  nine\n"},
		"indented": {"  verdict: uncertain, too few rows to say: 17 rows are few\n",
			"  verdict: uncertain, too few rows to\n    say: 17 rows are few\n"},
		"table": {"5  0.1  1.23*x + 4.56*y - 7.89*z + 1.01*sin(2.3*x)\n",
			"5  0.1  1.23*x + 4.56*y - 7.89*z +\n        1.01*sin(2.3*x)\n"},
		"wide table": {"a name of many letters  0.1234  1.23*x + 4.56*y - 7.89*z\n",
			"a name of many letters  0.1234  1.23*x +\n  4.56*y - 7.89*z\n"},
		"one word": {strings.Repeat("w", 50) + "\n", strings.Repeat("w", 50) + "\n"},
		"no end":   {"a", "a"},
		"style": {green.in("one two three four five") + " six seven eight\n",
			green.in("one two three four five") + " six seven eight\n"},
		"letters": {strings.Repeat("ä", 20) + " " + strings.Repeat("ö", 19) + "\n",
			strings.Repeat("ä", 20) + " " + strings.Repeat("ö", 19) + "\n"},
	} {
		if got := wrap(c.text, 40); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// No line is wider than the terminal where its words allow that, and no word is lost.
func TestWrapKeepsWords(t *testing.T) {
	text := "   --flag WORD  " + strings.Repeat("a word and another ", 20) + "\n"
	for width := narrowest; width < 120; width++ {
		got := wrap(text, width)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Errorf("at %d letters words are lost:\n%s", width, got)
		}
		for line := range strings.Lines(got) {
			if lettersIn(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d: %s", width, line)
			}
		}
	}
}

// Where there is no terminal, lines are whole and without styles.
func TestWriteToAFile(t *testing.T) {
	var b strings.Builder
	long := strings.Repeat("word ", 60)
	if tell(&b, "%s%s", long, bold.in("x")); b.String() != long+"x\n" {
		t.Errorf("got %q", b.String())
	}
}

func TestOneDigit(t *testing.T) {
	for x, want := range map[float64]string{0.00058: "0.0006", 14.6: "10", 15.4: "20", 2.5e-7: "2e-07",
		3e9: "3e+09", 0.95: "0.9"} {
		if got := oneDigit(x); got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
	}
}

// With a time limit, rounds that are planned may not come, and no total promises them.
func TestProgressPromisesNothing(t *testing.T) {
	e := sweep.Event{Networks: 32, Done: 16, Fraction: 0.12, Phase: "searching", Best: 0.0104}
	limited := &progress{limit: time.Minute}
	if got, want := limited.textOf(e), "  searching  16 networks trained  best scaled RMS 0.0104"; got != want {
		t.Errorf("with a limit: %q, want %q", got, want)
	}
	whole := &progress{}
	if got, want := whole.textOf(e), "  searching  16 of 32 networks trained  best scaled RMS 0.0104"; got != want {
		t.Errorf("without a limit: %q, want %q", got, want)
	}
	limited.began = time.Now().Add(-12 * time.Second)
	if got, want := limited.timeOf(time.Now()), "12s of at most 1m0s"; got != want {
		t.Errorf("the time is %q, want %q", got, want)
	}
}

// A run that tells nothing for long is seen to go on, until it has ended.
func TestProgressBeats(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, 0)
	p.starting()
	at := func(seconds int) time.Time { return p.began.Add(time.Duration(seconds) * time.Second) }
	p.beat(at(20))
	p.beat(at(31))
	p.beat(at(40))
	p.observe(sweep.Event{Phase: "penalty", Networks: 2, Best: 0.5})
	p.beat(at(70))
	p.done()
	p.beat(at(200))
	want := "31s  starting\n1m10s  training with penalty  0 of 2 networks trained  best scaled RMS 0.5\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
