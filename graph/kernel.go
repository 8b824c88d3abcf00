package graph

import (
	"fmt"
	"strings"

	"github.com/eqlearner/eql/internal/gpu"
)

// parameters are those of a kernel, 64 bits each; all but the last two are addresses.
var parameters = []string{"state", "rows", "order", "updates", "lambdas", "losses", "diverged", "grads", "lanes",
	"count"}

// writeKernel returns the kernel that makes steps of a graph: block e trains lane e for count steps, or, when grads is
// not 0, writes the gradients of one. Arrays are
//
//	state     w, m and v of each layer, (rows, in+1, lanes) each      rows      (rows, inputs+outputs)
//	order     int32, the rows of each minibatch                       updates   8 numbers a step, of [Update]
//	lambdas   (lanes)                                                 losses    float64, (ended epochs + 1, lanes)
//	diverged  int32, (lanes)                                          grads     (rows, in+1, lanes), layer by layer
//
// The text does not depend on the number of lanes.
func writeKernel[T Float](g *Graph[T], program []instruction, threads int) (gpu.Kernel, error) {
	return newBlock(g, threads).kernel(program)
}

func (b *block) kernel(program []instruction) (gpu.Kernel, error) {
	body, err := b.body(program)
	if err != nil {
		return gpu.Kernel{}, err
	}
	text := b.Capture(func() {
		b.begin()
		b.Label("STEP")
		b.nextMinibatch()
		b.Insert(body)
		b.endStep()
		b.end()
	})
	var k strings.Builder
	k.WriteString(".version 7.0\n.target sm_70\n.address_size 64\n\n" + b.Tables())
	k.WriteString(".extern .shared .align 16 .b8 memory[];\n\n")
	k.WriteString(".visible .entry train(.param .u64 " + strings.Join(parameters, ", .param .u64 ") + ")\n")
	fmt.Fprintf(&k, ".maxntid %d, 1, 1\n{\n%s", b.Threads, b.Registers())
	fmt.Fprintf(&k, "\t.reg .%s %%rate, %%epsilon, %%b1, %%b2, %%mask, %%penalty, %%ends, %%none, %%lambda, %%lambda0;\n",
		b.Type())
	k.WriteString("\t.reg .b32 %smem, %lane, %lanes, %final, %step;\n\t.reg .f64 %sum;\n\t.reg .b64 %lossrow, " +
		"%lossstep;\n")
	k.WriteString("\t.reg .b64 %" + strings.Join(parameters[:8], ", %") + ", %lanes64, %count64;\n")
	k.WriteString("\t.reg .pred %last, %gradients, %noupdate;\n")
	k.WriteString(text + "}\n")
	return gpu.Kernel{Text: k.String(), Entry: "train", Threads: b.Threads, Shared: b.shared}, nil
}

// begin writes what comes before the first step: parameters, weights, moments, and the first minibatches.
func (b *block) begin() {
	for i, p := range parameters {
		if i < 8 {
			b.Emit("ld.param.u64 %%%s, [%s]", p, p)
			if p == "grads" {
				b.Emit("setp.ne.u64 %%gradients, %%grads, 0")
			}
			b.Emit("cvta.to.global.u64 %%%s, %%%s", p, p)
		} else {
			b.Emit("ld.param.u64 %%%s64, [%s]", p, p)
		}
	}
	b.Emit("cvt.u32.u64 %%lanes, %%lanes64")
	b.Emit("cvt.u32.u64 %%final, %%count64")
	b.Emit("sub.u32 %%final, %%final, 1")
	b.Emit("mov.u32 %%lane, %%ctaid.x")
	b.Emit("mov.u32 %%smem, memory")
	b.Emit("mov.u32 %%step, 0")
	thread := b.Int()
	b.Emit("mov.u32 %s, %%tid.x", thread)
	b.Emit("setp.eq.u32 %%last, %s, %d", thread, b.Threads-1)
	b.skipFrozen()
	b.Emit("ld.global.%s %%lambda0, [%s]", b.Type(), b.ofLane("%lambdas", b.Size))
	b.Emit("mov.u64 %%lossrow, %s", b.ofLane("%losses", 8))
	b.Emit("mul.wide.u32 %%lossstep, %%lanes, 8")
	b.Emit("ld.global.f64 %%sum, [%%lossrow]")
	b.moveWeights(func(global, shared string) {
		x := b.Number()
		b.Emit("ld.global.%s %s, [%s]", b.Type(), x, global)
		b.Store(shared, 0, x)
	})
	b.Items(b.padded, func(item string) {
		b.Store(b.Address(b.ones, b.term(item, 1)), 0, b.Literal(1))
	})
	if b.padded != b.batch {
		b.Items((b.arch.Inputs+b.arch.Outputs)*b.padded, func(item string) {
			b.Store(b.Address(b.minibatch, b.term(item, 1)), 0, b.Literal(0))
		})
		b.Barrier()
	}
	for _, text := range b.load {
		b.Insert(text)
	}
	b.firstMinibatches()
}

