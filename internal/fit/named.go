package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// Named is a form of a law whose constants have names.
type Named struct {
	Expr      formula.Expr
	Inputs    []string // the names of the columns of the data
	Constants []formula.Parameter
}

// NamedFit is what the fit of a form gives.
type NamedFit struct {
	Values []float64 // of the constants, in their order
	Held   []bool    // whether each is fixed, whole, or at a bound, which holds it
	*Confidence
}

// Formula returns the form with constants put in.
func (f Named) Formula(values []float64) formula.Expr {
	put := map[string]formula.Expr{}
	for i, c := range f.Constants {
		put[c.Name] = formula.Const(values[i])
	}
	return formula.Substitute(f.Expr, put)
}

// Fit fits the constants of a form to the data by least squares.
//
// Constants that enter linearly and have no start are solved for at given values of the others. These are tried at the
// places of a low-discrepancy sequence of magnitudes from 1e-3 to 1e3 and both signs; the constants of the best places
// then go on together by Levenberg–Marquardt. The same form and data give the same result. At a bound a constant
// is held as long as the fit would leave it. Whole numbers are found by [Named.wholeNumbers].
func (f Named) Fit(d Data) (*NamedFit, error) {
	some := d
	if d.Rows() > SearchRows {
		some = d.Take(Spread(d.Rows(), SearchRows))
	}
	starts, err := f.starts(some)
	if err != nil {
		return nil, err
	}
	x, err := newParametric(f.Expr, f.names(), f.Inputs, some)
	if err != nil {
		return nil, err
	}
	best, _ := f.best(x, starts)
	if f.hasIntegers() {
		best = f.wholeNumbers(x, best, starts)
	}
	if best == nil {
		return nil, errors.New("the form has no finite value on the rows from any start (give constants a start)")
	}
	return f.FitFrom(best, d)
}

// best returns the constants that fit best of those that starts lead to, nil where none has finite values, and their
// SSE.
func (f Named) best(x *expression, starts [][]float64) (best []float64, least float64) {
	least = math.Inf(1)
	for _, p := range starts {
		q, sse := f.within(x, p, startSteps, startTol)
		better := !x.same(sse, least) || x.same(least, sse) && plainer(q, best)
		if !math.IsInf(sse, 0) && (best == nil || better) {
			best, least = q, sse
		}
	}
	return best, least
}

// plainer reports whether constants p are smaller in size than q together, or as large with fewer below zero. Where
// several fit alike, as frequencies beyond what rows at equal distances can tell apart, the plainest are meant.
func plainer(p, q []float64) bool {
	const equal = 1e-6
	sum := func(values []float64) (size float64, below int) {
		for _, v := range values {
			size += math.Abs(v)
			if v < 0 {
				below++
			}
		}
		return size, below
	}
	a, belowA := sum(p)
	b, belowB := sum(q)
	return a < b*(1-equal) || a <= b*(1+equal) && belowA < belowB
}

// How far each start is followed before the best goes on.
const (
	startSteps = 60
	startTol   = 1e-8
)

// FitFrom is [Named.Fit] from given constants.
func (f Named) FitFrom(p []float64, d Data) (*NamedFit, error) {
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil {
		return nil, err
	}
	p, sse := f.within(x, p, refitSteps, refitTol)
	if math.IsInf(sse, 0) {
		return nil, errors.New("the form has no finite value on some of the rows")
	}
	if q := x.exactly(p, x.Normal(p)); slices.Equal(q, f.clamped(q)) {
		p = q
	}
	c, err := x.confidence(p)
	return &NamedFit{Values: p, Held: slices.Clone(x.fixed), Confidence: c}, err
}

func (f Named) names() []string {
	var names []string
	for _, c := range f.Constants {
		names = append(names, c.Name)
	}
	return names
}

// clamped returns constants within their bounds, whole where they are to be.
func (f Named) clamped(p []float64) []float64 {
	q := slices.Clone(p)
	for i, c := range f.Constants {
		q[i] = min(max(q[i], c.Low), c.High)
		if c.Integer {
			q[i] = min(max(math.Round(q[i]), math.Ceil(c.Low)), math.Floor(c.High))
		}
	}
	return q
}

