package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/eqlearner/eql/internal/kernel"
)

// buildClass returns the class of bits of this program on this machine: two of one class compute the same results, to
// the last bit. Fused multiply-adds depend on architecture and compiler; AVX2 and AVX-512 agree, the portable kernel
// rounds otherwise.
func buildClass() string {
	family := "fma"
	if kernel.Name() == "portable" {
		family = "portable"
	}
	architecture := runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) { // GOAMD64 and its like
				architecture += " " + s.Value
			}
		}
	}
	return fmt.Sprintf("eql %s, %s, %s, kernels %s", build(), runtime.Version(), architecture, family)
}
