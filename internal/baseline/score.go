package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/eqlearner/eql/trainer"
)

// Score is how a setting does: one model an output, fitted to the training rows and judged on the
// validation rows.
type Score struct {
	RMS        float64 `json:"rms"`        // root of the mean of squares over validation rows and outputs
	Support    int     `json:"support"`    // support vectors, summed over the outputs
	Iterations int     `json:"iterations"` // summed over the outputs
	Converged  bool    `json:"converged"`  // false when a fit stopped at its limit of iterations
}

// Score fits a model an output to the training rows and judges them on the validation rows, which is
// how a setting is chosen from a grid. The outputs share what the cache holds of the kernel matrix.
//
// It returns an error when the setting or a column is invalid, and ctx's error when ctx is done.
func (s SVR) Score(ctx context.Context, train, validation trainer.Data) (Score, error) {
	errs := []error{s.Validate(), checkColumns("training: ", train.X, train.Y),
		checkColumns("validation: ", validation.X, validation.Y)}
	if len(train.X) != len(validation.X) || len(train.Y) != len(validation.Y) {
		errs = append(errs, fmt.Errorf("training has %d inputs and %d outputs, validation %d and %d; want as many",
			len(train.X), len(train.Y), len(validation.X), len(validation.Y)))
	}
	if err := errors.Join(errs...); err != nil {
		return Score{}, err
	}
	p := newPoints(train.X)
	kernel := newCache(p, s.Gamma, s.cacheBytes())
	score, squares := Score{Converged: true}, 0.0
	for o, y := range train.Y {
		m, err := s.fit(ctx, p, kernel.column, y)
		if err != nil {
			return Score{}, err
		}
		score.Support += m.Support()
		score.Iterations += m.Iterations()
		score.Converged = score.Converged && m.Converged()
		for i, f := range m.Predict(validation.X) {
			d := f - validation.Y[o][i]
			squares += d * d
		}
	}
	score.RMS = math.Sqrt(squares / float64(len(train.Y)*validation.Rows()))
	return score, nil
}