// within is [Levenberg] within bounds: a constant at a bound is fixed while the SSE falls beyond it, and each step ends
// at the bounds. It returns the SSE, infinite where there is no value, and leaves fixed what is held.
func (f Named) within(x *expression, p []float64, steps int, tol float64) ([]float64, float64) {
	p = f.clamped(p)
	mu := 1e-3
	for range steps {
		eq := f.holdBounds(x, p)
		next, nextMu, ok := f.descend(x, p, eq, mu)
		if !ok {
			return p, eq.SSE
		}
		p, mu = next, nextMu
		if after := x.SSE(p); !(eq.SSE-after > tol*eq.SSE) {
			break
		}
	}
	return p, f.holdBounds(x, p).SSE
}

// holdBounds fixes whole numbers and the constants at bounds that the fit would leave, and returns the normal equations
// of the others.
func (f Named) holdBounds(x *expression, p []float64) Normal {
	for i, c := range f.Constants {
		x.fixed[i] = c.Integer || c.Fixed() // their derivatives need not be finite
	}
	eq := x.Normal(p)
	held := false
	for i, c := range f.Constants {
		out := p[i] <= c.Low && eq.JTR[i] >= 0 || p[i] >= c.High && eq.JTR[i] <= 0
		held = held || out && !x.fixed[i]
		x.fixed[i] = x.fixed[i] || out
	}
	if held {
		return x.Normal(p)
	}
	return eq
}

// descend looks for a damping μ whose step, cut at the bounds, lowers the SSE.
func (f Named) descend(x *expression, p []float64, eq Normal, mu float64) (next []float64, nextMu float64, ok bool) {
	for range 12 {
		if step, solved := eq.step(mu); solved {
			floats.Add(step, p)
			if next = f.clamped(step); x.SSE(next) < eq.SSE {
				return next, math.Max(mu/5, 1e-12), true
			}
		}
		mu *= 8
	}
	return nil, mu, false
}

// The search for starts.
const (
	startsOfOne  = 1024 // places for each constant that is looked for
	mostPlaces   = 4096
	followed     = 24  // of the best places, by SSE
	followedMore = 8   // of all places, wherever they are
	placeRows    = 500 // on which places are compared
	mostDecades  = 3   // magnitudes are from 10^-3 to 10^3
)

// starts returns the constants at the best places and some others.
func (f Named) starts(d Data) ([][]float64, error) {
	if d.Rows() > placeRows {
		d = d.Take(Spread(d.Rows(), placeRows))
	}
	pr, err := newProjection(f, d)
	if err != nil {
		return nil, err
	}
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil {
		return nil, err
	}
	type start struct {
		p   []float64
		sse float64
	}
	var all []start
	for _, p := range f.places(pr.linear, scalesOf(d)) {
		p = f.clamped(pr.solve(p))
		if sse := x.SSE(p); !math.IsInf(sse, 0) {
			all = append(all, start{p, sse})
		}
	}
	var list [][]float64
	for _, s := range all[:min(followedMore, len(all))] {
		list = append(list, s.p)
	}
	slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.sse, b.sse) })
	for _, s := range all[:min(followed, len(all))] {
		list = append(list, s.p)
	}
	return list, nil
}

// places returns values of the constants that are not solved for, at the places of Roberts's R-sequence. The others
// are 1.
func (f Named) places(linear []bool, scales []float64) [][]float64 {
	var sought []int
	at := make([]float64, len(f.Constants))
	for i, c := range f.Constants {
		at[i] = 1
		if !math.IsNaN(c.Start) {
			at[i] = c.Start
		} else if !linear[i] {
			sought = append(sought, i)
		}
	}
	if len(sought) == 0 {
		return [][]float64{at}
	}
	root := 2. // g^(m+1) = g + 1
	for range 64 {
		root = math.Pow(1+root, 1/float64(len(sought)+1))
	}
	var places [][]float64
	for n := range min(mostPlaces, startsOfOne*len(sought)) {
		p := slices.Clone(at)
		for k, i := range sought {
			_, u := math.Modf(0.5 + float64(n)*math.Pow(root, -float64(k+1)))
			p[i] = placeOf(f.Constants[i], u, scales[(n+k*n/len(scales))%len(scales)])
		}
		places = append(places, p)
	}
	return places
}

