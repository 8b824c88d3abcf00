package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// A randomLaw is a law of a [randomSet], with how many rows of it there are and how large the noise is, as a share
// of the target's standard deviation.
type randomLaw struct {
	law    string
	ranges map[string]span
	rows   int
	noise  float64
}

// Sizes of random laws.
const (
	randomLeast    = 5 // nodes
	randomMost     = 15
	randomRows     = 1000
	randomNoise    = 0.01
	randomVisible  = 3 * randomNoise // what a part of a law must change at least
	randomFarthest = 20.0            // the largest value, in standard deviations: no outliers
	randomProbe    = 400             // rows on which laws are judged
)

// A randomSet is laws of one seed, kept in a file: they were there before the first run. A third of them is of one
// input, with few rows and no noise.
type randomSet struct {
	name  string // of the cases
	seed  uint64
	count int
}

// randomSets are the laws to learn from, and those to try once.
var randomSets = []randomSet{{"random", 1, 60}, {"random-second", 2, 30}}

func (s randomSet) file() string {
	return filepath.Join("testdata", strings.ReplaceAll(s.name, "-", "_")+"_laws.txt")
}

// randomFuncs are the functions of random laws, and randomPowers the exponents.
var (
	randomFuncs = []formula.Func{
		formula.Sin, formula.Cos, formula.Exp, formula.Log, formula.Sqrt, formula.Tanh, formula.Tan, formula.Asin,
		formula.Acos, formula.Atan, formula.Sinh, formula.Cosh, formula.Abs, formula.Min, formula.Max,
	}
	randomPowers = []float64{2, 3, -1, -2, 0.5, 1.5}
	randomRanges = []span{{1, 5}, {1, 5}, {0, 3}, {-2, 2}, {0.5, 2}}
)

// draw returns the first laws of a set: trees of 5 to 15 nodes over all functions, of one to six inputs. A law is drawn
// again if a part of it changes less than the noise shows, or a shorter one has its values. Each function is in one law
// of fifteen at least.
func (s randomSet) draw(count int) []randomLaw {
	rng := rand.New(rand.NewPCG(s.seed, 60))
	var laws []randomLaw
	seen := map[string]bool{}
	for len(laws) < count {
		l := randomLaw{ranges: map[string]span{}, rows: randomRows, noise: randomNoise}
		inputs := 2 + rng.IntN(5)
		if len(laws) < s.count/3 {
			inputs, l.rows, l.noise = 1, 20+rng.IntN(81), 0
		}
		var names []string
		for j := range inputs {
			names = append(names, fmt.Sprintf("x%d", j+1))
			l.ranges[names[j]] = randomRanges[rng.IntN(len(randomRanges))]
		}
		e := formula.Simplify(randomTree(rng, names, 2+rng.IntN(3)))
		l.law = formula.Print(e, formula.Text, 3)
		e = formula.MustParse(l.law)
		if n := formula.Complexity(e); n < randomLeast || n > randomMost || len(formula.Vars(e)) != inputs || seen[l.law] {
			continue
		}
		if f := randomFuncs[len(laws)%len(randomFuncs)]; !has(e, f) || powersOfPowers(e) {
			continue
		}
		if l.visible(rng, e, names) {
			seen[l.law] = true
			laws = append(laws, l)
		}
	}
	return laws
}

// has reports whether an expression calls a function.
func has(e formula.Expr, f formula.Func) bool { return strings.Contains(e.String(), f.String()+"(") }

// powersOfPowers reports whether a power, a root or a product of these has another one above it: (x^2)^1.5 is shorter
// in another way.
func powersOfPowers(e formula.Expr) bool {
	type height struct{ below, found bool } // a power at the top, and one above another
	join := func(parts []height) (h height) {
		for _, p := range parts {
			h.below, h.found = h.below || p.below, h.found || p.found
		}
		return h
	}
	power := func(h height) height { return height{true, h.found || h.below} }
	return formula.Fold(e, formula.Algebra[height]{
		Number:   func(float64) height { return height{} },
		Variable: func(string) height { return height{} },
		Sum:      func(terms []height) height { return height{false, join(terms).found} },
		Product:  join,
		Power:    func(base, _ height) height { return power(base) },
		Call: func(f formula.Func, args []height) height {
			if f == formula.Sqrt {
				return power(args[0])
			}
			return height{f == formula.Exp, join(args).found}
		},
	}).found
}

