package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/eqlearner/eql/internal/sweep"
)

// progress shows what a run does and how far a batch is: a line that is drawn over itself on a terminal, and one now
// and then elsewhere. A run has no bar, since how much there is to do depends on what is found.
type progress struct {
	w        io.Writer
	terminal bool
	limit    time.Duration // of the run; 0: none
	began    time.Time

	mu      sync.Mutex // guards what follows
	drawn   time.Time
	last    float64       // fraction in the last line
	seen    float64       // fraction in the last event
	skipped float64       // fraction that was there already when a run went on
	width   int           // characters of the line on the terminal
	doing   func() string // what the last event of a run says; nil: it has ended
	stop    func()        // ends the beat, see starting
}

func newProgress(w io.Writer, limit time.Duration) *progress {
	return &progress{w: w, terminal: isTerminal(w), limit: limit, began: time.Now()}
}

// starting shows on a terminal that a run has begun, before there is anything to tell, and from then on that it goes
// on, also where nothing is told: steps of the search in large tables take minutes.
func (p *progress) starting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = func() string { return "  starting" }
	if p.terminal {
		p.draw("0s" + p.doing())
	}
	ticker, end := time.NewTicker(time.Second), make(chan struct{})
	p.stop = sync.OnceFunc(func() { close(end) })
	go func() {
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				p.beat(now)
			case <-end:
				return
			}
		}
	}()
}

// beat repeats the last line with the time, where it is old.
func (p *progress) beat(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.drawn
	if last.IsZero() {
		last = p.began
	}
	switch {
	case p.doing == nil:
	case p.terminal && now.Sub(last) >= time.Second:
		p.drawn = now
		p.draw(p.timeOf(now) + p.doing())
	case !p.terminal && now.Sub(last) >= silence:
		p.drawn = now
		fmt.Fprintln(p.w, p.timeOf(now)+p.doing())
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

const (
	redraw    = 100 * time.Millisecond
	lineEvery = 5 * time.Second
	silence   = 30 * time.Second // the longest, where lines are not drawn over
	barWidth  = 10
)

func (p *progress) observe(e sweep.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if e.Phase == "" {
		p.skipped += e.Fraction - p.seen
	}
	p.seen, p.doing = e.Fraction, func() string { return p.textOf(e) }
	p.say(e.Fraction, now, func() string { return p.timeOf(now) + p.doing() })
}

// show shows how far something else is than one run.
func (p *progress) show(fraction float64, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.say(fraction, now, func() string {
		filled := int(fraction * barWidth)
		bar := fmt.Sprintf("[%s%s] ", strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled))
		return map[bool]string{true: bar}[p.terminal] + p.percent(fraction, now) + "  " + text
	})
}

// say shows a text about a fraction of the work, unless that was done a moment ago.
func (p *progress) say(fraction float64, now time.Time, text func() string) {
	if p.terminal {
		if now.Sub(p.drawn) < redraw {
			return
		}
		p.drawn = now
		p.draw(text())
		return
	}
	if now.Sub(p.drawn) < lineEvery || now.Sub(p.began) < lineEvery || fraction-p.last < 0.01 {
		return
	}
	p.drawn, p.last = now, fraction
	fmt.Fprintln(p.w, text())
}

// lineWidth is how long a line of the terminal may be: a longer one would break, and could not be drawn over.
func (p *progress) lineWidth() int {
	const usual = 80
	return cmp.Or(widthOf(p.w), usual) - 1
}

// draw replaces the line on the terminal.
func (p *progress) draw(line string) {
	if r := []rune(line); len(r) > p.lineWidth() {
		line = string(r[:p.lineWidth()])
	}
	n := utf8.RuneCountInString(line)
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(0, p.width-n)))
	p.width = n
}

func (p *progress) percent(fraction float64, now time.Time) string {
	s := fmt.Sprintf("%3.0f %%", math.Floor(100*fraction))
	if left, ok := p.left(fraction, now); ok {
		s += fmt.Sprintf("  %v left", left)
	}
	return s
}

// phases are the phases of training in words.
var phases = map[string]string{
	"choice": "choosing networks", "free": "training", "penalty": "training with penalty",
	"masked": "training without small weights",
}

// timeOf says how long a run has taken and, where that is known, how long it may take.
func (p *progress) timeOf(now time.Time) string {
	spent := now.Sub(p.began).Round(time.Second)
	if p.limit > 0 && spent < p.limit {
		return fmt.Sprintf("%v of at most %v", spent, p.limit)
	}
	if left, ok := p.left(p.seen, now); ok && p.limit == 0 {
		return fmt.Sprintf("%v, about %v left", spent, left)
	}
	return spent.String()
}

// textOf says what a run does. A time limit may cut the rounds of training that are planned, so that networks are
// counted without their sum where there is one. What has no room on the terminal is at the end.
func (p *progress) textOf(e sweep.Event) (s string) {
	if e.Phase != "" {
		s += "  " + cmp.Or(phases[e.Phase], e.Phase)
	}
	switch {
	case e.Networks == 0:
	case p.limit > 0:
		s += fmt.Sprintf("  %d networks trained", e.Done)
	default:
		s += fmt.Sprintf("  %d of %d networks trained", e.Done, e.Networks)
	}
	if !math.IsInf(e.Best, 0) {
		s += fmt.Sprintf("  best scaled RMS %.3g", e.Best)
	}
	return s
}

// left estimates how long the run still takes, by the pace of this process.
func (p *progress) left(fraction float64, now time.Time) (time.Duration, bool) {
	worked := fraction - p.skipped
	if worked < 0.02 || fraction >= 1 {
		return 0, false
	}
	spent := now.Sub(p.began)
	left := time.Duration(float64(spent) * (1 - fraction) / worked)
	if p.limit > 0 {
		left = min(left, p.limit-spent)
	}
	if left < 0 { // beyond the limit: what was begun is finished
		return 0, false
	}
	return max(left, time.Second).Round(time.Second), true
}

// done takes the line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop != nil {
		p.stop()
	}
	p.doing = nil
	p.clear()
}

func (p *progress) clear() {
	if p.terminal && p.width > 0 {
		p.width = min(p.width+len("^C"), p.lineWidth()) // the terminal may have shown it
		p.draw("")
		fmt.Fprint(p.w, "\r")
	}
}

// interrupted says that the run is about to end.
func (p *progress) interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.doing = nil
	fmt.Fprintln(p.w, "interrupted: finishing with what there is; a second Ctrl-C ends at once")
}
