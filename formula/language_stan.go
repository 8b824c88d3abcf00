package formula

import (
	"fmt"
	"regexp"
	"strings"
)

// stanLanguage prints expressions over real. The function is a block of functions; several outputs are a vector.
var stanLanguage = language{
	title:  "Stan",
	number: floatLiteral,
	calls:  callsNamed(map[Func]string{Sigmoid: "inv_logit", Min: "fmin", Max: "fmax"}),
	guards: []guard{ // fmin and fmax leave NaN out
		{"fmin", "smaller", "real smaller(real u, real v) { return is_nan(u) || u < v ? u : v; }"},
		{"fmax", "larger", "real larger(real u, real v) { return is_nan(u) || u > v ? u : v; }"},
	},
	power:   powerRules{op: "^", whole: true},
	inf:     "positive_infinity()",
	program: true,
	names: nameRules{
		reserved: "for in while repeat until if then else true false target void int real complex vector simplex " +
			"unit_vector ordered positive_ordered sum_to_zero_vector row_vector matrix complex_vector complex_row_vector " +
			"complex_matrix cholesky_factor_corr cholesky_factor_cov column_stochastic_matrix row_stochastic_matrix " +
			"corr_matrix cov_matrix array tuple functions model data parameters quantities transformed generated lower " +
			"upper offset multiplier print reject fatal_error profile jacobian return break continue var fvar T_lp__ lp__ e " +
			"pi sqrt2 log2 log10 get_lp not_a_number positive_infinity negative_infinity machine_precision inv_logit pow " +
			"fmin fmax is_nan smaller larger " +
			plainNames +
			cKeywords + "and and_eq bitand bitor catch char8_t char16_t char32_t class compl concept const_cast " +
			"consteval constinit co_await co_return co_yield decltype delete dynamic_cast explicit export friend mutable " +
			"namespace new noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires " +
			"static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq " +
			"STAN_MAJOR STAN_MINOR STAN_PATCH STAN_MATH_MAJOR STAN_MATH_MINOR STAN_MATH_PATCH",
		functions: regexp.MustCompile("_(lpdf|lpmf|lcdf|lccdf|lupdf|lupmf|cdf|ccdf|log|lp|rng|jacobian)$"),
		letter:    asciiLetter,
		refused:   regexp.MustCompile("^_|__$"),
	},
	comment: "//",
	wrap:    function.stan,
}

func (f function) stan() string {
	params := make([]string, len(f.inputs))
	for i, in := range f.inputs {
		params[i] = "real " + in
	}
	var b strings.Builder
	b.WriteString("functions {\n")
	for _, g := range f.guards {
		fmt.Fprintf(&b, "  %s\n", g)
	}
	head := f.name + "(" + strings.Join(params, ", ") + ") {\n"
	if len(f.values) == 1 {
		fmt.Fprintf(&b, "  real %s    return %s;\n  }\n}\n", head, f.values[0])
		return b.String()
	}
	b.WriteString("  vector " + head)
	for i, v := range f.values {
		fmt.Fprintf(&b, "    real %s = %s;\n", f.outputs[i], v)
	}
	fmt.Fprintf(&b, "    return [%s]';\n  }\n}\n", strings.Join(f.outputs, ", "))
	return b.String()
}
