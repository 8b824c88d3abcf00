package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// feynmanLaws are the equations of the Feynman symbolic regression database (Udrescu and Tegmark 2020) that
// need none but the units of networks, with the ranges that it draws all inputs from: 24 of its 100.
var feynmanLaws = []struct {
	id, law   string
	low, high float64
}{
	{"I.11.19", "x1*y1 + x2*y2 + x3*y3", 1, 5},
	{"I.12.1", "mu*Nn", 1, 5},
	{"I.12.5", "q2*Ef", 1, 5},
	{"I.12.11", "q*(Ef + B*v*sin(theta))", 1, 5},
	{"I.13.4", "m*(v^2 + u^2 + w^2)/2", 1, 5},
	{"I.14.3", "m*g*z", 1, 5},
	{"I.14.4", "k_spring*x^2/2", 1, 5},
	{"I.18.12", "r*F*sin(theta)", 1, 5},
	{"I.18.16", "m*r*v*sin(theta)", 1, 5},
	{"I.24.6", "m*(omega^2 + omega_0^2)*x^2/4", 1, 3},
	{"I.34.27", "h*omega/(2*pi)", 1, 5},
	{"I.39.1", "3*pr*V/2", 1, 5},
	{"I.43.31", "mob*kb*T", 1, 5},
	{"I.50.26", "x1*(cos(omega*t) + alpha*cos(omega*t)^2)", 1, 3},
	{"II.8.31", "epsilon*Ef^2/2", 1, 5},
	{"II.15.4", "-mom*B*cos(theta)", 1, 5},
	{"II.15.5", "-p_d*Ef*cos(theta)", 1, 5},
	{"II.27.16", "epsilon*c*Ef^2", 1, 5},
	{"II.27.18", "epsilon*Ef^2", 1, 5},
	{"II.34.2", "q*v*r/2", 1, 5},
	{"II.37.1", "mom*(1 + chi)*B", 1, 5},
	{"III.12.43", "n*h/(2*pi)", 1, 5},
	{"III.15.12", "2*U*(1 - cos(k*d))", 1, 5},
	{"III.17.37", "beta*(1 + alpha*cos(theta))", 1, 5},
}

// A feynmanLaw is an equation of that database. Inputs without a range of their own are from [1, 5].
type feynmanLaw struct {
	id, law string
	ranges  map[string]span
}

