package ptx

// Circular returns sine and cosine of each x, by the reduction and the polynomials of kernel's assembly. Arguments
// beyond its range are left to a function in float64, as kernel leaves them to its portable code.
func (w *Writer) Circular(x []string) (sine, cosine []string) {
	w.circular = true
	outside := make([]string, len(x))
	sine, cosine = make([]string, len(x)), make([]string, len(x))
	for i := range x {
		size := w.Number()
		outside[i] = w.Flag()
		w.Op("abs", size, x[i])
		w.Op("setp.geu", outside[i], size, w.Constant("circle_limit")) // NaN too
		sine[i], cosine[i] = w.circle(x[i])
	}
	w.rare(x, sine, cosine, outside)
	return sine, cosine
}

// rare writes a loop over what is outside the range of the polynomials; threads that have nothing there pass it by.
func (w *Writer) rare(x, sine, cosine, outside []string) {
	some, k, end, again := w.Flag(), w.Int(), w.Name("INSIDE"), w.Name("RARE")
	w.any(some, outside)
	w.Emit("@!%s bra %s", some, end)
	w.Emit("mov.u32 %s, 0", k)
	w.Label(again)
	one, skip, chosen := w.Number(), w.Name("NEXT"), make([]string, len(x))
	w.Op("mov", one, x[0])
	for i := range x {
		chosen[i] = w.Flag()
		w.Emit("setp.eq.u32 %s, %s, %d", chosen[i], k, i)
		w.Op("selp", one, x[i], one, chosen[i])
		w.Emit("and.pred %s, %s, %s", chosen[i], chosen[i], outside[i])
	}
	w.any(some, chosen)
	w.Emit("@!%s bra %s", some, skip)
	s, c := w.sincos(one)
	for i := range x {
		w.Emit("@%s mov.%s %s, %s", chosen[i], w.Type(), sine[i], s)
		w.Emit("@%s mov.%s %s, %s", chosen[i], w.Type(), cosine[i], c)
	}
	w.Label(skip)
	w.Emit("add.u32 %s, %s, 1", k, k)
	w.Emit("setp.lt.u32 %s, %s, %d", some, k, len(x))
	w.Emit("@%s bra %s", some, again)
	w.Label(end)
}

// any sets a flag to whether one of others is set.
func (w *Writer) any(flag string, others []string) {
	w.Emit("mov.pred %s, %s", flag, others[0])
	for _, p := range others[1:] {
		w.Emit("or.pred %s, %s, %s", flag, flag, p)
	}
}

// circle is sine and cosine within the range of the polynomials: x = n·π + r, sin x = (−1)ⁿ sin r.
func (w *Writer) circle(x string) (sine, cosine string) {
	t, n, r, u := w.Number(), w.Number(), w.Number(), w.Number()
	w.Op("fma.rn", t, x, w.Constant("1/pi"), w.Constant("round"))
	w.Op("sub.rn", n, t, w.Constant("round"))
	w.Op("neg", n, n)
	w.Op("fma.rn", r, n, w.Constant("pi"), x)
	w.Op("fma.rn", r, n, w.Constant("pi_low"), r)
	w.Op("mul.rn", u, r, r)
	sign := w.bits(t)
	w.Emit("shl.b%d %s, %s, %d", 8*w.Size, sign, sign, 8*w.Size-1) // odd n
	p, q := w.Number(), w.Number()
	w.horner(p, u, "s", w.Constant("one"))
	w.horner(q, u, "c", w.Constant("one"))
	w.Op("mul.rn", p, p, r)
	w.flip(p, sign)
	w.flip(q, sign)
	return p, q
}

// horner computes last + u·(p₀ + p₁u + …) with the coefficients of a polynomial; without last, p₀ + p₁u + ….
func (w *Writer) horner(d, u, name, last string) {
	terms := 0
	for w.has(name, terms) {
		terms++
	}
	w.Op("mov", d, w.coefficient(name, terms-1))
	for k := terms - 2; k >= 0; k-- {
		w.Op("fma.rn", d, d, u, w.coefficient(name, k))
	}
	if last != "" {
		w.Op("fma.rn", d, d, u, last)
	}
}

func (w *Writer) coefficient(name string, k int) string {
	return w.Constant(name + string(rune('0'+k)))
}