// ofLane returns the address of the lane's element in an array of elements of so many bytes.
func (b *block) ofLane(array string, bytes int) string {
	a := b.Long()
	b.Emit("mad.wide.u32 %s, %%lane, %d, %s", a, bytes, array)
	return a
}

// skipFrozen ends the block of a lane that diverged, but for gradients.
func (b *block) skipFrozen() {
	at, frozen, train := b.Int(), b.Flag(), b.Flag()
	b.Emit("ld.global.u32 %s, [%s]", at, b.ofLane("%diverged", 4))
	b.Emit("setp.ge.s32 %s, %s, 0", frozen, at)
	b.Emit("not.pred %s, %%gradients", train)
	b.Emit("and.pred %s, %s, %s", frozen, frozen, train)
	b.Emit("@%s bra EXIT", frozen)
}

// moveWeights writes f for each weight of the network, with where it is in the state and in shared memory.
func (b *block) moveWeights(f func(global, shared string)) {
	for l := range b.weights {
		w := b.place(b.weights[l])
		b.Items((w.To-w.From)/b.Size, func(item string) {
			f(b.global("%state", item, b.state[l]), b.Address(w.From, b.term(item, 1)))
		})
	}
}

// checkLoss leaves the steps when the loss is not a finite number, before anything is updated, and then sets λ.
func (b *block) checkLoss() {
	b.Barrier()
	x, d := b.Load(b.Address(b.loss), 0), b.Number()
	diverged, train := b.Flag(), b.Flag()
	b.Op("sub.rn", d, x, x)
	b.Op("setp.neu", diverged, d, b.Literal(0))
	b.Emit("not.pred %s, %%gradients", train)
	b.Emit("and.pred %s, %s, %s", diverged, diverged, train)
	b.Emit("@%s bra DIVERGED", diverged)
	b.Op("mul.rn", "%lambda", "%lambda0", "%penalty")
}

// addLoss adds the loss of a step to the sum of the epoch.
func (b *block) addLoss(loss string) {
	if b.Size == 4 {
		d := b.Double()
		b.Emit("cvt.f64.f32 %s, %s", d, loss)
		loss = d
	}
	b.Emit("add.rn.f64 %%sum, %%sum, %s", loss)
}

// endStep waits for all threads, keeps the sum of losses at the end of an epoch, and goes on to the next step.
func (b *block) endStep() {
	b.Label("NEXT")
	b.Barrier()
	ends, more := b.Flag(), b.Flag()
	b.Op("setp.ne", ends, "%ends", b.Literal(0))
	b.Emit("and.pred %s, %s, %%last", ends, ends)
	b.Emit("@%s st.global.f64 [%%lossrow], %%sum", ends)
	b.Emit("@%s add.u64 %%lossrow, %%lossrow, %%lossstep", ends)
	b.Emit("@%s mov.f64 %%sum, 0d0000000000000000", ends)
	b.Emit("add.u32 %%step, %%step, 1")
	b.Emit("setp.le.u32 %s, %%step, %%final", more)
	b.Emit("@%s bra STEP", more)
	b.Emit("bra STORE")
}

