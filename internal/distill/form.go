package distill

import (
	"slices"

	"github.com/eqlearner/eql/model"
)

// A form is a law written out, with every product of sums expanded:
//
//	out = Σ w·Π factors,    function = f(Σ w·Π factors)
//
// Factors are numbered as the sources of a law are: the inputs first, then the functions, in any order. Terms can
// be added, taken away and rewritten one by one, which in the nested products of a [Law] they
// cannot. Every weight of a form is a constant of its law and the other way round.
//
// No function depends on itself. [form.function], [form.set] and [form.substituted] alone write arguments, and each
// keeps that so: a new function reads what is there, and a sum that is put into a form means what it meant before.
type form struct {
	inputs    int
	functions []function
	out       sum
}

type function struct {
	kind model.Unit
	arg  sum
}

// sum is Σ w·Π factors in the order of the factors, each product once and no weight zero.
type sum []product

type product struct {
	w       float64
	factors []int // ascending; none in the constant
}

// maxTerms is how many terms a sum may have. A network that has more of them when it is written
// out is not a law yet.
const maxTerms = 150

// expand writes a law out. It reports false when a sum would have more than 150 terms.
func (l *Law) expand() (*form, bool) {
	f := &form{inputs: l.inputs}
	values := make([]sum, l.inputs, l.inputs+len(l.units))
	for j := range values {
		values[j] = sum{{1, []int{j}}}
	}
	write := func(a affine) sum {
		s := number(a.bias)
		for _, t := range a.terms {
			s = s.plus(values[t.from], t.w)
		}
		return s
	}
	for _, u := range l.units {
		value := write(u.args[0])
		if u.kind == model.Product {
			var ok bool
			if value, ok = value.times(write(u.args[1])); !ok {
				return nil, false
			}
		} else {
			value = f.call(u.kind, value)
		}
		if len(value) > maxTerms {
			return nil, false
		}
		values = append(values, value)
	}
	f.out = write(l.out)
	return f, len(f.out) <= maxTerms
}

// law returns the form as a law and, for each factor, the source that is its value there, or −1
// when the law does not read it.
func (f *form) law() (l *Law, sources []int) {
	l = &Law{inputs: f.inputs}
	values := make([]*affine, f.inputs+len(f.functions))
	var write func(s sum) affine
	value := func(factor int) affine {
		if values[factor] == nil {
			v := source(factor)
			if i := factor - f.inputs; i >= 0 {
				v = l.add(f.functions[i].kind, []affine{write(f.functions[i].arg)})
			}
			values[factor] = &v
		}
		return *values[factor]
	}
	write = func(s sum) affine {
		a := constant(0)
		for _, t := range s {
			v := constant(1)
			for k, factor := range t.factors {
				if k == 0 {
					v = value(factor)
				} else {
					v = l.add(model.Product, []affine{v, value(factor)})
				}
			}
			a = a.plus(v, t.w)
		}
		return a
	}
	l.out = write(f.out)
	for _, v := range values {
		k := -1
		if v != nil && len(v.terms) == 1 && v.bias == 0 && v.terms[0].w == 1 {
			k = v.terms[0].from
		}
		sources = append(sources, k)
	}
	return l, sources
}

// call returns the value of a function: a new factor, the one that is there already, or a number.
func (f *form) call(kind model.Unit, arg sum) sum {
	if len(arg) == 0 || len(arg) == 1 && len(arg[0].factors) == 0 {
		return number(kind.Value(arg.constant(), 0))
	}
	return sum{{1, []int{f.function(kind, arg)}}}
}

// function returns the factor of a function, which is added unless it is there already.
func (f *form) function(kind model.Unit, arg sum) int {
	for i, g := range f.functions {
		if g.kind == kind && slices.EqualFunc(g.arg, arg, product.equal) {
			return f.inputs + i
		}
	}
	f.functions = append(f.functions, function{kind, arg})
	return f.inputs + len(f.functions) - 1
}

// adopt returns a sum of another form with the functions that it reads brought into this one.
func (f *form) adopt(from *form, s sum) sum {
	if from == nil || from == f {
		return s
	}
	var own sum
	for _, t := range s {
		factors := slices.Clone(t.factors)
		for k, factor := range factors {
			if i := factor - from.inputs; i >= 0 {
				factors[k] = f.function(from.functions[i].kind, f.adopt(from, from.functions[i].arg))
			}
		}
		own = own.plus(termOf(t.w, factors...), 1)
	}
	return own
}