// placeOf returns the value of a constant that u in [0, 1) stands for.
func placeOf(c formula.Parameter, u, scale float64) float64 {
	size := func(u float64) float64 { return scale * math.Pow(10, mostDecades*(2*u-1)) }
	switch low, high := !math.IsInf(c.Low, 0), !math.IsInf(c.High, 0); {
	case low && high:
		return c.Low + u*(c.High-c.Low)
	case low:
		return c.Low + size(u)
	case high:
		return c.High - size(u)
	case u < 0.5:
		return -size(2 * u)
	}
	return size(2*u - 1)
}

// scalesOf returns what magnitudes are counted in: 1, and the sizes of inputs that are far from it with their inverses.
func scalesOf(d Data) []float64 {
	const far = 10
	scales := []float64{1}
	for _, col := range d.X {
		if size := rootMeanSquare(col); size > far || size < 1./far && size > 0 {
			scales = append(scales, 1/size, size)
		}
	}
	return scales
}

// projection solves for the constants that enter linearly when the others are given.
type projection struct {
	linear []bool // of the constants of the form
	basis  []*formula.Program
	offset *formula.Program // the form without them
	d      Data
	cols   [][]float64
}

func newProjection(f Named, d Data) (*projection, error) {
	pr := &projection{linear: f.Linear(), d: d}
	vars := append(slices.Clone(f.Inputs), f.names()...)
	zero := map[string]formula.Expr{}
	for i, c := range f.Constants {
		if !pr.linear[i] {
			continue
		}
		zero[c.Name] = formula.Const(0)
		b, err := formula.Compile(formula.Diff(f.Expr, c.Name), vars)
		if err != nil {
			return nil, err
		}
		pr.basis = append(pr.basis, b)
	}
	offset, err := formula.Compile(formula.Substitute(f.Expr, zero), vars)
	if err != nil {
		return nil, err
	}
	pr.offset, pr.cols = offset, slices.Clone(d.X)
	for range f.Constants {
		pr.cols = append(pr.cols, make([]float64, d.Rows()))
	}
	return pr, nil
}

// Linear marks constants without a start whose derivative, and those of the others marked, no constant marked is in.
func (f Named) Linear() []bool {
	marked := make([]bool, len(f.Constants))
	var readers [][]string // variables of the derivatives of those marked
	for i, c := range f.Constants {
		if !math.IsNaN(c.Start) {
			continue
		}
		vars := formula.Vars(formula.Simplify(formula.Diff(f.Expr, c.Name)))
		free := !slices.Contains(vars, c.Name)
		for k, other := range f.Constants {
			free = free && (!marked[k] || !slices.Contains(vars, other.Name))
		}
		for _, r := range readers {
			free = free && !slices.Contains(r, c.Name)
		}
		if marked[i] = free; free {
			readers = append(readers, vars)
		}
	}
	return marked
}

// solve returns the constants with the linear ones that fit best; as they are, where there are no such.
func (pr *projection) solve(p []float64) []float64 {
	n := len(pr.basis)
	if n == 0 || pr.d.Rows() < n {
		return p
	}
	for i, v := range p {
		for r := range pr.cols[len(pr.d.X)+i] {
			pr.cols[len(pr.d.X)+i][r] = v
		}
	}
	a, y := mat.NewDense(pr.d.Rows(), n, nil), make([]float64, pr.d.Rows())
	scale := make([]float64, n)
	for k, b := range pr.basis {
		b.EvalColumns(y, pr.cols)
		pr.d.Weigh(y, 0)
		scale[k] = floats.Norm(y, 2)
		if !(scale[k] > 0) || math.IsInf(scale[k], 0) {
			return p
		}
		floats.Scale(1/scale[k], y)
		a.SetCol(k, y)
	}
	pr.offset.EvalColumns(y, pr.cols)
	floats.SubTo(y, pr.d.Y, y)
	pr.d.Weigh(y, 0)
	var qr mat.QR
	qr.Factorize(a)
	var w mat.VecDense
	if err := qr.SolveVecTo(&w, false, mat.NewVecDense(len(y), y)); Fails(err) {
		return p
	}
	p = slices.Clone(p)
	k := 0
	for i, linear := range pr.linear {
		if linear {
			p[i] = w.AtVec(k) / scale[k]
			k++
		}
	}
	return p
}
