package formula

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestSimplify(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"fold", "1*x + 2*3", "x + 6"},
		{"like terms", "2*x + 3*x", "5*x"},
		{"powers", "x*x", "x^2"},
		{"powers of powers", "(x^2)^3/x", "x^5"},
		{"nested sums", "x - (y - (x - 3))", "2*x - y - 3"},
		{"cancel", "x*y - y*x", "0"},
		{"cancel in a fraction", "x/(x^2 + x)", "1/(x + 1)"},
		{"cancel a power in a fraction", "a*x*y/(x^3 + 2*x)", "a*y/(x^2 + 2)"},
		{"cancel above the line", "(x*y + x)^2/x", "x*(y + 1)^2"},
		{"cancel rounding", "0.1*x + 0.2*x - 0.3*x + y", "y"},
		{"cancel the large", "1e20 - 1e20 + x1 + 3", "x1 + 3"},
		{"cancel the large terms", "1e17*x1 - 1e17*x1 + x1", "x1"},
		{"cancel later", "1e17*x1 + x1 - 1e17*x1", "x1"},
		{"cancel three", "3e17*x1 - 1e17*x1 + x1 - 2e17*x1", "x1"},
		{"cancel beyond the largest", "1e308*x - 1e308 + 1e308*x + 1 - 1e308*x + 1e308", "1e308*x + 1"},
		{"beyond the largest", "1e308*x + y + 1e308*x", "y + 2*1e308*x"},
		{"order", "sin(x1) - x4*x3 + x2", "x2 - x3*x4 + sin(x1)"},
		{"natural order", "x10*x2 + x10 + x2", "x2*x10 + x2 + x10"},
		{"polynomial", "1 + x + x^2", "x^2 + x + 1"},
		{"plus first", "-x1 + x2", "x2 - x1"},
		{"odd sine", "sin(-x)", "-sin(x)"},
		{"even cosine", "cos(-x)", "cos(x)"},
		{"sine of difference", "sin(x2 - x1)", "-sin(x1 - x2)"},
		{"cosine of difference", "cos(x2 - x1)", "cos(x1 - x2)"},
		{"quarter turn of cosine", "cos(x + pi/2)", "-sin(x)"},
		{"quarter turn of sine", "sin(x + pi/2)", "cos(x)"},
		{"quarter turn back", "sin(x - pi/2)", "-cos(x)"},
		{"three quarter turns", "sin(x + 3*pi/2)", "-cos(x)"},
		{"full turn", "sin(x + 2*pi)", "sin(x)"},
		{"half turn", "cos(x - 3*pi)", "-cos(x)"},
		{"phase beyond", "sin(x + 2)", "-sin(x - 1.1415926535897931)"},
		{"phase stays", "sin(x + 1.5)", "sin(x + 1.5)"},
		{"phase of tangent", "tan(x + pi)", "tan(x)"},
		{"one sine", "3*sin(x) + 4*cos(x)", "5*sin(x + 0.9272952180016122)"},
		{"sine and cosine", "sin(x) + cos(x)", "sin(x) + cos(x)"},
		{"sines with phases", "sin(x + 1) - sin(x - 1)", "1.682941969615793*cos(x)"},
		{"small sine", "1e17*cos(x) + sin(x)", "sin(x) + 1e17*cos(x)"},
		{"coefficients too far apart", "3*z*(1e-200*x + 1e-200*y + 1e200)", "z*(3e-200*(x + y) + 3e200)"},
		{"sines times rest", "3*y*sin(x) + 4*y*cos(x)", "5*y*sin(x + 0.9272952180016122)"},
		{"sines cancel", "sin(x + 1) + sin(x + 1 + pi) + y", "y"},
		{"sines with cosine cancelled", "sin(x + 1) + sin(x - 1) - 2*cos(1)*sin(x) + sin(x)", "sin(x)"},
		{"odd tanh", "tanh(-2*x)", "-tanh(2*x)"},
		{"polynomial with roots", "x^3 - 6*x^2 + 11*x - 6", "(x - 3)*(x - 2)*(x - 1)"},
		{"polynomial with roots and a rest", "2*x^5 - 3*x^4 + 3*x^3 - 3*x^2 + x", "x*(2*x^2 + 2)*(x - 1)*(x - 0.5)"},
		{"polynomial with a root twice", "(x - 2)^2*(x + 1)*(x + 3)", "(x - 2)^2*(x + 1)*(x + 3)"},
		{"polynomial without roots", "x^4 + x^3 + 1", "x^4 + x^3 + 1"},
		{"odd functions", "asin(-x) + atan(-2*x) + sinh(-y)", "-asin(x) - atan(2*x) - sinh(y)"},
		{"even functions", "cosh(y - x) + abs(-x)", "cosh(x - y) + abs(x)"},
		{"tangent stays", "tan(x)", "tan(x)"},
		{"arc of minus", "acos(-x)", "acos(-x)"},
		{"sine of its arc", "sin(asin(x)) + cos(acos(y)) + tan(atan(z))", "x + y + z"},
		{"magnitude of a square", "abs(x^2)", "x^2"},
		{"magnitude of a product", "abs(-3*x*exp(y)*z^2)", "3*z^2*exp(y)*abs(x)"},
		{"magnitude of a sum of squares", "abs(x^2 + exp(y) + 1)", "x^2 + exp(y) + 1"},
		{"square of a magnitude", "abs(x*y)^2*abs(x)", "x^2*y^2*abs(x)"},
		{"a magnitude twice", "abs(abs(x - 1))", "abs(x - 1)"},
		{"larger of numbers", "max(1, 2, x) + min(3, 2)", "max(x, 2) + 2"},
		{"larger of one", "max(x, x)", "x"},
		{"larger of negatives", "-max(-x, -3)", "min(x, 3)"},
		{"smaller than zero", "min(-x, 0)", "-max(x, 0)"},
		{"larger beside a term", "1.7 + max(x - 1.7, 0)", "max(x, 1.7)"},
		{"smaller beside a term", "3*x - 2*max(x - 2, 0)", "min(3*x, x + 4)"},
		{"larger that would be longer", "y + max(x, 0)", "y + max(x, 0)"},
		{"larger in order", "max(y, x)", "max(x, y)"},
		{"sigmoid longer", "sigmoid(-x)", "sigmoid(-x)"},
		{"sigmoid shorter", "1 - sigmoid(-x)", "sigmoid(x)"},
		{"sigmoids", "2*sigmoid(x) + 2*sigmoid(-x)", "2"},
		{"sigmoids of several arguments", "2 - sigmoid(-x) - sigmoid(-y) + z", "z + sigmoid(x) + sigmoid(y)"},
		{"log of exp", "log(exp(x + 1))", "x + 1"},
		{"exp of log", "exp(log(x))", "exp(log(x))"},
		{"root of square", "sqrt(4*x^2)", "2*abs(x)"},
		{"square of root", "sqrt(x)^2", "sqrt(x)^2"},
		{"a power and its base", "2*x/x^0.25*y", "2*y*x^0.75"},
		{"a root and its base", "x*sqrt(x)", "x^1.5"},
		{"a base over its root", "x/sqrt(x)", "sqrt(x)"},
		{"powers that make a whole one", "x^1.5*sqrt(x)", "sqrt(x)*x^1.5"},
		{"whole power of a power", "y*(x^0.3)^2", "y*x^0.6"},
		{"whole power of a root", "x/sqrt(x)^3 + 1/sqrt(y)^3", "1/sqrt(x) + 1/y^1.5"},
		{"broken power of a power", "(x^0.25)^1.5", "x^0.375"},
		{"a power of a power that would be whole", "(x^1.5)^2", "(x^1.5)^2"},
		{"odd power in a power", "(x^3)^0.5", "x^1.5"},
		{"even power in a power", "(x^2)^1.5", "(x^2)^1.5"},
		{"number in a power", "(4*x)^1.5", "8*x^1.5"},
		{"number in a root", "sqrt(4*x)", "2*sqrt(x)"},
		{"no square in a root", "sqrt(2*x)", "sqrt(2*x)"},
		{"root of a sum", "3*sqrt(4*x + 1)", "6*sqrt(x + 0.25)"},
		{"root of a sum below", "3/sqrt(4*x + 1)", "1.5/sqrt(x + 0.25)"},
		{"number in a logarithm", "log(3*x) - log(3)", "log(x)"},
		{"half power", "x^0.5", "sqrt(x)"},
		{"exponentials", "exp(x)*exp(y)/exp(x)", "exp(y)"},
		{"factor", "a*c + b*c", "c*(a + b)"},
		{"expand", "(x + 1)*(x - 1)", "x^2 - 1"},
		{"expand difference", "(x + y)^2 - (x - y)^2", "4*x*y"},
		{"expand one", "(x + y)^5 + z*(z + 1) - z^2", "z + (x + y)^5"},
		{"square of a difference", "x^2 - 2*x*y + y^2 + z", "z + (x - y)^2"},
		{"two squares", "x1*(x1 - 2*x2) + x2^2 + y1^2 + y1*y2 + 0.25*y2^2", "(x1 - x2)^2 + (y1 + 0.5*y2)^2"},
		{"square with a number", "-2*x^2 - 4*x - 2", "-2*(x + 1)^2"},
		{"no square", "x^2 - 2*x*y + 2*y^2", "2*y^2 + x*(x - 2*y)"},
		{"no square: small", "1e-170*x1^2 + 1e-180*x1*x2 + 1e-170*x2^2", "1e-180*x1*x2 + 1e-170*(x1^2 + x2^2)"},
		{"no square: large", "1e170*x1^2 + 1e160*x1*x2 + 1e170*x2^2", "1e160*x1*x2 + 1e170*(x1^2 + x2^2)"},
		{"no square: nearly", "x1^2 + 2.0000000000002*x1*x2 + x2^2", "x2^2 + x1*(x1 + 2.0000000000002*x2)"},
		{"small square", "1e-170*x1^2 + 2e-170*x1*x2 + 1e-170*x2^2", "1e-170*(x1 + x2)^2"},
		{"large square", "1e170*x1^2 + 2e170*x1*x2 + 1e170*x2^2", "1e170*(x1 + x2)^2"},
		{"square beyond the largest", "1e-170*x1^2 + 2*x1*x2 + 1e170*x2^2", "1e170*x2^2 + x1*(1e-170*x1 + 2*x2)"},
		{"keep square", "(x + y)^2", "(x + y)^2"},
		{"numeric factor", "2*x + 2*y", "2*(x + y)"},
		{"numeric factors", "3*(2*x + 2*y)", "6*(x + y)"},
		{"factors that cancel", "(2*x + 1)*(0.5*y + 1)", "(x + 0.5)*(y + 2)"},
		{"factors together", "(2*x + 1)*(3*y + 6)*sin(z)", "6*sin(z)*(x + 0.5)*(y + 2)"},
		{"number spread", "3*(x + 2)", "3*x + 6"},
		{"number spread inside", "y*z - 0.5*(2*x - 4)", "y*z - x + 2"},
		{"minus into sum", "-(x - y)*z", "z*(y - x)"},
		{"equal up to sign", "(x - y)*z + (y - x)*z + 1", "1"},
		{"cubes equal up to sign", "(x2 - x1)^3 + 2*(x1 - x2)^3", "(x1 - x2)^3"},
		{"quotient", "x/y*y", "x"},
		{"zero", "0*sin(x)", "0"},
		{"no value", "log(-1)", "log(-1)"},
		{"division by zero", "x/0", "x/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Simplify(MustParse(tt.in)).String(); got != tt.want {
				t.Errorf("Simplify(%s) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

// TestSimplifyIsBounded tries shapes that could make a simplifier slow or its result huge. The
// time limit is many times what they take.
func TestSimplifyIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("long expressions")
	}
	x := Var("x")
	horner, powers, tower := Expr(x), Expr(x), Expr(x)
	for i := range 300 {
		horner = Add(number(float64(i)+0.5), Mul(x, horner))
		tower = Call(Sin, Add(tower, number(1)))
	}
	for range 12 {
		powers = Pow(Add(powers, Var("y")), number(2))
	}
	var long, factors, mixed []Expr
	for i := range 1500 {
		v, w := Var(fmt.Sprintf("x%d", i)), Var(fmt.Sprintf("x%d", i%7))
		long = append(long, Mul(number(float64(i)), v))
		factors = append(factors, Add(v, number(1)))
		mixed = append(mixed,
			Mul(number(1/(1+float64(i))), w, Call(Sin, Add(Mul(number(float64(i%11)), v), number(float64(i))))))
	}
	tests := []struct {
		name string
		e    Expr
	}{
		{"nested products", horner},
		{"nested sines", tower},
		{"nested squares", powers},
		{"long sum", Add(long...)},
		{"long product", Mul(factors...)},
		{"sum of waves", Add(mixed...)},
		{"product of long sums", Mul(Add(long...), Add(mixed...))},
		{"network", networkExpr(rand.New(rand.NewPCG(7, 8)), 2, 4, 4)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			s := Simplify(tt.e)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%d nodes take %v", tt.e.size(), d)
			} else {
				t.Logf("%d nodes become %d in %v", tt.e.size(), s.size(), d)
			}
			if s.size() > tt.e.size()+tt.e.size()/2 {
				t.Errorf("%d nodes grow to %d", tt.e.size(), s.size())
			}
		})
	}
}