func (w *Writer) has(name string, k int) bool {
	_, ok := w.constants[name+string(rune('0'+k))]
	return ok
}

// integer returns a new register for the bits of a number.
func (w *Writer) integer() string {
	if w.Size == 4 {
		return w.Int()
	}
	return w.Long()
}

func (w *Writer) bits(x string) string {
	b := w.integer()
	w.Emit("mov.b%d %s, %s", 8*w.Size, b, x)
	return b
}

// flip changes the sign of x where sign has its bit.
func (w *Writer) flip(x, sign string) {
	b := w.bits(x)
	w.Emit("xor.b%d %s, %s, %s", 8*w.Size, b, b, sign)
	w.Emit("mov.b%d %s, %s", 8*w.Size, x, b)
}

// expLessOne returns p = eʳ − 1 and the scale 2ⁿ, with x = n·ln 2 + r.
func (w *Writer) expLessOne(x string) (p, scale string) {
	t, n, r, p := w.Number(), w.Number(), w.Number(), w.Number()
	w.Op("fma.rn", t, x, w.Constant("1/ln2"), w.Constant("round"))
	w.Op("sub.rn", n, t, w.Constant("round"))
	w.Op("neg", n, n)
	w.Op("fma.rn", r, n, w.Constant("ln2"), x)
	w.Op("fma.rn", r, n, w.Constant("ln2_low"), r)
	b := w.bits(t)
	exponent, one, unsigned := 23, "0x3F800000", "u32"
	if w.Size == 8 {
		exponent, one, unsigned = 52, "0x3FF0000000000000", "u64"
	}
	w.Emit("shl.b%d %s, %s, %d", 8*w.Size, b, b, exponent)
	w.Emit("add.%s %s, %s, %s", unsigned, b, b, one)
	scale = w.Number()
	w.Emit("mov.b%d %s, %s", 8*w.Size, scale, b)
	w.horner(p, r, "e", "")
	w.Op("mul.rn", n, r, r)
	w.Op("fma.rn", p, p, n, r)
	return p, scale
}

// clamp is x, or limit where x is beyond it; beyond is lt or gt. NaN stays.
func (w *Writer) clamp(x, beyond, limit string) {
	p := w.Flag()
	w.Op("setp."+beyond, p, x, limit)
	w.Op("selp", x, limit, x, p)
}

// Sigmoid returns s = 1/(1+e⁻ˣ), zero below minus the limit, and s·(1−s).
func (w *Writer) Sigmoid(x string) (s, slope string) {
	none, minus := w.Flag(), w.Number()
	w.Op("setp.lt", none, x, w.Constant("-exp_limit"))
	w.Op("neg", minus, x)
	w.clamp(minus, "lt", w.Constant("-exp_limit"))
	w.clamp(minus, "gt", w.Constant("exp_limit"))
	p, scale := w.expLessOne(minus)
	w.Op("fma.rn", p, p, scale, scale)
	w.Op("add.rn", p, p, w.Constant("one"))
	s, slope = w.Number(), w.Number()
	w.Op("div.rn", s, w.Constant("one"), p)
	w.Op("selp", s, w.Literal(0), s, none)
	w.Op("sub.rn", slope, w.Constant("one"), s)
	w.Op("mul.rn", slope, s, slope)
	return s, slope
}

// Tanh returns t = tanh x by m/(m+2) with m = e²ˣ − 1, and 1 − t².
func (w *Writer) Tanh(x string) (t, slope string) {
	size := w.Number()
	w.Op("abs", size, x)
	w.clamp(size, "gt", w.Constant("tanh_limit"))
	w.Op("add.rn", size, size, size)
	p, scale := w.expLessOne(size)
	less := w.Number()
	w.Op("sub.rn", less, scale, w.Constant("one"))
	w.Op("fma.rn", p, p, scale, less)
	w.Op("add.rn", less, p, w.Constant("two"))
	t, slope = w.Number(), w.Number()
	w.Op("div.rn", t, p, less)
	w.Op("copysign", t, x, t)
	minus := w.Number()
	w.Op("neg", minus, t)
	w.Op("fma.rn", slope, minus, t, w.Constant("one"))
	return t, slope
}
