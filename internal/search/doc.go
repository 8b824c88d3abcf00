// Package search looks for laws in tables.
package search
