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
