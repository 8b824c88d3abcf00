package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pointwise writes the routines without products of matrices or elementary functions. In the first
// three, n counts vectors.
func (v vector) pointwise() {
	v.scale()
	v.multiply()
	v.multiplyBackward()
	v.squaredError()
	v.squaredErrorBackward()
	v.adam("adam", "updates rows of weights and biases.", false)
	v.adam("adamMasked", "updates rows of weights, small ones of which become zero, and biases.", true)
}

// over writes a loop over the n vectors of the named arrays.
func (v vector) over(names []string, f func(at []Mem)) {
	n, i := arg("n"), asm.GP64()
	at := make([]Mem, len(names))
	for j, name := range names {
		at[j] = Mem{Base: arg(name), Index: i, Scale: 1}
	}
	asm.XORQ(i, i)
	asm.Label("next")
	asm.DECQ(n)
	asm.JL(LabelRef("end"))
	f(at)
	asm.ADDQ(U8(v.bytes), i)
	asm.JMP(LabelRef("next"))
	asm.Label("end")
	end()
}

func (v vector) scale() {
	v.text("scale", "(dz, d pointer, n int)", "multiplies dz by d.")
	v.over([]string{"dz", "d"}, func(at []Mem) {
		x := v.reg()
		v.load(at[0], x)
		v.mul(at[1], x, x)
		v.store(x, at[0])
	})
}

func (v vector) multiply() {
	v.text("multiply", "(p, a, b pointer, n int)", "computes p = a*b.")
	v.over([]string{"p", "a", "b"}, func(at []Mem) {
		x := v.reg()
		v.load(at[1], x)
		v.mul(at[2], x, x)
		v.store(x, at[0])
	})
}

func (v vector) multiplyBackward() {
	v.text("multiplyBackward", "(da, db, dp, a, b pointer, n int)", "computes da = dp*b and db = dp*a.")
	v.over([]string{"da", "db", "dp", "a", "b"}, func(at []Mem) {
		g, a, b := v.reg(), v.reg(), v.reg()
		v.load(at[2], g)
		v.mul(at[4], g, b)
		v.mul(at[3], g, a)
		v.store(b, at[0])
		v.store(a, at[1])
	})
}

// squaredError reads one vector of p, and one number of y for all lanes, a sample and output.
func (v vector) squaredError() {
	v.text("squaredError", "(loss, p, y pointer, n, stride int, scale number)",
		"computes loss = scale * the sum of (p-y)*(p-y).")
	loss, p, y, n, stride := arg("loss"), arg("p"), arg("y"), arg("n"), arg("stride")
	sum, d, t := v.reg(), v.reg(), v.reg()
	v.zero(sum)
	asm.Label("next")
	asm.DECQ(n)
	asm.JL(LabelRef("end"))
	v.broadcast(Mem{Base: y}, t)
	v.load(Mem{Base: p}, d)
	v.sub(t, d, d)
	v.addTo(d, d, sum)
	asm.ADDQ(stride, p)
	asm.ADDQ(U8(v.size), y)
	asm.JMP(LabelRef("next"))
	asm.Label("end")
	v.broadcast(memory("scale"), t)
	v.mul(t, sum, sum)
	v.store(sum, Mem{Base: loss})
	end()
}

func (v vector) squaredErrorBackward() {
	v.text("squaredErrorBackward", "(dp, p, y, weight pointer, n, stride int, scale number)",
		"computes dp = weight*scale*(p-y).")
	dp, p, y, weight, n, stride := arg("dp"), arg("p"), arg("y"), arg("weight"), arg("n"), arg("stride")
	factor, d, t := v.reg(), v.reg(), v.reg()
	v.broadcast(memory("scale"), factor)
	v.mul(Mem{Base: weight}, factor, factor)
	asm.Label("next")
	asm.DECQ(n)
	asm.JL(LabelRef("end"))
	v.broadcast(Mem{Base: y}, t)
	v.load(Mem{Base: p}, d)
	v.sub(t, d, d)
	v.mul(factor, d, d)
	v.store(d, Mem{Base: dp})
	asm.ADDQ(stride, p)
	asm.ADDQ(stride, dp)
	asm.ADDQ(U8(v.size), y)
	asm.JMP(LabelRef("next"))
	asm.Label("end")
	end()
}

