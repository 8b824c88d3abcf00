package bench

// furtherLaws are equations of other books on physics, those with which Udrescu and Tegmark (2020) test in earnest, by
// what they are about, in ranges like theirs.
var furtherLaws = []feynmanLaw{
	{"rutherford", "(Z1*Z2*alpha*hbar*c/(4*E_n*sin(theta/2)^2))^2", map[string]span{
		"Z1": {1, 2}, "Z2": {1, 2}, "alpha": {1, 2}, "hbar": {1, 2}, "c": {1, 2}, "E_n": {1, 3}, "theta": {1, 3},
	}},
	{"friedmann", "sqrt(8*pi*G*rho/3 - k_f*c^2/a_f^2)", map[string]span{
		"G": {1, 3}, "rho": {1, 3}, "k_f": {1, 2}, "c": {1, 2}, "a_f": {1, 3},
	}},
	{"compton", "E_n/(1 + E_n/(m*c^2)*(1 - cos(theta)))", map[string]span{
		"E_n": {1, 3}, "m": {1, 3}, "c": {1, 3}, "theta": {1, 3},
	}},
	{"waves", "-32/5*G^4/c^5*(m1*m2)^2*(m1 + m2)/r^5", map[string]span{"G": {1, 2}, "c": {1, 2}, "r": {1, 2}}},
	{"aberration", "acos((cos(theta2) - v/c)/(1 - v/c*cos(theta2)))", map[string]span{
		"theta2": {1, 3}, "v": {1, 3}, "c": {4, 6},
	}},
	{"slits", "I_0*(sin(alpha/2)*sin(n*delta/2)/(alpha/2*sin(delta/2)))^2", map[string]span{
		"I_0": {1, 3}, "alpha": {1, 3}, "n": {1, 4}, "delta": {1, 3},
	}},
	{"velocity", "sqrt(2/m*(E_n - U - L^2/(2*m*r^2)))", map[string]span{
		"m": {1, 3}, "E_n": {8, 12}, "U": {1, 3}, "L": {1, 3}, "r": {1, 3},
	}},
	{"orbit", "m*k_G/L^2*(1 + sqrt(1 + 2*E_n*L^2/(m*k_G^2))*cos(theta1 - theta2))", map[string]span{
		"m": {1, 3}, "k_G": {1, 3}, "L": {1, 3}, "E_n": {1, 3}, "theta1": {0, 6}, "theta2": {0, 6},
	}},
	{"ellipse", "d*(1 - alpha^2)/(1 + alpha*cos(theta1 - theta2))", map[string]span{
		"d": {1, 3}, "alpha": {0.2, 0.5}, "theta1": {4, 5}, "theta2": {4, 5},
	}},
	{"kepler", "2*pi*d^(3/2)/sqrt(G*(m1 + m2))", map[string]span{"d": {1, 3}, "G": {1, 3}, "m1": {1, 3}, "m2": {1, 3}}},
	{"eccentricity", "sqrt(1 + 2*epsilon^2*E_n*L^2/(m*(Z1*Z2*q^2)^2))", map[string]span{
		"epsilon": {1, 3}, "L": {1, 3}, "m": {1, 3}, "Z1": {1, 3}, "Z2": {1, 3}, "q": {1, 3}, "E_n": {1, 3},
	}},
	{"hamiltonian", "sqrt((p - q*A_vec)^2*c^2 + m^2*c^4) + q*Volt", nil},
	{"oscillator", "1/(2*m)*(p^2 + m^2*omega^2*x^2*(1 + alpha*x/z))", nil},
	{"image", "q/(4*pi*epsilon*r^2)*(4*pi*epsilon*Volt*d - q*d*r^3/(r^2 - d^2)^2)", map[string]span{
		"d": {4, 6}, "r": {1, 3},
	}},
	{"potential", "q/(4*pi*epsilon*sqrt(r^2 + d^2 - 2*r*d*cos(alpha)))", map[string]span{
		"r": {1, 3}, "d": {4, 6}, "alpha": {0, 6},
	}},
	{"sphere", "Ef*cos(theta)*(d^3/r^2*(alpha - 1)/(alpha + 2) - r)", map[string]span{"theta": {0, 6}}},
	{"doppler", "sqrt(1 - v^2/c^2)/(1 + v/c*cos(theta))*omega", map[string]span{
		"v": {1, 3}, "c": {5, 20}, "theta": {0, 6},
	}},
	{"density", "3/(8*pi*G)*(c^2*k_f/r^2 + H_G^2)", nil},
	{"pressure", "-1/(8*pi*G)*(c^4*k_f/r^2 + c^2*H_G^2*(1 - 2*alpha))", nil},
	{"scattering", "1/(4*pi)*alpha^2*h^2/(m^2*c^2)*(omega_0/omega)^2*(omega_0/omega + omega/omega_0 - sin(beta)^2)",
		map[string]span{"beta": {0, 6}}},
}
