package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// use makes a kernel the active one until the test ends.
func use(t testing.TB, s set) {
	t.Helper()
	if !available(s) {
		t.Skipf("this processor or build has no %s", s)
	}
	before := active
	active = s
	t.Cleanup(func() { active = before })
}

// with runs f on a kernel.
func with(s set, f func()) {
	before := active
	active = s
	defer func() { active = before }()
	f()
}

// assembled lists the kernels that are compared with the portable one.
var assembled = []set{avx2, avx512}

func eachKernel(t *testing.T, f func(t *testing.T, s set)) {
	for _, s := range assembled {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			f(t, s)
		})
	}
}

func random[T Float](rng *rand.Rand, n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(rng.NormFloat64())
	}
	return s
}

func epsilon[T Float]() float64 {
	var x T
	if unsafe.Sizeof(x) == 4 {
		return 0x1p-23
	}
	return 0x1p-52
}

// shapes are odd and even, small and those of the benchmark; laneCounts make every mix of vectors.
// With -short there are fewer.
func shapes() []Shape {
	list := []Shape{
		{Rows: 1, In: 50, Batch: 20}, {Rows: 1, In: 1, Batch: 1}, {Rows: 7, In: 3, Batch: 17},
		{Rows: 4, In: 1, Batch: 20}, {Rows: 2, In: 11, Batch: 13}, {Rows: 70, In: 9, Batch: 2}, {Rows: 11, In: 14, Batch: 9},
	}
	if testing.Short() {
		return list
	}
	return append(list, Shape{Rows: 60, In: 4, Batch: 20}, Shape{Rows: 60, In: 50, Batch: 20},
		Shape{Rows: 5, In: 5, Batch: 5}, Shape{Rows: 3, In: 23, Batch: 31})
}

func laneCounts() []int {
	if testing.Short() {
		return []int{4, 8, 28}
	}
	return []int{4, 8, 12, 16, 20, 24, 28}
}

// operands are random arrays of one shape.
type operands[T Float] struct {
	Shape
	w, z, y, x []T // z serves as z̄ too
}

func newOperands[T Float](rng *rand.Rand, s Shape) operands[T] {
	return operands[T]{
		Shape: s,
		w:     random[T](rng, s.Weights()), z: random[T](rng, s.Rows*s.Batch*s.Lanes),
		y: random[T](rng, s.In*s.Batch*s.Lanes), x: random[T](rng, s.In*s.Batch),
	}
}

// products lists the affine kernels: f computes out from the operands, terms is the length of
// the sums. Inputs that are not used are nil.
type affineCase[T Float] struct {
	name  string
	f     func(out []T, o operands[T])
	out   func(s Shape) int
	terms func(s Shape) int
}

func affineCases[T Float]() []affineCase[T] {
	z := func(s Shape) int { return s.Rows * s.Batch * s.Lanes }
	y := func(s Shape) int { return s.In * s.Batch * s.Lanes }
	in := func(s Shape) int { return s.In + 1 }
	batch := func(s Shape) int { return s.Batch }
	return []affineCase[T]{
		{"AffineForward", func(out []T, o operands[T]) { AffineForward(out, o.w, o.y, o.Shape) }, z, in},
		{"AffineForwardShared", func(out []T, o operands[T]) { AffineForwardShared(out, o.w, o.x, o.Shape) }, z, in},
		{"AffineInput", func(out []T, o operands[T]) { AffineInput(out, o.w, o.z, o.Shape) }, y,
			func(s Shape) int { return s.Rows }},
		{"AffineWeights", func(out []T, o operands[T]) { AffineWeights(out, o.z, o.y, o.Shape) }, Shape.Weights, batch},
		{"AffineWeightsShared", func(out []T, o operands[T]) { AffineWeightsShared(out, o.z, o.x, o.Shape) }, Shape.Weights,
			batch},
	}
}

func TestAffine(t *testing.T) {
	eachKernel(t, func(t *testing.T, _ set) {
		testAffine[float32](t)
		testAffine[float64](t)
	})
}

// A sum of n terms, rounded once or twice a term, is within n·ε/2·Σ|term| of the true one to
// first order, in portable as in fused arithmetic; the two may so be n·ε·Σ|term| apart.
func testAffine[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range shapes() {
		for _, lanes := range laneCounts() {
			shape.Lanes = lanes
			o := newOperands[T](rng, shape)
			for _, c := range affineCases[T]() {
				want, got, sizes := make([]T, c.out(shape)), make([]T, c.out(shape)), make([]T, c.out(shape))
				with(portable, func() {
					c.f(want, o)
					c.f(sizes, o.magnitudes())
				})
				c.f(got, o)
				for i := range want {
					tol := float64(c.terms(shape)) * epsilon[T]() * float64(sizes[i])
					if d := math.Abs(float64(got[i] - want[i])); !(d <= tol) {
						t.Fatalf("%s %T %+v: element %d is %v, portable %v", c.name, want[i], shape, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// magnitudes returns operands with the sizes of the numbers.
func (o operands[T]) magnitudes() operands[T] {
	size := func(s []T) []T {
		r := make([]T, len(s))
		for i, x := range s {
			r[i] = max(x, -x)
		}
		return r
	}
	return operands[T]{o.Shape, size(o.w), size(o.z), size(o.y), size(o.x)}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
