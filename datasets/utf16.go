package datasets

import (
	"bufio"
	"errors"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// fromUTF16 returns src, or its text in UTF-8 where it begins with the byte order mark of UTF-16: spreadsheets write
// such files as Unicode text. Halves of surrogate pairs become U+FFFD.
func fromUTF16(src *bufio.Reader) *bufio.Reader {
	head, _ := src.Peek(2) // an error is met again by those who read
	if mark := string(head); mark != "\xff\xfe" && mark != "\xfe\xff" {
		return src
	}
	decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
	return bufio.NewReaderSize(decoder.Reader(&pairs{src: src}), sampleSize)
}

// pairs reads an even number of bytes. The decoder would end an odd number with U+FFFD.
type pairs struct {
	src io.Reader
	odd bool
}

func (r *pairs) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	r.odd = r.odd != (n%2 == 1)
	if err == io.EOF && r.odd {
		err = errors.New("the UTF-16 text ends within a character (save the file as UTF-8)")
	}
	return n, err
}
