package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// fortranLanguage prints expressions over double precision. The function is elemental, so it takes arrays too; it
// stands in a module.
//
// Division by a constant zero is an error of the compiler. Exponents of negative bases must be integers.
var fortranLanguage = language{
	title:   "Fortran",
	number:  fortranLiteral,
	calls:   callsNamed(nil),
	power:   powerRules{op: "**", whole: true},
	inf:     fortranInf,
	program: true,
	guards: []guard{ // what min and max make of NaN is not defined
		{"min", "smaller", fortranPick("smaller", "<")},
		{"max", "larger", fortranPick("larger", ">")},
	},
	names: nameRules{
		reserved: plainNames +
			"smaller larger merge ieee_value ieee_positive_inf ieee_arithmetic allocatable assign assignment block call " +
			"case class close common complex contains continue cycle data deallocate do double elemental else elseif " +
			"elsewhere end enddo endfunction endif endmodule endprogram endsubroutine endwhere entry enum equivalence exit " +
			"external forall format function go goto if implicit import in include inout inquire integer intent interface " +
			"intrinsic kind logical module namelist none nullify only open operator optional out parameter pause pointer " +
			"precision print private procedure program public pure read real recursive result return rewind save select " +
			"sequence stop subroutine target " +
			"then type use volatile where while write",
		letter:  asciiLetter,
		refused: regexp.MustCompile("^_"),
		anyCase: true,
		longest: 63,
	},
	comment: "!",
	wrap:    function.fortran,
}

const fortranInf = "ieee_value(0d0, ieee_positive_inf)"

// fortranLiteral is floatLiteral in double precision: 1.5 is 1.5d0, and 1e300 is 1d300.
func fortranLiteral(v float64) string {
	s := floatLiteral(v)
	if strings.Contains(s, "e") {
		return strings.Replace(s, "e", "d", 1)
	}
	return s + "d0"
}

// fortranPick is an internal function of two numbers, NaN when one of them is NaN.
func fortranPick(name, than string) string {
	return fmt.Sprintf("    elemental double precision function %s(u, v)\n"+
		"        double precision, intent(in) :: u, v\n"+
		"        %s = merge(u, v, u /= u .or. u %s v)\n"+
		"    end function %s", name, name, than, name)
}

// fortran is a function of one output and a subroutine of several.
func (f function) fortran() string {
	kind, result, arguments := "function", " result("+f.outputs[0]+")", f.inputs
	if len(f.outputs) > 1 {
		kind, result, arguments = "subroutine", "", slices.Concat(f.inputs, f.outputs)
	}
	lines := []string{fmt.Sprintf("elemental %s %s(%s)%s", kind, f.name, strings.Join(arguments, ", "), result)}
	if len(arguments) == 0 {
		lines[0] = strings.Replace(lines[0], "elemental", "pure", 1)
	}
	if slices.ContainsFunc(f.values, func(v string) bool { return strings.Contains(v, fortranInf) }) {
		lines = append(lines, "    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf")
	}
	lines = append(lines, "    implicit none")
	if len(f.inputs) > 0 {
		lines = append(lines, "    double precision, intent(in) :: "+strings.Join(f.inputs, ", "))
	}
	if len(f.outputs) > 1 {
		lines = append(lines, "    double precision, intent(out) :: "+strings.Join(f.outputs, ", "))
	} else {
		lines = append(lines, "    double precision :: "+f.outputs[0])
	}
	for i, v := range f.values {
		lines = append(lines, "    "+f.outputs[i]+" = "+v)
	}
	if len(f.guards) > 0 {
		lines = append(append(lines, "contains"), strings.Split(strings.Join(f.guards, "\n"), "\n")...)
	}
	lines = append(lines, "end "+kind+" "+f.name)
	for i, line := range lines {
		lines[i] = continued(line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// continued breaks a line where it is too long, at a space if there is one.
func continued(line string) string {
	const width = 100
	var b strings.Builder
	for len(line) > width {
		at := strings.LastIndex(line[:width], " ")
		if at < width/2 {
			at = width
		}
		b.WriteString(line[:at] + "&\n        &")
		line = line[at:]
	}
	return b.String() + line
}
