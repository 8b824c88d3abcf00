package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bases are the SI bases, in the order of the exponents of a [Dim].
var bases = [...]string{"m", "kg", "s", "A", "K", "mol", "cd"}

// written are places of the bases in the order in which units are usually written.
var written = [...]int{1, 0, 2, 3, 4, 5, 6}

// Dim is a dimension: exponents of the SI bases metre, kilogram, second, ampere, kelvin, mole and candela.
type Dim [len(bases)]float64

// A Unit is a unit of measurement: its dimension, and how many coherent SI units it is.
type Unit struct {
	Dim  Dim
	Size float64 // of km 1000; positive
}

// Pure is the unit of a number.
var Pure = Unit{Size: 1}

// tolerance is how much exponents that are equal may differ by rounding.
const tolerance = 1e-9

// Zero reports whether there is no dimension.
func (d Dim) Zero() bool { return d.Is(Dim{}) }

// Is reports whether two dimensions are the same.
func (d Dim) Is(e Dim) bool {
	for k := range d {
		if !(math.Abs(d[k]-e[k]) <= tolerance) {
			return false
		}
	}
	return true
}

// Times returns the dimension of x·y^p for x and y with dimensions d and e.
func (d Dim) Times(e Dim, p float64) Dim {
	for k := range d {
		d[k] += p * e[k]
	}
	return d
}

// Times returns u·v^p.
func (u Unit) Times(v Unit, p float64) Unit {
	return Unit{u.Dim.Times(v.Dim, p), u.Size * math.Pow(v.Size, p)}
}

// Is reports whether two units are the same, dimension and size.
func (u Unit) Is(v Unit) bool {
	return u.Dim.Is(v.Dim) && math.Abs(u.Size-v.Size) <= 1e-6*math.Max(u.Size, v.Size)
}

// String writes the unit in SI, such as kg*m/s^2, with its size in front where that is not 1.
func (u Unit) String() string {
	names := make([]power, 0, len(bases))
	for _, k := range written {
		if p := u.Dim[k]; math.Abs(p) > tolerance {
			names = append(names, power{bases[k], p})
		}
	}
	text := writePowers(names)
	if u.Size > 0 && math.Abs(u.Size-1) > 1e-6 {
		return fmt.Sprintf("%.6g %s", u.Size, text)
	}
	return text
}

// power is a unit with its exponent.
type power struct {
	name     string
	exponent float64
}

// writePowers writes a product of powers as kg*m/s^2, and as 1 without any.
func writePowers(list []power) string {
	var over, under []string
	for _, p := range list {
		if p.exponent > 0 {
			over = append(over, p.name+exponentText(p.exponent))
		} else {
			under = append(under, p.name+exponentText(-p.exponent))
		}
	}
	top, bottom := strings.Join(over, "*"), strings.Join(under, "*")
	switch {
	case len(over) == 0:
		top = "1"
	case len(under) == 0:
		return top
	}
	switch len(under) {
	case 0:
		return top
	case 1:
		return top + "/" + bottom
	}
	return top + "/(" + bottom + ")"
}

// exponentText writes an exponent: nothing for 1, fractions of small denominators as such.
func exponentText(p float64) string {
	for den := 1.0; den <= 6; den++ {
		num := math.Round(p * den)
		switch {
		case math.Abs(p*den-num) > tolerance:
			continue
		case num == 1 && den == 1:
			return ""
		case den == 1:
			return fmt.Sprintf("^%g", num)
		}
		return fmt.Sprintf("^(%g/%g)", num, den)
	}
	return "^" + strconv.FormatFloat(p, 'g', 4, 64)
}
