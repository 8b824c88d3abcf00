package batch

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Each table is read once, however many laws it has, and only its rows get them; what cannot be read is said.
func TestTakeLaws(t *testing.T) {
	s := &Summary{}
	laws := []eql.SharedLaw{{Target: "y"}, {Target: "z"}}
	for i := range laws {
		laws[i].Form = formula.Mul(formula.Var("c1"), formula.Var("x"))
		laws[i].Constants = []eql.SharedConstant{{Name: "c1"}}
	}
	for k := range 20 {
		name := fmt.Sprint("t", k)
		for i := range laws {
			s.Rows = append(s.Rows, Row{Table: name, Target: laws[i].Target, Text: "own"})
			s.Sketches = append(s.Sketches, Sketch{})
			laws[i].Tables = append(laws[i].Tables, eql.TableLaw{
				Table: name, Formula: formula.Mul(formula.Const(float64(k+i+2)), formula.Var("x")), Evidence: &evidence.Evidence{},
			})
		}
	}
	var reads atomic.Int64
	table := &datasets.Table{Names: []string{"x", "y", "z"}, Cols: [][]float64{{1, 2, 4}, {2, 4, 8}, {3, 6, 12}}}
	err := s.TakeLaws(laws, 3, func(string) (*datasets.Table, error) { reads.Add(1); return table, nil })
	if err != nil || reads.Load() != 20 {
		t.Errorf("%v; 20 tables are read %d times", err, reads.Load())
	}
	for n, r := range s.Rows {
		if want := fmt.Sprintf("%d*x", n/2+n%2+2); r.Text != want || r.Law != n%2+1 || r.Own != "own" ||
			len(s.Sketches[n].Points) != 6 {
			t.Errorf("%s of %s is %s by law %d, want %s; its own is %s", r.Target, r.Table, r.Text, r.Law, want, r.Own)
		}
	}
	gone := errors.New("gone")
	if err := s.TakeLaws(laws, 3, func(string) (*datasets.Table, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Errorf("tables that are gone: %v", err)
	}
}
