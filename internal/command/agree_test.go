package command

import (
	"bytes"
	"encoding/json"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
)

// everything is all that a run says about its one target.
type everything struct {
	json                   saved.Report
	terminal, shown, page  string
	kept                   saved.Report
	predicted, fromFormula []float64
}

func everyOutput(t *testing.T, expression string, noise func(*rand.Rand) float64) everything {
	t.Helper()
	dir := t.TempDir()
	data, out := filepath.Join(dir, "data.csv"), filepath.Join(dir, "run")
	text := "a,b,y\n"
	e := formula.MustParse(expression)
	cols := [][]float64{{}, {}}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 100 {
		a, b := float64(i%20)/10-0.95, float64(i*7%100)/50-0.99
		y, err := formula.Eval(e, map[string]float64{"a": a, "b": b})
		if err != nil {
			t.Fatal(err)
		}
		y += noise(rng)
		cols[0], cols[1] = append(cols[0], a), append(cols[1], b)
		text += strings.Join([]string{strconv.FormatFloat(a, 'g', -1, 64), strconv.FormatFloat(b, 'g', -1, 64),
			strconv.FormatFloat(y, 'g', -1, 64)}, ",") + "\n"
	}
	if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var o everything
	o.terminal = capture(t, "fit", data, "--quiet", "--time-limit", "0", "--layers", "2", "--restarts", "1",
		"--epochs", "20", "--out", out)
	o.shown = capture(t, "show", out)
	o.page = html.UnescapeString(capture(t, "report", out, "--out", "-"))
	kept, err := os.ReadFile(filepath.Join(out, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(kept, &o.kept); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(capture(t, "fit", "--resume", out, "--quiet", "--json")), &o.json); err != nil {
		t.Fatal(err)
	}
	sheet, err := datasets.Read(strings.NewReader(capture(t, "predict", out, data)), "predicted", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := sheet.Table(sheet.Columns())
	if err != nil {
		t.Fatal(err)
	}
	o.predicted = table.Cols[len(table.Cols)-1]
	program, err := formula.Compile(formula.MustParse(o.json.Formula["y"]), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	o.fromFormula = make([]float64, len(cols[0]))
	program.EvalColumns(o.fromFormula, cols)
	return o
}

// capture returns what a command prints on standard output.
func capture(t *testing.T, args ...string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = f
	var stderr bytes.Buffer
	code := Execute(append([]string{"eql"}, args...), &stderr)
	os.Stdout = was
	text, err := os.ReadFile(f.Name())
	if cerr := f.Close(); err != nil || cerr != nil || code != exitDone {
		t.Fatalf("eql %s: exit code %d\n%s%v", strings.Join(args, " "), code, &stderr, err)
	}
	return string(text)
}

// Everything that is said of a run says the same: which model was chosen, how good it is, what the formula is, and the
// verdict.
func TestOutputsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	normal := func(rng *rand.Rand) float64 { return 0.01 * rng.NormFloat64() }
	for _, c := range []struct {
		name, expression string
		noise            func(*rand.Rand) float64
	}{
		{"law", "2*sin(a) + b", normal},
		{"shortened", "exp(2*a)*(b^2)^0.5 + ((a - b)^2)^0.5", func(*rand.Rand) float64 { return 0 }},
		{"tails", "2*sin(a) + b", func(rng *rand.Rand) float64 { // in three of ten rows, too many to be outliers
			if rng.Float64() < 0.3 {
				return 10 * normal(rng)
			}
			return normal(rng)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "shortened" && !*long {
				t.Skip("it runs the whole preset: -long")
			}
			o := everyOutput(t, c.expression, c.noise)
			id := o.json.Chosen["y"]
			model := o.json.Models[id]
			if c.name == "shortened" && !model.Short {
				t.Errorf("model %d was chosen, which is not a short one; nothing was tested", id)
			}
			if model.ID != id || o.kept.Chosen["y"] != id || o.kept.Formula["y"] != o.json.Formula["y"] {
				t.Errorf("result.json has model %d, %s; --json model %d, %s",
					o.kept.Chosen["y"], o.kept.Formula["y"], id, o.json.Formula["y"])
			}
			star := regexp.MustCompile(`(?m)^(\d+) +(\S+) +(\d+) \* `).FindStringSubmatch(o.terminal)
			if star == nil {
				t.Fatalf("no row of the table is marked:\n%s", o.terminal)
			}
			if star[3] != strconv.Itoa(id) || star[1] != strconv.Itoa(model.Target["y"].Complexity) ||
				star[2] != short4(model.Target["y"].Validation) {
				t.Errorf("the terminal marks %s, want model %d of complexity %d and error %s",
					star[0], id, model.Target["y"].Complexity, short4(model.Target["y"].Validation))
			}
			e := o.json.Evidence["y"]
			verdict := "  verdict: " + e.Sentence + "\n"
			if !strings.Contains(o.terminal, verdict) || !strings.Contains(o.shown, verdict) {
				t.Errorf("terminal or show lack %q", verdict)
			}
			of := o.json.Evidence["y"].Errors
			if c.name == "tails" && (of == nil || of.Tails == 0) {
				t.Errorf("errors are %+v, want heavy tails; nothing was tested", of)
			}
			for _, text := range []string{o.terminal, o.shown, o.page} {
				if tails := of != nil && of.Tails != 0; strings.Contains(text, "Student's t") != tails ||
					tails && !strings.Contains(text, of.OfTails()) {
					t.Errorf("errors are %+v in JSON, and elsewhere:\n%s", of, text)
				}
			}
			last := o.terminal[strings.LastIndex(strings.TrimSpace(o.terminal), "\n")+1:]
			if !strings.HasSuffix(o.shown, last) {
				t.Errorf("show ends without %q", last)
			}
			nodes := strconv.Itoa(o.json.Complexity) // of the formula with its special values, as the page has it
			for _, want := range []string{
				`<tr class="chosen"><td>` + nodes + "</td><td>" + star[2] + "</td><td>" + star[3] + " (chosen)</td>",
				"The formula comes from model " + star[3] + ". It has a validation RMS of " + star[2] +
					" at complexity " + nodes + ".",
				strings.TrimSpace(last),
			} {
				if !strings.Contains(o.page, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if n := strings.Count(o.page, `<tr class="chosen"><td>`); n != 1 {
				t.Errorf("%d rows of the front are set in bold", n)
			}
			for i, v := range o.fromFormula {
				if o.predicted[i] != v {
					t.Fatalf("row %d: predict says %g, the formula of --json %g", i, o.predicted[i], v)
				}
			}
			for _, m := range o.json.Models {
				if r := m.Target["y"]; m.ID != id && r.Validation != nil &&
					strings.Contains(o.terminal, "  "+strconv.Itoa(m.ID)+"   ") &&
					r.Complexity < model.Target["y"].Complexity && *r.Validation < *model.Target["y"].Validation {
					t.Errorf("row of model %d (%d nodes, %g) is shorter and better than what was chosen",
						m.ID, r.Complexity, *r.Validation)
				}
			}
		})
	}
}

// short4 writes an error as tables do.
func short4(x *float64) string {
	if x == nil {
		return "+Inf"
	}
	return strconv.FormatFloat(*x, 'g', 4, 64)
}
