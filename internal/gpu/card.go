package gpu

// A Kernel is a program in PTX with one entry point, whose parameters are 64 bits each.
type Kernel struct {
	Text    string
	Entry   string
	Threads int // a block
	Shared  int // bytes of dynamic shared memory a block
}

// Info describes a card.
type Info struct {
	Name       string
	Driver     string // the CUDA version of the driver, like "12.8"
	Compute    int    // compute capability, 90 for 9.0
	Memory     int64  // bytes
	Processors int    // streaming multiprocessors
	Shared     int    // bytes of shared memory that a block may have
	Registers  int    // 32-bit registers of a processor
}

// A Card is a GPU. Its methods and those of its streams may be called from any goroutine.
type Card interface {
	Info() Info
	// Compile returns the kernel as a function of the card. A kernel of the same text is compiled once.
	// Resident is how many of its blocks run on a processor at the same time.
	Compile(k Kernel) (f Function, resident int, err error)
	// Alloc returns memory of so many bytes, which Free gives back.
	Alloc(bytes int) (Memory, error)
	Free(m Memory) error
	// Stream returns a new queue of work. Work of one stream is done in order, that of several at the same time.
	Stream() (Stream, error)
}

// A Function is a compiled kernel, as its card names it.
type Function uint64

// Memory is an address in a card's memory.
type Memory uint64

// A Stream is a queue of work. Upload returns when host may be changed, Launch at once, Download when host is filled
// and Wait when all work is done. An error of earlier work may be returned by a later call.
type Stream interface {
	Upload(to Memory, host []byte) error
	Download(host []byte, from Memory) error
	// Launch runs so many blocks of a function of the kernel.
	Launch(f Function, k Kernel, blocks int, args ...uint64) error
	Wait() error
	Close() error
}

// Emulated is the card that is opened in place of the driver's, when a test sets it.
var Emulated Card
