// Package cluster has work done by machines that come and go. A coordinator, see [Coordinate], offers units; workers,
// see [Work], take them, on any machine that reaches its port. Between them stands NATS JetStream, embedded in the
// coordinator or a server that is there already. Nothing else of the program imports NATS.
//
// The engine leases, the journal remembers. JetStream keeps everything in memory and is never the only place of
// anything: what has no result in the coordinator's journal is offered when a coordinator starts, and again when
// nothing came for two leases. A unit is leased to a worker, which renews its lease while it computes; when the lease
// runs out, another gets the unit. So a unit may be done twice, and its second result is compared with the first, see
// [work.Ledger].
//
// Names of streams carry the start of their coordinator and are never used again: a late acknowledgement of a message
// in a stream that was made anew under its old name would take another message away. Workers read the name from the
// coordinator's manifest.
//
// An embedded engine speaks TLS 1.3 with a certificate made for the run. Its fingerprint and a secret of 128 bits are
// in the [Address], a line that whoever starts a worker must have.
package cluster
