// Package work is work in pieces that any machine can do: what a piece is, what comes of it, and which of several
// results is kept.
//
// A [Plan] lists [Unit]s. Who does a unit returns a [Result]. A [Ledger] takes results in any order and as often as
// they come: the first of a unit goes to a journal, which is the only truth about what is done; a later one is compared
// with it. A Ledger must not be used by several goroutines at once.
package work
