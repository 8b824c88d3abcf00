package kernel

// SquaredError writes the mean squared error of each lane over samples and outputs:
//
//	loss[e] = Σ_{o,b} (p[o,b,e] − y[o,b])² / (outputs·batch)
//
// p is (outputs·batch, lanes), y (outputs·batch), shared by all lanes.
func SquaredError[T Float](loss, p, y []T, lanes int) {
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
	inv := 2 / T(len(y))
	weight = weight[:lanes]
	for i, v := range y {
		pi, di := p[i*lanes:(i+1)*lanes], dp[i*lanes:(i+1)*lanes]
		for e, w := range weight {
			di[e] = w * inv * (pi[e] - v)
		}
	}
}
