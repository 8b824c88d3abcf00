package eql

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

const (
	relativeRounds = 50   // of weights from predictions and constants from weights
	relativeTol    = 1e-9 // relative change of the constants at which these end
)

// FitFormErrors is [FitForm] where the errors of rows are of one size (absolute), are in proportion to the prediction
// (relative), or are what is likelier (auto): relative if the data are 400 times as likely then, and otherwise of one
// size. With relative errors squares are weighted by one over the square of the prediction, as it is fitted, or of a
// hundredth or a tenth of the target's median size, whichever is likelier, if that is larger. [Fit] decides by the same
// rules.
func FitFormErrors(f KnownForm, t *datasets.Table, errors run.Errors) (*FormFit, error) {
	switch {
	case errors == run.ErrorsAbsolute || len(f.Unknown) > 0:
		return FitForm(f, t)
	case errors == run.ErrorsRelative:
		return fitRelative(f, t)
	}
	equal, err := FitForm(f, t)
	if err != nil {
		return nil, err
	}
	// Weights of geometric mean 1 make the sums of squares those of one likelihood.
	relative, err := fitRelative(f, t)
	if err != nil || !(float64(equal.Rows)*math.Log(equal.squares/relative.squares) > fit.DecisiveErrors) {
		return equal, nil
	}
	return relative, nil
}

// fitRelative fits a form by weights and the weights by its predictions, in turns, beginning with the target in their
// place.
func fitRelative(f KnownForm, t *datasets.Table) (*FormFit, error) {
	d, err := dataOf(t, f.Inputs, f.Target)
	if err != nil {
		return nil, err
	}
	if !(fit.MedianSize(d.Y) > 0) {
		return nil, fmt.Errorf("half of the rows of %q are 0, so errors cannot be in proportion to it "+
			"(choose absolute errors)", f.Target)
	}
	all := make([]int, d.Rows())
	for i := range all {
		all[i] = i
	}
	weigh := func(predicted []float64) {
		sigma, _ := fit.RelativeErrors(d.Y, predicted, all)
		d.W, _ = fit.RootWeights(sigma)
	}
	weigh(nil)
	fitted, err := named(f).Fit(d)
	for range relativeRounds {
		if err != nil {
			return nil, fmt.Errorf("fitting %q: %w", f.Target, err)
		}
		before := fitted.Values
		predicted, _ := fitted.At(d.X, d.Rows())
		weigh(predicted)
		if fitted, err = named(f).FitFrom(before, d); err == nil && near(before, fitted.Values) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("fitting %q: %w", f.Target, err)
	}
	r := newFormFit(f, fitted, d)
	r.Relative = true
	return r, nil
}

// near reports whether constants hardly differ.
func near(a, b []float64) bool {
	for i, v := range a {
		if !(math.Abs(v-b[i]) <= relativeTol*math.Max(math.Abs(v), math.Abs(b[i]))) {
			return false
		}
	}
	return true
}
