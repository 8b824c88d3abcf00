package emulator

import "testing"

// setup stores a 1 in the thread's words of shared memory.
const setup = `
	mov.u32 %w0, %tid.x;
	shl.b32 %w1, %w0, 4;
	mov.f32 %f0, 0f3F800000;
	st.shared.v4.f32 [%w1], {%f0, %f0, %f0, %f0};
	mov.u32 %w2, 0;
LOOP:
`

const again = `
	add.u32 %w2, %w2, 1;
	setp.lt.u32 %p0, %w2, 1000;
	@%p0 bra LOOP;
`

// loops are what training kernels do most.
var loops = []struct{ name, body string }{
	{"arithmetic", `
	fma.rn.f32 %f2, %f1, %f0, %f2;
	mul.rn.f32 %f3, %f1, %f0;
	add.rn.f32 %f4, %f3, %f0;
	cvt.f64.f32 %d0, %f4;
	fma.rn.f64 %d1, %d0, %d0, %d0;
	mad.lo.u32 %w3, %w2, 4, %w0;`},
	{"memory", `
	ld.shared.f32 %f1, [%w1];
	fma.rn.f32 %f2, %f1, %f0, %f2;
	ld.shared.v4.f32 {%f4, %f5, %f6, %f7}, [%w1];
	ld.global.f32 %f8, [%q30+4];
	st.shared.f32 [%w1+4], %f8;
	ld.global.f64 %d0, [%q30+8];`},
}

var loop = setup + loops[0].body + loops[1].body + again

func BenchmarkLaunch(b *testing.B) {
	for _, l := range loops {
		b.Run("loop="+l.name, func(b *testing.B) {
			w := work{text: kernel("", setup+l.body+again), threads: 64, shared: 1024, blocks: 4, in: make([]byte, 16)}
			var n int64
			for b.Loop() {
				_, c, err := w.run(b)
				check(b, err)
				n += c.Instructions()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Minstr/s")
		})
	}
}
