package sweep

import (
	"slices"
	"sync"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/fit"
)

// near says which rows lie near each other. Everything is computed when it is first asked for, since comparing all rows
// takes long, and kept: a problem and its copies with other errors share it.
type near struct {
	rows, train [][]float64      // the inputs of all rows, and of those trained on
	neighbours  func() [][]int   // of each row, the nearest first; nil if there are more than [grossRows]
	gross       []func() grossOf // of each target

	mu      sync.Mutex
	layouts []layoutOf
}

// grossOf is what [gross] returns.
type grossOf struct {
	out      []bool
	ordinary bool
}

// layoutOf is a layout of all rows, or of those trained on, without outliers.
type layoutOf struct {
	all bool
	out []bool
	at  *fit.Layout
}

func newNear(p *problem) *near {
	n := len(p.inputs)
	w := &near{rows: p.rows.Cols[:n], train: p.scaled.X}
	w.neighbours = sync.OnceValue(func() [][]int {
		if p.rows.Rows() > grossRows {
			return nil
		}
		return fit.Neighbours(w.rows, fit.Spread(p.rows.Rows(), p.rows.Rows()), neighboursOfRow)
	})
	for _, y := range p.rows.Cols[n:] {
		w.gross = append(w.gross, sync.OnceValue(func() grossOf {
			out, ordinary := gross(w.neighbours(), y)
			return grossOf{out, ordinary}
		}))
	}
	return w
}

// fitted returns the layout of the rows that laws are fitted to, if outliers are these.
func (w *near) fitted(out []bool) *fit.Layout { return w.layout(false, w.train, out) }

// judged returns the layout of the rows that formulas are judged on, if outliers are these.
func (w *near) judged(out []bool) *fit.Layout { return w.layout(true, w.rows, out) }

func (w *near) layout(all bool, x [][]float64, out []bool) *fit.Layout {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.layouts {
		if l.all == all && slices.Equal(l.out, out) {
			return l.at
		}
	}
	if out != nil {
		t := &datasets.Table{Names: make([]string, len(x)), Cols: x}
		kept := make([]int, 0, t.Rows())
		for i := range t.Rows() {
			if !out[i] {
				kept = append(kept, i)
			}
		}
		x = t.Take(kept).Cols
	}
	l := layoutOf{all, out, fit.NewLayout(x)}
	w.layouts = append(w.layouts, l)
	return l.at
}
