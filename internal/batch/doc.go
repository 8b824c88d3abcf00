// Package batch is the folder of a run over many tables: what is to be done, what is finished, and the summary of it.
//
// [Create] makes the folder from a [Plan], which config.json keeps; [Open] opens it anywhere it is seen. Each process
// that works in it appends finished tables, a [Line] each, to a journal of its own, see [Folder.Begin]: no two
// processes write one file, so shards need no locks. [Folder.Join] reads all journals and makes the [Summary], which
// [Folder.Write] keeps.
//
// Tables are dealt to shards by the plan alone, the largest first, so it does not matter where and when a shard runs.
// The summary is in the order of the plan and does not depend on who did what; only the seconds do. Nothing here may
// be shared between goroutines but a [Writer].
//
// Errors say what is wrong with the folder and what to do. A table that failed is a line like any other.
package batch
