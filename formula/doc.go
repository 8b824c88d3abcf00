// Package formula holds expressions as values: it reads, prints, evaluates, differentiates
// and simplifies them.
package formula
