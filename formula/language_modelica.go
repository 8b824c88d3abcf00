package formula

import (
	"fmt"
	"strings"
)

// modelicaLanguage prints expressions over Real. What a^b^c means is not defined. There are no infinities, so
// exponentials must not overflow in the sigmoid.
var modelicaLanguage = language{
	title:   "Modelica",
	number:  floatLiteral,
	calls:   callsNamed(map[Func]string{Sigmoid: "(1.0/(1.0 + exp(-max(%s, -700.0))))"}),
	power:   powerRules{op: "^", atoms: true, whole: true},
	program: true,
	names: nameRules{
		reserved: "algorithm and annotation block break class connect connector constant constrainedby der " +
			"discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends external false " +
			"final flow for function if import impure in initial inner input loop model not operator or outer output " +
			"package parameter partial protected public pure record redeclare replaceable return stream then true type when " +
			"while within time Real Integer Boolean String Complex Clock Modelica StateSelect AssertionLevel ExternalObject " +
			"abs sign div mod rem ceil floor integer asin acos atan atan2 sinh cosh log10 delay cardinality homotopy " +
			"semiLinear inStream actualStream spatialDistribution getInstanceName initial terminal noEvent smooth sample " +
			"pre edge change reinit assert terminate max min sum product size " +
			plainNames,
		letter: asciiLetter,
	},
	comment: "//",
	wrap:    function.modelica,
}

func (f function) modelica() string {
	var b strings.Builder
	fmt.Fprintf(&b, "function %s\n", f.name)
	for _, in := range f.inputs {
		fmt.Fprintf(&b, "  input Real %s;\n", in)
	}
	for _, out := range f.outputs {
		fmt.Fprintf(&b, "  output Real %s;\n", out)
	}
	b.WriteString("algorithm\n")
	for i, v := range f.values {
		fmt.Fprintf(&b, "  %s := %s;\n", f.outputs[i], v)
	}
	fmt.Fprintf(&b, "end %s;\n", f.name)
	return b.String()
}
