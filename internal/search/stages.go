package search

import (
	"cmp"
	"math"
	"slices"
)

// What a law looks like that needs no further search.
const (
	doneParameters = 6
	doneNodes      = 30
	doneConstants  = 2    // fitted constants other than ±1, and rare functions …
	moreConstants  = 3    // … after the thorough stages …
	termsConstants = 5    // … and of a law with one in each term, where …
	farBefore      = 60   // … the criterion of what came before is this much worse
	doneExponent   = 5    // exponents beyond this look made up, those of inputs beyond wholePowers, …
	doneBroken     = 1.5  // … and those that are not whole beyond this
	doneError      = 0.1  // share of the variance
	nearOne        = 0.02 // a constant is ±1 within this
)

// checkDone ends the search when the best law is short and leaves nothing that a surrogate finds.
func (s *searcher) checkDone() {
	constants := doneConstants
	if s.thorough {
		constants = moreConstants
	}
	s.checkDoneWith(constants)
}

// checkDoneWith is [searcher.checkDone] with so many constants.
func (s *searcher) checkDoneWith(constants int) {
	if c := s.best(); !s.done && c != nil {
		s.done = (s.short(c.e, constants) && s.onesOf(c, constants) || s.exact(c)) && s.leavesNothing(c)
	}
}

// onesOf reports whether a formula is short if those of its constants count that are near ±1 and that the data does not
// allow to be ±1: an imitation has some.
func (s *searcher) onesOf(c *candidate, most int) bool {
	polished := candidate{e: c.e.clone(), charge: c.charge}
	s.polish(&polished)
	constants := 0
	for _, n := range polished.e {
		if n.isRare() || n.op == opPar && !n.fixed {
			constants++
		}
	}
	return constants <= most
}

// leavesNothing reports whether a formula leaves errors alone.
func (s *searcher) leavesNothing(c *candidate) bool {
	ev := s.evaluator()
	defer s.release(ev)
	if !ev.forward(c.e, s.x, s.n) {
		return false
	}
	mse := c.sse / float64(s.n)
	if mse <= 4*s.floor {
		return true
	}
	if mse >= doneError*s.sd*s.sd {
		return false
	}
	r := make([]float64, s.n)
	for k, v := range ev.value(c.e) {
		r[k] = s.y[k] - v
	}
	return !s.structured(r) && s.enough(c.e.formula(s.names))
}

// exactError is the root mean square error, as a share of the target's spread, of a law without noise: what the
// arithmetic leaves of an arc or a difference. Each constant beyond two must bring a digit more, or it may be one of an
// imitation.
const (
	exactError     = 1e-7
	exactConstants = 8 // at most
)

// exact tells whether a formula is the law of a target without noise, whatever its form.
func (s *searcher) exact(c *candidate) bool {
	p := c.e.parameters()
	within := exactError * math.Pow10(-max(0, p-2)) * s.sd
	return c.sse <= within*within*float64(s.n) && p <= exactConstants && len(c.e) <= 2*doneNodes
}

func (s *searcher) short(e expr, most int) bool {
	if e.parameters() > doneParameters || len(e) > doneNodes {
		return false
	}
	constants, regular := e.oddities()
	return regular && constants <= most
}

// oddities counts the constants other than ±1 and the functions that few laws have, and tells whether all exponents are
// such as laws have.
func (e expr) oddities() (constants int, regular bool) {
	for _, n := range e {
		if n.op == opPow {
			most := doneBroken
			if p := math.Abs(n.c); whole(p) && e[n.a].op == opVar {
				most = wholePowers
			} else if whole(p) {
				most = doneExponent
			}
			if !n.fixed || math.Abs(n.c) > most {
				return 0, false
			}
		}
		if n.isRare() || n.op == opPar && !n.fixed && math.Abs(math.Abs(n.c)-1) > nearOne {
			constants++
		}
	}
	return constants, true
}

// plain reports whether the best law is so plain that no shorter one is to be expected: it has no constant other than
// ±1, or one in a law without sums, and no exponents but whole numbers and ½. A sum with a constant may be the first
// terms of a series: c² + v²/2 + … for c²/√(1 − v²/c²).
func (s *searcher) plain() bool {
	e := s.best().e
	constants, _ := e.oddities()
	most := 1
	if slices.ContainsFunc(e, func(n node) bool { return n.op == opAdd }) {
		most = 0
	}
	return constants <= most && !slices.ContainsFunc(e, func(n node) bool { return n.op == opPow && !whole(2*n.c) })
}

// stage is one kind of attempt.
type stage struct {
	name string
	run  func(s *searcher)
	more bool // the next stage is tried unless the law is plain: what it finds may be shorter
	// A quotient of it has a constant in each term, so it may have more of them than others and end the search, if what
	// came before is far worse: what imitates a law with more constants does little better than other imitations. A sum
	// may not, since terms of sines imitate any function of one input.
	terms bool
}

