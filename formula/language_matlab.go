package formula

import (
	"fmt"
	"regexp"
	"strings"
)

// matlabLanguage prints expressions over double arrays, element by element, for MATLAB and Octave.
//
// Both go on with complex numbers where others have NaN, so the function has guards. Operators of powers associate to
// the left.
var matlabLanguage = language{
	title:   "MATLAB and Octave",
	number:  formatNumber,
	calls:   callsNamed(nil),
	times:   ".*",
	over:    "./",
	power:   powerRules{op: ".^", atoms: true},
	program: true,
	guards: []guard{ // min and max leave NaN out
		{"asin", "real_asin", "real_asin = @(u) asin(u + 0./(abs(u) <= 1))"},
		{"acos", "real_acos", "real_acos = @(u) acos(u + 0./(abs(u) <= 1))"},
		{"min", "real_min", "real_min = @(u, v) min(u, v) + 0./(u == u & v == v)"},
		{"max", "real_max", "real_max = @(u, v) max(u, v) + 0./(u == u & v == v)"},
		{"log", "real_log", "real_log = @(u) log(u + 0./(u >= 0))"},
		{"sqrt", "real_sqrt", "real_sqrt = @(u) sqrt(u + 0./(u >= 0))"},
		{".^", "real_power", "real_power = @(u, v) (u + 0./(u >= 0 | v == fix(v))).^v"},
	},
	names: nameRules{
		reserved: "arguments break case catch classdef continue do else elseif end end_try_catch end_unwind_protect " +
			"endarguments endclassdef endenumeration endevents endfor endfunction endif endmethods endparfor endproperties " +
			"endspmd endswitch endwhile enumeration events for function global if import methods otherwise parfor " +
			"persistent properties return spmd switch try until unwind_protect unwind_protect_cleanup while " +
			plainNames + "real_asin real_acos real_min real_max real_log real_sqrt real_power double fix ans nargin nargout " +
			"varargin varargout",
		letter:  asciiLetter,
		refused: regexp.MustCompile("^_"),
		longest: 63,
	},
	comment: "%",
	wrap:    function.matlab,
}

// matlab converts the inputs first: what integers and doubles make together is integers.
func (f function) matlab() string {
	var b strings.Builder
	outputs := f.outputs[0]
	if len(f.outputs) > 1 {
		outputs = "[" + strings.Join(f.outputs, ", ") + "]"
	}
	fmt.Fprintf(&b, "function %s = %s(%s)\n", outputs, f.name, strings.Join(f.inputs, ", "))
	for _, in := range f.used {
		fmt.Fprintf(&b, "    %s = double(%s);\n", in, in)
	}
	for _, g := range f.guards {
		fmt.Fprintf(&b, "    %s;\n", g)
	}
	for i, v := range f.values {
		fmt.Fprintf(&b, "    %s = %s;\n", f.outputs[i], v)
	}
	b.WriteString("end\n")
	return b.String()
}
