# What a change must pass. `make tools` installs the linters at the versions that CI uses.
.PHONY: check ci tools gpu gpu-bench gpu-tests gpu-carry gpu-check gpu-shim

check:
	test -z "$$(gofmt -l .)"
	go vet ./...
	staticcheck ./...
	golangci-lint run ./...
	go test -race ./...

ci:
	bash .ci/run

tools:
	sed -nE 's/^(staticcheck|golangci|actionlint)=//p' .ci/run | xargs -n 1 go install

# The GPU build needs cgo, a C compiler and cuda.h of CUDA 12, but neither a toolkit, nor a driver, nor a card.
# OUT is the file, or for gpu-tests the folder, that is built.
CUDA_INCLUDE = /usr/local/cuda/include
CC := $(shell go env CC)
STATICCHECK = staticcheck
SHIM := $(CURDIR)/internal/gpu/shim
GPU = CGO_ENABLED=1 CGO_CFLAGS='-O2 -I$(CUDA_INCLUDE)' CGO_LDFLAGS='-L$(SHIM)/build -Wl,--no-as-needed -ldl'

gpu: OUT = eql-gpu
gpu: gpu-shim
	rm -f '$(OUT)' # go does not see when libcuda.a is another
	$(GPU) go build -tags gpu -o '$(OUT)' ./cmd/eql

gpu-bench: OUT = bench.test
gpu-bench: gpu-shim
	rm -f '$(OUT)'
	$(GPU) go test -tags gpu -c -o '$(OUT)' ./bench

gpu-tests: OUT = .
gpu-tests: gpu-shim
	rm -f '$(OUT)/graph.test' '$(OUT)/trainer.test'
	$(GPU) go test -tags gpu -c -o '$(OUT)/graph.test' ./graph
	$(GPU) go test -tags gpu -c -o '$(OUT)/trainer.test' ./trainer

# What bench/gpu.sh takes to a machine with a card, without the tables that only debuggers read.
gpu-carry:
	mkdir -p .gpu
	$(MAKE) gpu GOFLAGS=-ldflags=-s OUT=.gpu/eql
	$(MAKE) gpu-bench GOFLAGS=-ldflags=-s OUT=.gpu/bench.test
	$(MAKE) gpu-tests GOFLAGS=-ldflags=-s OUT=.gpu
	tar czf .gpu/binaries.tar.gz -C .gpu eql bench.test graph.test trainer.test

# What can be checked without a card: a driver of the tests' own takes the place of NVIDIA's.
gpu-check: gpu-shim
	$(GPU) go vet -tags gpu ./...
	$(GPU) $(STATICCHECK) -tags gpu ./graph ./internal/command
	$(CC) -O2 -Wall -Wextra -Werror -shared -fPIC -o '$(SHIM)/build/test/libcuda.so.1' '$(SHIM)/testdriver.c'
	$(GPU) EQL_TEST_DRIVER='$(SHIM)/build/test' \
		go test -tags gpu -count 1 -run 'Driver|Scripts/(devices|fit_cuda)' ./graph ./internal/command

# What gorgonia.org/cu mentions of the driver, less what the shim has, goes into refused.h.
gpu-shim:
	@command -v '$(firstword $(CC))' >/dev/null || { \
		echo 'the GPU build needs a C compiler, and there is no $(CC)' >&2; exit 1; }
	@test -f '$(CUDA_INCLUDE)/cuda.h' || { \
		echo 'the GPU build needs cuda.h, and $(CUDA_INCLUDE) has none.' >&2; \
		echo 'It comes with the toolkit of CUDA 12, and alone with the Python package nvidia-cuda-runtime-cu12:' >&2; \
		echo '  pip install --no-deps --target cuda nvidia-cuda-runtime-cu12' >&2; \
		echo '  make gpu CUDA_INCLUDE="$$PWD/cuda/nvidia/cuda_runtime/include"' >&2; exit 1; }
	mkdir -p '$(SHIM)/build/test'
	cu=$$(CGO_ENABLED=1 go list -tags gpu -f '{{.Dir}}' gorgonia.org/cu) && \
		grep -ohE '\<cu[A-Z][A-Za-z0-9]*\>' "$$cu"/*.go "$$cu"/*.c | sort -u >'$(SHIM)/build/mentioned'
	grep -oE '\<cu[A-Z][A-Za-z0-9]*\>' '$(SHIM)/shim.c' | \
		grep -vxFf - '$(SHIM)/build/mentioned' | \
		sed 's/.*/REFUSE(&)/' >'$(SHIM)/build/refused.h'
	$(CC) -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -I'$(CUDA_INCLUDE)' -I'$(SHIM)/build' \
		-c -o '$(SHIM)/build/shim.o' '$(SHIM)/shim.c'
	rm -f '$(SHIM)/build/libcuda.a'
	ar rcs '$(SHIM)/build/libcuda.a' '$(SHIM)/build/shim.o'
