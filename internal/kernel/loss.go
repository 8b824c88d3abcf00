package kernel

import "unsafe"

// SquaredError writes the mean squared error of each lane over samples and outputs:
//
//	loss[e] = Σ_{o,b} (p[o,b,e] − y[o,b])² / (outputs·batch)
//
// p is (outputs·batch, lanes), y (outputs·batch), shared by all lanes.
func SquaredError[T Float](loss, p, y []T, lanes int) {
	if !vectorisedLoss(len(y), lanes) {
		squaredError(loss, p, y, lanes)
		return
	}
	n := len(y)
	lp, pp, yp := first(loss, lanes), first(p, n*lanes), first(y, n)
	size := int(unsafe.Sizeof(y[0]))
	for e := 0; e < lanes; {
		v, width := widest[T](lanes - e)
		v.squaredError(unsafe.Add(lp, e*size), unsafe.Add(pp, e*size), yp, n, lanes*size, float64(1/T(n)))
		e += width
	}
}

func squaredError[T Float](loss, p, y []T, lanes int) {
	clear(loss[:lanes])
	for i, v := range y {
		for e, q := range p[i*lanes : (i+1)*lanes] {
			d := q - v
			loss[e] += d * d
		}
	}
	inv := 1 / T(len(y))
	for e := range loss[:lanes] {
		loss[e] *= inv
	}
}

// SquaredErrorBackward is the derivative of [SquaredError], with the lane's weight in the sum
// of losses (0 for a frozen lane):
//
//	p̄[o,b,e] = weight[e]·2·(p[o,b,e] − y[o,b]) / (outputs·batch)
func SquaredErrorBackward[T Float](dp, p, y, weight []T, lanes int) {
	if !vectorisedLoss(len(y), lanes) {
		squaredErrorBackward(dp, p, y, weight, lanes)
		return
	}
	n := len(y)
	dpp, pp, yp, wp := first(dp, n*lanes), first(p, n*lanes), first(y, n), first(weight, lanes)
	size := int(unsafe.Sizeof(y[0]))
	for e := 0; e < lanes; {
		v, width := widest[T](lanes - e)
		at := e * size
		v.squaredErrorBackward(unsafe.Add(dpp, at), unsafe.Add(pp, at), yp, unsafe.Add(wp, at), n,
			lanes*size, float64(2/T(n)))
		e += width
	}
}

func squaredErrorBackward[T Float](dp, p, y, weight []T, lanes int) {
	inv := 2 / T(len(y))
	weight = weight[:lanes]
	for i, v := range y {
		pi, di := p[i*lanes:(i+1)*lanes], dp[i*lanes:(i+1)*lanes]
		for e, w := range weight {
			di[e] = w * inv * (pi[e] - v)
		}
	}
}

func vectorisedLoss(n, lanes int) bool {
	return Shape{Rows: 1, In: 1, Batch: n, Lanes: lanes}.vectorised()
}
