// Package emulator runs kernels in PTX on the CPU, for tests: [New] returns a [gpu.Card] that needs no hardware.
//
// The package compiles a kernel into its own code when [Card.Compile] is called; an instruction, an operand type or a
// register that it doesn't know is an error there. Launch runs all blocks before it returns. The threads of a block
// run one after another from barrier to barrier; blocks run at the same time on several cores.
//
// Arithmetic is IEEE 754 with the rounding that PTX prescribes, subnormal numbers included; only the bits of a NaN may
// differ from a card's. Results are the same in every run, unless blocks write what other blocks use.
//
// The emulator is stricter than a card. These end a launch with an error that names block, thread and line of PTX:
//   - a race in shared memory: between two barriers a thread uses what another thread writes,
//   - threads of a block that wait at different barriers,
//   - an address outside of what was allocated, in memory that was freed, or not aligned,
//   - an integer division by zero, and a loop without end.
//
// Shared memory and memory of [Card.Alloc] are NaN before the first write, registers too.
//
// A [Card] may be shared by goroutines. Its counters are for tests that ask how much work was done, and Card.Fail for
// those that ask what happens without a card.
//
// Source: NVIDIA, "Parallel Thread Execution ISA", version 8.
package emulator
