// Package formula holds expressions as values: it reads, prints, evaluates, differentiates
// and simplifies them.
//
// A trained network is read off as an [Expr], which is then refitted, simplified, judged and
// printed. The package knows nothing of networks, so a program can use a learned law without
// the code that learned it.
//
//	e, err := formula.Parse("0.5*m*v^2 + m*9.81*`height (m)`")
//	e = formula.Simplify(e)
//	p, err := formula.Compile(e, []string{"m", "v", "height (m)"})
//	p.EvalColumns(energy, columns)
//	fmt.Println(formula.Print(e, formula.LaTeX, 4))
//
// An [Expr] comes from [Parse], [ParseJSON] or the constructors ([Const], [Var], [Add],
// [Mul], ...), which merge nested sums and products but do no algebra. [Print] writes it in
// a [Form]; [Function] writes a complete function in one of the [Programs]. [Eval] gives one value, a [Program] many,
// a [Gradient] their derivatives too.
// [Simplify], [Diff], [Substitute] and [Round] make new expressions; [Complexity]
// measures them. [ParseKnown] reads a form with names for unknown constants and functions. One table, [Funcs], has all
// functions that expressions can call.
//
// Values are float64 with the rules of IEEE 754: outside the domain of a function they are
// NaN, at a pole an infinity. Data are columns: cols[v][i] is the variable v in row i.
//
// Everything is deterministic. Expressions never change and may be shared freely, programs
// too. Text and JSON may nest 1000 levels deep and have any length.
//
// [Parse] returns a [*SyntaxError], [ParseJSON] an error with an offset, [Eval], [Compile]
// and [Function] an error that names the variable without a value. A panic means a bug of the
// caller: an unknown form or function, or the wrong number of constants or columns.
package formula
