package distill

import (
	"math"
	"slices"
)

// searchRows is how many rows structure is searched on; the last fit and pruning use all.
const searchRows = 2000

// small is the size below which the weights of a trained network are dropped before the first
// fit, in scaled units. Training leaves many of them between its mask and this.
const small = 0.01

// Fit returns the law with its constants fitted to all rows, never worse than before.
func Fit(l *Law, d Data) *Law {
	l, _ = l.fit(d, 50, 1e-10)
	return l
}

// Refine searches for the law that a trained network stands for: it fits the constants, prunes
// what the criterion says is not supported, and tries simpler units. The result may be worse
// than l by what the criterion allows, and l itself is returned when it has no finite error.
func Refine(l *Law, d Data) *Law {
	if math.IsInf(l.SSE(d), 0) {
		return l
	}
	some := d
	if d.Rows() > searchRows {
		some = d.Take(spread(d.Rows(), searchRows))
	}
	criterion := NewCriterion(d)
	coarse := search{data: some, criterion: criterion, steps: 8, tol: 1e-3}
	at := coarse.fit(l)
	if dropped := coarse.fit(l.withoutSmall(small)); dropped.value < at.value {
		at = dropped
	}
	at = coarse.simplify(coarse.prune(at))
	fine := search{data: d, criterion: criterion, steps: 20, tol: 1e-9}
	return fine.prune(fine.fit(at.law)).law
}

// spread returns count of n rows at equal distances.
func spread(n, count int) []int {
	rows := make([]int, count)
	for i := range rows {
		rows[i] = i * n / count
	}
	return rows
}

// withoutSmall returns the law without the weights below a threshold.
func (l *Law) withoutSmall(threshold float64) *Law {
	c := l.clone()
	drop := func(a *affine) {
		a.terms = slices.DeleteFunc(a.terms, func(t term) bool { return math.Abs(t.w) < threshold })
	}
	for i := range c.units {
		for k := range c.units[i].args {
			drop(&c.units[i].args[k])
		}
	}
	drop(&c.out)
	return c.rebuilt(nil)
}

// Linear returns the least squares line through all inputs: the baseline of every run.
func Linear(d Data) *Law {
	l := &Law{inputs: len(d.X), out: affine{bias: 1}}
	for j := range d.X {
		l.out.terms = append(l.out.terms, term{j, 1})
	}
	l.out.bias = mean(d.Y)
	if l.out.bias == 0 {
		l.out.bias = math.SmallestNonzeroFloat64 // zero would mean that there is none
	}
	return Fit(l, d)
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// CrossValidate returns the RMS of predictions of each fold's rows by the law with its constants
// refitted to the rows of the other folds. The structure stays as it is.
func (l *Law) CrossValidate(d Data, folds [][]int) float64 {
	sse, rows := 0.0, 0
	for i, held := range folds {
		var rest []int
		for k, fold := range folds {
			if k != i {
				rest = append(rest, fold...)
			}
		}
		slices.Sort(rest)
		sse += Fit(l, d.Take(rest)).SSE(d.Take(held))
		rows += len(held)
	}
	return math.Sqrt(sse / float64(rows))
}
