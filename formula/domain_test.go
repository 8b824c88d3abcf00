package formula

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// around is the region in which each input is data, and the box of twice the size.
func around(data Interval, inputs ...string) Region {
	r := Region{Inputs: inputs}
	for range inputs {
		r.Data = append(r.Data, data)
		r.Outer = append(r.Outer, Interval{data.middle() - data.width(), data.middle() + data.width()})
	}
	return r
}

func domainOf(t *testing.T, text string, r Region) Domain {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := DomainOf(e, r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFreeOfEdges(t *testing.T) {
	for _, text := range []string{
		"x + 2*y - z", "1/(x^2 + 1)", "1/(1 + exp(-x))", "sigmoid(1e6*x)", "sqrt((x - y)^2)", "1/(x^2 - 2*x + 2)",
		"sqrt(1 + sin(x))", "sqrt(x*x - 2*x + 1)", "1/(x^4 - 3*x^3 + 4*x^2 - 3*x + 1.1)", "log(x^2 + y^2 + z^2 + 1e-9)",
		"(x + 20)^y", "x^(4/2)", "x^3", "exp(x) - exp(-x)", "tan(x/4)", "1/(2 + sin(x)*cos(y))", "1/(1 + exp(1000*x))",
		"x/sqrt(1 + x^2*y^2)", "asin(tanh(x))", "acos(x/10)", "atan(x)/cosh(y)", "1/(1 + abs(x))",
		"sqrt(max(x, y)^2 + min(z, 1)^2)", "log(max(x, 0.5))", "sqrt(abs(x - y))", "log(2 + tanh(x)*sin(y*z))",
		"1/(1 + 1/(1 + x^2))", "(x^2 + 1)^-0.5", "exp(exp(x/3))", "0^(x^2)",
	} {
		if d := domainOf(t, text, around(Interval{-2, 3}, "x", "y", "z")); !d.Free() {
			t.Errorf("%s: edges %+v, open %v", text, d.Edges, d.Open)
		}
	}
}

// TestEdges has formulas of x, with data from -2 to 3 and a larger box from -4.5 to 5.5, and their nearest edges.
func TestEdges(t *testing.T) {
	touching := 3e-8 // where rounding hides what x^2 adds
	for _, c := range []struct {
		text     string
		kind     EdgeKind
		critical string
		place    float64
		tol      float64
		bounded  bool
	}{
		{"1/(x - 3.5)", PoleEdge, "x - 3.5", 3.5, 1e-12, false},
		{"1/(x - 3.5)^2", PoleEdge, "x - 3.5", 3.5, 1e-12, false},
		{"1/(x + 4.5)", PoleEdge, "x + 4.5", -4.5, 0, false},
		{"x*log(x)", LogEdge, "x", 0, 0, true},
		{"log(x)", LogEdge, "x", 0, 0, false},
		{"log(4 - x)", LogEdge, "4 - x", 4, 1e-12, false},
		{"sqrt(x + 2.5)", RootEdge, "x + 2.5", -2.5, 1e-12, true},
		{"asin(x/4)", ArcEdge, "1 - (x/4)^2", 4, 1e-7, true},
		{"acos(x + 2.5)", ArcEdge, "1 - (x + 2.5)^2", -1.5, 1e-7, true},
		{"1/abs(x - 3.5)", PoleEdge, "x - 3.5", 3.5, 1e-12, false},
		{"1/min(x, 3.5)", PoleEdge, "min(x, 3.5)", 0, 0, false},
		{"x^(1/3)", RootEdge, "x", 0, 0, true},
		{"(5 - x)^-0.5", PoleEdge, "5 - x", 5, 1e-12, false},
		{"(5 - x)^(x^2)", RootEdge, "5 - x", 5, 1e-12, true},
		{"tan(x/2)", PoleEdge, "cos(x/2)", math.Pi, 1e-12, false},
		{"exp(x^4)", OverflowEdge, "x^4", math.Pow(709.43, 0.25), 1e-12, false},
		{"1e300*x^8*1e3", OverflowEdge, "1e303*x^8", math.Pow(math.MaxFloat64/1e303, 0.125), 1e-12, false},
		{"1/exp(-x^4)", OverflowEdge, "1/exp(-x^4)", math.Pow(709.8, 0.25), 0.01, false},
		{"1/(1 + sin(x))", PoleEdge, "1 + sin(x)", -math.Pi / 2, touching, false},
		{"1/(x*x - 8*x + 16)", PoleEdge, "x*x - 8*x + 16", 4, 4 * touching, false},
		{"log(x*x - 8*x + 16)", LogEdge, "x*x - 8*x + 16", 4, 4 * touching, false},
		{"1/(x^6 - 8*x^3 + 16)", PoleEdge, "x^6 - 8*x^3 + 16", math.Cbrt(4), touching, false},
		{"1/(exp(x) - 100)", PoleEdge, "exp(x) - 100", math.Log(100), 1e-12, false},
		{"1/sin(x + 4)", PoleEdge, "sin(x + 4)", math.Pi - 4, 1e-12, false},
		{"1/((x - 5)*(x + 4)*(x^2 - 3.5^2))", PoleEdge, "x^2 - 3.5^2", 3.5, 1e-12, false},
		{"1/(1 + 1/(x - 5))", PoleEdge, "1 + 1/(x - 5)", 4, 1e-12, false},
		{"sin(x)/x", PoleEdge, "x", 0, 0, true},
		{"log(1/(4 - x))", LogEdge, "4 - x", 4, 1e-12, false},
		{"1/sqrt(3*(4 - x)^3)", PoleEdge, "4 - x", 4, 1e-12, false},
		{"log(sqrt(x + 4) - 1)", LogEdge, "sqrt(x + 4) - 1", -3, 1e-12, false},
		{"1/(x - 1)*(x - 1)", PoleEdge, "x - 1", 1, 1e-12, true},
	} {
		r := around(Interval{-2, 3}, "x")
		d := domainOf(t, c.text, r)
		if len(d.Edges) == 0 || len(d.Open) > 0 {
			t.Errorf("%s: edges %+v, open %v", c.text, d.Edges, d.Open)
			continue
		}
		e := d.Edges[0]
		beyond := c.place - r.Data[0].nearest(c.place)
		if e.Kind != c.kind || e.Critical.String() != c.critical || !reflect.DeepEqual(e.Inputs, []string{"x"}) ||
			!(math.Abs(e.Place[0]-c.place) <= c.tol) || !(math.Abs(e.Beyond[0]-beyond) <= c.tol) ||
			!(math.Abs(e.Distance-math.Abs(beyond)/5) <= c.tol) || e.Inside() != (beyond == 0) || e.Bounded != c.bounded {
			t.Errorf("%s: %v of %s at %v, %v beyond, %v, bounded %v\nwant %v of %s at %v, bounded %v", c.text,
				e.Kind, e.Critical, e.Place, e.Beyond, e.Distance, e.Bounded, c.kind, c.critical, c.place, c.bounded)
		}
	}
}

// Where the values go on behind an edge as they come it is one that they go through.
func TestEdgesThatAreGoneThrough(t *testing.T) {
	for text, want := range map[string]bool{
		"sin(x)/x": true, "x^3/(exp(x) - 1)": true, "1/(x - 1)*(x - 1)": true, "1/(1 + 1/x^2)": true, "x/(1 + 1/x)": true,
		"1/sqrt(1 + 1/x^2)":         false, // |x|/sqrt(1 + x^2)
		"1/sqrt((1/x + 2)/x + 0.1)": false,
		"exp(-1/x)":                 false, // infinite on the other side
		"atan(1/x)":                 false, // jumps
		"x/(exp(1/x) - 1)":          false, // 0, and -x
		"1/x":                       false,
		"(1 + x)/(2 + 1/x) + 5":     true,
		"1e-9*sin(x)/x":             true,
		"100 + sin(10*x)/x + 1/sqrt(1 + 1/x^2)/7": false,
	} {
		d := domainOf(t, text, around(Interval{0.5, 3}, "x"))
		if len(d.Edges) == 0 || !(math.Abs(d.Edges[0].Place[0]-math.Round(d.Edges[0].Place[0])) <= 1e-9) {
			t.Errorf("%s: edges %+v", text, d.Edges)
			continue
		}
		if got := d.Edges[0].Through; got != want {
			t.Errorf("%s: goes through %v: %t, want %t", text, d.Edges[0].Place[0], got, want)
		}
	}
}

// An edge that depends on one input of several is a threshold in that input.
func TestEdgesOfOneInputOfMany(t *testing.T) {
	r := around(Interval{1, 5}, "weeks", "celsius", "mass")
	for i := range r.Outer {
		r.Outer[i].Lo = 0
	}
	d := domainOf(t, "mass*weeks/(6.25 - celsius) + exp(200*weeks) + sqrt(mass + 1)", r)
	if len(d.Edges) != 2 || len(d.Open) > 0 {
		t.Fatalf("edges %+v, open %v", d.Edges, d.Open)
	}
	for i, want := range []Edge{
		{Kind: OverflowEdge, Inputs: []string{"weeks"}, Place: []float64{709.43 / 200, 3, 3}},
		{Kind: PoleEdge, Inputs: []string{"celsius"}, Place: []float64{3, 6.25, 3}, Beyond: []float64{0, 1.25, 0}},
	} {
		e := d.Edges[i]
		if e.Kind != want.Kind || !reflect.DeepEqual(e.Inputs, want.Inputs) || len(e.Place) != 3 {
			t.Errorf("edge %d is %+v, want %+v", i, e, want)
		}
		for k, x := range want.Place {
			if math.Abs(e.Place[k]-x) > 1e-12 {
				t.Errorf("edge %d is at %v, want %v", i, e.Place, want.Place)
			}
		}
	}
	if e := d.Edges[1]; e.Distance != 1.25/4 || e.Inside() {
		t.Errorf("the pole is %v away, want 0.3125", e.Distance)
	}
}

// What one row alone is behind is found from the rows, however small its box is.
func TestEdgesBetweenRows(t *testing.T) {
	r := around(Interval{0, 1}, "x", "y")
	x, y := make([]float64, 200), make([]float64, 200)
	for i := range x {
		x[i], y[i] = float64(i)/199, float64(i*37%200)/199
	}
	r.Rows = [][]float64{x, y}
	d := domainOf(t, "1/((x - 0.5025126)^2 + (y - 0.5)^2*0 - 1e-12)", r)
	if len(d.Edges) != 1 || !d.Edges[0].Inside() || math.Abs(d.Edges[0].Place[0]-0.5025126) > 2e-6 {
		t.Errorf("edges %+v, open %v", d.Edges, d.Open)
	}
}

// Where no point of the data has a value, the edge is in the data, not where the larger box begins to have values.
func TestEdgesWithoutValues(t *testing.T) {
	for _, text := range []string{"sqrt(-3 - x)", "log(-3 - x)", "1/sqrt(-3 - x)", "exp(x^2 + 800)"} {
		d := domainOf(t, text, around(Interval{-2, 3}, "x"))
		if len(d.Edges) != 1 || !d.Edges[0].Inside() || d.Edges[0].Bounded {
			t.Errorf("%s: %+v", text, d)
		}
	}
	// The sign of what is a denominator nowhere in the data is learned from the larger box: log(x) is zero at 1.
	d := domainOf(t, "1/log(x - 3.5)", around(Interval{-2, 3}, "x"))
	if len(d.Edges) != 2 || math.Abs(d.Edges[0].Place[0]-3.5) > 1e-12 && !d.Edges[0].Inside() ||
		math.Abs(d.Edges[1].Place[0]-4.5) > 1e-12 {
		t.Errorf("%+v", d)
	}
}

func TestDomainOfConstants(t *testing.T) {
	for text, kind := range map[string]EdgeKind{
		"1/0": PoleEdge, "log(-1)": LogEdge, "sqrt(-2)": RootEdge, "exp(1000)": OverflowEdge, "x + (0 - 3)^0.5": RootEdge,
	} {
		d := domainOf(t, text, around(Interval{-2, 3}, "x"))
		if len(d.Edges) != 1 || d.Edges[0].Kind != kind || len(d.Edges[0].Inputs) > 0 || !d.Edges[0].Inside() {
			t.Errorf("%s: %+v", text, d)
		}
	}
}

func TestDomainOfRefuses(t *testing.T) {
	rows := around(Interval{0, 1}, "x", "y")
	rows.Rows = [][]float64{{1, 2}, {1}}
	for name, r := range map[string]Region{
		"rows of unequal length": rows,
		"another variable":       around(Interval{0, 1}, "y"),
		"no ranges":              {Inputs: []string{"x"}},
		"empty range":            {Inputs: []string{"x"}, Data: []Interval{{1, 0}}, Outer: []Interval{{0, 1}}},
		"NaN":                    {Inputs: []string{"x"}, Data: []Interval{{0, 1}}, Outer: []Interval{{math.NaN(), 1}}},
	} {
		if _, err := DomainOf(Var("x"), r); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	r := Region{Inputs: []string{"x"}, Data: []Interval{{1, 2}}, Outer: []Interval{{math.Inf(-1), math.Inf(1)}}}
	if d, err := DomainOf(Div(Const(1), Var("x")), r); err != nil || len(d.Edges) != 1 || d.Edges[0].Place[0] != 0 {
		t.Errorf("infinite ranges: %+v, %v", d, err)
	}
}

// TestPlantedPoles puts a zero of a denominator at a random place of one input, in the data or beyond it.
func TestPlantedPoles(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	shapes := []string{
		"1/(x - %[1]v)", "y/(x - %[1]v)^2", "(x + y)/(x^3 - (%[1]v)^3)", "1/(exp(x/3) - exp((%[1]v)/3))",
		"y*z/((x - %[1]v)*(x^2 + y^2 + 1))", "z/(sqrt(x + 40) - sqrt(40 + %[1]v))", "1/(x^2 - 2*(%[1]v)*x + (%[1]v)^2)",
		"tanh(y)/(sin(x/20) - sin((%[1]v)/20))", "log((x - %[1]v)^2)", "sqrt(z^2)/(x*(y^2 + 1) - (%[1]v)*(y^2 + 1))",
	}
	for i := range 300 {
		lo := 4 * r.NormFloat64()
		region := around(Interval{lo, lo + 1 + 5*r.Float64()}, "x", "y", "z")
		place := region.Outer[0].Lo + r.Float64()*region.Outer[0].width()
		text := fmt.Sprintf(shapes[i%len(shapes)], place)
		d := domainOf(t, text, region)
		if len(d.Edges) != 1 || len(d.Open) > 0 || !(math.Abs(d.Edges[0].Place[0]-place) <= 1e-6) {
			t.Errorf("%s on %v: edges %+v, open %v", text, region.Data, d.Edges, d.Open)
		}
	}
}

// TestFreeIsFinite evaluates random expressions where they are proven to have values, and those that have edges next to
// them.
func TestFreeIsFinite(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 300
	}
	r := rand.New(rand.NewPCG(33, 34))
	free, edges, open := 0, 0, 0
	for i := range n {
		e := randomExpr(r, 1+i%5)
		if i%2 == 0 {
			e = Simplify(e)
		}
		lo := r.NormFloat64()
		region := around(Interval{lo, lo + 2*r.Float64()}, "x1", "x2", "x3")
		d, err := DomainOf(e, region)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Free() {
			edges += min(1, len(d.Edges))
			open += min(1, len(d.Open))
			checkEdges(t, e, d, region)
			continue
		}
		free++
		for range 100 {
			at := map[string]float64{}
			for k, b := range region.Outer {
				at[region.Inputs[k]] = b.Lo + r.Float64()*b.width()
			}
			if v := eval(e, at); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s is free on %v, but %v at %v", e, region.Outer, v, at)
			}
		}
	}
	t.Logf("%d free, %d with edges, %d open of %d", free, edges, open, n)
	if free < n/3 || edges < n/5 || open > n/20 {
		t.Errorf("%d free, %d with edges, %d open of %d", free, edges, open, n)
	}
}

// checkEdges fails unless each edge is in the larger box and as far from the data as it says.
func checkEdges(t *testing.T, e Expr, d Domain, r Region) {
	t.Helper()
	last := 0.0
	for _, g := range d.Edges {
		far := 0.0
		for i, x := range g.Place {
			if !r.Outer[i].Contains(x) || math.Abs(x-g.Beyond[i]-r.Data[i].nearest(x)) > 1e-12 {
				t.Errorf("%s: edge %+v outside %v", e, g, r.Outer)
			}
			far = max(far, math.Abs(g.Beyond[i])/r.Data[i].width())
		}
		if !(math.Abs(far-g.Distance) <= 1e-12) || g.Kind != OverflowEdge && g.Distance < last {
			t.Errorf("%s: edge %+v is %v away", e, g, far)
		}
		last = g.Distance
		checkZero(t, e, d, g, r)
	}
}

// checkZero fails unless the critical part is zero at an edge: next to what it is elsewhere in the region, to a
// millionth. It is negative where all the data have no value, and may be anything next to another edge.
func checkZero(t *testing.T, e Expr, d Domain, g Edge, r Region) {
	t.Helper()
	p, err := Compile(g.Critical, r.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	size := 0.0
	for _, x := range spreadPoints(r.Outer, 50) {
		if v := math.Abs(p.Eval(x)); v > size && v <= math.MaxFloat64 {
			size = v
		}
	}
	v := p.Eval(g.Place)
	if g.Kind == OverflowEdge || math.Abs(v) <= 1e-6*size {
		return
	}
	if v < 0 && (g.Inside() || g.Kind != PoleEdge || fractional(g.Part)) {
		return
	}
	at := map[string]float64{}
	for i, name := range r.Inputs {
		at[name] = g.Place[i]
	}
	for _, o := range d.Edges {
		if !Equal(o.Critical, g.Critical) && !(math.Abs(eval(o.Critical, at)) > 1e-6) {
			return
		}
	}
	t.Errorf("%s: %v of %s at %v, where it is %v (elsewhere %v); all edges: %+v",
		e, g.Kind, g.Critical, g.Place, v, size, d.Edges)
}

func fractional(e Expr) bool {
	p, ok := e.(*power)
	if !ok {
		return false
	}
	_, isWhole := wholeNumber(p.exp)
	return !isWhole
}

// TestDomainOfManyInputs spends its budget and says so, and finds what is on the way.
func TestDomainOfManyInputs(t *testing.T) {
	const n = 20
	inputs, squares, sines := make([]string, n), make([]string, n), make([]string, n)
	for i := range inputs {
		inputs[i] = fmt.Sprintf("x%d", i+1)
		squares[i] = fmt.Sprintf("(%s^2 - %s + 0.3)", inputs[i], inputs[i])
		sines[i] = fmt.Sprintf("sin(3*x%d*x%d)", i+1, (i+7)%n+1)
	}
	r := around(Interval{-1, 2}, inputs...)
	for _, c := range []struct {
		text  string
		edges int
		open  bool
	}{
		{"1/(0.1 + " + strings.Join(squares, " + ") + ")", 0, true},
		{"log(" + strings.Join(sines, " + ") + " + 20.5)", 0, false},
		{"log(" + strings.Join(sines, " + ") + " + 3)", 1, false},
		{"1/(" + strings.Join(inputs, " + ") + " - 55)", 1, false},
	} {
		d := domainOf(t, c.text, r)
		if len(d.Edges) != c.edges || len(d.Open) > 0 != c.open {
			t.Errorf("%s: edges %+v, open %v", c.text, d.Edges, d.Open)
		}
	}
	again := domainOf(t, "log("+strings.Join(sines, " + ")+" + 3)", r)
	if d := domainOf(t, "log("+strings.Join(sines, " + ")+" + 3)", r); !reflect.DeepEqual(d, again) {
		t.Errorf("the same question has two answers: %+v, %+v", d, again)
	}
}

func FuzzEdges(f *testing.F) {
	for _, s := range []string{
		"1/(x - 1)", "x*log(x)", "tan(x)^-0.5", "x^y", "sqrt(1 + sin(x))", "1/(1 + exp(-x))", "0/0",
		"1e300*x*1e300", "exp(exp(x))", "x^1e300", "x^(1/0)", "1/tan(1/x)", "log(log(x))", "(x - y)^-2",
		"1e20 - 1e20 + 1/(x + 3)", "x^-1e-300", "5e-324*x/5e-324",
	} {
		f.Add(s, -2.0, 3.0, 0.0)
	}
	f.Fuzz(func(t *testing.T, s string, lo, width, row float64) {
		e, err := Parse(s)
		if err != nil || len(s) > 500 {
			return
		}
		r := around(Interval{lo, lo + math.Abs(width)}, Vars(e)...)
		for range r.Inputs {
			r.Rows = append(r.Rows, []float64{lo, row})
		}
		d, err := DomainOf(e, r)
		if err != nil {
			return // a range of NaN
		}
		for _, g := range d.Edges {
			if len(g.Place) != len(r.Inputs) || len(g.Beyond) != len(r.Inputs) || math.IsNaN(g.Distance) || g.Distance < 0 {
				t.Errorf("%s: %+v", s, g)
			}
		}
		if !d.Free() {
			return
		}
		for _, p := range spreadPoints(r.Outer, 30) {
			at := map[string]float64{}
			for i, name := range r.Inputs {
				at[name] = min(max(p[i], -1e300), 1e300)
			}
			if v := eval(e, at); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s is free on %v, but %v at %v", s, r.Outer, v, at)
			}
		}
	})
}

func ExampleDomainOf() {
	e, err := Parse("0.4*weeks + 12/(277.5 - celsius) + weeks*log(weeks)")
	if err != nil {
		panic(err)
	}
	d, err := DomainOf(e, Region{
		Inputs: []string{"celsius", "weeks"},
		Data:   []Interval{{75, 275}, {1, 9}},
		Outer:  []Interval{{0, 375}, {0, 13}},
	})
	if err != nil {
		panic(err)
	}
	for _, edge := range d.Edges {
		fmt.Printf("%v where %v = 0, at %v = %v: %v beyond the data; a limit: %v\n",
			edge.Kind, edge.Critical, edge.Inputs, edge.Place, edge.Beyond, edge.Bounded)
	}
	// Output:
	// pole where 277.5 - celsius = 0, at [celsius] = [277.5 5]: [2.5 0] beyond the data; a limit: false
	// logarithm where weeks = 0, at [weeks] = [175 0]: [0 -1] beyond the data; a limit: true
}

func BenchmarkDomainOf(b *testing.B) {
	for _, text := range []string{
		"1/(x^2 + 1)", "x*y/(x + y + z + 20) + log(x + 9)*sqrt(y^2 + z^2 + 1)", "1/(x^6 - 2*x^3*y + y^2 + z^2 - z + 0.26)",
	} {
		e, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		r := around(Interval{-2, 3}, "x", "y", "z")
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DomainOf(e, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
