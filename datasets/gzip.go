package datasets

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// gzipMagic is how gzip begins. No table does: the first of these bytes is a control character, the second is not
// UTF-8.
const gzipMagic = "\x1f\x8b"

// unpacked returns src, or what is in it where it is compressed by gzip.
func unpacked(src *bufio.Reader) (*bufio.Reader, error) {
	if head, _ := src.Peek(len(gzipMagic)); string(head) != gzipMagic { // an error is met again by those who read
		return src, nil
	}
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, gzipError(err)
	}
	return bufio.NewReaderSize(gzipReader{z}, sampleSize), nil
}

// gzipReader is a reader of gzip whose errors say what to do.
type gzipReader struct{ *gzip.Reader }

func (r gzipReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, gzipError(err)
}

func gzipError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the gzip file ends too early (copy or compress it again)")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("the gzip file is damaged (copy or compress it again): %w", err)
	}
	return err
}
