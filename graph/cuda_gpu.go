//go:build gpu

package graph

// #include <cuda.h>
import "C"

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/eqlearner/eql/internal/gpu"
)

// sharedOptIn is the attribute for how much shared memory a block may ask for. cu has no name for it.
const sharedOptIn = cu.DeviceAttribute(C.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

// oldestCompute is the compute capability that kernels are written for.
const oldestCompute = 70

// sharedPlain is how much a block may have without asking.
const sharedPlain = 48 << 10

// A thread is a goroutine that keeps to one thread of the system, in which the card's context is current.
type thread chan func()

func newThread() thread {
	t := make(thread)
	go func() {
		runtime.LockOSThread()
		for f := range t {
			f()
		}
	}()
	return t
}

func (t thread) do(f func() error) (err error) {
	done := make(chan struct{})
	t <- func() { err = f(); close(done) }
	<-done
	return err
}

// nvidia is the first card of the machine, or the first of CUDA_VISIBLE_DEVICES. All calls but compiling, which takes
// seconds, are made in one thread.
type nvidia struct {
	info             gpu.Info
	calls, compiling thread
	modules          map[string]*module // by text; compiling only

	lock      sync.Mutex
	functions []cu.Function // a gpu.Function is the place of one, from 1
}

type module struct {
	id     gpu.Function
	f      cu.Function
	shared int // what a block of it may have
}

// missingCard says why there is no card, without opening the one that there is.
func missingCard() error {
	if err := driver(); err != nil {
		return err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return failed("counting CUDA devices", err)
	}
	if n == 0 {
		return explain("no CUDA device", C.CUDA_ERROR_NO_DEVICE)
	}
	return nil
}

func openCard() (gpu.Card, error) {
	if err := missingCard(); err != nil {
		return nil, err
	}
	c := &nvidia{calls: newThread(), compiling: newThread(), modules: map[string]*module{}}
	d, err := cu.GetDevice(0)
	if err == nil {
		c.info, err = describe(d)
	}
	if err == nil && c.info.Compute < oldestCompute {
		err = fmt.Errorf("%s has compute capability %d.%d, and eql needs %d.%d or later: use the processor",
			c.info.Name, c.info.Compute/10, c.info.Compute%10, oldestCompute/10, oldestCompute%10)
	}
	for _, t := range []thread{c.calls, c.compiling} {
		if err == nil {
			err = t.do(func() error { return enter(d) })
		}
	}
	if err != nil {
		close(c.calls)
		close(c.compiling)
		return nil, failed("opening the CUDA device", err)
	}
	return c, nil
}

// enter makes the context that all of a process share the current one of this thread.
func enter(d cu.Device) error {
	ctx, err := d.RetainPrimaryCtx()
	if err != nil {
		return err
	}
	return cu.SetCurrentContext(ctx)
}

func describe(d cu.Device) (gpu.Info, error) {
	i := gpu.Info{Driver: version(cu.Version())}
	var major, minor int
	for _, a := range []struct {
		to *int
		of cu.DeviceAttribute
	}{
		{&major, cu.ComputeCapabilityMajor},
		{&minor, cu.ComputeCapabilityMinor},
		{&i.Processors, cu.MultiprocessorCount},
		{&i.Shared, sharedOptIn},
		{&i.Registers, cu.MaxRegistersPerMultiprocessor},
	} {
		v, err := d.Attribute(a.of)
		if err != nil {
			return i, err
		}
		*a.to = v
	}
	i.Compute = 10*major + minor
	var err error
	if i.Memory, err = d.TotalMem(); err != nil {
		return i, err
	}
	i.Name, err = d.Name()
	return i, err
}

// Info describes the card.
func (c *nvidia) Info() gpu.Info { return c.info }

// Compile compiles a kernel, once for each text.
func (c *nvidia) Compile(k gpu.Kernel) (f gpu.Function, resident int, err error) {
	if k.Shared > c.info.Shared {
		return 0, 0, fmt.Errorf("a block needs %d bytes of shared memory, and %s has %d: use the processor",
			k.Shared, c.info.Name, c.info.Shared)
	}
	err = c.compiling.do(func() error {
		m, err := c.module(k)
		if err != nil {
			return err
		}
		if err := m.share(k.Shared); err != nil {
			return err
		}
		f = m.id
		resident, err = m.f.MaxActiveBlocksPerMultiProcessor(k.Threads, int64(k.Shared))
		return failed("asking how many blocks run at once", err)
	})
	if err == nil && resident == 0 {
		err = fmt.Errorf("a block of %d threads and %d bytes of shared memory does not fit into a multiprocessor of %s: "+
			"use the processor", k.Threads, k.Shared, c.info.Name)
	}
	return f, resident, err
}

func (c *nvidia) module(k gpu.Kernel) (*module, error) {
	if m := c.modules[k.Text]; m != nil {
		return m, nil
	}
	log := make([]byte, 16<<10)
	loaded, err := cu.LoadDataEx(k.Text, &cu.JITErrorLogBuffer{Buffer: log})
	if err != nil {
		err = failed("compiling for "+c.info.Name, err)
		if words := bytes.TrimRight(log, "\x00\n"); len(words) > 0 {
			err = fmt.Errorf("%w\n%s", err, words)
		}
		return nil, err
	}
	f, err := loaded.Function(k.Entry)
	if err != nil {
		return nil, failed("looking for the kernel "+k.Entry, err)
	}
	m := &module{f: f, shared: sharedPlain}
	// Kernels keep all in shared memory, and leave little for the cache that shares it.
	err = m.set(C.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, C.CU_SHAREDMEM_CARVEOUT_MAX_SHARED)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.functions = append(c.functions, f)
	m.id = gpu.Function(len(c.functions))
	c.modules[k.Text] = m
	return m, nil
}

// share lets a block have so much shared memory.
func (m *module) share(n int) error {
	if n <= m.shared {
		return nil
	}
	if err := m.set(C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, n); err != nil {
		return err
	}
	m.shared = n
	return nil
}

func (m *module) set(a C.CUfunction_attribute, v int) error {
	f := *(*C.CUfunction)(unsafe.Pointer(&m.f)) // cu.Function holds nothing else, and cu has no cuFuncSetAttribute
	if code := C.cuFuncSetAttribute(f, a, C.int(v)); code != C.CUDA_SUCCESS {
		return explain(fmt.Sprintf("setting attribute %d of a kernel to %d", a, v), code)
	}
	return nil
}

func (c *nvidia) function(f gpu.Function) (cu.Function, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if f < 1 || int(f) > len(c.functions) {
		return cu.Function{}, fmt.Errorf("function %d was not compiled by this card", f)
	}
	return c.functions[f-1], nil
}

// Alloc returns memory of the card.
func (c *nvidia) Alloc(n int) (m gpu.Memory, err error) {
	err = c.calls.do(func() error {
		p, err := cu.MemAlloc(int64(n))
		m = gpu.Memory(p)
		return failed(fmt.Sprintf("getting %d bytes of the card's memory", n), err)
	})
	return m, err
}

// Free gives memory back.
func (c *nvidia) Free(m gpu.Memory) error {
	return c.calls.do(func() error { return failed("giving memory back", cu.MemFree(cu.DevicePtr(m))) })
}
