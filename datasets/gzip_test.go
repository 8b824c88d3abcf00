package datasets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is compressed reads as what it holds, whatever the file is called, and in several members as tools append them.
func TestReadGzip(t *testing.T) {
	var long strings.Builder
	long.WriteString("a,b\n")
	for i := range 50_000 { // more than is looked at to find the delimiter
		fmt.Fprintf(&long, "%d,%d\n", i, i*i)
	}
	for name, text := range map[string]string{"short": "a;b\n1;2\n3;4\n", "byte order mark": "\ufeffa,b\n1,2\n",
		"long": long.String()} {
		want, err := Read(strings.NewReader(text), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		half := len(text) / 2
		for _, packed := range []string{gzipped(t, text), gzipped(t, text[:half]) + gzipped(t, text[half:])} {
			got, err := Read(strings.NewReader(packed), "t.csv", Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got.SHA256() != fmt.Sprintf("%x", sha256.Sum256([]byte(packed))) {
				t.Errorf("%s: the hash is not that of the file", name)
			} else if got.sha256 = want.sha256; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: compressed, it is another table", name)
			}
		}
	}
}

func TestReadGzipErrors(t *testing.T) {
	packed := gzipped(t, "a,b\n1,2\n"+strings.Repeat("3,4\n", 10_000))
	flipped := []byte(packed)
	flipped[len(flipped)-6] ^= 1 // of the checksum
	for _, tt := range []struct{ name, in, want string }{
		{"cut", packed[:len(packed)-9], "t.csv: the gzip file ends too early (copy or compress it again)"},
		{"only the magic", packed[:2], "t.csv: the gzip file ends too early (copy or compress it again)"},
		{"checksum", string(flipped), "t.csv: the gzip file is damaged (copy or compress it again): gzip: invalid checksum"},
		{"header", packed[:2] + "no gzip at all",
			"t.csv: the gzip file is damaged (copy or compress it again): gzip: invalid header"},
		{"twice", gzipped(t, packed), "t.csv:1: there is a zero byte: this is a binary file (export the table as CSV)"},
		{"nothing in it", gzipped(t, ""), "t.csv: the file is empty (want a header line and rows of numbers)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.in), "t.csv", Options{})
			if got := fmt.Sprint(err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
