package sweep

import (
	"math"
	"strconv"

	"github.com/eqlearner/eql/trainer"
)

// CurvePoints is how many points of its training curve a network keeps, but at most one an epoch.
const CurvePoints = 100

// CurveEpoch returns the epoch, counted from 1, of point i of a training curve: the points are
// evenly spread, and the last is at the end.
func CurveEpoch(i, epochs int) int {
	n := min(CurvePoints, epochs)
	return ((i+1)*epochs + n - 1) / n
}

// curves are the training curves of a group, one a lane.
type curves [][]float64

// add adds the losses of an epoch if a point is due. The curve of a lane ends where its loss is not
// finite; one whose beginning is lost, with a checkpoint from elsewhere, stays empty.
func (c curves) add(e trainer.Event) {
	n := min(CurvePoints, e.Epochs)
	due := e.Epoch * n / e.Epochs
	if due == (e.Epoch-1)*n/e.Epochs {
		return
	}
	for lane, loss := range e.Losses {
		if len(c[lane]) == due-1 && !math.IsNaN(loss) && !math.IsInf(loss, 0) {
			c[lane] = append(c[lane], fourDigits(loss))
		}
	}
}

// fourDigits rounds a number that is kept to be looked at.
func fourDigits(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return r
}