// end writes the way out: a lane that diverged becomes zero, and the state goes back to the card's memory.
func (b *block) end() {
	b.Label("DIVERGED")
	b.moveWeights(func(_, shared string) { b.Store(shared, 0, b.Literal(0)) })
	for _, r := range b.moments {
		b.Op("mov", r, b.Literal(0))
	}
	b.Emit("@%%last st.global.u32 [%s], %%step", b.ofLane("%diverged", 4))
	b.Barrier()
	b.Label("STORE")
	b.moveWeights(func(global, shared string) {
		b.Emit("st.global.%s [%s], %s", b.Type(), global, b.Load(shared, 0))
	})
	for _, text := range b.store {
		b.Insert(text)
	}
	b.Emit("@%%last st.global.f64 [%%lossrow], %%sum")
	b.Label("EXIT")
	b.Emit("ret")
}

// element is a number of the minibatch that a thread brings into shared memory: its row of the table is known two steps
// ahead and its value one, so that no step waits for the card's memory.
type element struct{ row, value, slot, column, sample, has string }

func (b *block) firstMinibatches() {
	a := b.arch
	n := (a.Inputs + a.Outputs) * b.batch
	next := b.Int()
	b.Emit("min.u32 %s, 1, %%final", next)
	for first := 0; first < n; first += b.Threads {
		e := element{row: b.Int(), value: b.Number(), has: b.Flag()}
		item := b.Int()
		b.Emit("mov.u32 %s, %%tid.x", item)
		b.Emit("add.u32 %s, %s, %d", item, item, first)
		b.Emit("setp.lt.u32 %s, %s, %d", e.has, item, n)
		b.Emit("selp.u32 %s, %s, 0, %s", item, item, e.has)
		e.column, e.sample = b.Split(item, b.batch)
		e.slot = b.Address(b.minibatch, b.term(e.column, b.padded), b.term(e.sample, 1))
		b.elements = append(b.elements, e)
		b.fetchRow(e, "%step")
		b.fetchValue(e)
		b.fetchRow(e, next)
	}
}

func (b *block) fetchRow(e element, step string) {
	at, a := b.Int(), b.Long()
	b.Emit("mad.lo.u32 %s, %s, %d, %s", at, step, b.batch, e.sample)
	b.Emit("mad.wide.u32 %s, %s, 4, %%order", a, at)
	b.Emit("ld.global.u32 %s, [%s]", e.row, a)
}

func (b *block) fetchValue(e element) {
	at, a := b.Int(), b.Long()
	b.Emit("mad.lo.u32 %s, %s, %d, %s", at, e.row, b.arch.Inputs+b.arch.Outputs, e.column)
	b.Emit("mad.wide.u32 %s, %s, %d, %%rows", a, at, b.Size)
	b.Emit("ld.global.%s %s, [%s]", b.Type(), e.value, a)
}

// nextMinibatch writes how a step begins.
func (b *block) nextMinibatch() {
	for _, e := range b.elements {
		b.Emit("@%s st.shared.%s [%s], %s", e.has, b.Type(), e.slot, e.value)
	}
	settings := []string{"%rate", "%epsilon", "%b1", "%b2", "%mask", "%penalty", "%ends", "%none"}
	at := b.Long()
	b.Emit("mad.wide.u32 %s, %%step, %d, %%updates", at, len(settings)*b.Size)
	for i := 0; i < len(settings); i += b.Vector {
		b.Emit("ld.global.v%d.%s {%s}, [%s+%d]", b.Vector, b.Type(), strings.Join(settings[i:i+b.Vector], ", "), at, i*b.Size)
	}
	b.Op("setp.ne", "%noupdate", "%none", b.Literal(0))
	after := b.Int()
	for _, e := range b.elements {
		b.fetchValue(e)
	}
	b.Emit("add.u32 %s, %%step, 2", after)
	b.Emit("min.u32 %s, %s, %%final", after, after)
	for _, e := range b.elements {
		b.fetchRow(e, after)
	}
	b.Barrier()
}