// adam writes the update of one affine map: in each row `in` weights and a bias. There is a routine
// without the mask, which most steps do not have: it would take a quarter of the time.
func (v vector) adam(name, doc string, masked bool) {
	v.text(name, "(w, dw, m, v, lambda pointer, rate, epsilon, oneLessB1, oneLessB2, mask number, rows, in, stride int)",
		doc)
	s := adamStep{vector: v, masked: masked, w: arg("w"), dw: arg("dw"), m: arg("m"), v: arg("v"), at: asm.GP64()}
	for _, p := range []struct {
		name string
		reg  *Op
	}{{"rate", &s.rate}, {"epsilon", &s.epsilon}, {"oneLessB1", &s.oneLessB1},
		{"oneLessB2", &s.oneLessB2}, {"mask", &s.mask}} {
		if p.name == "mask" && !masked {
			continue
		}
		*p.reg = v.reg()
		v.broadcast(memory(p.name), *p.reg)
	}
	s.none = v.reg()
	v.zero(s.none)
	s.magnitude = v.held("magnitude")
	s.lambda = v.reg()
	v.load(Mem{Base: arg("lambda")}, s.lambda)
	rows, stride, k := arg("rows"), arg("stride"), asm.GP64()
	asm.XORQ(s.at, s.at)
	asm.Label("row")
	asm.DECQ(rows)
	asm.JL(LabelRef("end"))
	asm.Load(asm.Param("in"), k)
	asm.Label("weight")
	asm.DECQ(k)
	asm.JL(LabelRef("bias"))
	s.update(true)
	asm.ADDQ(stride, s.at)
	asm.JMP(LabelRef("weight"))
	asm.Label("bias")
	s.update(false)
	asm.ADDQ(stride, s.at)
	asm.JMP(LabelRef("row"))
	asm.Label("end")
	end()
}

// adamStep holds the registers of Adam's update.
type adamStep struct {
	vector
	masked                                                             bool
	w, dw, m, v, at                                                    reg.GPVirtual
	rate, epsilon, oneLessB1, oneLessB2, mask, magnitude, none, lambda Op
}

// update writes the update of one vector: of weights, with penalty and mask, or of biases.
func (s adamStep) update(weights bool) {
	at := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: s.at, Scale: 1} }
	w, g, m, v := s.reg(), s.reg(), s.reg(), s.reg()
	s.load(at(s.w), w)
	s.load(at(s.dw), g)
	t := s.reg()
	if weights { // g += λ·sign(w)
		nonzero := s.reg()
		s.compare(notEqual, s.none, w, nonzero)
		s.andNot(w, s.magnitude, t)
		s.xor(s.lambda, t, t)
		s.and(nonzero, t, t)
		s.add(t, g, g)
	}
	s.load(at(s.m), m)
	s.sub(m, g, t)
	s.addTo(s.oneLessB1, t, m)
	s.add(s.constant("flush"), m, m)
	s.sub(s.constant("flush"), m, m)
	s.load(at(s.v), v)
	s.mulAdd(s.constant("floor"), g, g) // g² + floor
	s.sub(v, g, g)
	s.addTo(s.oneLessB2, g, v)
	s.sqrt(v, t)
	s.add(s.epsilon, t, t)
	s.mul(s.rate, m, g)
	s.div(t, g, g)
	next := g
	s.sub(g, w, next)
	if weights && s.masked { // zero where |w| or |next| is below the mask
		s.and(s.magnitude, w, w)
		s.compare(less, s.mask, w, w)
		s.and(s.magnitude, next, t)
		s.compare(less, s.mask, t, t)
		s.or(w, t, t)
		s.andNot(next, t, next)
		s.andNot(m, t, m)
		s.andNot(v, t, v)
	}
	s.store(next, at(s.w))
	s.store(m, at(s.m))
	s.store(v, at(s.v))
}
