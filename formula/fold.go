package formula

// An Algebra says what the kinds of expression become in [Fold].
type Algebra[T any] struct {
	Number   func(v float64) T
	Variable func(name string) T
	Sum      func(terms []T) T
	Product  func(factors []T) T
	Power    func(base, exponent T) T
	Call     func(f Func, args []T) T
}

// Fold returns what an expression becomes in an algebra, from the inside out.
func Fold[T any](e Expr, a Algebra[T]) T {
	all := func(list []Expr) []T {
		values := make([]T, len(list))
		for i, x := range list {
			values[i] = Fold(x, a)
		}
		return values
	}
	switch e := e.(type) {
	case number:
		return a.Number(float64(e))
	case variable:
		return a.Variable(string(e))
	case *sum:
		return a.Sum(all(e.terms))
	case *product:
		return a.Product(all(e.factors))
	case *power:
		return a.Power(Fold(e.base, a), Fold(e.exp, a))
	case *call:
		return a.Call(e.f, all(e.args))
	}
	panic("formula: an expression of no kind")
}
