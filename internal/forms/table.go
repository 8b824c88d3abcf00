package forms

import "math"

// Curves returns the forms of one input. A form stands below that which it begins with.
func Curves() []Form { return curves }

var curves = []Form{
	{Name: "proportional", Text: "a*x", Source: "Hooke 1678"},
	{Name: "parabola", Text: "a*x^2 + b*x + c", Source: "Galilei 1638"},
	{Name: powerLaw, Text: "a*x^b", Begin: []Begin{begin("b", exponents)}, Source: "Peukert 1897; NIST DanWood"},
	{Name: "power law with a constant (Herschel-Bulkley)", Text: "a*x^b + c", Begin: []Begin{begin("b", exponents)},
		Source: "Herschel and Bulkley 1926"},
	{Name: "shifted power law (Bennett)", Text: "a*(x + b)^c", Begin: []Begin{begin("b", below), begin("c", exponents)},
		Rare: true, Source: "NIST Bennett5"},

	{Name: exponential, Text: "a*exp(b*x)", Begin: []Begin{begin("b", rates)}, Source: "Rutherford 1900"},
	{Name: relaxation, Text: "a*exp(b*x) + c", Begin: []Begin{begin("b", rates)}, Source: "Newton 1701"},
	{Name: "saturation from zero (charging, von Bertalanffy)",
		Text: "a*(1 - exp(-b*x))", Begin: []Begin{begin("b", rates)},
		Source: "NIST Misra1a, BoxBOD"},
	{Name: twoExponentials, Text: "a*exp(b*x) + c*exp(d*x)", From: exponential, Begin: []Begin{begin("d", rates)},
		Source: "Istratov and Vyvenko 1999"},
	{Name: "two exponentials with a constant",
		Text: "a*exp(b*x) + c*exp(d*x) + f", From: relaxation, Begin: []Begin{begin("d", rates)},
		Source: "NIST MGH17"},
	{Name: "three exponentials", Text: "a*exp(b*x) + c*exp(d*x) + f*exp(g*x)",
		From: twoExponentials, Begin: []Begin{begin("g", rates)},
		Source: "NIST Lanczos1"},
	{Name: "exponential over a line (ultrasonic response)",
		Text: "a*exp(-b*x)/(1 + c*x)", Begin: []Begin{begin("b", rates), begin("c", upwards)},
		Rare: true, Source: "NIST Chwirut1"},
	{Name: "stretched exponential (Kohlrausch, Weibull)", Text: "a*exp(-(x/b)^c)",
		Begin:  []Begin{begin("b", sizes), begin("c", among(0.5, 1, 2))},
		Domain: []Limits{positive("b", "c")}, Rare: true, Source: "Kohlrausch 1854"},
	{Name: "saturation of a power (Avrami, Weibull)", Text: "a*(1 - exp(-(x/b)^c))",
		Begin:  []Begin{begin("b", sizes), begin("c", among(0.5, 1, 2))},
		Domain: []Limits{positive("b", "c")}, Rare: true, Source: "Avrami 1939"},
	{Name: "line and exponential (Ricker)", Text: "a*x*exp(-b*x)", Begin: []Begin{begin("b", upwards)}, Rare: true,
		Source: "Ricker 1954"},
	{Name: "power and exponential (gamma curve)", Text: "a*x^b*exp(-c*x)",
		Begin: []Begin{{[]string{"b", "c"}, gammaCurve}}, Rare: true, Source: "Wood 1967"},

	{Name: "hyperbola (Michaelis-Menten, Langmuir)", Text: "a*x/(x + b)", Begin: []Begin{begin("b", beside)},
		Source: "Michaelis and Menten 1913; NIST Misra1d"},
	{Name: "reciprocal of a line (decay of the second order)", Text: "a/(x + b)", Begin: []Begin{begin("b", beside)},
		Source: "chemical kinetics"},
	{Name: "hyperbola and line (binding beside a background)", Text: "a*x/(x + b) + c*x",
		Begin: []Begin{begin("b", sizes)}, Domain: []Limits{positive("b")}, Rare: true, Source: "Scatchard 1949"},
	{Name: "two hyperbolas (two sites)", Text: "a*x/(x + b) + c*x/(x + d)",
		Begin: []Begin{begin("b", sizes), begin("d", sizes)}, Domain: []Limits{positive("b", "d")}, Rare: true,
		Source: "Scatchard 1949"},
	{Name: "hyperbolic tangent (Jassby and Platt)", Text: "a*tanh(b*x)", Begin: []Begin{begin("b", upwards)}, Rare: true,
		Source: "Jassby and Platt 1976"},
	{Name: "hyperbola with a constant", Text: "c + a/(x + b)", Begin: []Begin{begin("b", beside)},
		Source: "chemical kinetics"},
	{Name: "saturation of the second power", Text: "a*(1 - 1/(1 + b*x)^2)", Begin: []Begin{begin("b", upwards)},
		Rare: true, Source: "NIST Misra1b"},
	{Name: "saturation of the half power", Text: "a*(1 - 1/sqrt(1 + b*x))", Begin: []Begin{begin("b", upwards)},
		Rare: true, Source: "NIST Misra1c"},
	{Name: "quadratic over quadratic from zero (Haldane)", Text: "(a*x^2 + b*x)/(x^2 + c*x + d)",
		Begin: []Begin{{[]string{"c", "d"}, denominator([]int{1, 2}, []int{1, 0}, 2)}}, Rare: true, Source: "NIST MGH09"},
	{Name: "quadratic over quadratic", Text: "(a + b*x + c*x^2)/(1 + d*x + f*x^2)",
		Begin: []Begin{{[]string{"d", "f"}, denominator([]int{0, 1, 2}, []int{1, 2}, 0)}}, Rare: true, Source: "NIST Kirby2"},
	{Name: "cubic over cubic", Text: "(a + b*x + c*x^2 + d*x^3)/(1 + f*x + g*x^2 + h*x^3)",
		Begin: []Begin{{[]string{"f", "g", "h"}, denominator([]int{0, 1, 2, 3}, []int{1, 2, 3}, 0)}}, Rare: true,
		Source: "NIST Hahn1, Thurber"},

	{Name: "Hill", Text: "a/(1 + (b/x)^c)", Begin: []Begin{begin("b", sizes), begin("c", among(1, 2, 4))},
		Domain: []Limits{positive("b", "c")}, Source: "Hill 1910"},
	{Name: "Hill, falling (inhibition)", Text: "a/(1 + (x/b)^c)",
		Begin:  []Begin{begin("b", sizes), begin("c", among(1, 2, 4))},
		Domain: []Limits{positive("b", "c")}, Source: "Hill 1910"},
	{Name: "Hill with a constant (dose and response)",
		Text: "a + b/(1 + (x/c)^d)", Begin: []Begin{begin("c", sizes), begin("d", among(0.7, 1.5, 3, 6))},
		Domain: []Limits{positive("c", "d")}, Source: "Hill 1910"},
	{Name: "logistic", Text: "a/(1 + exp(-b*(x - c)))", Begin: []Begin{begin("b", rates), begin("c", inside)},
		Domain: []Limits{amongData("c")}, Source: "Verhulst 1838; NIST Rat42"},
	{Name: "logistic with a constant (Boltzmann)",
		Text: "a + b/(1 + exp(-c*(x - d)))", Begin: []Begin{begin("c", upwards), begin("d", inside)},
		Domain: []Limits{positive("c"), amongData("d")}, Source: "Verhulst 1838"},
	{Name: "Richards", Text: "a/(1 + exp(b - c*x))^d",
		Begin:  []Begin{begin("b", among(0, 2, 5, 10)), begin("c", upwards), begin("d", among(0.3, 1, 3))},
		Domain: []Limits{positive("c", "d")}, Rare: true, Source: "Richards 1959; NIST Rat43"},
	{Name: "Gompertz", Text: "a*exp(-b*exp(-c*x))", Begin: []Begin{begin("b", among(0.1, 1, 3, 10, 100)),
		begin("c", rates)}, Domain: []Limits{positive("b")}, Source: "Gompertz 1825"},

	{Name: "logarithm (Nernst, Tafel)", Text: "a*log(x) + b", Source: "Nernst 1889"},
	{Name: "logarithm of a sum (Nikolsky)", Text: "a*log(x + b) + c", Begin: []Begin{begin("b", below)}, Rare: true,
		Source: "Nikolsky 1937"},
	{Name: "Arrhenius", Text: "a*exp(-b/x)", Begin: []Begin{{[]string{"b"}, activation(0)}}, Source: "Arrhenius 1889"},
	{Name: "Antoine (Vogel-Fulcher-Tammann)", Text: "a*exp(-b/(x + c))", Begin: []Begin{{[]string{"b", "c"}, antoine}},
		Rare: true, Source: "Antoine 1888; NIST MGH10"},

	{Name: "Gaussian", Text: "a*exp(-((x - b)/c)^2)", Begin: []Begin{begin("b", inside), begin("c", widths)},
		Domain: []Limits{amongData("b"), positive("c")}, Source: "NIST Eckerle4"},
	{Name: onConstant, Text: "a*exp(-((x - b)/c)^2) + d", Begin: []Begin{begin("b", inside), begin("c", widths)},
		Domain: []Limits{amongData("b"), positive("c")}, Source: "spectroscopy"},
	{Name: "two Gaussians on a constant", Text: "a*exp(-((x - b)/c)^2) + d + f*exp(-((x - g)/h)^2)", From: onConstant,
		Begin: []Begin{begin("g", inside), begin("h", widths)}, Domain: []Limits{amongData("b", "g"), positive("c", "h")},
		Source: "spectroscopy"},
	{Name: onExponential, Text: "a*exp(b*x) + c*exp(-((x - d)/f)^2)",
		From: exponential, Begin: []Begin{begin("d", inside), begin("f", widths)},
		Domain: []Limits{amongData("d"), positive("f")}, Source: "NIST Gauss1"},
	{Name: "two Gaussians on an exponential", Text: "a*exp(b*x) + c*exp(-((x - d)/f)^2) + g*exp(-((x - h)/k)^2)",
		From:  onExponential,
		Begin: []Begin{begin("h", inside), begin("k", widths)}, Domain: []Limits{amongData("d", "h"), positive("f", "k")},
		Source: "NIST Gauss1"},
	{Name: "Lorentzian", Text: "a/(1 + ((x - b)/c)^2)", Begin: []Begin{begin("b", inside), begin("c", widths)},
		Domain: []Limits{amongData("b"), positive("c")}, Source: "Lorentz 1906"},
	{Name: "Lorentzian on a constant", Text: "a/(1 + ((x - b)/c)^2) + d",
		Begin:  []Begin{begin("b", inside), begin("c", widths)},
		Domain: []Limits{amongData("b"), positive("c")}, Source: "Lorentz 1906"},
	{Name: "lognormal", Text: "a*exp(-(log(x/b)/c)^2)", Begin: []Begin{begin("b", inside), begin("c", among(0.3, 1, 3))},
		Domain: []Limits{amongData("b"), positive("c")}, Rare: true, Source: "Galton 1879"},

	{Name: wave, Text: "d + a*sin(b*x + c)", Begin: []Begin{begin("b", frequencies), begin("c", phases)},
		Domain: []Limits{aPeriod("b")}, Source: "tides"},
	{Name: "wave with a harmonic", Text: "d + a*sin(b*x + c) + f*sin(2*b*x + g)",
		From: wave, Begin: []Begin{begin("g", phases)}, Domain: []Limits{aPeriod("b")}, Source: "tides"},
	{Name: twoWaves, Text: "d + a*sin(b*x + c) + f*sin(g*x + h)",
		From: wave, Begin: []Begin{begin("g", frequencies), begin("h", phases)},
		Domain: []Limits{aPeriod("b", "g")}, Source: "tides"},
	{Name: "three waves", Text: "d + a*sin(b*x + c) + f*sin(g*x + h) + k*sin(l*x + m)", From: twoWaves,
		Begin:  []Begin{begin("l", frequencies), begin("m", phases)},
		Domain: []Limits{aPeriod("b", "g", "l")}, Source: "NIST ENSO"},
	{Name: season, Text: "d + f*x + a*sin(b*x + c)", Begin: []Begin{begin("b", frequencies), begin("c", phases)},
		Domain: []Limits{aPeriod("b")}, Source: "Cleveland et al. 1990"},
	{Name: "line and wave with a harmonic", Text: "d + f*x + a*sin(b*x + c) + g*sin(2*b*x + h)",
		From: season, Begin: []Begin{begin("h", phases)},
		Domain: []Limits{aPeriod("b")}, Source: "Cleveland et al. 1990"},
	{Name: "parabola and wave with a harmonic", Text: "d + f*x + k*x^2 + a*sin(b*x + c) + g*sin(2*b*x + h)",
		From: season, Begin: []Begin{begin("h", phases)},
		Domain: []Limits{aPeriod("b")}, Source: "Cleveland et al. 1990"},
	{Name: "damped wave", Text: "f + a*exp(-d*x)*sin(b*x + c)",
		Begin:  []Begin{begin("b", frequencies), begin("c", phases), begin("d", upwards)},
		Domain: []Limits{aPeriod("b"), positive("d")}, Source: "Stokes 1851"},
}

