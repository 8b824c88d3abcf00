package paper

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestPoolLongestFirst fills a pool of one worker and looks at the order of those that waited.
func TestPoolLongestFirst(t *testing.T) {
	p := newPool(1)
	ctx := context.Background()
	started, hold := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		p.do(ctx, 0, func() error { close(started); <-hold; return nil }) //nolint:errcheck // it returns none
	})
	<-started
	var order []float64
	for i, cost := range []float64{2, 5, 1, 5, 3} {
		wg.Go(func() {
			p.do(ctx, cost, func() error { order = append(order, cost); return nil }) //nolint:errcheck // it returns none
		})
		for n := 0; n <= i; { // until it waits
			p.mu.Lock()
			n = len(p.waiting)
			p.mu.Unlock()
		}
	}
	close(hold)
	wg.Wait()
	if want := []float64{5, 5, 3, 2, 1}; !slices.Equal(order, want) {
		t.Errorf("the order was %v, want %v", order, want)
	}
	if p.free != 1 {
		t.Errorf("%d workers are free at the end, want 1", p.free)
	}
}

func TestPoolCancelled(t *testing.T) {
	p := newPool(1)
	started, hold := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		p.do(context.Background(), 0, func() error { //nolint:errcheck // it returns none
			close(started)
			<-hold
			return nil
		})
	})
	<-started
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.do(ctx, 1, func() error { t.Error("the job was run"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
	close(hold)
	wg.Wait()
	if p.free != 1 || len(p.waiting) != 0 {
		t.Errorf("%d workers are free and %d jobs wait, want 1 and 0", p.free, len(p.waiting))
	}
}

func TestStats(t *testing.T) {
	// Mean 3, squares 4+1+9+0+4+... : (1,2,6,3) has the mean 3 and the variance (4+1+9+0)/3.
	s := newStats([]float64{1, 2, 6, 3})
	for _, tt := range []struct {
		name string
		got  *float64
		want float64
	}{{"mean", s.Mean, 3}, {"sd", s.SD, math.Sqrt(14.0 / 3)}, {"median", s.Median, 2.5},
		{"min", s.Min, 1}, {"max", s.Max, 6}} {
		if tt.got == nil || math.Abs(*tt.got-tt.want) > 1e-15 {
			t.Errorf("%s is %s, want %g", tt.name, show(tt.got), tt.want)
		}
	}
	if one := newStats([]float64{7}); one.SD != nil || *one.Mean != 7 || *one.Median != 7 {
		t.Errorf("one value has %+v, want no standard deviation", one)
	}
	// A repetition that is not finite is not left out.
	if s := newStats([]float64{1, math.Inf(1), 3}); s.N != 3 || s.Mean != nil || s.SD != nil || *s.Median != 3 ||
		*s.Min != 1 || s.Max != nil {
		t.Errorf("with an infinite value: %+v", s)
	}
}

func TestFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j := reopen(t, path)
	if err := j.put([]string{"a", "b"}, 1.5, []int{1, 2}); err != nil {
		t.Fatal(err)
	}
	j.close() //nolint:errcheck // every line was synced
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 { // wherever a crash cuts the file, whole lines stay
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		j := reopen(t, path)
		var a float64
		var b []int
		gotA, gotB := j.get("a", &a), j.get("b", &b)
		firstLine := slices.Index(whole, '\n') + 1
		if gotA != (cut >= firstLine) || gotB != (cut == len(whole)) || gotA && a != 1.5 ||
			gotB && !slices.Equal(b, []int{1, 2}) {
			t.Fatalf("cut at %d of %d: got a %t %g, b %t %v", cut, len(whole), gotA, a, gotB, b)
		}
		if err := j.put([]string{"c"}, true); err != nil {
			t.Fatal(err)
		}
		j.close() //nolint:errcheck // every line was synced
		j = reopen(t, path)
		var c bool
		if !j.get("c", &c) || !c || j.get("a", &a) != gotA {
			t.Fatalf("cut at %d: what was appended after it is lost", cut)
		}
		j.close() //nolint:errcheck // every line was synced
	}
	if err := os.WriteFile(path, []byte("{}\nnonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openFinished(filepath.Dir(path), all); err == nil {
		t.Error("a damaged line was accepted")
	}
}

func reopen(t *testing.T, path string) *finished {
	t.Helper()
	j, err := openFinished(filepath.Dir(path), all)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestSlice checks the ends of a slice and the law along it: y1 = x/9.81 and y2 = −sin x.
func TestSlice(t *testing.T) {
	set, err := prepare(tiny(t).Sets[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	x := set.slice[0]
	if len(set.slice) != 2 || x[0] != -x[len(x)-1] || x[0] > -3.95*beyond || x[0] < -4*beyond {
		t.Errorf("the slice goes from %g to %g, want nearly −4.2 to 4.2", x[0], x[len(x)-1])
	}
	y, err := set.truth()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		if math.Abs(y[0][i]-v/9.81) > 1e-15 || math.Abs(y[1][i]+math.Sin(v)) > 1e-15 {
			t.Fatalf("at %g the law is (%g, %g)", v, y[0][i], y[1][i])
		}
	}
}

// TestResplit checks that X-rays have a split of their own in every repetition, and that their
// validation rows are scored as interpolation.
func TestResplit(t *testing.T) {
	p, err := Request{Experiment: "xray"}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	set, err := prepare(p.Sets[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	_, first := set.split(0)
	_, second := set.split(1)
	if slices.Equal(first.Cols[0], second.Cols[0]) {
		t.Error("two repetitions have one split")
	}
	errors := set.score(func(x [][]float64) [][]float64 { return [][]float64{make([]float64, len(x[0]))} }, 1)
	sum := 0.0
	for _, y := range second.Cols[1] {
		sum += y * y
	}
	if errors[0].Test != Interpolation || math.Abs(*errors[0].Noisy-math.Sqrt(sum/10)) > 1e-15 {
		t.Errorf("predicting 0 has the error %v, want %g on the validation rows", errors[0], math.Sqrt(sum/10))
	}
}
