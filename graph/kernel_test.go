package graph

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/model"
)

var ptxas = flag.String("ptxas", "", "path of ptxas: TestPTXAssembles translates kernels with it")

// usualKernel returns the kernel that a card of the usual size would get.
func usualKernel[T Float](t *testing.T, a model.Arch, batch int) gpu.Kernel {
	t.Helper()
	k, err := kernelFor[T](a, batch, gpu.Info{Registers: 65536, Shared: 232448})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Kernels must be accepted by NVIDIA's assembler for old and new cards, and keep everything in registers.
func TestPTXAssembles(t *testing.T) {
	if *ptxas == "" {
		t.Skip("needs -ptxas")
	}
	kernels := map[string]gpu.Kernel{
		"F1-float32":    usualKernel[float32](t, paperArch("F1"), 20),
		"F1-float64":    usualKernel[float64](t, paperArch("F1"), 20),
		"Deep3-float32": usualKernel[float32](t, paperArch("Deep3"), 20),
		"Deep3-float64": usualKernel[float64](t, paperArch("Deep3"), 20),
		"tanh":          usualKernel[float32](t, model.Uniform(2, 3, 3, 7, 1, []model.Unit{model.Tanh, model.Product}), 33),
	}
	for name, k := range kernels {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "kernel.ptx")
			if err := os.WriteFile(file, []byte(k.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, target := range []string{"sm_75", "sm_90", "sm_120"} {
				out, err := exec.Command(*ptxas, "-v", "-arch", target, "-o", os.DevNull, file).CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", target, err, out)
				}
				report := string(out)
				if n := spilled(report); n > maxSpilled {
					t.Errorf("%s spills %d bytes: %s", target, n, report)
				}
				fmt.Printf("%s, %d threads, %d bytes of shared memory, %s: %s\n",
					name, k.Threads, k.Shared, target, strings.Join(strings.Fields(report), " "))
			}
		})
	}
}

// maxSpilled is how many bytes a thread may store beside its registers. Some versions of the assembler put three or
// four numbers that a step reads once there, so that one more block fits on a processor.
const maxSpilled = 16

// spilled returns the bytes of spill stores in the assembler's report.
func spilled(report string) int {
	before, _, ok := strings.Cut(report, " bytes spill stores")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(before[strings.LastIndexByte(before, ' ')+1:])
	if err != nil {
		return math.MaxInt
	}
	return n
}

func paperArch(name string) model.Arch {
	units := []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Product}
	if name == "F1" {
		return model.Uniform(4, 1, 2, 10, 10, units)
	}
	return model.Uniform(4, 1, 4, 10, 10, units)
}
