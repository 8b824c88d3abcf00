package kernel

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// set is an implementation of this package.
type set uint8

const (
	portable set = iota
	avx2
	avx512
)

var setNames = [...]string{portable: "portable", avx2: "avx2", avx512: "avx512"}

func (s set) String() string { return setNames[s] }

// Environment is the variable that forces a kernel: portable, avx2 or avx512.
const Environment = "EQL_KERNEL"

// active is the kernel in use. Only tests change it.
var active, errActive = choose(os.Getenv(Environment))

// choose returns the kernel with a name. Without a name, and when there is an error, it is the one
// with the widest vectors that the processor has.
func choose(name string) (set, error) {
	best := portable
	var names []string
	for i, n := range setNames {
		s := set(i)
		if !available(s) {
			continue
		}
		if n == name {
			return s, nil
		}
		best, names = s, append(names, n)
	}
	if name == "" {
		return best, nil
	}
	return best, fmt.Errorf("%s is %q, want one of what this machine has: %s",
		Environment, name, strings.Join(names, ", "))
}

// Selected returns the name of the kernel in use, and an error when [Environment] asks for one
// that does not exist or that this processor or build does not have.
func Selected() (name string, err error) { return active.String(), errActive }

// Name returns the name of the kernel in use: portable, avx2 or avx512.
func Name() string { return active.String() }

// Lanes returns the number of lanes that suits the kernel in use best: one vector.
func Lanes[T Float]() int {
	var zero T
	size := int(unsafe.Sizeof(zero))
	switch active {
	case avx512:
		return 64 / size
	case avx2:
		return 32 / size
	}
	return Block
}
