package eql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// line returns y = k·x, of few rows.
func line(k float64) *datasets.Table {
	t := &datasets.Table{Names: []string{"x", "y"}, Cols: make([][]float64, 2)}
	for i := range 20 {
		t.Cols[0] = append(t.Cols[0], float64(i))
		t.Cols[1] = append(t.Cols[1], k*float64(i))
	}
	return t
}

// inMilliseconds makes a fit one of milliseconds.
var inMilliseconds = Adjust(func(s *run.Settings) {
	*s = run.Paper()
	s.Layers, s.Width, s.Lambda, s.Restarts, s.Train.Epochs = []int{2}, []int{1}, []float64{0.001}, 1, 2
})

func lines(n int, read func(k int) error) iter.Seq2[string, Source] {
	return func(yield func(string, Source) bool) {
		for k := range n {
			if !yield(fmt.Sprint(k), func() (*datasets.Table, []Option, error) {
				return line(float64(k + 1)), nil, read(k)
			}) {
				return
			}
		}
	}
}

// Each table comes to what Fit makes of it alone, however many are learned from at a time; one that cannot be read is
// an outcome of its own.
func TestFitEach(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	bad := errors.New("bad")
	for _, workers := range []int{1, 3} {
		got := map[string]string{}
		for name, f := range FitEach(t.Context(), lines(6, func(k int) error {
			if k == 4 {
				return bad
			}
			return nil
		}), inMilliseconds, Workers(workers)) {
			if name == "4" {
				if !errors.Is(f.Err, bad) || f.Result != nil {
					t.Errorf("the table that cannot be read came to %v, %v", f.Result, f.Err)
				}
				continue
			}
			if f.Err != nil || f.Table.Rows() != 20 {
				t.Fatalf("table %s: %v", name, f.Err)
			}
			got[name] = f.Result.Formulas["y"].String()
		}
		want := map[string]string{}
		for k := range 6 {
			if k == 4 {
				continue
			}
			r, err := Fit(t.Context(), line(float64(k+1)), inMilliseconds)
			if err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprint(k)] = r.Formulas["y"].String()
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: got %v, want %v", workers, got, want)
		}
	}
}

// Who stops listening, or is done, gets no further table begun.
func TestFitEachStops(t *testing.T) {
	var begun atomic.Int32
	tables := lines(1000, func(int) error { begun.Add(1); return nil })
	for range FitEach(t.Context(), tables, inMilliseconds, Workers(2)) {
		break
	}
	if n := begun.Load(); n > 8 {
		t.Errorf("%d tables were read although nobody listened after the first", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun.Store(0)
	var ends []error
	for _, f := range FitEach(ctx, tables, inMilliseconds, Workers(2)) {
		ends = append(ends, f.Err)
		cancel()
	}
	if n := begun.Load(); n > 8 || ends[0] != nil ||
		slices.ContainsFunc(ends, func(err error) bool { return err != nil && !errors.Is(err, context.Canceled) }) {
		t.Errorf("%d tables were read, and came to %v", n, ends)
	}
}
