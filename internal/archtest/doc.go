// Package archtest holds the shape of the repository to what ARCHITECTURE.md draws.
//
// [Check] parses every Go file of a tree itself, whatever its build tags, and reports what breaks the
// rules: a package that imports what its row of the table does not allow, a folder without a row, the GPU
// library outside a file tagged gpu, math/rand instead of math/rand/v2, a panic or an exit outside main,
// a file that is too long, an absolute path of somebody's machine. A test that asked `go list` instead would
// pass from the cache and would not see files whose tags are off.
//
// The table is [Module], in table.go. Files named _test.go may import what they like, except the GPU library
// without its tag.
package archtest
