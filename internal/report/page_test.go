package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

// planted returns the page of a made-up run on y = 2·sin(a) + b with noise of 0.01, with test rows
// inside and outside the data. The two inputs and the target have the given names; further inputs
// do nothing.
func planted(names [3]string, rows, further int) Page {
	rng := rand.New(rand.NewPCG(7, 8))
	inputs := []string{names[0], names[1]}
	for k := range further {
		inputs = append(inputs, fmt.Sprintf("z%d", k+1))
	}
	table := func(rows int, reach float64) *datasets.Table {
		t := &datasets.Table{Names: append(append([]string{}, inputs...), names[2], "c")}
		t.Cols = make([][]float64, len(t.Names))
		for range rows {
			for j := range inputs {
				t.Cols[j] = append(t.Cols[j], reach*(2*rng.Float64()-1))
			}
			n := len(t.Cols[0]) - 1
			y := 2*math.Sin(t.Cols[0][n]) + t.Cols[1][n] + 0.01*rng.NormFloat64()
			t.Cols[len(inputs)], t.Cols[len(inputs)+1] = append(t.Cols[len(inputs)], y), append(t.Cols[len(inputs)+1], 5)
		}
		return t
	}
	a, b := formula.Var(names[0]), formula.Var(names[1])
	law := formula.Add(formula.Mul(formula.Const(2), formula.Call(formula.Sin, a)), b)
	fitted := formula.Add(formula.Mul(formula.Const(1.999), formula.Call(formula.Sin, a)), b)
	line := formula.Add(formula.Mul(formula.Const(1.3), a), b)
	network := sparseNetwork()
	network.Inputs, network.Outputs = inputs[:2], []string{names[2]}
	model := func(id int, e formula.Expr, rms float64) *sweep.Model {
		t := sweep.TargetModel{Formula: e, Complexity: 3000, Validation: rms}
		if e != nil {
			t.Complexity = formula.Complexity(e)
		}
		return &sweep.Model{Job: sweep.Job{ID: id, Layers: 2, Width: 1, Lambda: 1e-4, Epochs: 50}, Network: network,
			Loss: ramp(0.1, 0.01, 50), Targets: []sweep.TargetModel{t}}
	}
	models := []*sweep.Model{model(0, law, 0.01), model(1, law, 0.01), model(2, nil, 0.02),
		model(3, nil, math.Inf(1)), model(4, line, 0.3)}
	models[4].Baseline, models[4].Network, models[4].Loss = true, nil, nil
	config := sweep.RunConfig{Settings: run.Quick(rows, 2), Inputs: inputs, Targets: []string{names[2], "c"}}
	config.Data = sweep.DataFile{Name: "data", File: "data.csv", SHA256: strings.Repeat("ab", 32), Table: table(rows, 1)}
	config.Tests = []sweep.DataFile{{Name: "far/" + names[0] + ".csv", File: "test-1.csv",
		SHA256: "cd", Table: table(80, 3)}}
	return Page{
		Name: names[0] + "-1", Run: config, Seconds: 1.5, Device: "cpu", Kernel: "portable", Version: "v0",
		Command: "eql fit " + names[0],
		Result: &sweep.Result{
			Inputs: inputs, Targets: []string{names[2]}, Models: models, Warnings: []string{"input " + names[1] + " is odd"},
			Chosen: []sweep.Choice{
				{Target: names[2], TargetModel: sweep.TargetModel{Formula: law, Complexity: 6, Validation: 0.01}, Model: models[0],
					Evidence: &sweep.Evidence{
						Verdict: sweep.Verdict{Level: sweep.Holds, Code: "holds"}, Fitted: fitted, Gap: 412,
						Power:   sweep.Power{Formula: formula.MustParse("1.5*b^0.5"), Validation: 0.7},
						Support: sweep.Support{Agree: 2, Networks: 4}, Explained: 0.99996, Line: 0.3,
						Constants:     []evidence.Constant{{Value: 1.999, Low: 1.99, High: 2.01, Snapped: 2}},
						Extrapolation: evidence.Extrapolation{Ratio: 1.02, Limit: 1.2, Doubt: 0.001, Defined: true},
					}},
				{Target: "c", TargetModel: sweep.TargetModel{Formula: formula.Const(5), Complexity: 1}},
			},
		},
	}
}

var plain = [3]string{"a", "b", "y"}

