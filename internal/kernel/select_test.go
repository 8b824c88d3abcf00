package kernel

import (
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	best, err := choose("")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range setNames {
		if s := set(i); available(s) && s > best {
			t.Errorf("without a name the kernel is %s, but there is %s", best, name)
		}
	}
	for i, name := range setNames {
		s, err := choose(name)
		if want := set(i); available(want) && (s != want || err != nil) {
			t.Errorf("%s gives %s, %v", name, s, err)
		} else if !available(want) && (s != best || err == nil) {
			t.Errorf("%s is not available and gives %s, %v", name, s, err)
		}
	}
	s, err := choose("sse9")
	if s != best || err == nil || !strings.Contains(err.Error(), Environment) ||
		!strings.Contains(err.Error(), "portable") {
		t.Errorf("sse9 gives %s, %v", s, err)
	}
}

func TestLanesFillAVector(t *testing.T) {
	for s, want := range map[set][2]int{portable: {4, 4}, avx2: {8, 4}, avx512: {16, 8}} {
		if !available(s) {
			continue
		}
		with(s, func() {
			if got := [2]int{Lanes[float32](), Lanes[float64]()}; got != want || Name() != s.String() {
				t.Errorf("%s has %v lanes in float32 and float64, want %v", Name(), got, want)
			}
		})
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			net := newStep[float32](newRand(), 1, 16)
			net.layers[0].w[5] = 1e9 // beyond the range of sine and cosine
			if n := testing.AllocsPerRun(10, net.step); n != 0 {
				t.Errorf("a step allocates %v times", n)
			}
		})
	}
}

// Slices that are too short must panic before anything is written out of bounds.
func TestShortSlicesPanic(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			shape := Shape{Rows: 3, In: 4, Batch: 5, Lanes: 8}
			o := newOperands[float32](newRand(), shape)
			short := o
			short.w = o.w[:len(o.w)-1]
			for _, c := range affineCases[float32]() {
				n := c.out(shape)
				panics(t, c.name, func() { c.f(make([]float32, n)[:n-1], o) })
				if strings.HasPrefix(c.name, "AffineForward") || c.name == "AffineInput" {
					panics(t, c.name, func() { c.f(make([]float32, n), short) })
				}
			}
			panics(t, "Sin", func() { Sin(make([]float32, 16), make([]float32, 8)) })
			panics(t, "SquaredError", func() { SquaredError(make([]float32, 8), make([]float32, 39), make([]float32, 5), 8) })
			panics(t, "Adam", func() {
				Adam(o.w, short.w, make([]float32, len(o.w)), make([]float32, len(o.w)), make([]float32, 8),
					AdamStep[float32]{}, shape)
			})
		})
	}
}

func panics(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s took a slice that is too short", name)
		}
	}()
	f()
}
