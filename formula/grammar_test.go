package formula

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// grammar is how a language reads the expressions that are printed, and nothing more: a sign stands only where a sum
// begins. It is written from the languages' definitions, apart from the table that prints.
type grammar struct {
	times, over string
	power       string // the operator; "" where powers are calls
	assoc       side   // of powers
	exponents   bool   // negative bases need exponents that are integers, not only whole numbers
	signFirst   bool   // a sign binds tighter than a power
	integers    bool   // numbers without point and exponent are integers, whose quotient is another one
	number      string // a pattern
	name        string
	anyCase     bool
	call        map[string]func(...float64) float64
	value       map[string]float64
}

type side int

const (
	right side = iota // a^b^c = a^(b^c)
	left
	neither // an error
)

const (
	asciiName = `[A-Za-z_][A-Za-z0-9_]*`
	anyName   = `[\pL_][\pL0-9_]*`
	dotted    = `[\pL_][\pL0-9_.]*`
	plain     = `[0-9]+(\.[0-9]+)?(e-?[0-9]+)?`
)

var grammars = map[Form]grammar{
	Go: {integers: true, number: plain, name: dotted,
		call: calls("math.Sin math.Cos math.Tan math.Exp math.Log math.Sqrt - math.Tanh math.Asin math.Acos math.Atan "+
			"math.Sinh math.Cosh math.Abs min max math.Pow",
			"math.Inf", math.Inf(1), "math.Copysign", math.Copysign(0, -1))},
	Python: {power: "**", number: plain, name: dotted,
		call: calls("np.sin np.cos np.tan np.exp np.log np.sqrt - np.tanh np.arcsin np.arccos np.arctan np.sinh np.cosh " +
			"np.abs np.minimum np.maximum"),
		value: map[string]float64{"np.inf": math.Inf(1)}},
	C: {integers: true, number: plain, name: asciiName,
		call: both(calls("sin cos tan exp log sqrt - tanh asin acos atan sinh cosh fabs smaller larger pow"),
			calls("- - - - - - - - - - - - - - fmin fmax"))},
	Julia: {power: "^", integers: true, number: plain, name: anyName,
		call: calls("sin cos tan exp log sqrt - tanh " + later + " power")},
	MATLAB: {times: ".*", over: "./", power: ".^", assoc: left, number: plain, name: `[A-Za-z][A-Za-z0-9_]{0,62}`,
		call: both(calls("sin cos tan exp log sqrt - tanh "+later),
			calls("- - - - real_log real_sqrt - - real_asin real_acos - - - - real_min real_max real_power"))},
	R: {power: "^", number: plain, name: `[A-Za-z][A-Za-z0-9_]*`,
		call: calls("sin cos tan exp log sqrt - tanh asin acos atan sinh cosh abs pmin pmax")},
	Excel: {power: "^", assoc: left, signFirst: true, number: `[0-9]+(\.[0-9]+)?(E-?[0-9]+)?`, name: anyName,
		anyCase: true,
		call:    calls("SIN COS TAN EXP LN SQRT - TANH ASIN ACOS ATAN SINH COSH ABS MIN MAX POWER")},
	Fortran: {power: "**", integers: true, exponents: true, number: `[0-9]+(\.[0-9]+)?d-?[0-9]+|[0-9]+`,
		name:    `[A-Za-z][A-Za-z0-9_]{0,62}`,
		anyCase: true, call: both(calls("sin cos tan exp log sqrt - tanh "+later, "ieee_value", math.Inf(1)),
			calls("- - - - - - - - - - - - - - smaller larger")),
		value: map[string]float64{"ieee_positive_inf": 0}},
	Stan: {power: "^", integers: true, number: plain, name: `[A-Za-z][A-Za-z0-9_]*`,
		call: both(calls("sin cos tan exp log sqrt inv_logit tanh asin acos atan sinh cosh abs fmin fmax",
			"positive_infinity", math.Inf(1)), calls("- - - - - - - - - - - - - - smaller larger"))},
	Modelica: {power: "^", assoc: neither, integers: true, number: plain, name: asciiName,
		call: calls("sin cos tan exp log sqrt - tanh " + later)},
}