func written(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// balanced parses HTML and fails when its elements do not nest.
func balanced(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// A test that nearly everything passes is not told as one that was passed.
func TestPageOfAWeakTest(t *testing.T) {
	p := planted(plain, 300, 0)
	for _, c := range p.Result.Chosen {
		if e := c.Evidence; e != nil {
			e.Extrapolation.Limit, e.Extrapolation.Doubt = 4, 0.5
			for k := range e.Constants {
				e.Constants[k].Snapped = e.Constants[k].Value
			}
		}
	}
	read := strings.ReplaceAll(html.UnescapeString(written(t, p)), "\u00a0", " ")
	if !strings.Contains(read, "explains a ratio of up to 4. Many wrong formulas would pass as well.") {
		t.Error("the page does not say that the test has little force")
	}
}

// A test that fails, and one that says little, have marks of their own.
func TestPageMarksChecks(t *testing.T) {
	p := planted(plain, 300, 0)
	e := p.Result.Chosen[0].Evidence
	e.Extrapolation.Ratio, e.Gap = 2*e.Extrapolation.Limit, 3
	read := html.UnescapeString(written(t, p))
	for _, want := range []string{
		`<span class="mark no" role="img" aria-label="against">✗</span> Outer rows`,
		`<span class="mark maybe" role="img" aria-label="unclear">?</span> Competitors: the best is worse by only 3 in BIC2`,
	} {
		if !strings.Contains(read, want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

// Models with the same formulas have one row, which says how many they are.
func TestPageCountsModelsAlike(t *testing.T) {
	p := planted(plain, 300, 0)
	rows := func() (rows int, alike string) {
		list := p.models().Rows
		return len(list), list[0].Alike
	}
	before, _ := rows()
	m := *p.Result.Chosen[0].Model
	m.ID = 77
	p.Result.Models = append(p.Result.Models, &m)
	after, alike := rows()
	if after != before || alike != "2" && alike != "3" {
		t.Errorf("there are %d rows, want %d as before; the first stands for %s models", after, before, alike)
	}
}

func TestPage(t *testing.T) {
	text := written(t, planted(plain, 300, 0))
	if err := balanced(text); err != nil {
		t.Error(err)
	}
	read := strings.ReplaceAll(html.UnescapeString(text), "\u00a0", " ")
	for name, want := range map[string]string{
		"language": `<html lang="en">`,
		"summary":  "300 rows, 2 inputs, 2 targets; 4 networks trained",
		"warning":  "<li>Input b is odd.</li>",
		"formula":  `<mi>y</mi><mo form="infix">=</mo></math>`,
		"break": "</math>\u200b" +
			`<math display="inline" displaystyle="true"><mo form="infix">+</mo><mi>b</mi></math>`,
		"verdict":       "Holds outside the data as far as can be told.",
		"agreement":     "2 of 4 networks, each from its own start",
		"outer rows":    "is then 1.02 times that of the fit to all rows",
		"passes":        "explains a ratio of up to 1.2. The formula passes the test.",
		"gap":           "worse by 412 in BIC2",
		"check":         `<span class="mark yes" role="img" aria-label="in favour">✓</span> Outer rows: error ratio 1.02, at most 1.2 expected`,
		"label":         `<th scope="row" class="text constant">c₁</th><td>1.999</td>`,
		"labelled":      `<msub><mi>c</mi><mn>1</mn></msub>`,
		"observed":      "Observed against predicted",
		"variance":      "explains 99.996 % of the variance",
		"line":          "has a validation RMS of 0.3.",
		"power law":     "has a validation RMS of 0.7: 1.5*b^0.5.",
		"list setting":  "<dt>layers</dt><dd>2, 3</dd>",
		"interval":      "<td>1.999</td><td>1.990</td><td>2.010</td>",
		"special value": `<math display="inline" displaystyle="true"><mn>2</mn></math></span></td>`,
		"fitted":        "1.999*sin(a) + b",
		"inside":        "far/a.csv, inside the range of the data",
		"outside":       "far/a.csv, outside the range of the data",
		"slice":         "Along a, with b = ",
		"band":          "Shaded around the curve: 95 % of new rows.",
		"thinned":       " of 300 rows are drawn",
		"residual":      "Residual against prediction",
		"distance":      "Residual against the distance",
		"front":         "<td>6</td><td>0.01</td><td>0 (chosen)</td>",
		"network":       "Network 0, λ = 0.0001, restart 0.",
		"phases":        ">masked</text>",
		"models":        "All 5 models, with constants as fitted; one row for equal formulas",
		"baseline":      `<div class="small">linear regression</div><div>y = 1.3*a + b</div>`,
		"no error":      "not finite",
		"latex":         `y = 2 \, \sin\left(a\right) + b`,
		"python":        "def predict(a, b):",
		"go":            "func predict(a, b float64) float64",
		"hash":          strings.Repeat("ab", 32),
		"seed":          "<dt>seed</dt><dd>0</dd>",
		"phases setting": "<dt>train: schedule</dt><dd>name free, end 0.25, penalty false, mask false; " +
			"name penalty, end 0.95",
		"version":  "eql v0",
		"command":  `<pre id="command">eql fit a</pre>`,
		"constant": "its formula is a constant",
	} {
		if !strings.Contains(read, want) {
			t.Errorf("%s: no %q on the page", name, want)
		}
	}
	if strings.Contains(text, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	if len(text) > 700_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

// TestPageIsDeterministic writes a page twice.
func TestPageIsDeterministic(t *testing.T) {
	one, two := planted(plain, 300, 0), planted(plain, 300, 0)
	if written(t, one) != written(t, two) {
		t.Error("two pages of one run differ")
	}
}

// TestPageEscapes gives columns, files and the run names that are markup.
func TestPageEscapes(t *testing.T) {
	names := [3]string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`,
		`'</svg></math></title></style><b>&amp;` + "\n"}
	text := written(t, planted(names, 60, 0))
	if err := balanced(text); err != nil {
		t.Error(err)
	}
	if got := strings.Count(text, "<script"); got != 1 {
		t.Errorf("the page has %d scripts, want its own", got)
	}
	for _, bad := range []string{"<img", "<b>", "</svg></math>", "ZgotmplZ"} {
		if strings.Contains(text, bad) {
			t.Errorf("there is %q on the page", bad)
		}
	}
}

// TestPageAsksForNothing looks for whatever makes a browser send a request.
func TestPageAsksForNothing(t *testing.T) {
	text := written(t, planted(plain, 60, 0))
	for _, bad := range []string{`src=`, `href="[^#]`, `url\(`, `@import`, `<link`, `<iframe`,
		`<image`, `srcset`, `action=`} {
		if found := regexp.MustCompile(bad).FindString(text); found != "" {
			t.Errorf("there is %q on the page", found)
		}
	}
	if !strings.Contains(text, "default-src &#39;none&#39;") {
		t.Error("no policy forbids requests")
	}
}

// TestPageIsLabelled checks what a screen reader needs: headings without gaps, figures with words,
// tables with captions, references to elements that exist.
func TestPageIsLabelled(t *testing.T) {
	text := written(t, planted(plain, 60, 0))
	level := 0
	for _, h := range regexp.MustCompile(`<h([1-6])`).FindAllStringSubmatch(text, -1) {
		next := int(h[1][0] - '0')
		if next > level+1 {
			t.Errorf("a heading of level %d follows one of level %d", next, level)
		}
		level = next
	}
	withWords := regexp.MustCompile(`<svg[^>]* role="img" aria-label="[^"]{20,}"`)
	figures, labelled := strings.Count(text, "<svg"), len(withWords.FindAllString(text, -1))
	if figures != labelled || figures < 8 {
		t.Errorf("%d of %d figures have words", labelled, figures)
	}
	if tables, captions := strings.Count(text, "<table"), strings.Count(text, "<caption"); tables != captions {
		t.Errorf("%d tables have %d captions", tables, captions)
	}
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("the id %q occurs twice", m[1])
		}
	}
	references := regexp.MustCompile(` (?:href="#|aria-labelledby="|data-copy=")([^"]*)"`)
	for _, m := range references.FindAllStringSubmatch(text, -1) {
		if ids[m[1]] == 0 {
			t.Errorf("there is no element %q, which is referred to", m[1])
		}
	}
}

// TestPageOfManyInputs limits the figures, and says so.
func TestPageOfManyInputs(t *testing.T) {
	text := written(t, planted(plain, 5000, 48))
	if !strings.Contains(text, "8 of 50 inputs are drawn, those in the formula first.") {
		t.Error("the page does not say how many inputs are drawn")
	}
	if strings.Contains(text, "Residual against z7<") || !strings.Contains(text, "Residual against z6<") {
		t.Error("other inputs than the first eight are drawn")
	}
	if len(text) > 1_000_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

// TestPageWithoutAnything draws runs that found little: no models, infinite errors, one row a file.
func TestPageWithoutAnything(t *testing.T) {
	p := planted(plain, 5, 0)
	p.Run.Tests = nil
	p.Result.Chosen[0].Formula = formula.MustParse("log(a) + 1/0*b")
	p.Result.Chosen[0].Evidence = &sweep.Evidence{
		Verdict: sweep.Verdict{Level: sweep.Fails, Kind: sweep.Contradicts, Reason: "no <reason>"}, Fitted: formula.Var("a"),
		Gap: math.Inf(1), Explained: nan, Line: nan, Support: sweep.Support{Networks: 3},
	}
	p.Result.Models[0].Network = model.New(model.Arch{Inputs: 2, Outputs: 1})
	text := written(t, p)
	for _, want := range []string{"Fails, the data contradict it: no &lt;reason&gt;.",
		"not a number", "There are too few rows", "0 of 3 networks"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	p.Result = &sweep.Result{Chosen: p.Result.Chosen[1:]}
	text = written(t, p)
	if strings.Contains(text, "All models") {
		t.Error("a table of no models")
	}
}

func TestSpreadRows(t *testing.T) {
	r := make([]float64, 100_000)
	r[77_777], r[3], r[50_001] = -9, 5, nan
	rows := spreadRows(r, mostRows)
	if len(rows) > mostRows || len(rows) < mostRows*9/10 {
		t.Errorf("%d rows are drawn", len(rows))
	}
	for i, row := range rows {
		if i > 0 && row <= rows[i-1] || row >= len(r) {
			t.Fatalf("rows %v are not in order", rows)
		}
	}
	for _, want := range []int{3, 77_777} {
		if !strings.Contains(fmt.Sprint(rows), fmt.Sprint(want)) {
			t.Errorf("row %d, with a large residual, is not drawn", want)
		}
	}
}

func TestDistances(t *testing.T) {
	// The data goes from 0 to 4 and from −1 to 1; the last column is the target, the third input constant.
	data := &datasets.Table{Cols: [][]float64{{0, 4}, {-1, 1}, {3, 3}, {0, 0}}}
	rows := &datasets.Table{Cols: [][]float64{{2, 4, 6, 2, 2}, {0, 0, 1, -3, 0}, {3, 3, 3, 3, 4}, {9, 9, 9, 9, 9}}}
	want := []float64{0, 1, 2, 3, math.Inf(1)}
	for i, d := range distances(data, rows) {
		if d != want[i] {
			t.Errorf("row %d is at distance %g, want %g", i, d, want[i])
		}
	}
}

func TestSquared(t *testing.T) {
	for r2, want := range map[float64]string{1: "1.0000", 0.5: "0.5000", 0.99996: "0.99996", -0.25: "−0.2500",
		-2e6: "−2e6", nan: "–"} {
		if got := rSquared(r2); got != want {
			t.Errorf("R² of %g is written %q, want %q", r2, got, want)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		from, to  string
	}{
		{1185.6, 1215.3, "1186", "1215"},
		{1.886512, 1.886572, "1.886512", "1.886572"},
		{-5.132e-5, 1.299e-5, "−5.1e−5", "1.3e−5"},
		{0.97, 1.03, "0.970", "1.030"},
		{math.Inf(-1), math.Inf(1), "not finite", "not finite"},
		{2, 2, "2", "2"},
		{0, 4, "0", "4.0"},
	} {
		if from, to := interval(c.low, c.high); from != c.from || to != c.to {
			t.Errorf("the interval from %g to %g is written from %s to %s, want from %s to %s",
				c.low, c.high, from, to, c.from, c.to)
		}
	}
}

func TestPercent(t *testing.T) {
	for fraction, want := range map[float64]string{1: "100", 0.5: "50", 0.995: "99.5", 0.99996: "99.996", 0: "0",
		-0.25: "−25", 0.999999999: "100"} {
		if got := percent(fraction); got != want {
			t.Errorf("%g is %s %%, want %s %%", fraction, got, want)
		}
	}
}
