// libcuda.so.1 for tests of what calls the driver, on machines that have none. Memory of the card is the host's. The
// work of a stream waits, as a card's may, until the stream has been asked three times whether it is done. A kernel
// adds the shape of its launch to numbers. EQL_TEST_DRIVER_MODE is old (for CUDA 11.4), empty (no card), or nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { // of NVIDIA's "CUDA Driver API", type CUresult
	OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, INVALID_PTX = 218,
	NOT_FOUND = 500, NOT_READY = 600
};
enum { PLAIN = 48 << 10, MOST = 227 << 10, MEMORY = 1 << 30 }; // bytes of shared memory a block, and of all memory

struct work {
	struct work *next;
	void *to;
	const void *from; // nothing for a kernel
	size_t n;
	uint64_t add[5];
};
struct stream {
	struct work *first, **last;
	int looks;
};

static __thread int entered; // whether a context is current in this thread
static int kernel, allowed = PLAIN;
#define ENTERED if (!entered) return INVALID_CONTEXT

static int mode(const char *is) {
	const char *s = getenv("EQL_TEST_DRIVER_MODE");
	return s && !strcmp(s, is);
}

int cuInit(unsigned flags) { return flags ? INVALID_VALUE : mode("empty") ? NO_DEVICE : OK; }
int cuDriverGetVersion(int *v) { *v = mode("old") ? 11040 : 12080; return OK; }
int cuDeviceGetCount(int *n) { *n = 1; return OK; }
int cuDeviceGet(int *d, int i) { *d = i; return i ? INVALID_VALUE : OK; }
int cuDeviceGetName(char *s, int n, int d) { (void)d; snprintf(s, n, "Test Card"); return OK; }
int cuDeviceTotalMem_v2(size_t *n, int d) { (void)d; *n = MEMORY; return OK; }
int cuDeviceGetAttribute(int *v, int a, int d) {
	static const int of[][2] = {{75, 9}, {76, 0}, {16, 132}, {97, MOST}, {82, 65536}};
	for (size_t i = 0; !d && i < sizeof of / sizeof *of; i++)
		if (of[i][0] == a) return *v = of[i][1], OK;
	return INVALID_VALUE;
}
int cuDevicePrimaryCtxRetain(void **c, int d) { *c = &kernel; return d ? INVALID_VALUE : OK; }
int cuCtxSetCurrent(void *c) { return (entered = c == &kernel) ? OK : INVALID_CONTEXT; }

int cuGetErrorName(int r, const char **s) {
	*s = r == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : r == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_OTHER";
	return OK;
}
int cuGetErrorString(int r, const char **s) {
	*s = r == OUT_OF_MEMORY ? "out of memory" : r == NO_DEVICE ? "no CUDA-capable device is detected" : "another error";
	return OK;
}

int cuModuleLoadDataEx(void **m, const char *text, unsigned n, int *options, void **values) {
	ENTERED;
	if (strstr(text, ".version")) return *m = &kernel, OK;
	for (unsigned i = 0; i < n; i++)
		if (options[i] == 5) strcpy(values[i], "ptxas fatal: no .version"); // CU_JIT_ERROR_LOG_BUFFER
	return INVALID_PTX;
}
int cuModuleUnload(void *m) { (void)m; return OK; }
int cuModuleGetFunction(void **f, void *m, const char *name) {
	ENTERED;
	*f = m;
	return strcmp(name, "shape") ? NOT_FOUND : OK;
}
int cuFuncSetAttribute(void *f, int a, int v) {
	ENTERED;
	if (f != &kernel) return INVALID_VALUE;
	if (a == 9) return v == 100 ? OK : INVALID_VALUE; // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
	if (a != 8 || v > MOST) return INVALID_VALUE; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
	allowed = v;
	return OK;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *b, void *f, int threads, size_t shared) {
	ENTERED;
	(void)f;
	*b = threads > 1024 ? 0 : shared ? MOST / (int)shared : 2048 / threads;
	return OK;
}

int cuMemAlloc_v2(uint64_t *p, size_t n) {
	ENTERED;
	if (n > MEMORY) return OUT_OF_MEMORY;
	return (*p = (uint64_t)(uintptr_t)malloc(n)) ? OK : OUT_OF_MEMORY;
}
int cuMemFree_v2(uint64_t p) { ENTERED; free((void *)(uintptr_t)p); return OK; }
int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
	ENTERED;
	return flags || !(*p = malloc(n)) ? OUT_OF_MEMORY : OK;
}
int cuMemFreeHost(void *p) { ENTERED; free(p); return OK; }

int cuStreamCreate(struct stream **s, unsigned flags) {
	ENTERED;
	*s = calloc(1, sizeof **s);
	(*s)->last = &(*s)->first;
	return flags == 1 ? OK : INVALID_VALUE; // CU_STREAM_NON_BLOCKING
}
int cuStreamDestroy_v2(struct stream *s) { ENTERED; free(s); return OK; }

static int later(struct stream *s, struct work w) {
	struct work *kept = malloc(sizeof w);
	*kept = w;
	*s->last = kept;
	s->last = &kept->next;
	return OK;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, struct stream *s) {
	ENTERED;
	return later(s, (struct work){.to = (void *)(uintptr_t)to, .from = from, .n = n});
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t n, struct stream *s) {
	ENTERED;
	return later(s, (struct work){.to = to, .from = (void *)(uintptr_t)from, .n = n});
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
		unsigned shared, struct stream *s, void **args, void **more) {
	ENTERED;
	if (f != &kernel || more || gy * gz * by * bz != 1 || (int)shared > allowed) return INVALID_VALUE;
	void *to = *(void **)args[0];
	return later(s, (struct work){.to = to, .add = {gx, bx, shared, allowed, *(uint64_t *)args[1]}});
}
int cuStreamQuery(struct stream *s) {
	ENTERED;
	if (s->first && ++s->looks % 3) return NOT_READY;
	for (struct work *w; (w = s->first); free(w)) {
		s->first = w->next;
		if (w->from) memcpy(w->to, w->from, w->n);
		for (int i = 0; !w->from && i < 5; i++) ((uint64_t *)w->to)[i] += w->add[i];
	}
	s->last = &s->first;
	return OK;
}
