package search

// law is an equation with the box its inputs are drawn from.
type law struct {
	name  string
	text  string
	spans map[string]box // 1 to 5 where an input is missing
	cube  box            // not empty: of all inputs, and the far box lies half its width around it
}

type box struct{ lo, hi float64 }

// missedLaws are equations of Feynman's lectures that networks alone do not find.
var missedLaws = []law{
	{name: "I.41.16", text: "h/(2*pi)*omega^3/(pi^2*c^2*(exp(h/(2*pi)*omega/(kb*T)) - 1))"},
	{name: "II.35.18", text: "n_0/(exp(mom*B/(kb*T)) + exp(-mom*B/(kb*T)))",
		spans: map[string]box{"n_0": {1, 3}, "mom": {1, 3}, "B": {1, 3}, "kb": {1, 3}, "T": {1, 3}}},
	{name: "III.14.14", text: "I_0*(exp(q*Volt/(kb*T)) - 1)",
		spans: map[string]box{"q": {1, 2}, "Volt": {1, 2}, "kb": {1, 2}, "T": {1, 2}}},
	{name: "II.35.21", text: "n_rho*mom*tanh(mom*B/(kb*T))"},
	{name: "I.30.3", text: "Int_0*sin(n*theta/2)^2/sin(theta/2)^2"},
	{name: "III.8.54", text: "sin(2*pi*E_n*t/h)^2", spans: map[string]box{"E_n": {1, 2}, "t": {1, 2}, "h": {1, 4}}},
	{name: "III.9.52", text: "2*pi*p_d*Ef*t/h*sin((omega - omega_0)*t/2)^2/((omega - omega_0)*t/2)^2",
		spans: map[string]box{"p_d": {1, 3}, "Ef": {1, 3}, "t": {1, 3}, "h": {1, 3}}},
	{name: "I.15.3x", text: "(x - u*t)/sqrt(1 - u^2/c^2)",
		spans: map[string]box{"x": {5, 10}, "u": {1, 2}, "c": {3, 20}, "t": {1, 2}}},
	{name: "I.15.3t", text: "(t - u*x/c^2)/sqrt(1 - u^2/c^2)", spans: map[string]box{"u": {1, 2}, "c": {3, 10}}},
	{name: "II.6.15a", text: "p_d/(4*pi*epsilon)*3*z/r^5*sqrt(x1^2 + x2^2)",
		spans: map[string]box{"p_d": {1, 3}, "epsilon": {1, 3}, "x1": {1, 3}, "x2": {1, 3}, "z": {1, 3}, "r": {1, 3}}},
	{name: "II.6.15b", text: "p_d/(4*pi*epsilon)*3*cos(theta)*sin(theta)/r^3",
		spans: map[string]box{"p_d": {1, 3}, "epsilon": {1, 3}, "theta": {1, 3}, "r": {1, 3}}},
	{name: "I.29.16", text: "sqrt(x1^2 + x2^2 - 2*x1*x2*cos(theta1 - theta2))"},
	{name: "II.24.17", text: "sqrt(omega^2/c^2 - pi^2/d^2)",
		spans: map[string]box{"omega": {4, 6}, "c": {1, 2}, "d": {2, 4}}},
	{name: "I.48.2", text: "m*c^2/sqrt(1 - v^2/c^2)", spans: map[string]box{"v": {1, 2}, "c": {3, 10}}},
	{name: "I.26.2", text: "asin(n*sin(theta2))",
		spans: map[string]box{"n": {0, 1}, "theta2": {1, 5}}},
	{name: "I.30.5", text: "asin(lambd/(n*d))",
		spans: map[string]box{"lambd": {1, 2}, "d": {2, 5}, "n": {1, 5}}},
	{name: "II.36.38", text: "mom*H/(kb*T) + mom*alpha*M/(epsilon*c^2*kb*T)",
		spans: map[string]box{"mom": {1, 3}, "H": {1, 3}, "kb": {1, 3}, "T": {1, 3}, "alpha": {1, 3}, "M": {1, 3},
			"epsilon": {1, 3}, "c": {1, 3}}},
	{name: "I.32.17", text: "4*pi/3*epsilon*c*Ef^2*r^2*omega^4/(omega^2 - omega_0^2)^2",
		spans: map[string]box{"epsilon": {1, 2}, "c": {1, 2}, "Ef": {1, 2}, "r": {1, 2}, "omega": {1, 2},
			"omega_0": {3, 5}}},
	{name: "I.9.18", text: "G*m1*m2/((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2)",
		spans: map[string]box{"m1": {1, 2}, "m2": {1, 2}, "G": {1, 2}, "x1": {3, 4}, "x2": {1, 2}, "y1": {3, 4},
			"y2": {1, 2}, "z1": {3, 4}, "z2": {1, 2}}},
	{name: "II.11.3", text: "q*Ef/(m*(omega_0^2 - omega^2))",
		spans: map[string]box{"q": {1, 3}, "Ef": {1, 3}, "m": {1, 3}, "omega_0": {3, 5}, "omega": {1, 2}}},
}