// Links under which separable inputs are divided out, and those that are put over y itself: in all sums, and in short
// ones.
var (
	scaleLinks = []linkKind{linkNone, linkInverse, linkSquare, linkInverseSquare, linkLog, linkRoot}
	wholeLinks = []linkKind{linkSin, linkTan, linkExp, linkCos}
	newerLinks = []linkKind{linkAtanh, linkAsinh, linkAcosh, linkAsin, linkAcos, linkAtan}
)

// stages returns them in their order: what is quick and likely first. The search ends after any stage that
// leaves a short law without structure in its residual.
func stages() []stage {
	return []stage{
		{name: "polynomials", run: (*searcher).polynomials, more: true},
		{name: "sums of powers of the only input", run: func(s *searcher) {
			if s.d == 1 {
				s.powerSums()
			}
		}, more: true},
		{name: "sparse quadratics of inputs", run: func(s *searcher) { s.quadratics(true) }, more: true},
		{name: "functions of one product", run: (*searcher).index, more: true},
		{name: "products", run: func(s *searcher) { s.products(link{}, s.inactive(), 1, 8, 10) }, more: true},
		{name: "products with a wave", run: (*searcher).besideWave, more: true},
		{name: "pairs of functions of few inputs", run: func(s *searcher) { s.productPairs(8) }, more: true},
		{name: "quotients of polynomials", run: (*searcher).rationals, more: true},
		{name: "inputs in exponents", run: func(s *searcher) { s.exponents(1) }},
		{name: "sparse quadratics", run: func(s *searcher) { s.quadratics(false) }},
		{name: "sparse quadratics under links of y itself", run: func(s *searcher) {
			for _, l := range slices.Concat(wholeLinks, newerLinks) {
				s.sums(sumOptions{kind: l, terms: 6, full: 3, lib: libQuadratic})
			}
		}},
		{name: "functions of some inputs each", run: (*searcher).splits},
		{name: "sums of powers", run: func(s *searcher) {
			if s.d > 1 {
				s.powerSums()
			}
		}},
		{name: "odds with inputs in exponents", run: (*searcher).shares},
		{name: "products under links", run: func(s *searcher) {
			for _, l := range []linkKind{linkSin, linkTan, linkLog} {
				s.linkedProducts(link{kind: l}, s.none, 1, 6, 4)
			}
		}, more: true},
		{name: "short sums of two inputs under links", run: func(s *searcher) {
			if s.d == 2 {
				s.shortSums(scaleLinks...)
			}
		}},
		{name: "quotients of waves", run: func(s *searcher) { s.implicitWith(waveBasis, linkNone) }, terms: true},
		{name: "quotients of exponentials", run: func(s *searcher) { s.implicitWith(exponentialBasis, linkNone) }},
		{name: "cosines as inputs", run: (*searcher).angles},
		{name: "functions of fewer products", run: (*searcher).scaled},
		{name: "quotients under links", run: (*searcher).linkedQuotients},
		{name: "waves under an envelope", run: func(s *searcher) {
			if !s.part { // those of a part came first
				s.envelopes()
			}
		}},
		{name: "small trees of the only input", run: func(s *searcher) {
			if s.d == 1 && !s.part {
				s.trees()
			}
		}, more: true},
		{name: "short sums of monomials under links", run: func(s *searcher) {
			s.scaledSums(s.betterLinks(3), 3, 3, libMonomials)
		}},
		{name: "short sums", run: func(s *searcher) { s.shortSums(s.clearLink()) }},
		{name: "functions beside all inputs", run: func(s *searcher) {
			s.note(linkNone, s.sums(sumOptions{scaled: true, terms: 1, full: 4, lib: libFunctions, linear: true}))
		}},
		{name: "small trees", run: func(s *searcher) {
			if s.d > 1 {
				s.trees()
			}
		}},
		{name: "waves of the second degree", run: (*searcher).quadraticWaves},
		{name: "products in exponents and in odds", run: func(s *searcher) {
			s.exponents(2)
			s.oddsPairs()
		}},
		{name: "kinks", run: (*searcher).kinks},
		{name: "products of two functions", run: func(s *searcher) { s.products(link{}, s.inactive(), 2, 8, 8) }},
		{name: "products with sums of two inputs", run: func(s *searcher) {
			s.thorough = true
			s.pairProducts(link{}, 8, 8)
		}},
		{name: "short sums under links", run: func(s *searcher) {
			if s.d <= 3 {
				s.shortSums(scaleLinks...)
			}
		}},
		{name: "terms taken off", run: (*searcher).peel},
		{name: "sums of monomials", run: func(s *searcher) { s.scaledSums(s.bestLinks(4), 6, 3, libMonomials) }},
		{name: "short sums under likely links", run: func(s *searcher) {
			k := 3
			if s.d <= 5 {
				k = 6
			}
			s.shortSums(s.bestLinks(k)...)
		}},
		{name: "short sums under links of y itself", run: func(s *searcher) {
			for _, l := range wholeLinks {
				s.sums(sumOptions{kind: l, terms: 2, full: 3, lib: libFunctions})
			}
		}},
		{name: "a constant taken off", run: (*searcher).offsets},
		{name: "sums", run: func(s *searcher) { s.scaledSums(s.bestLinks(2), 6, 4, libFunctions) }},
		{name: "terms of sums taken off", run: (*searcher).peel},
		{name: "sums of all inputs", run: func(s *searcher) {
			if s.anySeparable() {
				s.sums(sumOptions{terms: 6, full: 4, lib: libFunctions})
			}
		}},
		{name: "growth", run: (*searcher).growth},
		{name: "products of three functions", run: func(s *searcher) { s.products(link{}, s.inactive(), 3, 8, 6) }},
	}
}

