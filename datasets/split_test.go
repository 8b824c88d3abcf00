package datasets

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func rng() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name     string
		n        int
		fraction float64
		want     int // rows for validation
	}{
		{"tenth", 1000, 0.1, 100},
		{"rounded", 25, 0.1, 3},
		{"at least one for validation", 3, 0.01, 1},
		{"at least one for training", 3, 0.99, 2},
		{"two rows", 2, 0.1, 1},
		{"one row", 1, 0.1, 0},
		{"none", 0, 0.1, 0},
		{"negative rows", -5, 0.1, 0},
		{"fraction 0", 10, 0, 1},
		{"fraction 1", 10, 1, 9},
		{"fraction beyond 1", 10, math.Inf(1), 9},
		{"fraction NaN", 10, math.NaN(), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			train, validation := Split(tt.n, tt.fraction, rng())
			if len(validation) != tt.want {
				t.Errorf("%d rows for validation, want %d", len(validation), tt.want)
			}
			checkCover(t, tt.n, train, validation)
		})
	}
}

func TestFolds(t *testing.T) {
	for _, tt := range []struct {
		name    string
		n, k    int
		want    int // folds
		largest int
	}{
		{"even", 20, 5, 5, 4},
		{"uneven", 23, 5, 5, 5},
		{"one each", 5, 5, 5, 1},
		{"more folds than rows", 3, 5, 3, 1},
		{"no folds", 3, 0, 1, 3},
		{"no rows", 0, 5, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folds := Folds(tt.n, tt.k, rng())
			if len(folds) != tt.want {
				t.Errorf("%d folds, want %d", len(folds), tt.want)
			}
			for _, fold := range folds {
				if len(fold) > tt.largest || len(fold) < tt.largest-1 {
					t.Errorf("a fold has %d rows, want %d or one less", len(fold), tt.largest)
				}
			}
			checkCover(t, tt.n, folds...)
		})
	}
}

// checkCover fails t unless the parts are ascending and hold 0 … n−1 once each.
func checkCover(t *testing.T, n int, parts ...[]int) {
	t.Helper()
	var all []int
	for _, part := range parts {
		if !slices.IsSorted(part) {
			t.Errorf("%v is not ascending", part)
		}
		all = append(all, part...)
	}
	slices.Sort(all)
	if len(all) != max(n, 0) {
		t.Errorf("%d rows in all, want %d", len(all), n)
	}
	for i, row := range all {
		if i != row {
			t.Fatalf("row %d is missing or there twice", i)
		}
	}
}

func TestSplitFollowsTheGenerator(t *testing.T) {
	_, first := Split(1000, 0.1, rng())
	_, again := Split(1000, 0.1, rng())
	if !slices.Equal(first, again) {
		t.Error("the same generator gives two splits")
	}
	if _, other := Split(1000, 0.1, rand.New(rand.NewPCG(3, 4))); slices.Equal(first, other) {
		t.Error("two generators give the same split")
	}
	if a := Folds(1000, 2, rng())[0]; slices.Equal(a, Folds(1000, 2, rand.New(rand.NewPCG(3, 4)))[0]) {
		t.Error("two generators give the same folds")
	}
}
