// Package bench measures: the training step through the graph and as a bare loop, and the time
// from a table to the right formula. README.md says how to run and compare; results/ keeps what
// was measured, with machine and commit.
package bench