// randomTree draws an expression of some depth.
func randomTree(rng *rand.Rand, names []string, depth int) formula.Expr {
	if depth == 0 || rng.IntN(6) == 0 {
		x := formula.Var(names[rng.IntN(len(names))])
		if rng.IntN(3) > 0 {
			return x
		}
		return formula.Mul(formula.Const(math.Round(math.Exp(rng.NormFloat64())*100)/100), x)
	}
	sub := func() formula.Expr { return randomTree(rng, names, depth-1) }
	switch k := rng.IntN(8); k {
	case 0:
		return formula.Add(sub(), sub())
	case 1:
		return formula.Sub(sub(), sub())
	case 2:
		return formula.Add(sub(), formula.Const(float64(1+rng.IntN(4))))
	case 3, 4:
		return formula.Mul(sub(), sub())
	case 5:
		return formula.Div(sub(), sub())
	case 6:
		return formula.Pow(sub(), formula.Const(randomPowers[rng.IntN(len(randomPowers))]))
	}
	f := randomFuncs[rng.IntN(len(randomFuncs))]
	if f.Arity() == 2 {
		return formula.Call(f, sub(), sub())
	}
	return formula.Call(f, sub())
}

// visible reports whether a law has a value everywhere, no outliers, and no part that a constant or a straight line
// could stand for.
func (l randomLaw) visible(rng *rand.Rand, e formula.Expr, names []string) bool {
	cols := make([][]float64, len(names))
	for j, name := range names {
		in := l.ranges[name]
		for range randomProbe {
			cols[j] = append(cols[j], in.low+(in.high-in.low)*rng.Float64())
		}
	}
	y, ok := valuesOf(e, names, cols)
	size := spread(y)
	if !ok || !(size > 1e-3) || slices.Max(y)-slices.Min(y) > randomFarthest*size {
		return false
	}
	for _, part := range partsOf(e) {
		if len(formula.Vars(part)) == 0 {
			continue
		}
		v, ok := valuesOf(part, names, cols)
		if !ok {
			return false
		}
		for _, by := range substitutes(part, v, names, cols) {
			if formula.Equal(by, part) {
				continue
			}
			z, ok := valuesOf(replacedIn(e, part, by), names, cols)
			if ok && rootMeanSquare(y, z) < randomVisible*size {
				return false
			}
		}
	}
	return true
}

// substitutes are the mean of a part and, for one that is not a variable, straight lines of its arguments and of the
// inputs.
func substitutes(part formula.Expr, v []float64, names []string, cols [][]float64) []formula.Expr {
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	list := []formula.Expr{formula.Const(mean)}
	if formula.Complexity(part) == 1 {
		return list
	}
	arguments := partsOf(part)[1:]
	for _, name := range names {
		arguments = append(arguments, formula.Var(name))
	}
	for _, x := range arguments {
		if len(formula.Vars(x)) == 0 {
			continue
		}
		if u, ok := valuesOf(x, names, cols); ok {
			a, b := lineThrough(u, v)
			list = append(list, formula.Add(formula.Const(a), formula.Mul(formula.Const(b), x)))
		}
	}
	return list
}

// lineThrough returns the least squares line v = a + b·u.
func lineThrough(u, v []float64) (a, b float64) {
	n, su, sv, suu, suv := float64(len(u)), 0.0, 0.0, 0.0, 0.0
	for i := range u {
		su, sv, suu, suv = su+u[i], sv+v[i], suu+u[i]*u[i], suv+u[i]*v[i]
	}
	if d := n*suu - su*su; d > 0 {
		b = (n*suv - su*sv) / d
	}
	return (sv - b*su) / n, b
}

// valuesOf reports false where some row has no value.
func valuesOf(e formula.Expr, names []string, cols [][]float64) ([]float64, bool) {
	p, err := formula.Compile(e, names)
	if err != nil {
		return nil, false
	}
	y := make([]float64, len(cols[0]))
	p.EvalColumns(y, cols)
	return y, !slices.ContainsFunc(y, func(v float64) bool { return math.IsNaN(v) || math.Abs(v) > 1e6 })
}

func rootMeanSquare(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i]) / float64(len(a))
	}
	return math.Sqrt(sum)
}

// partsOf returns e and all its parts.
func partsOf(e formula.Expr) []formula.Expr {
	var parts []formula.Expr
	add := func(x formula.Expr) formula.Expr { parts = append(parts, x); return x }
	rewritten(e, add)
	slices.Reverse(parts)
	return parts
}

