package formula

// Complexity returns the number of nodes of e as written: every number, variable, function
// and binary operation is one node.
//
//	x                1
//	2*x + 3          5
//	a - b            3: the minus is the operation
//	-x               2: a leading minus is a node
//	-2*x             3: except where a number takes it in
//	1/x              3
//	sin(x1)*x2       4
//	x - 0.5*y^2      7
//
// A sum of k terms has k-1 operations, as has a product of k factors.
func Complexity(e Expr) int { return e.size() }

func (number) size() int     { return 1 }
func (variable) size() int   { return 1 }
func (x *sum) size() int     { return x.n }
func (x *product) size() int { return x.n }
func (x *power) size() int   { return x.n }
func (x *call) size() int    { return x.n }

func sumSize(terms []Expr) int {
	n := len(terms) - 1
	for i, t := range terms {
		n += t.size()
		if p, ok := t.(*product); ok && i > 0 && signOnly(p.factors) {
			n-- // the minus is the operation
		}
	}
	return n
}

func productSize(fs []Expr) int {
	n := len(fs) - 1
	for _, f := range fs {
		n += f.size()
		if inDenominator(f) {
			n -= 2 // its own "1/"
		}
	}
	if inDenominator(fs[0]) {
		n += 2
	}
	if signOnly(fs) {
		n-- // the minus is a node, but its "*" is not written
	}
	return n
}

func powerSize(base, exp Expr) int {
	c, ok := exp.(number)
	switch {
	case ok && c == -1:
		return base.size() + 2 // 1/x
	case ok && c < 0:
		return base.size() + 4 // 1/x^2
	}
	return base.size() + exp.size() + 1
}

// signOnly reports whether the factors begin with a -1 that is written as a mere minus: one
// that is the whole numerator is a number (-1/x).
func signOnly(fs []Expr) bool {
	if fs[0] != number(-1) || len(fs) < 2 || inDenominator(fs[1]) {
		return false
	}
	_, isNumber := fs[1].(number)
	return !isNumber
}
