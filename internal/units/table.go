package units

import "math"

// row is a unit of the table.
type row struct {
	names  []string // all spellings; the first is the usual one
	unit   Unit
	prefix bool // it takes prefixes
}

// si is a unit of a size and exponents of m, kg, s, A, K, mol and cd; exponents at the end may be left out.
func si(size float64, exponents ...float64) Unit {
	u := Unit{Size: size}
	copy(u.Dim[:], exponents)
	return u
}

// Sizes that several units share.
const (
	gravity  = 9.80665
	pound    = 0.45359237
	inch     = 0.0254
	charge   = 1.602176634e-19
	calorie  = 4.184
	torr     = 101325. / 760
	julian   = 365.25 * 86400
	dalton   = 1.66053906660e-27
	lightYr  = 9460730472580800.
	astroUn  = 149597870700.
	parsec   = 3.0856775814913673e16
	fahrenSz = 5. / 9
)

// table has the units that are known. A word is looked up as it is first, and then without a prefix: min is a minute.
var table = []row{
	{[]string{"m", "meter", "metre", "meters", "metres"}, si(1, 1), true},
	{[]string{"g", "gram", "grams"}, si(1e-3, 0, 1), true},
	{[]string{"s", "sec", "second", "seconds"}, si(1, 0, 0, 1), true},
	{[]string{"A", "amp", "ampere", "amperes"}, si(1, 0, 0, 0, 1), true},
	{[]string{"K", "kelvin"}, si(1, 0, 0, 0, 0, 1), true},
	{[]string{"mol", "mole", "moles"}, si(1, 0, 0, 0, 0, 0, 1), true},
	{[]string{"cd", "lm"}, si(1, 0, 0, 0, 0, 0, 0, 1), true},

	{[]string{"N", "newton"}, si(1, 1, 1, -2), true},
	{[]string{"Pa", "pascal"}, si(1, -1, 1, -2), true},
	{[]string{"J", "joule", "joules"}, si(1, 2, 1, -2), true},
	{[]string{"W", "watt", "watts"}, si(1, 2, 1, -3), true},
	{[]string{"Hz", "hertz", "Bq"}, si(1, 0, 0, -1), true},
	{[]string{"C", "coulomb"}, si(1, 0, 0, 1, 1), true},
	{[]string{"V", "volt", "volts"}, si(1, 2, 1, -3, -1), true},
	{[]string{"\u03a9", "\u2126", "ohm", "Ohm", "ohms"}, si(1, 2, 1, -3, -2), true},
	{[]string{"S", "siemens"}, si(1, -2, -1, 3, 2), true},
	{[]string{"F", "farad"}, si(1, -2, -1, 4, 2), true},
	{[]string{"H", "henry"}, si(1, 2, 1, -2, -1-1), true},
	{[]string{"Wb", "weber"}, si(1, 2, 1, -2, -1), true},
	{[]string{"T", "tesla"}, si(1, 0, 1, -2, -1), true},
	{[]string{"lx", "lux"}, si(1, -2, 0, 0, 0, 0, 0, 1), true},
	{[]string{"Gy", "Sv"}, si(1, 2, 0, -2), true},
	{[]string{"kat"}, si(1, 0, 0, -1, 0, 0, 1), true},
	{[]string{"rad", "radian", "radians", "sr"}, si(1), true},

	{[]string{"min", "minute", "minutes"}, si(60, 0, 0, 1), false},
	{[]string{"h", "hr", "hour", "hours"}, si(3600, 0, 0, 1), false},
	{[]string{"d", "day", "days"}, si(86400, 0, 0, 1), false},
	{[]string{"week", "weeks"}, si(7*86400, 0, 0, 1), false},
	{[]string{"month", "months"}, si(julian/12, 0, 0, 1), false},
	{[]string{"yr", "a", "year", "years"}, si(julian, 0, 0, 1), true},
	{[]string{"rpm"}, si(2*math.Pi/60, 0, 0, -1), false},
	{[]string{"L", "l", "liter", "litre", "liters", "litres"}, si(1e-3, 3), true},
	{[]string{"M", "molar"}, si(1e3, -3, 0, 0, 0, 0, 1), true},
	{[]string{"t", "tonne", "tonnes"}, si(1e3, 0, 1), true},
	{[]string{"u", "Da", "amu"}, si(dalton, 0, 1), true},
	{[]string{"ha"}, si(1e4, 2), false},
	{[]string{"\u00c5", "\u212b", "angstrom"}, si(1e-10, 1), false},
	{[]string{"au", "AU"}, si(astroUn, 1), false},
	{[]string{"ly"}, si(lightYr, 1), true},
	{[]string{"pc", "parsec"}, si(parsec, 1), true},
	{[]string{"eV"}, si(charge, 2, 1, -2), true},
	{[]string{"Wh"}, si(3600, 2, 1, -2), true},
	{[]string{"Ah"}, si(3600, 0, 0, 1, 1), true},
	{[]string{"VA", "var"}, si(1, 2, 1, -3), true},
	{[]string{"cal"}, si(calorie, 2, 1, -2), true},
	{[]string{"bar"}, si(1e5, -1, 1, -2), true},
	{[]string{"atm"}, si(101325, -1, 1, -2), false},
	{[]string{"mmHg", "Torr", "torr"}, si(torr, -1, 1, -2), false},
	{[]string{"psi"}, si(pound*gravity/(inch*inch), -1, 1, -2), false},
	{[]string{"G", "gauss"}, si(1e-4, 0, 1, -2, -1), false},
	{[]string{"dyn"}, si(1e-5, 1, 1, -2), false},
	{[]string{"erg"}, si(1e-7, 2, 1, -2), false},
	{[]string{"P", "poise"}, si(0.1, -1, 1, -1), true},
	{[]string{"St"}, si(1e-4, 2, 0, -1), true},
	{[]string{"in", "inch", "inches"}, si(inch, 1), false},
	{[]string{"ft", "foot", "feet"}, si(12*inch, 1), false},
	{[]string{"yd", "yard", "yards"}, si(36*inch, 1), false},
	{[]string{"mi", "mile", "miles"}, si(63360*inch, 1), false},
	{[]string{"nmi"}, si(1852, 1), false},
	{[]string{"mph"}, si(63360*inch/3600, 1, 0, -1), false},
	{[]string{"kn", "knot", "knots"}, si(1852./3600, 1, 0, -1), false},
	{[]string{"lb", "lbs"}, si(pound, 0, 1), false},
	{[]string{"oz"}, si(pound/16, 0, 1), false},
	{[]string{"lbf"}, si(pound*gravity, 1, 1, -2), false},
	{[]string{"kgf"}, si(gravity, 1, 1, -2), false},
	{[]string{"hp"}, si(550*12*inch*pound*gravity, 2, 1, -3), false},
	{[]string{"gal"}, si(231*inch*inch*inch, 3), false},
	{[]string{"BTU", "Btu"}, si(1055.05585262, 2, 1, -2), false},
	{[]string{"°C", "degC", "celsius", "Celsius"}, si(1, 0, 0, 0, 0, 1), false},
	{[]string{"°F", "degF", "fahrenheit", "Fahrenheit"}, si(fahrenSz, 0, 0, 0, 0, 1), false},

	{[]string{"°", "deg", "degree", "degrees"}, si(math.Pi / 180), false},
	{[]string{"%", "percent", "pct"}, si(1e-2), false},
	{[]string{"‰"}, si(1e-3), false},
	{[]string{"ppm"}, si(1e-6), false},
	{[]string{"ppb"}, si(1e-9), false},
	{[]string{"dB", "pH", "count", "counts", "-", "–", "none"}, si(1), false},
	{[]string{"bit", "bits"}, si(1), true},
	{[]string{"B", "byte", "bytes"}, si(8), true},
	{[]string{"rev", "turn", "cycle", "cycles"}, si(2 * math.Pi), false},
}

// prefixes are those of SI.
var prefixes = []struct {
	name string
	size float64
}{
	{"Q", 1e30}, {"R", 1e27}, {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6},
	{"k", 1e3}, {"h", 1e2}, {"da", 10}, {"d", 0.1}, {"c", 1e-2}, {"m", 1e-3}, {"µ", 1e-6}, {"μ", 1e-6}, {"u", 1e-6},
	{"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}, {"r", 1e-27}, {"q", 1e-30},
}

// known has all words of the table, without prefixes.
var known = func() map[string]row {
	m := map[string]row{}
	for _, r := range table {
		for _, name := range r.names {
			m[name] = r
		}
	}
	return m
}()

// fromZero are the units that are counted from a zero of their own.
var fromZero = map[string]bool{
	"°C": true, "degC": true, "celsius": true, "Celsius": true, "°F": true, "degF": true,
	"fahrenheit": true, "Fahrenheit": true,
}
