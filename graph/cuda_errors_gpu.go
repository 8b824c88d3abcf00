//go:build gpu

package graph

// #include <cuda.h>
// CUresult eqlDriver(const char **words);
import "C"

import (
	"fmt"
	"reflect"

	"gorgonia.org/cu"
)

// oldest is the CUDA version that a driver must have: the first with the major version of cuda.h.
const oldest = 12000

const (
	findNoCard = "in Docker, pass --gpus all; otherwise see what nvidia-smi and CUDA_VISIBLE_DEVICES say"
	seeSMI     = "see whether nvidia-smi works"
	ourMistake = "this is a mistake in eql: report it, and use the processor until then"
	update     = "update NVIDIA's driver"
)

// advice is what to do about an error of the driver.
var advice = map[C.CUresult]string{
	C.CUDA_ERROR_OUT_OF_MEMORY:           "end what else uses the card, or use the processor",
	C.CUDA_ERROR_NO_DEVICE:               findNoCard,
	C.CUDA_ERROR_DEVICE_UNAVAILABLE:      "end what else uses the card",
	C.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:  "restart the machine after an update of the driver",
	C.CUDA_ERROR_STUB_LIBRARY:            "libcuda.so.1 is the toolkit's stub: let the loader find the driver's first",
	C.CUDA_ERROR_UNSUPPORTED_PTX_VERSION: update,
	C.CUDA_ERROR_NO_BINARY_FOR_GPU:       update,
	C.CUDA_ERROR_JIT_COMPILER_NOT_FOUND:  "the driver lacks libnvidia-ptxjitcompiler: install all of it",
	C.CUDA_ERROR_LAUNCH_TIMEOUT:          "a card that drives a screen stops long kernels: use another card",
	C.CUDA_ERROR_INVALID_PTX:             ourMistake,
	C.CUDA_ERROR_ILLEGAL_ADDRESS:         ourMistake,
	C.CUDA_ERROR_MISALIGNED_ADDRESS:      ourMistake,
	C.CUDA_ERROR_INVALID_VALUE:           ourMistake,
}

// driver says why there is no driver that can be used.
func driver() error {
	var words *C.char
	state := C.eqlDriver(&words)
	if s := C.GoString(words); s != "" {
		return fmt.Errorf("no CUDA driver (%s): install NVIDIA's driver; in Docker, pass --gpus all", s)
	}
	if v := cu.Version(); v < oldest {
		return fmt.Errorf("the driver is for CUDA %s and eql needs %s or later: update NVIDIA's driver",
			version(v), version(oldest))
	}
	switch state {
	case C.CUDA_SUCCESS:
		return nil
	case C.CUDA_ERROR_NO_DEVICE:
		return explain("no CUDA device", state)
	default:
		return explain("the CUDA driver does not start", state)
	}
}

func version(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// explain returns an error in the driver's words, with what to do.
func explain(doing string, code C.CUresult) error {
	var name, words *C.char
	if C.cuGetErrorName(code, &name) != C.CUDA_SUCCESS || C.cuGetErrorString(code, &words) != C.CUDA_SUCCESS {
		return fmt.Errorf("%s: CUDA error %d: %s", doing, code, seeSMI)
	}
	what, ok := advice[code]
	if !ok {
		what = seeSMI
	}
	return fmt.Errorf("%s: %s (%s): %s", doing, C.GoString(words), C.GoString(name), what)
}

// failed explains an error of gorgonia.org/cu, of whose type, which it does not export, the value is the driver's code.
func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	if v := reflect.ValueOf(err); v.CanInt() {
		return explain(doing, C.CUresult(v.Int()))
	}
	return fmt.Errorf("%s: %w", doing, err)
}
