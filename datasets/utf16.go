package datasets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// fromUTF16 returns src, or its text in UTF-8 where it begins with the byte order mark of UTF-16: spreadsheets write
// such files as Unicode text.
func fromUTF16(src *bufio.Reader) *bufio.Reader {
	head, _ := src.Peek(2) // an error is met again by those who read
	var order binary.ByteOrder
	switch string(head) {
	case "\xff\xfe":
		order = binary.LittleEndian
	case "\xfe\xff":
		order = binary.BigEndian
	default:
		return src
	}
	src.Discard(len(head)) //nolint:errcheck // they are buffered
	return bufio.NewReaderSize(&utf16Reader{src: src, order: order}, sampleSize)
}

// utf16Reader reads UTF-16 as UTF-8. Halves of characters become U+FFFD.
type utf16Reader struct {
	src   *bufio.Reader
	order binary.ByteOrder
	text  []byte // that was not handed on yet
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.text) < len(p) {
		c, err := r.next()
		if err != nil {
			if len(r.text) > 0 {
				break // it is met again
			}
			return 0, err
		}
		r.text = utf8.AppendRune(r.text, c)
	}
	n := copy(p, r.text)
	r.text = append(r.text[:0], r.text[n:]...)
	return n, nil
}

// next returns the next character.
func (r *utf16Reader) next() (rune, error) {
	unit, err := r.peek(0)
	if err != nil {
		return 0, err
	}
	c, size := rune(unit), 2
	if utf16.IsSurrogate(c) {
		second, err := r.peek(2)
		if c = utf16.DecodeRune(c, rune(second)); c != utf8.RuneError && err == nil {
			size = 4
		}
	}
	r.src.Discard(size) //nolint:errcheck // they are buffered
	return c, nil
}

// peek returns two bytes as a number, io.EOF where there are none.
func (r *utf16Reader) peek(from int) (uint16, error) {
	b, err := r.src.Peek(from + 2)
	switch {
	case len(b) == from+2:
		return r.order.Uint16(b[from:]), nil
	case err == io.EOF && len(b) > from:
		return 0, errors.New("the UTF-16 text ends within a character (save the file as UTF-8)")
	}
	return 0, err
}
