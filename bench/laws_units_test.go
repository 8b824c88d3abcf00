package bench

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/units"
)

// feynmanSymbols are the units of what Feynman's equations call by one letter throughout, and feynmanUnits those of an
// equation that differ, with the target's as y. What is in neither is a pure number.
var feynmanSymbols = map[string]string{
	"x": "m", "x1": "m", "x2": "m", "y1": "m", "y2": "m", "z": "m", "z1": "m", "z2": "m", "r": "m", "r1": "m", "r2": "m",
	"d": "m", "d1": "m", "d2": "m", "t": "s", "v": "m/s", "u": "m/s", "w": "m/s", "c": "m/s", "m": "kg", "m1": "kg",
	"m2": "kg", "m_0": "kg", "F": "N", "Nn": "N", "omega": "1/s", "omega_0": "1/s", "q": "C", "q1": "C", "q2": "C",
	"Ef": "V/m", "B": "T", "epsilon": "F/m", "Volt": "V", "I": "A", "h": "J s", "kb": "J/K", "T": "K", "T1": "K",
	"T2": "K", "G": "m^3/(kg s^2)", "k_spring": "N/m", "pr": "Pa", "V": "m^3", "V1": "m^3", "V2": "m^3", "p_d": "C m",
	"mom": "A m^2", "n_0": "1/m^3", "n_rho": "1/m^3", "rho_c_0": "C/m^3", "Y": "Pa", "A": "m^2", "P": "W", "H": "T",
	"M": "A/m", "E": "J", "E_n": "J", "mob": "s/kg", "Bx": "T", "By": "T", "Bz": "T", "kappa": "W/(m K)",
}

var feynmanUnits = map[string]string{
	"I.8.14": "y=m", "I.9.18": "y=N", "I.10.7": "y=kg", "I.11.19": "x1=1,x2=1,y1=1,y2=1", "I.12.1": "y=N", "I.12.2": "y=N",
	"I.12.4": "y=V/m", "I.12.5": "y=N", "I.12.11": "y=N", "I.13.4": "y=J", "I.13.12": "y=J", "I.14.3": "y=J,g=m/s^2",
	"I.14.4": "y=J", "I.15.3x": "y=m", "I.15.3t": "y=s", "I.15.10": "y=kg m/s", "I.16.6": "y=m/s", "I.18.4": "y=m",
	"I.18.12": "y=N m", "I.18.16": "y=kg m^2/s", "I.24.6": "y=J", "I.25.13": "y=V,C=F", "I.27.6": "y=m", "I.29.4": "y=1/m",
	"I.29.16": "y=m", "I.30.5": "lambd=m", "I.32.5": "y=W,a=m/s^2", "I.32.17": "y=W", "I.34.1": "y=1/s",
	"I.34.8": "y=1/s,p=kg m/s", "I.34.14": "y=1/s", "I.34.27": "y=J", "I.37.4": "I1=W/m^2,I2=W/m^2,y=W/m^2",
	"I.38.12": "y=m", "I.39.1": "y=J", "I.39.11": "y=J", "I.39.22": "y=Pa", "I.40.1": "y=1/m^3,g=m/s^2",
	"I.41.16": "y=kg/s^2", "I.43.16": "y=m/s,mu=s/kg,V=V", "I.43.31": "y=m^2/s", "I.43.43": "y=W/(m K)", "I.44.4": "y=J",
	"I.47.23": "y=m/s,rho=kg/m^3", "I.48.2": "y=J", "I.50.26": "y=m", "II.2.42": "y=W", "II.3.24": "y=W/m^2",
	"II.4.23": "y=V", "II.6.11": "y=V", "II.6.15a": "y=V/m", "II.6.15b": "y=V/m", "II.8.7": "y=J", "II.8.31": "y=J/m^3",
	"II.10.9": "y=V/m,sigma=C/m^2", "II.11.3": "y=m", "II.11.17": "y=1/m^3", "II.11.20": "y=C/m^2,n=1/m^3,p=C m",
	"II.11.27": "y=C/m^2,n=1/m^3,alpha=m^3", "II.11.28": "n=1/m^3,alpha=m^3", "II.13.17": "y=T", "II.13.23": "y=C/m^3",
	"II.13.34": "y=A/m^2", "II.15.4": "y=J", "II.15.5": "y=J", "II.21.32": "y=V", "II.24.17": "y=1/m",
	"II.27.16": "y=W/m^2", "II.27.18": "y=J/m^3", "II.34.2": "y=A m^2", "II.34.2a": "y=A", "II.34.11": "y=1/s",
	"II.34.29a": "y=A m^2", "II.34.29b": "y=J,Jz=J s", "II.35.18": "y=1/m^3", "II.35.21": "y=A/m", "II.36.38": "",
	"II.37.1": "y=J", "II.38.3": "y=N", "II.38.14": "y=Pa", "III.4.33": "y=J", "III.7.38": "y=1/s", "III.8.54": "",
	"III.9.52": "", "III.10.19": "y=J", "III.12.43": "y=J s", "III.13.18": "y=m/s,k=1/m", "III.14.14": "I_0=A,y=A",
	"III.15.12": "U=J,k=1/m,y=J", "III.15.14": "y=kg", "III.15.27": "y=1/m", "III.17.37": "beta=W/m^2,y=W/m^2",
	"III.19.51": "y=J", "III.21.20": "rho=C/m^3,A=T m,y=A/m^2",
}

// feynmanUnitsOf returns the units of the columns of an equation.
func feynmanUnitsOf(t *testing.T, id, law string) map[string]string {
	e, err := formula.Parse(law)
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]string{"y": "1"}
	for _, name := range formula.Vars(e) {
		if unit, ok := feynmanSymbols[name]; ok {
			columns[name] = unit
		} else {
			columns[name] = "1"
		}
	}
	for own := range strings.SplitSeq(feynmanUnits[id], ",") {
		if name, unit, ok := strings.Cut(own, "="); ok {
			columns[name] = unit
		}
	}
	return columns
}

// TestFeynmanUnits holds the units to the equations: each equation agrees with those of its columns, its numbers pure.
func TestFeynmanUnits(t *testing.T) {
	var all []feynmanLaw
	for _, f := range feynmanLaws {
		all = append(all, feynmanLaw{id: f.id, law: f.law})
	}
	for _, f := range slices.Concat(all, feynmanQuotients, feynmanCurves) {
		measured := map[string]units.Unit{}
		for name, text := range feynmanUnitsOf(t, f.id, f.law) {
			u, err := units.Parse(text)
			if err != nil {
				t.Fatalf("%s: %v", f.id, err)
			}
			measured[name] = u
		}
		e, err := formula.Parse(f.law)
		if err != nil {
			t.Fatal(err)
		}
		fixed := make([]bool, len(formula.Constants(e)))
		for i := range fixed {
			fixed[i] = true
		}
		if _, wrong := units.Check(e, "y", measured, fixed); wrong != nil {
			t.Errorf("%s, y = %s: %v", f.id, f.law, wrong)
		}
	}
}

// unitsFlags returns the flags of eql fit with units of columns.
func unitsFlags(columns map[string]string) []string {
	var flags []string
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		flags = append(flags, "--units-of", name+"="+columns[name])
	}
	return flags
}
