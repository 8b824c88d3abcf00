package units

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want Unit
	}{
		{"", Pure}, {"1", Pure}, {"-", Pure}, {"[-]", Pure}, {"a.u.", Pure}, {"(arb. units)", Pure}, {"%", si(0.01)},
		{"m", si(1, 1)}, {"km", si(1000, 1)}, {"[mm]", si(1e-3, 1)}, {"(m)", si(1, 1)},
		{"m/s^2", si(1, 1, 0, -2)}, {"m s-2", si(1, 1, 0, -2)}, {"m·s⁻²", si(1, 1, 0, -2)}, {"m/s/s", si(1, 1, 0, -2)},
		{"m s**-2", si(1, 1, 0, -2)},
		{"kg·m²/s", si(1, 2, 1, -1)}, {"kg*m2/s", si(1, 2, 1, -1)}, {"kg.m^2/s", si(1, 2, 1, -1)},
		{"kJ/mol", si(1000, 2, 1, -2, 0, 0, -1)}, {"J/kg K", si(1, 2, 0, -2, 0, -1)}, {"J/(kg·K)", si(1, 2, 0, -2, 0, -1)},
		{"W/m2K", si(1, 0, 1, -3, 0, -1)}, {"W m^-2 K^-1", si(1, 0, 1, -3, 0, -1)},
		{"1/min", si(1./60, 0, 0, -1)}, {"l/100km", si(1e-3/1e5, 2)}, {"Hz^(1/2)", si(1, 0, 0, -0.5)}, {"V/√Hz", Unit{}},
		{"min", si(60, 0, 0, 1)}, {"mmin", Unit{}}, {"µm", si(1e-6, 1)}, {"μm", si(1e-6, 1)},
		{"um", si(1e-6, 1)}, {"dam", si(10, 1)},
		{"°C", si(1, 0, 0, 0, 0, 1)}, {"mmHg", si(101325./760, -1, 1, -2)}, {"kWh", si(3.6e6, 2, 1, -2)},
		{"hPa", si(100, -1, 1, -2)}, {"kOhm", si(1000, 2, 1, -3, -2)},
		{"cd", si(1, 0, 0, 0, 0, 0, 0, 1)}, {"ft", si(0.3048, 1)}, {"mph", si(0.44704, 1, 0, -1)},
		{"degree", si(math.Pi / 180)},
		{"m^", Unit{}}, {"/s", Unit{}}, {"m)", Unit{}}, {"(m", Unit{}}, {"((m)", Unit{}}, {"m^(1/0)", Unit{}},
		{"m^99", Unit{}}, {"0", Unit{}}, {"m//s", Unit{}},
	} {
		got, err := Parse(c.text)
		if (err != nil) != (c.want.Size == 0) || err == nil && !got.Is(c.want) {
			t.Errorf("Parse(%q) is %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

// Every unit of the table can be read by each of its names, and no name stands for two units.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		for _, name := range r.names {
			if seen[name] {
				t.Errorf("%q is two units", name)
			}
			seen[name] = true
			if u, err := Parse(name); err != nil || !u.Is(r.unit) {
				t.Errorf("Parse(%q) is %v, %v, want %v", name, u, err, r.unit)
			}
			if r.prefix {
				if u, err := Parse("m" + name); err != nil || !u.Dim.Is(r.unit.Dim) && name != "in" {
					t.Errorf("Parse(%q) is %v, %v", "m"+name, u, err)
				}
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, c := range []struct{ text, word, near string }{
		{"m/sek", "sek", "sec"}, {"Newtons", "Newtons", "newton"}, {"hz", "hz", "Hz"}, {"EUR", "EUR", ""}, {"kgs", "kgs", ""},
	} {
		_, err := Parse(c.text)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Word != c.word || c.near != "" && !slices.Contains(unknown.Near, c.near) {
			t.Errorf("Parse(%q): %v, want one about %q that names %q", c.text, err, c.word, c.near)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"m/s^2", "kg·m²/s", "J/kg K", "l/100km", "((", "m^(1/2)", "m-2", "¹", "1e5m", "°C"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if u, err := Parse(text); err == nil && !(u.Size > 0) {
			t.Errorf("%q has the size %g", text, u.Size)
		}
	})
}

// columns of the tests.
func columns(t *testing.T, texts map[string]string) map[string]Unit {
	t.Helper()
	list := map[string]Unit{}
	for name, text := range texts {
		u, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = u
	}
	return list
}

func TestCheck(t *testing.T) {
	mechanics := map[string]string{"F": "N", "m": "kg", "a": "m/s^2", "x": "m", "t": "s", "v": "m/s",
		"E": "kJ", "T": "K", "s": "mm"}
	for _, c := range []struct {
		name, target, formula string
		fixed                 []bool
		units                 []string // of the constants
		err                   string
	}{
		{"no constant", "F", "m*a", nil, []string{}, ""},
		{"a wrong unit", "F", "m*v", nil, nil, "the term m*v has the unit kg*m/s, and F has kg*m/s^2"},
		{"a constant makes it right", "F", "0.5*m*v", nil, []string{"1/s"}, ""},
		{"a special value does not", "F", "0.5*m*v", []bool{true}, nil,
			"the term 0.5*m*v has the unit kg*m/s, and F has kg*m/s^2"},
		{"one term of two", "F", "m*a + m*v", nil, nil, "the term m*v has the unit kg*m/s, and F has kg*m/s^2"},
		{"a constant term", "F", "m*a + 3.5", nil, []string{"N"}, ""},
		{"a spring", "F", "-2.5*x", nil, []string{"N/m"}, ""},
		{"decay", "x", "1.5*exp(-0.7*t) + 0.2", nil, []string{"m", "1/s", "m"}, ""},
		{"an exponential of a length", "x", "1.5*exp(-x)", nil, nil,
			"the term -x has the unit m, and in exp(-x) it must have none"},
		{"an exponential of a length by a number", "x", "1.5*exp(-0.5*x)", nil, []string{"m", "1/m"}, ""},
		{"saturation", "v", "4.5*x/(x + 2.5)", nil, []string{"m/s", "m"}, ""},
		{"one in a sum", "v", "4.5*x/(x + 1)", []bool{false, true}, nil, "the term 1 has the unit 1, and x beside it has m"},
		{"a wave", "x", "2.5*sin(3.5*t + 0.4)", nil, []string{"m", "1/s", ""}, ""},
		{"a root", "v", "sqrt(2.5*x*a)", nil, []string{""}, ""},
		{"a power with a fitted exponent", "x", "2.5*t^0.7", nil, []string{"m/s^0.7", ""}, ""},
		{"a power of a number", "x", "2.5*1.5^t", nil, nil,
			"the term t has the unit s, and in the exponent of 1.5^t it must have none"},
		{"a logarithm beside a constant", "x", "2.5*log(t) + 1.5", nil, []string{"m", "m"}, ""},
		{"a logarithm alone", "x", "2.5*log(t)", nil, nil, "the term t has the unit s, and in log it must have none"},
		{"a logarithm with a constant inside", "x", "2.5*log(0.3*t)", nil, []string{"m", "1/s"}, ""},
		{"units of a table", "E", "4.5*s", nil, []string{"kJ/mm"}, ""},
		{"a mixture", "F", "m*a*(1.5*x + t)", nil, nil, ""},
		{"a column without a unit", "F", "2.5*z", nil, []string{"N"}, ""},
		{"terms that cannot agree", "F", "(x + t)*2.5", nil, nil, "the term t has the unit s, and x beside it has m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := NewWriter("N", "kJ", "kg", "m", "s", "mm")
			got, wrong := Check(formula.MustParse(c.formula), c.target, columns(t, mechanics), c.fixed)
			if c.units == nil && c.err == "" {
				if wrong == nil {
					t.Errorf("got %v, want an error", got)
				}
				return
			}
			if c.err != "" {
				if wrong == nil || wrong.Error() != c.err {
					t.Errorf("got %v\nwant %s", wrong, c.err)
				}
				return
			}
			if wrong != nil {
				t.Fatal(wrong)
			}
			for i, want := range c.units {
				if text := w.Text(got[i]); text != want && got[i].String() != want {
					t.Errorf("constant %d has the unit %s, want %s", i, text, want)
				}
			}
		})
	}
}

func TestGroupings(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs []string
		target string
		groups int // −1: there is none
	}{
		{"a pendulum's period", []string{"m", "kg", "m/s^2"}, "s", 0},
		{"two lengths", []string{"m", "m", "m/s^2"}, "s", 1},
		{"Lorentz", []string{"m", "m/s", "m/s", "s"}, "m", 2},
		{"no dimension", []string{"1", "%"}, "1", -1},
		{"out of reach", []string{"m", "kg"}, "s", -1},
		{"gravity", []string{"m^3/(kg s^2)", "kg", "kg", "m", "m", "m", "m", "m", "m"}, "N", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			var inputs []Dim
			for _, text := range c.inputs {
				u, err := Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				inputs = append(inputs, u.Dim)
			}
			target, err := Parse(c.target)
			if err != nil {
				t.Fatal(err)
			}
			all := Groupings(inputs, target.Dim, 3)
			if (len(all) == 0) != (c.groups < 0) {
				t.Fatalf("got %d ways", len(all))
			}
			dim := func(p []float64) (d Dim) {
				for j, e := range p {
					d = d.Times(inputs[j], e)
				}
				return d
			}
			for _, g := range all {
				if len(g.Groups) != c.groups || !dim(g.Target).Is(target.Dim) {
					t.Errorf("got %v", g)
				}
				for _, p := range g.Groups {
					if !dim(p).Zero() {
						t.Errorf("the group %v has the dimension %v", p, dim(p))
					}
				}
			}
		})
	}
}
