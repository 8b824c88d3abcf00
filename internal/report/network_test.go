package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/eqlearner/eql/model"
)

// sparseNetwork computes 2·sin(3·x1 + 0.5) − 0.7·(x2·(x1 − 1)), with a unit that nothing reads and
// weights too small to be drawn.
func sparseNetwork() *model.Network {
	n := model.New(model.Arch{Inputs: 2, Outputs: 1,
		Hidden: []model.Layer{{Unary: []model.Unit{model.Sin, model.Cos}, Products: 1}}})
	first, last := n.Weights[0], n.Weights[1]
	set := func(row []float64, w ...float64) { copy(row, w) }
	set(first.Row(0), 0, 1)         // first factor: x2
	set(first.Row(1), 1, 0.004, -1) // second factor: x1 − 1
	set(first.Row(2), 3, 0, 0.5)    // sin
	set(first.Row(3), 5, 0, 0)      // cos, not read
	set(last.Row(0), 2, 0, -0.7)    // sin, cos, product
	return n
}

// denseNetwork has thousands of weights that matter.
func denseNetwork() *model.Network {
	n := model.New(model.Uniform(30, 3, 4, 20, 20, model.Units()))
	n.Init(rand.New(rand.NewPCG(1, 2)))
	return n
}

func TestDrawing(t *testing.T) {
	f := Drawing{Network: sparseNetwork()}.Figure()
	text, _ := f.svg()
	for _, want := range []string{">sin<", ">×<", ">3<", ">2<", ">−0.7<", ">0.5<", ">x1<", ">x2<",
		">y<", "second factor"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s is drawn in\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"cos", ">5<", "0.004", "largest of"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%s is drawn", unwanted)
		}
	}
	for _, want := range []string{"2 units and 5 weights", "sin 1 of layer 1 reads 3 times x1", "bias 0 and −1"} {
		if !strings.Contains(f.Words(), want) {
			t.Errorf("no %q in %q", want, f.Words())
		}
	}
}

// TestDrawingOfManyUnits keeps a dense network small, and says that it does.
func TestDrawingOfManyUnits(t *testing.T) {
	l := newLayout(denseNetwork())
	l.arrange()
	for k := range l.layers {
		if n := len(l.used(k)); n > mostUnits {
			t.Errorf("layer %d has %d units drawn, want at most %d", k, n, mostUnits)
		}
	}
	if len(l.edges) > mostEdges || len(l.edges) < mostEdges/4 || l.weights < 1000 {
		t.Errorf("%d of %d weights are drawn", len(l.edges), l.weights)
	}
	f := Drawing{Network: denseNetwork()}.Figure()
	if text, _ := f.svg(); !strings.Contains(text, "largest of") || len(text) > 200_000 || f.height > 900 {
		t.Errorf("%d bytes, %g high: %s", len(text), f.height, l.note())
	}
}

// TestNodesDoNotOverlap looks at the places of nodes in sparse and dense networks.
func TestNodesDoNotOverlap(t *testing.T) {
	for name, n := range map[string]*model.Network{"sparse": sparseNetwork(), "dense": denseNetwork()} {
		l := newLayout(n)
		l.arrange()
		var taken []vg.Rectangle
		for k := range l.layers {
			for _, i := range l.used(k) {
				at := l.layers[k][i].at
				half := vg.Point{X: l.halfWidth(l.layers[k][i]), Y: l.radius}
				r := vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
				if overlap(r, taken) > 0 || r.Min.X < 0 || r.Max.X > l.width || r.Min.Y < 0 || r.Max.Y > l.height {
					t.Errorf("%s: node %d of layer %d covers another or leaves the figure", name, i, k)
				}
				taken = append(taken, r)
			}
		}
	}
}

// TestUncross orders two units so that their edges do not cross: the first reads the second input
// and the second the first.
func TestUncross(t *testing.T) {
	n := model.New(model.Arch{Inputs: 2, Outputs: 2, Hidden: []model.Layer{{Unary: []model.Unit{model.Sin, model.Cos}}}})
	n.Weights[0].Row(0)[1], n.Weights[0].Row(1)[0] = 1, 1
	n.Weights[1].Row(0)[1], n.Weights[1].Row(1)[0] = 1, 1
	l := newLayout(n)
	l.arrange()
	if sin, cos := l.layers[1][0].at, l.layers[1][1].at; sin.Y >= cos.Y {
		t.Errorf("sin is at %v and cos at %v, want cos above", sin, cos)
	}
}

func TestWeightLabel(t *testing.T) {
	for w, want := range map[float64]string{0.123: "0.12", -3.14159: "−3.14", 0.001: "0", 12: "12", 123456: "1.23e+05",
		math.Copysign(0, -1): "0"} {
		if got := weightLabel(w); got != want {
			t.Errorf("%g is %q, want %q", w, got, want)
		}
	}
}