// later are the usual names of the functions after tanh.
const later = "asin acos atan sinh cosh abs min max"

// calls names the functions in their order, then the power; constants that are called follow.
func calls(names string, constants ...any) map[string]func(...float64) float64 {
	m := map[string]func(...float64) float64{}
	for i, name := range strings.Fields(names) {
		switch {
		case i < len(funcs):
			m[name] = func(x ...float64) float64 { return Func(i).Value(x...) }
		default:
			m[name] = func(x ...float64) float64 { return math.Pow(x[0], x[1]) }
		}
	}
	delete(m, "-")
	for i := 0; i < len(constants); i += 2 {
		m[constants[i].(string)] = func(...float64) float64 { return constants[i+1].(float64) }
	}
	return m
}

func both(a, b map[string]func(...float64) float64) map[string]func(...float64) float64 {
	for name, f := range b {
		a[name] = f
	}
	return a
}

// reader evaluates as it reads.
type reader struct {
	grammar
	tokens []string
}

var goesOn, ends = regexp.MustCompile(`^[\pL\pN_]`), regexp.MustCompile(`[\pL\pN_]$`)

// operand is a value and whether it is an integer.
type operand struct {
	v     float64
	whole bool
	digit bool // is written with digits
}

// evaluate returns the value of an expression of the language.
func (g grammar) evaluate(s string, vars map[string]float64) (v float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v in %s", r, s)
		}
	}()
	g.value = withValues(g.value, vars, g.key)
	r := &reader{grammar: g}
	token := regexp.MustCompile(`^(` + g.number + `|` + g.name + `|\*\*|\.[*/^]|[-+*/^(),])`)
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimLeft(s, " ") {
		t := token.FindString(s)
		if t == "" {
			return 0, fmt.Errorf("no token at %s", s)
		}
		r.tokens, s = append(r.tokens, t), s[len(t):]
		if goesOn.MatchString(s) && ends.MatchString(t) {
			return 0, fmt.Errorf("%s goes on with %s", t, s)
		}
	}
	v = r.sum().v
	if len(r.tokens) > 0 {
		return 0, fmt.Errorf("%s is left over", strings.Join(r.tokens, " "))
	}
	return v, nil
}

func withValues(constants, vars map[string]float64, key func(string) string) map[string]float64 {
	all := map[string]float64{}
	for name, v := range constants {
		all[key(name)] = v
	}
	for name, v := range vars {
		if _, ok := all[key(name)]; ok {
			panic(name + " means two things")
		}
		all[key(name)] = v
	}
	return all
}

func (g grammar) key(name string) string {
	if g.anyCase {
		return strings.ToUpper(name)
	}
	return name
}

// next takes the next token if it is one of those wanted.
func (r *reader) next(wanted ...string) string {
	for _, w := range wanted {
		if w != "" && len(r.tokens) > 0 && r.tokens[0] == w {
			r.tokens = r.tokens[1:]
			return w
		}
	}
	return ""
}

func (r *reader) sum() operand {
	v := r.product(r.next("-") != "")
	for {
		switch r.next("+", "-") {
		case "+":
			w := r.product(false)
			v = operand{v.v + w.v, v.whole && w.whole, false}
		case "-":
			w := r.product(false)
			v = operand{v.v - w.v, v.whole && w.whole, false}
		default:
			return v
		}
	}
}

func (r *reader) product(minus bool) operand {
	times, over := r.times, r.over
	if times == "" {
		times, over = "*", "/"
	}
	v := r.signed(minus)
	for {
		switch r.next(times, over) {
		case times:
			w := r.signed(false)
			v = operand{v.v * w.v, v.whole && w.whole, false}
		case over:
			w := r.signed(false)
			if v.whole && w.whole {
				panic("a quotient of integers")
			}
			v = operand{v.v / w.v, false, false}
		default:
			return v
		}
	}
}