// replacedIn returns e with a part replaced.
func replacedIn(e, part, by formula.Expr) formula.Expr {
	return rewritten(e, func(x formula.Expr) formula.Expr {
		if formula.Equal(x, part) {
			return by
		}
		return x
	})
}

// rewritten applies f to all parts of e, from the inside out.
func rewritten(e formula.Expr, f func(formula.Expr) formula.Expr) formula.Expr {
	return formula.Fold(e, formula.Algebra[formula.Expr]{
		Number:   func(v float64) formula.Expr { return f(formula.Const(v)) },
		Variable: func(name string) formula.Expr { return f(formula.Var(name)) },
		Sum:      func(terms []formula.Expr) formula.Expr { return f(formula.Add(terms...)) },
		Product:  func(factors []formula.Expr) formula.Expr { return f(formula.Mul(factors...)) },
		Power:    func(base, exponent formula.Expr) formula.Expr { return f(formula.Pow(base, exponent)) },
		Call:     func(g formula.Func, args []formula.Expr) formula.Expr { return f(formula.Call(g, args...)) },
	})
}

// TestRandomLawsAreKept holds the first lines of the files to the generator. The other laws are not drawn again: they
// stay as they were before the first run, also where formulas are simplified in another way since. -update draws a file
// that is missing.
func TestRandomLawsAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("it draws sixty laws")
	}
	const always = 5
	lines := func(laws []randomLaw) []byte {
		var b bytes.Buffer
		for _, l := range laws {
			fmt.Fprintln(&b, l.line())
		}
		return b.Bytes()
	}
	for _, s := range randomSets {
		kept, err := os.ReadFile(s.file())
		if *goldenUpdate && errors.Is(err, fs.ErrNotExist) {
			kept = lines(s.draw(s.count))
			err = os.WriteFile(s.file(), kept, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(kept, lines(s.draw(always))) || bytes.Count(kept, []byte("\n")) != s.count {
			t.Errorf("%s is not what the generator draws", s.file())
		}
	}
}

// line writes a law as rows, noise, ranges and formula.
func (l randomLaw) line() string {
	var ranges []string
	for _, name := range l.inputs() {
		ranges = append(ranges, fmt.Sprintf("%s=%g..%g", name, l.ranges[name].low, l.ranges[name].high))
	}
	return fmt.Sprintf("%d\t%g\t%s\t%s", l.rows, l.noise, strings.Join(ranges, " "), l.law)
}

// inputs returns the names of the inputs, in order.
func (l randomLaw) inputs() []string { return numberedInputs(len(l.ranges)) }

// numberedInputs returns x1, x2, … up to n.
func numberedInputs(n int) []string {
	var names []string
	for j := range n {
		names = append(names, fmt.Sprintf("x%d", j+1))
	}
	return names
}

// randomCases are the kept laws of all sets.
func randomCases() []lawCase {
	var cases []lawCase
	for _, s := range randomSets {
		text, err := os.ReadFile(s.file())
		if err != nil {
			return nil
		}
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			l, err := parseRandomLaw(line)
			if err != nil {
				return nil
			}
			cases = append(cases, lawCase{fmt.Sprintf("%s/%d", s.name, i+1), 0.01, l.data})
		}
	}
	return cases
}

// parseRandomLaw reads what line writes.
func parseRandomLaw(line string) (randomLaw, error) {
	l := randomLaw{ranges: map[string]span{}}
	fields := strings.Split(line, "\t")
	if len(fields) != 4 {
		return l, fmt.Errorf("%d fields, want 4", len(fields))
	}
	l.law = fields[3]
	if _, err := fmt.Sscan(fields[0]+" "+fields[1], &l.rows, &l.noise); err != nil {
		return l, err
	}
	for _, r := range strings.Fields(fields[2]) {
		name, ends, _ := strings.Cut(r, "=")
		low, high, _ := strings.Cut(ends, "..")
		var s span
		if _, err := fmt.Sscan(low+" "+high, &s.low, &s.high); err != nil {
			return l, err
		}
		l.ranges[name] = s
	}
	return l, nil
}

// data draws rows of the law. The far rows go a quarter of a range beyond it at both ends, but not across zero.
func (l randomLaw) data(t *testing.T, seed uint64) lawData {
	return drawnLaw(t, l.law, l.inputs(), seed, l.rows, l.noise, func(name string) (inside, outside span) {
		in := l.ranges[name]
		quarter := (in.high - in.low) / 4
		low := in.low - quarter
		if in.low >= 0 {
			low = max(low, 0.75*in.low)
		}
		return in, span{low, in.high + quarter}
	})
}