// feynmanQuotients are those that are quotients of polynomials, one of them with a wave: 43 more.
var feynmanQuotients = []feynmanLaw{
	{"I.9.18", "G*m1*m2/((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2)",
		map[string]span{"m1": {1, 2}, "m2": {1, 2}, "G": {1, 2}, "x1": {3, 4}, "x2": {1, 2}, "y1": {3, 4}, "y2": {1, 2},
			"z1": {3, 4}, "z2": {1, 2}}},
	{"I.12.2", "q1*q2/(4*pi*epsilon*r^2)", nil},
	{"I.12.4", "q1/(4*pi*epsilon*r^2)", nil},
	{"I.13.12", "G*m1*m2*(1/r2 - 1/r1)", nil},
	{"I.16.6", "(u + v)/(1 + u*v/c^2)", nil},
	{"I.18.4", "(m1*r1 + m2*r2)/(m1 + m2)", nil},
	{"I.25.13", "q/C", nil},
	{"I.27.6", "1/(1/d1 + n/d2)", nil},
	{"I.29.4", "omega/c", map[string]span{"omega": {1, 10}, "c": {1, 10}}},
	{"I.32.5", "q^2*a^2/(6*pi*epsilon*c^3)", nil},
	{"I.32.17", "4*pi/3*epsilon*c*Ef^2*r^2*omega^4/(omega^2 - omega_0^2)^2",
		map[string]span{"epsilon": {1, 2}, "c": {1, 2}, "Ef": {1, 2}, "r": {1, 2}, "omega": {1, 2}, "omega_0": {3, 5}}},
	{"I.34.1", "omega_0/(1 - v/c)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"I.34.8", "q*v*B/p", nil},
	{"I.38.12", "epsilon*h^2/(pi*m*q^2)", nil},
	{"I.39.11", "pr*V/(gamma - 1)", map[string]span{"gamma": {2, 5}}},
	{"I.39.22", "n*kb*T/V", nil},
	{"I.43.16", "mu*q*V/d", nil},
	{"I.43.43", "kb*v/((gamma - 1)*A)", map[string]span{"gamma": {2, 5}}},
	{"II.2.42", "kappa*(T2 - T1)*A/d", nil},
	{"II.3.24", "P/(4*pi*r^2)", nil},
	{"II.4.23", "q/(4*pi*epsilon*r)", nil},
	{"II.6.11", "p_d*cos(theta)/(4*pi*epsilon*r^2)",
		map[string]span{"p_d": {1, 3}, "theta": {1, 3}, "epsilon": {1, 3}, "r": {1, 3}}},
	{"II.8.7", "3/5*q^2/(4*pi*epsilon*d)", nil},
	{"II.10.9", "sigma/(epsilon*(1 + chi))", nil},
	{"II.11.3", "q*Ef/(m*(omega_0^2 - omega^2))",
		map[string]span{"q": {1, 3}, "Ef": {1, 3}, "m": {1, 3}, "omega_0": {3, 5}, "omega": {1, 2}}},
	{"II.11.20", "n*p^2*Ef/(3*kb*T)", nil},
	{"II.11.27", "n*alpha/(1 - n*alpha/3)*epsilon*Ef",
		map[string]span{"n": {0, 1}, "alpha": {0, 1}, "epsilon": {1, 2}, "Ef": {1, 2}}},
	{"II.11.28", "1 + n*alpha/(1 - n*alpha/3)", map[string]span{"n": {0, 1}, "alpha": {0, 1}}},
	{"II.13.17", "I/(2*pi*epsilon*c^2*r)", nil},
	{"II.21.32", "q/(4*pi*epsilon*r*(1 - v/c))", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"II.34.2a", "q*v/(2*pi*r)", nil},
	{"II.34.11", "g*q*B/(2*m)", nil},
	{"II.34.29a", "q*h/(4*pi*m)", nil},
	{"II.34.29b", "2*pi*g*mom*B*Jz/h", nil},
	{"II.36.38", "mom*H/(kb*T) + mom*alpha*M/(epsilon*c^2*kb*T)",
		map[string]span{"mom": {1, 3}, "H": {1, 3}, "kb": {1, 3}, "T": {1, 3}, "alpha": {1, 3}, "M": {1, 3},
			"epsilon": {1, 3}, "c": {1, 3}}},
	{"II.38.3", "Y*A*x/d", nil},
	{"II.38.14", "Y/(2*(1 + sigma))", nil},
	{"III.7.38", "4*pi*mom*B/h", nil},
	{"III.13.18", "4*pi*E*d^2*k/h", nil},
	{"III.15.14", "h^2/(8*pi^2*E*d^2)", nil},
	{"III.15.27", "2*pi*alpha/(n*d)", nil},
	{"III.19.51", "-m*q^4/(8*epsilon^2*h^2*n^2)", nil},
	{"III.21.20", "-rho*q*A/m", nil},
}

// feynmanCurves are the others, with roots, exponentials, logarithms, arcsines, or waves in quotients: 33 more.
var feynmanCurves = []feynmanLaw{
	{"I.6.2a", "exp(-theta^2/2)/sqrt(2*pi)", map[string]span{"theta": {1, 3}}},
	{"I.6.2", "exp(-(theta/sigma)^2/2)/(sqrt(2*pi)*sigma)", map[string]span{"theta": {1, 3}, "sigma": {1, 3}}},
	{"I.6.2b", "exp(-((theta - theta1)/sigma)^2/2)/(sqrt(2*pi)*sigma)",
		map[string]span{"theta": {1, 3}, "theta1": {1, 3}, "sigma": {1, 3}}},
	{"I.8.14", "sqrt((x2 - x1)^2 + (y2 - y1)^2)", nil},
	{"I.10.7", "m_0/sqrt(1 - v^2/c^2)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"I.15.3x", "(x - u*t)/sqrt(1 - u^2/c^2)", map[string]span{"x": {5, 10}, "u": {1, 2}, "c": {3, 20}, "t": {1, 2}}},
	{"I.15.3t", "(t - u*x/c^2)/sqrt(1 - u^2/c^2)", map[string]span{"u": {1, 2}, "c": {3, 10}}},
	{"I.15.10", "m_0*v/sqrt(1 - v^2/c^2)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"I.26.2", "asin(n*sin(theta2))", map[string]span{"n": {0, 1}}},
	{"I.29.16", "sqrt(x1^2 + x2^2 - 2*x1*x2*cos(theta1 - theta2))", nil},
	{"I.30.3", "Int_0*sin(n*theta/2)^2/sin(theta/2)^2", nil},
	{"I.30.5", "asin(lambd/(n*d))", map[string]span{"lambd": {1, 2}, "d": {2, 5}}},
	{"I.34.14", "(1 + v/c)/sqrt(1 - v^2/c^2)*omega_0", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"I.37.4", "I1 + I2 + 2*sqrt(I1*I2)*cos(delta)", nil},
	{"I.40.1", "n_0*exp(-m*g*x/(kb*T))", nil},
	{"I.41.16", "h/(2*pi)*omega^3/(pi^2*c^2*(exp(h/(2*pi)*omega/(kb*T)) - 1))", nil},
	{"I.44.4", "n*kb*T*log(V2/V1)", nil},
	{"I.47.23", "sqrt(gamma*pr/rho)", nil},
	{"I.48.2", "m*c^2/sqrt(1 - v^2/c^2)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"II.6.15a", "p_d/(4*pi*epsilon)*3*z/r^5*sqrt(x1^2 + x2^2)",
		map[string]span{"p_d": {1, 3}, "epsilon": {1, 3}, "x1": {1, 3}, "x2": {1, 3}, "z": {1, 3}, "r": {1, 3}}},
	{"II.6.15b", "p_d/(4*pi*epsilon)*3*cos(theta)*sin(theta)/r^3",
		map[string]span{"p_d": {1, 3}, "epsilon": {1, 3}, "theta": {1, 3}, "r": {1, 3}}},
	{"II.11.17", "n_0*(1 + p_d*Ef*cos(theta)/(kb*T))",
		map[string]span{"n_0": {1, 3}, "p_d": {1, 3}, "Ef": {1, 3}, "theta": {1, 3}, "kb": {1, 3}, "T": {1, 3}}},
	{"II.13.23", "rho_c_0/sqrt(1 - v^2/c^2)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"II.13.34", "rho_c_0*v/sqrt(1 - v^2/c^2)", map[string]span{"v": {1, 2}, "c": {3, 10}}},
	{"II.24.17", "sqrt(omega^2/c^2 - pi^2/d^2)", map[string]span{"omega": {4, 6}, "c": {1, 2}, "d": {2, 4}}},
	{"II.35.18", "n_0/(exp(mom*B/(kb*T)) + exp(-mom*B/(kb*T)))",
		map[string]span{"n_0": {1, 3}, "mom": {1, 3}, "B": {1, 3}, "kb": {1, 3}, "T": {1, 3}}},
	{"II.35.21", "n_rho*mom*tanh(mom*B/(kb*T))", nil},
	{"III.4.32", "1/(exp(h/(2*pi)*omega/(kb*T)) - 1)", nil},
	{"III.4.33", "h/(2*pi)*omega/(exp(h/(2*pi)*omega/(kb*T)) - 1)", nil},
	{"III.8.54", "sin(2*pi*E_n*t/h)^2", map[string]span{"E_n": {1, 2}, "t": {1, 2}, "h": {1, 4}}},
	{"III.9.52", "2*pi*p_d*Ef*t/h*sin((omega - omega_0)*t/2)^2/((omega - omega_0)*t/2)^2",
		map[string]span{"p_d": {1, 3}, "Ef": {1, 3}, "t": {1, 3}, "h": {1, 3}}},
	{"III.10.19", "mom*sqrt(Bx^2 + By^2 + Bz^2)", nil},
	{"III.14.14", "I_0*(exp(q*Volt/(kb*T)) - 1)", map[string]span{"q": {1, 2}, "Volt": {1, 2}, "kb": {1, 2}, "T": {1, 2}}},
}

// feynmanNearCases are like those of feynmanCases, but with far rows near by.
func feynmanNearCases(name string, laws []feynmanLaw) []lawCase {
	var cases []lawCase
	for _, f := range laws {
		cases = append(cases, lawCase{name + "/" + f.id, feynmanFound(), func(t *testing.T, seed uint64) lawData {
			return feynmanData(t, f.id, f.law, seed, f.near)
		}})
	}
	return cases
}

// near returns the range of an input, and that of its far rows. These go a quarter of the range beyond it, and a
// quarter of the way from its lower end to zero: farther out quotients have their poles.
func (f feynmanLaw) near(name string) (inside, outside span) {
	inside, ok := f.ranges[name]
	if !ok {
		inside = span{1, 5}
	}
	return inside, span{0.75 * inside.low, inside.high + (inside.high-inside.low)/4}
}

// span is a range of an input.
type span struct{ low, high float64 }

// feynmanCases have -laws-rows rows with noise of -laws-noise of the target's standard deviation, by which errors are
// divided; the far rows are from a box of twice the size, outside the first.
func feynmanCases() []lawCase {
	var cases []lawCase
	for _, f := range feynmanLaws {
		cases = append(cases, lawCase{"feynman/" + f.id, feynmanFound(), func(t *testing.T, seed uint64) lawData {
			half := (f.high - f.low) / 2
			return feynmanData(t, f.id, f.law, seed, func(string) (inside, outside span) {
				return span{f.low, f.high}, span{f.low - half, f.high + half}
			})
		}})
	}
	return cases
}

// feynmanFound is the error on the far rows up to which an equation counts as found.
func feynmanFound() float64 {
	if *lawsNoise >= 0.1 {
		return 0.05
	}
	return 0.01
}

// feynmanData draws -laws-rows rows with noise of an equation whose inputs have the ranges given, inside and outside
// the data.
func feynmanData(t *testing.T, id, law string, seed uint64, ranges func(name string) (inside, outside span)) lawData {
	d := drawnLaw(t, law, nil, seed, *lawsRows, *lawsNoise, ranges)
	d.units = unitsFlags(feynmanUnitsOf(t, id, law))
	return d
}

// drawnLaw draws rows of an equation, with noise as a share of the target's standard deviation.
func drawnLaw(t *testing.T, law string, inputs []string, seed uint64, rows int, noise float64,
	ranges func(name string) (inside, outside span)) lawData {
	e, err := formula.Parse(law)
	if err != nil {
		t.Fatal(err)
	}
	d := lawData{inputs: inputs, targets: []string{"y"}}
	if inputs == nil {
		d.inputs = formula.Vars(e)
	}
	y, err := formula.Compile(e, d.inputs)
	if err != nil {
		t.Fatal(err)
	}
	var inside, outside []span
	for _, name := range d.inputs {
		in, out := ranges(name)
		inside, outside = append(inside, in), append(outside, out)
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	draw := func(rows int, ranges []span, keep func(x []float64) bool) *datasets.Table {
		cols := make([][]float64, len(d.inputs)+1)
		for len(cols[0]) < rows {
			x := make([]float64, len(d.inputs))
			for j, r := range ranges {
				x[j] = r.low + (r.high-r.low)*rng.Float64()
			}
			if !keep(x) {
				continue
			}
			one := make([][]float64, len(x))
			for j, v := range x {
				one[j] = []float64{v}
			}
			value := []float64{0}
			if y.EvalColumns(value, one); !math.IsNaN(value[0]) && !math.IsInf(value[0], 0) { // a root may have no value outside
				for j, v := range x {
					cols[j] = append(cols[j], v)
				}
			}
		}
		cols[len(d.inputs)] = make([]float64, rows)
		y.EvalColumns(cols[len(d.inputs)], cols[:len(d.inputs)])
		table, err := datasets.New(append(slices.Clone(d.inputs), "y"), cols)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	d.data = draw(rows, inside, func([]float64) bool { return true })
	d.far = draw(5000, outside, func(x []float64) bool {
		for j, v := range x {
			if v < inside[j].low || v > inside[j].high {
				return true
			}
		}
		return false
	})
	target := d.data.Cols[len(d.inputs)]
	d.size = spread(target)
	for i := range target {
		target[i] += noise * d.size * rng.NormFloat64()
	}
	return d
}

// spread returns the standard deviation.
func spread(y []float64) float64 {
	mean, square := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		square += (v - mean) * (v - mean) / float64(len(y))
	}
	return math.Sqrt(square)
}
