// libcuda.a, which the GPU build links in place of the driver's library, so that it starts on a machine without one.
//
// gorgonia.org/cu ends the process at start when cuInit fails, and a program linked with libcuda.so.1 does not start
// without it. Here a constructor looks for the driver, cuInit always succeeds, and without a driver or a card there
// are 0 devices; eqlDriver says why. What eql calls is forwarded; all else that gorgonia.org/cu mentions, listed in
// refused.h by the Makefile, answers CUDA_ERROR_NOT_SUPPORTED.
//
// The parameters are those of the driver's documented interface (NVIDIA, "CUDA Driver API"); cuda.h, which also
// renames some functions (cuMemAlloc is cuMemAlloc_v2), is held against them by the compiler.
#include <cuda.h>
#include <dlfcn.h>
#include <stddef.h>

#if CUDA_VERSION < 12000 || CUDA_VERSION >= 13000
#error "the GPU build needs cuda.h of CUDA 12: gorgonia.org/cu does not compile with that of another"
#endif

// FORWARDED has a row for each function that is passed on: name, parameters, arguments.
#define FORWARDED(ROW) \
	ROW(cuGetErrorName, (CUresult r, const char **s), (r, s)) \
	ROW(cuGetErrorString, (CUresult r, const char **s), (r, s)) \
	ROW(cuDeviceGet, (CUdevice *d, int i), (d, i)) \
	ROW(cuDeviceGetName, (char *s, int n, CUdevice d), (s, n, d)) \
	ROW(cuDeviceGetAttribute, (int *v, CUdevice_attribute a, CUdevice d), (v, a, d)) \
	ROW(cuDeviceTotalMem, (size_t *n, CUdevice d), (n, d)) \
	ROW(cuDevicePrimaryCtxRetain, (CUcontext *c, CUdevice d), (c, d)) \
	ROW(cuCtxSetCurrent, (CUcontext c), (c)) \
	ROW(cuModuleLoadDataEx, (CUmodule *m, const void *p, unsigned n, CUjit_option *o, void **v), (m, p, n, o, v)) \
	ROW(cuModuleUnload, (CUmodule m), (m)) \
	ROW(cuModuleGetFunction, (CUfunction *f, CUmodule m, const char *s), (f, m, s)) \
	ROW(cuFuncSetAttribute, (CUfunction f, CUfunction_attribute a, int v), (f, a, v)) \
	ROW(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *b, CUfunction f, int t, size_t n), (b, f, t, n)) \
	ROW(cuMemAlloc, (CUdeviceptr *p, size_t n), (p, n)) \
	ROW(cuMemFree, (CUdeviceptr p), (p)) \
	ROW(cuMemHostAlloc, (void **p, size_t n, unsigned flags), (p, n, flags)) \
	ROW(cuMemFreeHost, (void *p), (p)) \
	ROW(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t n, CUstream s), (to, from, n, s)) \
	ROW(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s)) \
	ROW(cuStreamCreate, (CUstream *s, unsigned flags), (s, flags)) \
	ROW(cuStreamQuery, (CUstream s), (s)) \
	ROW(cuStreamDestroy, (CUstream s), (s)) \
	ROW(cuLaunchKernel, \
		(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, \
			CUstream s, void **args, void **more), \
		(f, gx, gy, gz, bx, by, bz, shared, s, args, more))

#define TEXT(name) #name
#define EXPANDED(name) TEXT(name) // the name after cuda.h's renaming

#define FORWARD(name, params, args) \
	static __typeof__(name) *to_##name; \
	CUresult CUDAAPI name params { return to_##name ? to_##name args : CUDA_ERROR_NOT_INITIALIZED; }
FORWARDED(FORWARD)

// Hidden, so that the driver's own calls of these names never come here; weak, since gorgonia.org/cu has two itself.
#define REFUSE(name) \
	__asm__(".weak " EXPANDED(name) "\n.hidden " EXPANDED(name) "\n.set " EXPANDED(name) ", eqlRefused");
CUresult eqlRefused(void) { return CUDA_ERROR_NOT_SUPPORTED; }
#include "refused.h"

static __typeof__(cuInit) *driverInit;
static __typeof__(cuDriverGetVersion) *driverVersion;
static __typeof__(cuDeviceGetCount) *driverCount;
static CUresult state = CUDA_ERROR_SHARED_OBJECT_INIT_FAILED; // what the driver's cuInit said
static const char *missing = "";                              // what the dynamic linker said

#define ROW(name, params, args) {EXPANDED(name), (void **)&to_##name},
static const struct {
	const char *name;
	void **to;
} table[] = {
	FORWARDED(ROW)
	{"cuInit", (void **)&driverInit},
	{"cuDriverGetVersion", (void **)&driverVersion},
	{"cuDeviceGetCount", (void **)&driverCount},
};

__attribute__((constructor)) static void load(void) {
	void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		missing = dlerror();
		return;
	}
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) *table[i].to = dlsym(lib, table[i].name);
}

CUresult CUDAAPI cuInit(unsigned flags) {
	if (driverInit) state = driverInit(flags);
	return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDriverGetVersion(int *v) {
	*v = 0;
	return driverVersion ? driverVersion(v) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetCount(int *n) {
	*n = 0;
	return state == CUDA_SUCCESS && driverCount ? driverCount(n) : CUDA_SUCCESS;
}

// eqlDriver returns what the driver's cuInit said, or CUDA_ERROR_SHARED_OBJECT_INIT_FAILED where there is no driver,
// with the dynamic linker's words.
CUresult eqlDriver(const char **words) {
	*words = missing;
	return state;
}