func (r *reader) signed(minus bool) operand {
	v := r.powers(minus && r.signFirst)
	if minus && !r.signFirst {
		v.v = -v.v
	}
	return v
}

func (r *reader) powers(minus bool) operand {
	v := r.atom()
	if minus {
		v.v = -v.v
	}
	for n := 0; r.next(r.power) != ""; n++ {
		if n > 0 && r.assoc == neither {
			panic("a power of a power without parentheses")
		}
		var w operand
		if r.assoc == right {
			w = r.powers(false)
		} else {
			w = r.atom()
		}
		if r.exponents && w.digit && !w.whole && w.v == math.Trunc(w.v) && w.v < 1e6 {
			panic("a whole exponent that is no integer")
		}
		v = operand{math.Pow(v.v, w.v), v.whole && w.whole, false}
	}
	return v
}

func (r *reader) atom() operand {
	if len(r.tokens) == 0 {
		panic("the end")
	}
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	if t == "(" {
		v := r.sum()
		r.expect(")")
		return v
	}
	if t[0] >= '0' && t[0] <= '9' {
		v, err := strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(t), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			panic(err)
		}
		whole := r.integers && strings.Trim(t, "0123456789") == ""
		if whole && v > math.MaxInt32 {
			panic("too large an integer")
		}
		return operand{v, whole, true}
	}
	if r.next("(") == "" {
		v, ok := r.value[r.key(t)]
		if !ok {
			panic("no value of " + t)
		}
		return operand{v: v}
	}
	f, ok := r.call[t]
	if !ok {
		panic("no function " + t)
	}
	var args []float64
	for r.next(")") == "" {
		args = append(args, r.sum().v)
		if r.next(",") == "" {
			r.expect(")")
			break
		}
	}
	return operand{v: f(args...)}
}

func (r *reader) expect(token string) {
	if r.next(token) == "" {
		panic("no " + token)
	}
}

// TestGrammars reads expressions that languages disagree about.
func TestGrammars(t *testing.T) {
	bad := math.NaN()
	for _, tt := range []struct {
		form Form
		in   string
		want float64 // NaN for an error
	}{
		{Excel, "-2^2", 4}, {R, "-2^2", -4}, {MATLAB, "-2.^2", -4}, {Stan, "-2.0^2.0", -4}, {Modelica, "-2.0^2", -4},
		{Fortran, "-2d0**2", -4},
		{Julia, "-2.0^2", -4}, {Excel, "1 - 2^2", -3},
		{Julia, "2.0^3.0^2.0", 512}, {R, "2^3^2", 512}, {Fortran, "2d0**3**2", 512}, {Stan, "2.0^3^2", 512},
		{MATLAB, "2.^3.^2", 64},
		{Excel, "2^3^2", 64}, {Modelica, "2.0^3^2", bad},
		{R, "1/2", 0.5}, {Fortran, "1/2", bad}, {Fortran, "1d0/2", 0.5}, {Fortran, "1.5", bad}, {Stan, "1/2", bad},
		{MATLAB, "1/2", bad},
		{Fortran, "X + x", 6}, {Julia, "X + x", bad}, {R, "2*-x", bad}, {R, "x^-2", bad}, {Fortran, "(-x)**2d0", bad},
		{Stan, "3000000000*x", bad}, {Excel, "POWER(-x, 2)", 9},
		{Excel, "1E-2*x", 0.03},
	} {
		got, err := grammars[tt.form].evaluate(tt.in, map[string]float64{"x": 3})
		if !(math.Abs(got-tt.want) < 1e-15) && (!math.IsNaN(tt.want) || err == nil) {
			t.Errorf("%s: %s = %v, %v, want %v", tt.form, tt.in, got, err, tt.want)
		}
	}
}
