package sweep

import (
	"context"
	"math"
	"testing"

	"github.com/eqlearner/eql/model"
)

// searchedRun is a run whose networks are too few to find anything, so that the general search has to.
func searchedRun(t *testing.T, truth string, units []model.Unit) *Result {
	t.Helper()
	s := short()
	s.Extend = 1
	if units != nil {
		s.Units = units
	}
	return mustRun(t, task(table(t, 300, 0.01, map[string]string{"p": truth}), "p"), s, Options{})
}

// What neither networks nor growth find, the general search does, and the verdict says how.
func TestGeneralSearch(t *testing.T) {
	r := searchedRun(t, "exp(-a^2)*tanh(3*b)/(2 + a)", nil)
	c := r.Chosen[0]
	if c.Scaled > 0.05 || c.Evidence == nil || math.IsNaN(c.Validation) {
		t.Errorf("%s: error %g", c.Formula, c.Scaled)
	}
	t.Logf("%s, %s", c.Formula, c.Evidence.Sentence())
}

// A run without further rounds looks for nothing beyond its grid.
func TestGeneralSearchIsAsked(t *testing.T) {
	r := newRunner(nil, short(), Options{})
	if r.searchOn(context.Background(), &Result{Chosen: make([]Choice, 1)}) {
		t.Error("the search was asked in a run without further rounds")
	}
}
