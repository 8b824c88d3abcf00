package formula

import (
	"reflect"
	"testing"
)

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Role
	}{
		{"2*x + 3", []Role{Coefficient, Coefficient}},
		{"2*sin(3*x + 4)", []Role{Coefficient, Frequency, Phase}},
		{"cos(3*x*sin(5*y) + 4)", []Role{Frequency, Frequency, Phase}},
		{"sin(3*x*(y + 2))", []Role{Frequency, Coefficient}},
		{"2*x^0.5*(3*y)^2 + z^1.5", []Role{Coefficient, Exponent, Coefficient, Exponent}},
		{"sigmoid(3*x - 4)/7", []Role{Coefficient, Coefficient, Coefficient}},
		{"x^2 - y", nil},
	} {
		e := MustParse(c.text)
		if got := Roles(e); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: constants %v have roles %v, want %v", c.text, Constants(e), got, c.want)
		}
	}
}

func TestTied(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"2.1*x + 2.1*y", []int{0, 1}},                                    // by chance
		{"3*sin(2.1*x + 1)/(4 + cos(2.1*x))", []int{0, 1, 2, 3, 1}},       // the same argument
		{"sin(2.1*x)^2 + 5*sin(2.1*x)", []int{0, 1, 0}},                   // … and the same sine
		{"exp(-0.5*x)*sin(0.5*x)", []int{0, 1}},                           // not the same sign
		{"(x + 7)^1.5*(x + 7)^0.5", []int{0, 1, 0, 3}},                    // each with its power
		{"2.5^x + log(7*(x - 3) + 2.5)*(x - 3)", []int{0, 1, 2, 3, 2}},    // within another
		{"sin(1.5*x - y)/(1.5*x - y) + 2*(1.5*x - y)", []int{0, 0, 2, 0}}, // within sums
		{"5", []int{0}},
	} {
		e := MustParse(c.text)
		if got := Tied(e); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: constants %v are tied as %v, want %v", c.text, Constants(e), got, c.want)
		}
	}
}

func TestParametrize(t *testing.T) {
	e := MustParse("2*sin(3*x + 4) - 5")
	p := Parametrize(e, []string{"a", "b", "c", "d"})
	back := Substitute(p, map[string]Expr{"a": Const(2), "b": Const(3), "c": Const(4), "d": Const(-5)})
	if !Equal(back, e) {
		t.Errorf("%s with its constants put back is %s, want %s", p, back, e)
	}
	if d := Simplify(Diff(p, "c")).String(); d != "a*cos(b*x + c)" && d != "a*cos(c + b*x)" {
		t.Errorf("the derivative with respect to the phase is %s", d)
	}
}
