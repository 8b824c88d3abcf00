package fit

import "math"

// floors are the least predictions that relative errors may be in proportion to, over the median size of the target.
var floors = []float64{0.01, 0.1}

const (
	// falseAlarm is the probability, at most, with which equal errors are taken for relative ones: data that have the law
	// of one likelihood are by a factor k more likely under another with a probability of 1/k.
	falseAlarm = 0.005
	// farRows is in which part of the rows predictions may be half of the target or less, or twice as large or more.
	farRows = 0.1
)

// DecisiveErrors is by how much the criterion of other errors must be lower than that of equal ones. Relative errors
// may have one of several floors.
var DecisiveErrors = 2 * math.Log(float64(len(floors))/falseAlarm)

// RelativeErrors returns the standard deviations of rows, on a common scale, whose errors are in proportion to a
// prediction, or to a floor where that is larger: a hundredth or a tenth of the median size of the target, which is the
// likelier by the rows in used. Without predictions, or where they are far from the target in more than a tenth of the
// rows, errors are in proportion to the target, and the floor is a hundredth.
func RelativeErrors(y, predicted []float64, used []int) (sigma []float64, floor float64) {
	middle := MedianSize(y)
	if predicted == nil || farOff(y, predicted) {
		return notBelow(y, floors[0]*middle), floors[0] * middle
	}
	least := math.Inf(1)
	for _, f := range floors {
		of := notBelow(predicted, f*middle)
		sum, squares := 0.0, 0.0
		for _, i := range used {
			z := (y[i] - predicted[i]) / of[i]
			sum, squares = sum+math.Log(of[i]), squares+z*z
		}
		if v := sum + float64(len(used))/2*math.Log(squares); sigma == nil || v < least {
			least, sigma, floor = v, of, f*middle
		}
	}
	return sigma, floor
}

// notBelow returns the sizes of numbers, none below a floor.
func notBelow(v []float64, floor float64) []float64 {
	sizes := Magnitudes(v)
	for i, s := range sizes {
		sizes[i] = math.Max(s, floor)
	}
	return sizes
}

// farOff reports whether predictions are far from the target in too many rows.
func farOff(y, predicted []float64) bool {
	far := 0
	for i, v := range y {
		if ratio := predicted[i] / v; !(ratio > 0.5 && ratio < 2) {
			far++
		}
	}
	return float64(far) > farRows*float64(len(y))
}
