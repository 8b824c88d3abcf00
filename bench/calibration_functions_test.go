package bench

import (
	"math"
	"sync"
)

// Functions that the laws outside the class are made of.

// root returns where f changes its sign between low and high, by bisection; NaN where it does not.
func root(low, high float64, f func(float64) float64) float64 {
	below := f(low) < 0
	if (f(high) < 0) == below {
		return math.NaN()
	}
	for range 100 {
		if middle := (low + high) / 2; (f(middle) < 0) == below {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// integral returns the integral of f from a to b by Simpson's rule.
func integral(a, b float64, f func(float64) float64) float64 {
	const steps = 200
	h := (b - a) / steps
	sum := f(a) + f(b)
	for i := 1; i < steps; i++ {
		sum += float64(2+2*(i%2)) * f(a+float64(i)*h)
	}
	return sum * h / 3
}

// series returns the sum of the terms from the first to the last.
func series(first, last int, term func(k float64) float64) float64 {
	sum := 0.0
	for k := last; k >= first; k-- {
		sum += term(float64(k))
	}
	return sum
}

// airy returns Ai(x) by its power series; it is good to 1e-8 from -9 to 6.
func airy(x float64) float64 {
	f, g, sf, sg := 1.0, x, 1.0, x
	for k := 1.0; k < 80; k++ {
		f *= x * x * x / ((3*k - 1) * 3 * k)
		g *= x * x * x / (3 * k * (3*k + 1))
		sf, sg = sf+f, sg+g
	}
	return 0.355028053887817239*sf - 0.258819403792806798*sg
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(x) / x
}

// ellipticK returns the complete elliptic integral of the first kind of the parameter m < 1.
func ellipticK(m float64) float64 {
	a, b := 1.0, math.Sqrt(1-m)
	for range 30 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return math.Pi / 2 / a
}

// lambertW returns the w ≥ -1 with w·exp(w) = x.
func lambertW(x float64) float64 {
	return root(-1, math.Max(1, math.Log(2+math.Abs(x))), func(w float64) float64 { return w*math.Exp(w) - x })
}

// digamma is the derivative of ln Γ, by its asymptotic series.
func digamma(x float64) float64 {
	shift := 0.0
	for ; x < 10; x++ {
		shift -= 1 / x
	}
	return shift + math.Log(x) - 1/(2*x) - 1/(12*x*x) + 1/(120*math.Pow(x, 4)) - 1/(252*math.Pow(x, 6))
}

// integralE1 returns the exponential integral E1(x) for x > 0.
func integralE1(x float64) float64 {
	return integral(1e-9, 1, func(u float64) float64 { return math.Exp(-x/u) / u })
}

func dawson(x float64) float64 {
	return integral(0, x, func(t float64) float64 { return math.Exp(t*t - x*x) })
}

// weierstrass is the beginning of a sum that has no derivative anywhere.
func weierstrass(x float64) float64 {
	return series(0, 8, func(k float64) float64 { return math.Pow(0.6, k) * math.Cos(math.Pow(3, k)*math.Pi*x) })
}

// debye is the heat capacity of a solid at t times its Debye temperature, in units of 3 N k.
func debye(t float64) float64 {
	return 3 * t * t * t * integral(1e-9, 1/t, func(x float64) float64 {
		s := math.Sinh(x / 2)
		return math.Pow(x, 4) / (4 * s * s)
	})
}

func langevin(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return x / 3
	}
	return 1/math.Tanh(x) - 1/x
}

// cantor is the devil's staircase from 0 to 1, and goes on with the same steps outside.
func cantor(x float64) float64 {
	whole := math.Floor(x)
	x -= whole
	y, half := 0.0, 0.5
	for range 30 {
		x *= 3
		digit := math.Floor(x)
		x -= digit
		if digit == 1 {
			y += half
			break
		}
		y += half * digit / 2
		half /= 2
	}
	return whole + y
}

func triangle(x float64) float64 { return 2*math.Abs(x-math.Floor(x+0.5)) - 0.5 }

func clamp(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }

func median(a, b, c float64) float64 { return math.Max(math.Min(a, b), math.Min(math.Max(a, b), c)) }

func step(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// iterate returns what n steps make of x.
func iterate(n int, x float64, next func(float64) float64) float64 {
	for range n {
		x = next(x)
	}
	return x
}

// A flow is the rate of change of a state at time t; it is written into rate.
type flow func(t float64, state, rate []float64)

// trajectory returns the first coordinate of a solution as a function of the time, from 0 to end, by steps of
// Runge and Kutta's fourth order. Before 0 and after the end there is none.
func trajectory(start []float64, end float64, f flow) func(t float64) float64 {
	const h = 0.005
	states := sync.OnceValue(func() [][]float64 {
		s := [][]float64{start}
		for i := range int(end / h) {
			s = append(s, f.step(float64(i)*h, s[i], h))
		}
		return s
	})
	return func(t float64) float64 {
		i := math.Floor(t / h)
		s := states()
		if !(i >= 0 && i < float64(len(s))) {
			return math.NaN()
		}
		return f.step(i*h, s[int(i)], t-i*h)[0]
	}
}

func (f flow) step(t float64, state []float64, h float64) []float64 {
	n := len(state)
	sum, at, rate := make([]float64, n), make([]float64, n), make([]float64, n)
	copy(sum, state)
	copy(at, state)
	for k, weight := range []float64{1, 2, 2, 1} {
		part := []float64{0, 0.5, 0.5, 1}[k] * h
		if k > 0 {
			for j := range at {
				at[j] = state[j] + part*rate[j]
			}
		}
		f(t+part, at, rate)
		for j := range sum {
			sum[j] += h / 6 * weight * rate[j]
		}
	}
	return sum
}

var (
	lorenz = trajectory([]float64{1, 1, 20}, 40, func(_ float64, s, rate []float64) {
		rate[0], rate[1], rate[2] = 10*(s[1]-s[0]), s[0]*(28-s[2])-s[1], s[0]*s[1]-8.0/3*s[2]
	})
	rossler = trajectory([]float64{1, 1, 0}, 120, func(_ float64, s, rate []float64) {
		rate[0], rate[1], rate[2] = -s[1]-s[2], s[0]+0.2*s[1], 0.2+s[2]*(s[0]-5.7)
	})
	// vanDerPol is a relaxation oscillation.
	vanDerPol = trajectory([]float64{2, 0}, 60, func(_ float64, s, rate []float64) {
		rate[0], rate[1] = s[1], 3*(1-s[0]*s[0])*s[1]-s[0]
	})
	duffing = trajectory([]float64{1, 0}, 80, func(t float64, s, rate []float64) {
		rate[0], rate[1] = s[1], s[0]-s[0]*s[0]*s[0]-0.3*s[1]+0.5*math.Cos(1.2*t)
	})
	predators = trajectory([]float64{2, 1}, 60, func(_ float64, s, rate []float64) {
		rate[0], rate[1] = s[0]*(1-0.6*s[1]), s[1]*(0.5*s[0]-0.8)
	})
	// epidemic is the share that is infected.
	epidemic = trajectory([]float64{0.005, 0.995}, 60, func(_ float64, s, rate []float64) {
		rate[0], rate[1] = 0.9*s[0]*s[1]-0.3*s[0], -0.9*s[0]*s[1]
	})
	// doublePendulumAngle is the outer angle of two equal pendulums after a high start.
	doublePendulumAngle = trajectory([]float64{2, 2, 0, 0}, 30, func(_ float64, s, rate []float64) {
		outer, inner, v, w := s[0], s[1], s[2], s[3]
		d, g := inner-outer, 9.81
		den := 3 - math.Cos(2*d)
		rate[0], rate[1] = v, w
		rate[2] = 2 * math.Sin(d) * (2*w*w + 2*g*math.Cos(inner) + v*v*math.Cos(d)) / den
		rate[3] = (-3*g*math.Sin(inner) - g*math.Sin(inner-2*outer) - 2*math.Sin(d)*(v*v+w*w*math.Cos(d))) / den
	})
)

// black is the price of a call option on a share at s with the strike 1, t years before it ends.
func black(s, t float64) float64 {
	const rate, volatility = 0.03, 0.3
	normal := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	width := volatility * math.Sqrt(t)
	d := (math.Log(s) + (rate+volatility*volatility/2)*t) / width
	return s*normal(d) - math.Exp(-rate*t)*normal(d-width)
}

// haversine is the angle between two places, of latitudes a and b and as many radians of longitude apart.
func haversine(a, b, apart float64) float64 {
	h := math.Pow(math.Sin((a-b)/2), 2) + math.Cos(a)*math.Cos(b)*math.Pow(math.Sin(apart/2), 2)
	return 2 * math.Asin(math.Sqrt(math.Min(1, math.Max(0, h))))
}

// friction is Darcy's factor by Colebrook's equation, of the Reynolds number's decimal logarithm and the roughness.
func friction(logRe, rough float64) float64 {
	re := math.Pow(10, logRe)
	inverse := root(0.5, 20, func(u float64) float64 { return u + 2*math.Log10(rough/3.7+2.51*u/re) })
	return 1 / (inverse * inverse)
}

// realVolume is the volume of a mole of carbon dioxide above its critical point, in litres at so many bar, by van
// der Waals' equation.
func realVolume(temperature, pressure float64) float64 {
	const a, b, gas = 3.64, 0.04267, 0.083145
	return root(b+1e-6, 1000, func(v float64) float64 { return (pressure+a/(v*v))*(v-b) - gas*temperature })
}

// waveNumber is that of a water wave of the angular frequency in water of the depth.
func waveNumber(omega, depth float64) float64 {
	return root(1e-9, 50, func(k float64) float64 { return 9.81*k*math.Tanh(k*depth) - omega*omega })
}

// channelDepth is how deep a flow stands in a channel two metres wide, by Manning's equation.
func channelDepth(flow float64) float64 {
	return root(1e-9, 50, func(h float64) float64 {
		area, wet := 2*h, 2+2*h
		return math.Pow(area, 5.0/3)/math.Pow(wet, 2.0/3)*math.Sqrt(0.001)/0.013 - flow
	})
}

// radiator is the temperature at which radiation and convection carry off the power.
func radiator(power float64) float64 {
	return root(0, 2000, func(t float64) float64 {
		return 0.4*(t-290) + 2e-9*(math.Pow(t, 4)-math.Pow(290, 4)) - power
	})
}
