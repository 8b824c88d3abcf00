package work

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
)

// Plan is work that is to be done.
type Plan struct {
	Class    string          `json:"class"`    // of bits: programs and processors of one class give the same
	Settings json.RawMessage `json:"settings"` // what all units have in common
	Units    []Unit          `json:"units"`    // in the order in which they are begun; each key once
}

// Unit is a piece of work. It is data, never a command.
type Unit struct {
	Key  string          `json:"key"`
	Body json.RawMessage `json:"body"` // what is to be done
	File File            `json:"file"` // what it reads
}

// File is a file that a unit reads.
type File struct {
	Path   string `json:"path,omitempty"`   // where the file may be
	SHA256 string `json:"sha256,omitempty"` // of its content, in hexadecimal digits; "" where a unit reads no file
}

// HashFile returns the SHA-256 of a file's content, in hexadecimal digits, and its size.
func HashFile(path string) (hash string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return "", size, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

// Result is what came of a unit.
type Result struct {
	Key    string          `json:"key"`
	Body   json.RawMessage `json:"body,omitempty"`
	Failed string          `json:"failed,omitempty"` // why there is no body
}

// Ledger decides which results are kept.
type Ledger struct {
	Append  func(Result) error           // writes to the journal and returns when it is on the disk
	Dispute func(Result) error           // keeps a second result that differs from the first
	Same    func(Result) ([]byte, error) // what two results of a unit have in common; nil of one that failed

	first map[string]hash // of what is in the journal
}

type hash = [sha256.Size]byte

// Knows says that the journal has a result already.
func (l *Ledger) Knows(r Result) error {
	h, err := l.hash(r)
	if err == nil {
		l.note(r.Key, h)
	}
	return err
}

// Take keeps the first result of a unit, and the first that did not fail after one that did. Others are dropped; one
// with other bits is a dispute. It reports whether the unit had no result before.
func (l *Ledger) Take(r Result) (first bool, err error) {
	h, err := l.hash(r)
	if err != nil {
		return false, err
	}
	failed := hash{}
	switch before, there := l.first[r.Key]; {
	case !there, before == failed && h != failed:
		if err := l.Append(r); err != nil {
			return false, err
		}
		l.note(r.Key, h)
		return !there, nil
	case h != failed && h != before:
		return false, l.Dispute(r)
	}
	return false, nil
}

// Has reports whether a unit has a result.
func (l *Ledger) Has(key string) bool { _, there := l.first[key]; return there }

func (l *Ledger) note(key string, h hash) {
	if l.first == nil {
		l.first = map[string]hash{}
	}
	l.first[key] = h
}

// hash is zero for a result that failed.
func (l *Ledger) hash(r Result) (hash, error) {
	if r.Failed != "" {
		return hash{}, nil
	}
	same, err := l.Same(r)
	if err != nil || same == nil {
		return hash{}, err
	}
	return sha256.Sum256(bytes.TrimSpace(same)), nil
}