// dependsOn reports whether function i is function j or reads it, directly or through others.
func (f *form) dependsOn(i, j int) bool {
	if i == j {
		return true
	}
	for _, t := range f.functions[i].arg {
		for _, factor := range t.factors {
			if k := factor - f.inputs; k >= 0 && f.dependsOn(k, j) {
				return true
			}
		}
	}
	return false
}

// substituted returns the form with a sum in place of a function. It reports false when that has
// too many terms.
func (f *form) substituted(i int, s sum) (*form, bool) {
	g := f.clone()
	s = g.before(i, s)
	for k, at := range g.sums() {
		var next sum
		for _, t := range at {
			rest := slices.DeleteFunc(slices.Clone(t.factors), func(k int) bool { return k == f.inputs+i })
			value := termOf(t.w, rest...)
			for range len(t.factors) - len(rest) {
				var ok bool
				if value, ok = value.times(s); !ok {
					return nil, false
				}
			}
			next = next.plus(value, 1)
		}
		if len(next) > maxTerms {
			return nil, false
		}
		g.write(k, next)
	}
	return g, true
}

// sums returns the output and then the arguments of all functions.
func (f *form) sums() []sum {
	all := []sum{f.out}
	for _, g := range f.functions {
		all = append(all, g.arg)
	}
	return all
}

// set puts s in the place of sum k of [form.sums]. Functions that s reads have the value that they had before.
func (f *form) set(k int, s sum) {
	if k > 0 {
		s = f.before(k-1, s)
	}
	f.write(k, s)
}

func (f *form) write(k int, s sum) {
	if k == 0 {
		f.out = s
	} else {
		f.functions[k-1].arg = s
	}
}

// before returns s with copies of the functions that depend on function i, so that it keeps its value when that
// function changes.
func (f *form) before(i int, s sum) sum {
	copies := map[int]int{}
	var kept func(s sum) sum
	kept = func(s sum) sum {
		own, same := sum(nil), true
		for _, t := range s {
			factors := slices.Clone(t.factors)
			for p, factor := range factors {
				j := factor - f.inputs
				if j < 0 || !f.dependsOn(j, i) {
					continue
				}
				if _, ok := copies[j]; !ok {
					f.functions = append(f.functions, function{f.functions[j].kind, kept(f.functions[j].arg)})
					copies[j] = f.inputs + len(f.functions) - 1
				}
				factors[p], same = copies[j], false
			}
			own = own.plus(termOf(t.w, factors...), 1)
		}
		if same {
			return s
		}
		return own
	}
	return kept(s)
}

func (f *form) clone() *form {
	g := &form{inputs: f.inputs, functions: slices.Clone(f.functions), out: slices.Clone(f.out)}
	for i := range g.functions {
		g.functions[i].arg = slices.Clone(g.functions[i].arg)
	}
	return g // factors are never changed in place
}

// degree returns the largest number of inputs that are multiplied in a term, in the output or in
// an argument.
func (f *form) degree() int {
	most := 0
	for _, s := range f.sums() {
		for _, t := range s {
			n := 0
			for _, factor := range t.factors {
				if factor < f.inputs {
					n++
				}
			}
			most = max(most, n)
		}
	}
	return most
}

// supports returns the sets of inputs that several terms of the output depend on.
func (f *form) supports() [][]int {
	var seen, list [][]int
	for _, t := range f.out.rest() {
		support := f.support(t.factors)
		same := func(s []int) bool { return slices.Equal(s, support) }
		if !slices.ContainsFunc(seen, same) {
			seen = append(seen, support)
		} else if !slices.ContainsFunc(list, same) {
			list = append(list, support)
		}
	}
	return list
}

// support returns the inputs that factors depend on, in ascending order.
func (f *form) support(factors []int) []int {
	var inputs []int
	for _, factor := range factors {
		if i := factor - f.inputs; i < 0 {
			inputs = append(inputs, factor)
		} else {
			for _, t := range f.functions[i].arg {
				inputs = append(inputs, f.support(t.factors)...)
			}
		}
	}
	slices.Sort(inputs)
	return slices.Compact(inputs)
}