// Names of forms that others begin with.
const (
	exponential     = "exponential"
	relaxation      = "exponential with a constant (Newton's cooling)"
	twoExponentials = "two exponentials"
	onConstant      = "Gaussian on a constant"
	onExponential   = "Gaussian on an exponential"
	wave            = "wave"
	twoWaves        = "two waves"
	season          = "line and wave (trend and season)"
)

var exponents = among(-3, -2, -1, -0.5, 0.5, 1.5, 2, 3, 5)

// activation is a rule for b in exp(-b/(x + c)), by regression of ln|y|.
func activation(c float64) Rule {
	return func(x [][]float64, y []float64) [][]float64 {
		if slope, ok := ofLogarithm(y, reciprocal(x[0], c)); ok {
			return [][]float64{{-slope[0]}}
		}
		return nil
	}
}

// antoine is the same for b and c.
func antoine(x [][]float64, y []float64) (places [][]float64) {
	for _, c := range below(x[0], y) {
		for _, b := range activation(c)(x, y) {
			places = append(places, []float64{b[0], c})
		}
	}
	return places
}

// gammaCurve is a rule for b and c in x^b*exp(-c*x), by regression of ln|y|.
func gammaCurve(x [][]float64, y []float64) [][]float64 {
	if slope, ok := ofLogarithm(y, logarithms(x[0]), x[0]); ok {
		return [][]float64{{slope[0], -slope[1]}}
	}
	return nil
}

func reciprocal(x []float64, c float64) []float64 {
	col := make([]float64, len(x))
	for i, v := range x {
		col[i] = 1 / (v + c)
	}
	return col
}

func logarithms(x []float64) []float64 {
	col := make([]float64, len(x))
	for i, v := range x {
		col[i] = math.Log(v)
	}
	return col
}
