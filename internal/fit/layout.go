package fit

import (
	"cmp"
	"math"
	"slices"
)

// Layout says how rows lie in the space of the inputs. It does not depend on the target, so that one serves all
// formulas for the same rows.
type Layout struct {
	sorted [][]int // rows by each input
	nearby [][2]int
	twice  []bool // of nearby: each is the other's nearest neighbour
}

// NewLayout returns the layout of rows, given by the columns of the inputs.
func NewLayout(x [][]float64) *Layout {
	l := &Layout{}
	rows := 0
	for _, col := range x {
		l.sorted = append(l.sorted, sortedRows(col))
		rows = len(col)
	}
	some := Spread(rows, min(neighbourRows, rows))
	of := Neighbours(x, some, 1)
	for a, near := range of {
		if len(near) == 0 {
			continue
		}
		b := near[0]
		mutual := len(of[b]) > 0 && of[b][0] == a
		if mutual && b < a {
			continue // counted already
		}
		l.nearby, l.twice = append(l.nearby, [2]int{some[a], some[b]}), append(l.twice, mutual)
	}
	return l
}

func sortedRows(col []float64) []int {
	rows := make([]int, len(col))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(col[a], col[b]) })
	return rows
}

// Neighbours returns, for each of some rows, the count nearest others of these in the inputs scaled to equal spread,
// the nearest first, as their places in rows. x are the columns of all rows. It compares all pairs.
func Neighbours(x [][]float64, rows []int, count int) [][]int {
	n := len(x)
	scaled := make([]float64, len(rows)*n)
	for j, col := range x {
		scale := 1 / StandardDeviation(col)
		if math.IsInf(scale, 0) {
			scale = 0 // it is the same in all rows
		}
		for a, i := range rows {
			scaled[a*n+j] = col[i] * scale
		}
	}
	of := make([][]int, len(rows))
	nearest, distances := make([]int, 0, count+1), make([]float64, 0, count+1)
	for a := range rows {
		nearest, distances = nearest[:0], distances[:0]
		farthest := math.Inf(1) // of those that are kept, once they are enough
		for b := range rows {
			if a == b {
				continue
			}
			d := 0.0
			for j := 0; j < n && d < farthest; j++ {
				v := scaled[a*n+j] - scaled[b*n+j]
				d += v * v
			}
			if !(d < farthest) {
				continue
			}
			at := len(distances)
			for at > 0 && d < distances[at-1] {
				at--
			}
			nearest, distances = slices.Insert(nearest, at, b), slices.Insert(distances, at, d)
			if len(nearest) > count {
				nearest, distances = nearest[:count], distances[:count]
			}
			if len(nearest) == count {
				farthest = distances[count-1]
			}
		}
		of[a] = slices.Clone(nearest)
	}
	return of
}
