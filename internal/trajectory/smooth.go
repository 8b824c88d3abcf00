package trajectory

import (
	"math"
	"slices"
)

// smoothing is how a column is smoothed, and what comes of it.
type smoothing struct {
	window   int     // rows that each polynomial is fitted to
	noise    float64 // standard deviation of the column about its smooth values
	x, slope []float64
	spread   []float64 // of the slopes, where the noise has standard deviation 1
	bias     float64   // of the slopes at most, see biasOf
	apart    int       // rows from one to the next whose slopes share hardly any noise
}

const (
	// degree of the polynomials. It is even, as one of odd degree more takes nothing from the bias of a slope. Of 2, 4 and
	// 6 the last has the least errors for three systems and noise of 0 to 5 % alike, each with the best window.
	degree      = 6
	narrowest   = degree + 3 // window
	cvRows      = 400        // rows at most, evenly spread, that are left out to choose
	widestShare = 0.25       // of the rows
	windowRatio = 1.25
	narrower    = 0.8 // of the window that predicts left-out values best: their slopes need a narrower one
)

// smooth chooses the window by cross-validation and smooths the column with it.
func smooth(t, x []float64) smoothing {
	best, window := math.Inf(1), narrowest
	for w := narrowest; w <= max(narrowest, int(widestShare*float64(len(t)))); w = odd(windowRatio * float64(w+2)) {
		if e := leaveOut(t, x, w); e < best {
			best, window = e, w
		}
	}
	return smoothWith(t, x, max(narrowest, odd(narrower*float64(window))))
}

func odd(x float64) int { return int(x)/2*2 + 1 }

// leaveOut returns the mean square error of the rows left out one by one.
func leaveOut(t, x []float64, window int) float64 {
	sum, n := 0.0, min(len(t), cvRows)
	for k := range n {
		i := k * len(t) / n
		first, value, _ := around(t, i, window)
		own := value[i-first]
		sum += square((x[i] - dot(value, x[first:])) / (1 - own))
	}
	return sum / float64(n)
}

func square(x float64) float64 { return x * x }

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// smoothWith smooths a column with a window.
func smoothWith(t, x []float64, window int) smoothing {
	s := smoothing{window: window, apart: 1}
	squares, freedom := 0.0, 0.0
	for i := range t {
		first, value, slope := around(t, i, window)
		s.x = append(s.x, dot(value, x[first:]))
		s.slope = append(s.slope, dot(slope, x[first:]))
		s.spread = append(s.spread, math.Sqrt(dot(slope, slope)))
		squares += square(x[i] - s.x[i])
		freedom += 1 - 2*value[i-first] + dot(value, value)
		if i == len(t)/2 {
			s.apart = apart(slope)
		}
	}
	s.noise = math.Sqrt(squares / freedom)
	s.bias = s.biasOf(t, x)
	return s
}

const (
	biasNarrower = 0.6 // of the window, to see the bias: its sixth power is 5 % of it
	biasSafety   = 2   // as the narrowest polynomials, through all of their rows, leave a fifth
)

// biasOf returns twice the root mean square difference of the slopes from those by narrower polynomials, less what the
// noise makes of it. A slope has this error, too, and unlike noise it is a smooth function of the states, which
// formulas can learn.
func (s *smoothing) biasOf(t, x []float64) float64 {
	window := max(degree+1, odd(biasNarrower*float64(s.window)))
	sum, n := 0.0, min(len(t), cvRows)
	for k := range n {
		i := k * len(t) / n
		first, _, slope := around(t, i, window)
		wide, _, other := around(t, i, s.window)
		sum += square(dot(slope, x[first:]) - s.slope[i])
		for j, w := range slope {
			other[first-wide+j] -= w
		}
		sum -= square(s.noise) * dot(other, other)
	}
	return biasSafety * math.Sqrt(math.Max(0, sum/float64(n)))
}

// sigma returns the standard deviation of the slope at row i.
func (s *smoothing) sigma(i int) float64 { return math.Hypot(s.noise*s.spread[i], s.bias) }

// apart returns the least distance at which slopes by the same weights have errors that are not correlated.
func apart(weights []float64) int {
	for lag := 1; lag < len(weights); lag++ {
		if dot(weights[lag:], weights) <= 0 {
			return lag
		}
	}
	return len(weights)
}

// around returns the weights of the rows from first on in the value and the slope, at row i, of the polynomial that is
// fitted to as many rows around it as the window has.
func around(t []float64, i, window int) (first int, value, slope []float64) {
	first = min(max(0, i-window/2), len(t)-window)
	u := make([]float64, window)
	scale := 0.0
	for j := range u {
		u[j] = t[first+j] - t[i]
		scale = math.Max(scale, math.Abs(u[j]))
	}
	for j := range u {
		u[j] /= scale
	}
	value, slope = weightsAt0(u)
	for j := range slope {
		slope[j] /= scale
	}
	return first, value, slope
}

// weightsAt0 returns the weights of values at the places u in the value and the slope at 0 of their least squares
// polynomial. The polynomials 1, u, u², … are made orthonormal on the places, by Gram and Schmidt, twice each for the
// digits; q(0) and q'(0) of each go through the same steps as its values.
func weightsAt0(u []float64) (value, slope []float64) {
	n := len(u)
	value, slope = make([]float64, n), make([]float64, n)
	var basis [][]float64 // n values, then q(0) and q'(0)
	power := slices.Repeat([]float64{1}, n)
	for d := range degree + 1 {
		q := append(slices.Clone(power), 0, 0)
		if d < 2 {
			q[n+d] = 1
		}
		for range 2 {
			for _, other := range basis {
				c := dot(other[:n], q)
				for j, v := range other {
					q[j] -= c * v
				}
			}
		}
		norm := math.Sqrt(dot(q[:n], q))
		for j := range q {
			q[j] /= norm
		}
		for j := range n {
			value[j] += q[n] * q[j]
			slope[j] += q[n+1] * q[j]
			power[j] *= u[j]
		}
		basis = append(basis, q)
	}
	return value, slope
}
