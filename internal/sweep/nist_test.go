package sweep

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/internal/fit"
)

// certified is a problem of NIST's Statistical Reference Datasets for nonlinear regression (public domain,
// https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml).
type certified struct {
	name      string
	constants int     // of the certified model
	sum       float64 // of squares of the residuals, certified
	form      string  // the standard form that the model is
	d         fit.Data
}

// readCertified reads testdata/nist.txt: a line that begins with # for each problem, and then the rows, y first.
func readCertified(t *testing.T) (list []certified) {
	t.Helper()
	file, err := os.Open("testdata/nist.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if head, ok := strings.CutPrefix(lines.Text(), "# "); ok {
			var c certified
			name, rest, _ := strings.Cut(head, ": ")
			parts := strings.SplitN(rest, ", ", 3)
			if _, err := fmt.Sscan(strings.TrimSuffix(parts[0], " constants"), &c.constants); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscan(parts[1], &c.sum); err != nil {
				t.Fatal(err)
			}
			c.name, c.form = name, parts[2]
			list = append(list, c)
			continue
		}
		c := &list[len(list)-1]
		for k, cell := range strings.Fields(lines.Text()) {
			var v float64
			if _, err := fmt.Sscan(cell, &v); err != nil {
				t.Fatal(err)
			}
			switch {
			case k == 0 && c.name == "Nelson": // its model is of the logarithm
				c.d.Y = append(c.d.Y, math.Log(v))
			case k == 0:
				c.d.Y = append(c.d.Y, v)
			default:
				if len(c.d.X) < k {
					c.d.X = append(c.d.X, nil)
				}
				c.d.X[k-1] = append(c.d.X[k-1], v)
			}
		}
	}
	return list
}

// TestCertified fits the standard forms to NIST's tables. The certified form is there with the certified sum of squares
// to six digits, or one with as few constants and no larger sum, in all problems but one.
func TestCertified(t *testing.T) {
	slow(t)
	const digits = 5e-7
	without := map[string]string{"ENSO": "one of its three waves has a period that is given"}
	for _, c := range readCertified(t) {
		if !*long && c.d.Rows() > 60 {
			continue
		}
		fits := fitForms(tableOf(len(c.d.X)), []string{"x1", "x2"}[:len(c.d.X)], c.d, math.Inf(1))
		sum := func(f *formFit) float64 { e := rmsOf(t, f, c.d); return e * e * float64(c.d.Rows()) }
		named := "which is not there"
		if k := slices.IndexFunc(fits, func(f *formFit) bool { return f.form.Name == c.form }); k >= 0 {
			named = fmt.Sprintf("row %d, sum of squares %.7g", k+1, sum(fits[k]))
			if off := math.Abs(sum(fits[k]) - c.sum); off > digits*c.sum && c.sum > rounding && without[c.name] == "" {
				t.Errorf("%s: %s, %s, certified %.7g", c.name, c.form, named, c.sum)
			}
		}
		i := slices.IndexFunc(fits,
			func(f *formFit) bool { return len(f.values) <= c.constants && sum(f) <= c.sum*(1+digits) })
		switch {
		case i >= 0:
			t.Logf("%s: %s, row %d, sum of squares %.7g, certified %.7g; %s",
				c.name, fits[i].form.Name, i+1, sum(fits[i]), c.sum, named)
		case without[c.name] == "":
			t.Errorf("%s: %s, %s, certified %.7g", c.name, c.form, named, c.sum)
		}
	}
}

// rounding is a sum of squares that is that of the fourteenth digit, as of Lanczos1.
const rounding = 1e-20