// knownLaws are equations that they find.
var knownLaws = []law{
	{name: "I.6.2", text: "exp(-(theta/sigma)^2/2)/(sqrt(2*pi)*sigma)",
		spans: map[string]box{"theta": {1, 3}, "sigma": {1, 3}}},
	{name: "I.6.2b", text: "exp(-((theta - theta1)/sigma)^2/2)/(sqrt(2*pi)*sigma)",
		spans: map[string]box{"theta": {1, 3}, "theta1": {1, 3}, "sigma": {1, 3}}},
	{name: "I.8.14", text: "sqrt((x2 - x1)^2 + (y2 - y1)^2)"},
	{name: "I.10.7", text: "m_0/sqrt(1 - v^2/c^2)", spans: map[string]box{"v": {1, 2}, "c": {3, 10}}},
	{name: "I.12.11", text: "q*(Ef + B*v*sin(theta))", cube: box{1, 5}},
	{name: "I.16.6", text: "(u + v)/(1 + u*v/c^2)"},
	{name: "I.18.4", text: "(m1*r1 + m2*r2)/(m1 + m2)"},
	{name: "I.27.6", text: "1/(1/d1 + n/d2)"},
	{name: "I.37.4", text: "I1 + I2 + 2*sqrt(I1*I2)*cos(delta)"},
	{name: "I.40.1", text: "n_0*exp(-m*g*x/(kb*T))"},
	{name: "I.44.4", text: "n*kb*T*log(V2/V1)"},
	{name: "I.50.26", text: "x1*(cos(omega*t) + alpha*cos(omega*t)^2)", cube: box{1, 3}},
	{name: "II.6.11", text: "p_d*cos(theta)/(4*pi*epsilon*r^2)",
		spans: map[string]box{"p_d": {1, 3}, "theta": {1, 3}, "epsilon": {1, 3}, "r": {1, 3}}},
	{name: "II.11.27", text: "n*alpha/(1 - n*alpha/3)*epsilon*Ef",
		spans: map[string]box{"n": {0, 1}, "alpha": {0, 1}, "epsilon": {1, 2}, "Ef": {1, 2}}},
	{name: "II.11.28", text: "1 + n*alpha/(1 - n*alpha/3)", spans: map[string]box{"n": {0, 1}, "alpha": {0, 1}}},
	{name: "II.11.17", text: "n_0*(1 + p_d*Ef*cos(theta)/(kb*T))",
		spans: map[string]box{"n_0": {1, 3}, "p_d": {1, 3}, "Ef": {1, 3}, "theta": {1, 3}, "kb": {1, 3}, "T": {1, 3}}},
	{name: "I.34.14", text: "(1 + v/c)/sqrt(1 - v^2/c^2)*omega_0", spans: map[string]box{"v": {1, 2}, "c": {3, 10}}},
	{name: "III.4.33", text: "h/(2*pi)*omega/(exp(h/(2*pi)*omega/(kb*T)) - 1)"},
	{name: "III.10.19", text: "mom*sqrt(Bx^2 + By^2 + Bz^2)"},
	{name: "III.17.37", text: "beta*(1 + alpha*cos(theta))", cube: box{1, 5}},
	{name: "I.11.19", text: "x1*y1 + x2*y2 + x3*y3", cube: box{1, 5}},
	{name: "I.24.6", text: "m*(omega^2 + omega_0^2)*x^2/4", cube: box{1, 3}},
	{name: "I.38.12", text: "epsilon*h^2/(pi*m*q^2)"},
	{name: "III.15.12", text: "2*U*(1 - cos(k*d))", cube: box{1, 5}},
}

// ownLaws were written down before they were tried.
var ownLaws = []law{
	{name: "own1", text: "x1*exp(-x2/x3)/(1 + exp(-x2/x3))"},
	{name: "own2", text: "sqrt(x1*x2)*sin(x3*x4)/x5", spans: map[string]box{"x3": {1, 3}, "x4": {1, 2}}},
	{name: "own3", text: "log(1 + x1*x2)/x3"},
	{name: "own4", text: "K/(1 + (K - P)/P*exp(-r*t))",
		spans: map[string]box{"K": {5, 10}, "P": {1, 3}, "r": {0.5, 1.5}, "t": {0, 3}}},
	{name: "own5", text: "asin(x1*x2/(x3 + x4))",
		spans: map[string]box{"x1": {0.5, 1}, "x2": {0.5, 2}, "x3": {1, 4}, "x4": {1, 4}}},
	{name: "own6", text: "x3*x4 + atan(x1/x2)", spans: map[string]box{"x3": {0, 1}, "x4": {0, 1}}},

	{name: "own7", text: "x1*cos(x2*t)*exp(-x3*t)", spans: map[string]box{"x2": {1, 3}, "t": {0, 4},
		"x3": {0.1, 0.5}}},
	{name: "own8", text: "(x1^2 + x2*x3)^(1/3)*x4"},
	{name: "own9", text: "x1/(x2 + x3^2) + 3*x4*log(x5)"},
	{name: "own10", text: "sqrt(1 + x1^2*sin(x2)^2)/x3", spans: map[string]box{"x2": {0, 5}}},
	{name: "own11", text: "exp(-(x1 - x2)^2/(2*x3^2))*cos(x4*x1)",
		spans: map[string]box{"x1": {0, 4}, "x2": {1, 3}, "x3": {1, 2}, "x4": {1, 3}}},
	{name: "own12", text: "2.7*x1^1.5/(0.4 + x2) + 1.3", spans: map[string]box{"x2": {0.2, 3}}},
	{name: "own13", text: "x1*tanh(0.7*x2) + 0.5*x3*x2", spans: map[string]box{"x2": {0.5, 4}}},
	{name: "own14", text: "x1*(1 - exp(-x2*x3/x1))/x4"},
	{name: "own15", text: "1/(1/(x1*x2) + sqrt(x3)/x4)"},
}