// search runs the stages.
func (s *searcher) search() {
	s.prepare()
	s.runStages()
}

func (s *searcher) runStages() {
	for _, st := range stages() {
		if s.over() {
			return
		}
		s.tell(st.name)
		before := s.bestCriterion()
		if st.run(s); st.terms && s.bestCriterion() < before-farBefore && s.best().e.isQuotient() {
			s.checkDoneWith(termsConstants)
		}
		if s.checkDone(); s.done && (!st.more || s.plain()) {
			return
		}
		s.done = false
		if c := s.best(); c != nil { // errors are no larger than what it leaves
			s.sigma = max(min(s.sigma, math.Sqrt(c.sse/float64(max(1, s.n-c.e.parameters())))), leastError*s.sd)
		}
	}
}

// isQuotient reports whether a sum is divided by in e.
func (e expr) isQuotient() bool {
	return slices.ContainsFunc(e, func(n node) bool { return n.op == opPow && n.c < 0 && e[n.a].op == opAdd })
}

func (s *searcher) anySeparable() bool {
	for _, x := range s.sep {
		if x {
			return true
		}
	}
	return false
}

// inactive are the inputs that functions need not have: the separable ones, unless that is all.
func (s *searcher) inactive() []bool {
	for _, x := range s.sep {
		if !x {
			return s.sep
		}
	}
	return s.none
}

// linkedProducts looks for products under a link; functions need not have the inactive inputs.
func (s *searcher) linkedProducts(l link, inactive []bool, depth, width, full int) {
	if s.units.link[l.kind] && s.units.link[l.inner] && !s.done {
		s.products(l, inactive, depth, width, full)
	}
}

// quadratics looks for sparse quadratics of inputs, and perhaps of differences, once with a constant and once
// without: with one, whatever is positive looks alike. Those of inputs are few and come first, under all links: one of
// them may fit as well as that under another with a constant less.
func (s *searcher) quadratics(inputs bool) {
	full := 3
	if inputs {
		full = 1
	}
	for _, l := range scaleLinks {
		for _, without := range []bool{false, true} {
			s.note(l, s.sums(sumOptions{kind: l, scaled: true, terms: 8, full: full, lib: libQuadratic,
				noConstant: without, inputs: inputs}))
		}
		if s.checkDone(); s.done && !inputs {
			return
		}
		s.done = false
	}
}

// scaledSums looks for sums under links with the separable inputs divided out.
func (s *searcher) scaledSums(kinds []linkKind, terms, full int, use libraryPart) {
	for _, l := range kinds {
		s.note(l, s.sums(sumOptions{kind: l, scaled: true, terms: terms, full: full, lib: use}))
	}
}

// shortSums looks for sums of three terms with functions under links, under each once.
func (s *searcher) shortSums(kinds ...linkKind) {
	for _, l := range kinds {
		if !s.summed[l] {
			s.summed[l] = true
			s.scaledSums([]linkKind{l}, 3, 4, libFunctions)
		}
	}
}

// betterLinks returns the links with which sums did better than with none so far, at most k, the best first.
func (s *searcher) betterLinks(k int) []linkKind {
	list := slices.DeleteFunc(slices.Clone(scaleLinks), func(l linkKind) bool { return !(s.cost[l] < s.cost[linkNone]) })
	slices.SortStableFunc(list, func(a, b linkKind) int { return cmp.Compare(s.cost[a], s.cost[b]) })
	return list[:min(k, len(list))]
}

// clearLink returns the link with which sums did clearly better than with none so far, if there is one.
func (s *searcher) clearLink() linkKind {
	const least = 1 // of the logarithm of the mean square
	if better := s.betterLinks(1); len(better) > 0 && s.cost[better[0]] < s.cost[linkNone]-least*float64(s.n) {
		return better[0]
	}
	return linkNone
}

// note keeps the best criterion of a link.
func (s *searcher) note(l linkKind, crit float64) {
	if old, ok := s.cost[l]; !ok || crit < old {
		s.cost[l] = crit
	}
}

// bestLinks returns none and the links with which sums did best so far, k or so.
func (s *searcher) bestLinks(k int) []linkKind {
	var out []linkKind
	for _, l := range scaleLinks {
		better := 0
		for _, q := range scaleLinks {
			better += btoi(s.cost[q] < s.cost[l])
		}
		if l == linkNone || better < k {
			out = append(out, l)
		}
	}
	return out
}
