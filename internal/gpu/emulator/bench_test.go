package emulator

import "testing"

// loop is what a training kernel does most: loads of shared memory, fma, an address, a branch.
const loop = `
	mov.u32 %w0, %tid.x;
	shl.b32 %w1, %w0, 2;
	mov.f32 %f0, 0f3F800000;
	st.shared.f32 [%w1], %f0;
	mov.u32 %w2, 0;
LOOP:
	ld.shared.f32 %f1, [%w1];
	fma.rn.f32 %f2, %f1, %f0, %f2;
	mul.rn.f32 %f3, %f1, %f0;
	add.rn.f32 %f4, %f3, %f0;
	cvt.f64.f32 %d0, %f4;
	fma.rn.f64 %d1, %d0, %d0, %d0;
	add.u32 %w2, %w2, 1;
	setp.lt.u32 %p0, %w2, 1000;
	@%p0 bra LOOP;
`

func BenchmarkLaunch(b *testing.B) {
	var n int64
	for b.Loop() {
		_, c, err := work{text: kernel("", loop), threads: 64, shared: 1024, blocks: 4}.run(b)
		check(b, err)
		n += c.Instructions()
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Minstr/s")
}
