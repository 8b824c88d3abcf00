// Package search looks for the law behind a table: a short formula of the inputs that gives the
// target within its errors.
//
// It finds two forms, each also under a link (1/y, y², √y, log y, …):
//
//	y = link⁻¹(C · Π xⱼ^aⱼ · Π g(c·m)^p)   products, in the logarithm
//	y = link⁻¹(Σ c·B·G)                     sums, by sparse regression on a library of columns
//
// A sum with a kink, |z| or max(z − 1, 0), is also tried as the larger or smaller of the two sums on either side. Two
// sums of which the target is the larger are fitted by giving each row to the one that is larger there.
//
// m is a power product of inputs and of differences and sums of two inputs, g one of 1 + z, exp z,
// exp z − 1, cosh, tanh, sin, log, … (table shapes). Quotients, roots, bells, Planck's law and the
// Lorentz factor are choices of g, p and m, so that none has code of its own.
//
// What neither form has, functions of functions above all, is looked for among all small trees of the inputs: a tree
// whose values are a straight line of the target, of the target under a link, or under a link of a link. Of a target
// without errors two trees are found that make it together, and of waves their frequency up to hundreds of turns.
//
// A target that smooth functions of some inputs each make, as a sum, a product or a sum under a link, is split: what
// the other functions leave of it is the target of a search for one function, and so on within these. So laws of
// several inputs with long terms, or functions that neither form has, come down to laws of one. Which inputs have a
// function together is seen by whether a polynomial needs terms of both.
//
// A target may be a function of fewer inputs than it has: of one product of powers of many, beside a factor, of the
// cosine of an angle, or of the products that changes of scale leave, as those of units do. Then the search goes on in
// a table of these.
//
// A quotient is linear in its constants once it is multiplied out: y·m = P + y·R. Sparse quotients of monomials, of
// monomials times the sine and cosine of one input or the exponential of one argument, and of the target under a link,
// are found by regression.
//
// # Flow
//
// [Find] is above formula, internal/kernel and internal/units, and knows nothing of networks. It runs stages in a fixed
// order ([stages]): polynomials of one input, sparse sums of monomials, functions of one product, products, products
// with a wave, pairs of functions, quotients of polynomials, sparse quadratics, functions of some inputs each,
// quotients of waves and exponentials, cosines as inputs, functions of fewer products, sums, small trees, waves of the
// second degree, kinks, products of two functions, one term taken off, growth. Each stage makes guesses on 200
// screening rows; fitting (Levenberg–Marquardt), rounding of exponents and removal of branches happen on up to 2,000
// rows, and the last numbers come from all rows. The search ends when a short law leaves nothing that a polynomial
// surrogate finds, after quotients of waves also a quotient with more constants that is far better than all before it,
// or when the budget is spent.
//
// # Determinism
//
// There are no random numbers and no clock. The budget counts multiplications, and is checked
// between pieces of work only. Every task writes to its own slot, and slots are merged in the order
// of their indices. So the result depends on the data, the options and the kernel of
// internal/kernel in use, but not on the number of workers. A cancelled context ends the search
// between pieces of work; what it had found by then depends on time.
//
// # Errors
//
// Find returns none: where no formula can be fitted, it returns the mean of the target, and nothing
// for a target that is not finite. Columns of X must be as long as Y and finite, and have a name
// each. Find keeps and changes nothing that it is given, and may be called from several goroutines.
//
// # Source
//
// The form follows the physics equations of Feynman's lectures (Udrescu and Tegmark, AI Feynman, Science Advances
// 2020). Ridge functions: Friedman and Stuetzle, Projection pursuit regression, JASA 1981. Scales: Buckingham, On
// physically similar systems, Physical Review 1914. The larger of two sums: Magnani and Boyd, Convex piecewise-linear
// fitting, Optimization and Engineering 2009. The criterion is BIC with doubled price of constants, plus a price
// for the form.
package search
