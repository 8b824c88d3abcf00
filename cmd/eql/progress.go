package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/eqlearner/eql/sweep"
)

// progress shows how far a run is: a bar that is drawn over itself on a terminal, a line now and
// then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	began    time.Time
	drawn    time.Time
	last     float64 // fraction in the last line
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, terminal: isTerminal(w), began: time.Now()}
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
	barWidth  = 24
)

func (p *progress) observe(e sweep.Event) {
	now := time.Now()
	if p.terminal {
		if now.Sub(p.drawn) < redraw {
			return
		}
		p.drawn = now
		filled := int(e.Fraction * barWidth)
		fmt.Fprintf(p.w, "\r\x1b[K[%s%s] %s", strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled), p.text(e, now))
		return
	}
	if now.Sub(p.drawn) < lineEvery || now.Sub(p.began) < lineEvery || e.Fraction-p.last < 0.01 {
		return
	}
	p.drawn, p.last = now, e.Fraction
	fmt.Fprintln(p.w, p.text(e, now))
}

func (p *progress) text(e sweep.Event, now time.Time) string {
	s := fmt.Sprintf("%3.0f %%  %d of %d networks", 100*e.Fraction, e.Done, e.Networks)
	if e.Phase != "" {
		s += "  " + e.Phase
	}
	if !math.IsInf(e.Best, 0) {
		s += fmt.Sprintf("  best error %.3g", e.Best)
	}
	if e.Fraction > 0.02 && e.Fraction < 1 {
		left := time.Duration(float64(now.Sub(p.began)) * (1 - e.Fraction) / e.Fraction)
		s += fmt.Sprintf("  about %v left", left.Round(time.Second))
	}
	return s
}

// done takes the bar away.
func (p *progress) done() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
