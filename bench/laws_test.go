package bench

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
)

var (
	lawsWanted = flag.String("laws", "", "regular expression of the cases of TestLaws to run; empty: none")
	lawsUnits  = flag.Bool("laws-units", false, "TestLaws says the units of Feynman's variables")
	lawsSeeds  = flag.Int("laws-seeds", 10, "data sets of each case of TestLaws")
	lawsNoise  = flag.Float64("laws-noise", 0.01, "standard deviation of the noise of Feynman's equations, as a share of "+
		"the target's; from 0.1 on an error of 0.05 on the far rows counts as found, in place of 0.01")
	lawsRows  = flag.Int("laws-rows", 1000, "rows of Feynman's equations")
	lawsCSV   = flag.String("laws-csv", "", "folder to write the tables of TestLaws to instead, with their far rows")
	lawsLimit = flag.Duration("laws-limit", 0, "time limit of each fit of TestLaws; 0: that of the program")
)

// lawCase is a table with a known law, made anew for each seed.
type lawCase struct {
	name string
	// exact is the noise-free RMS on the far rows up to which the law counts as found; 0: there is
	// no law of the learner's units to be found.
	exact float64
	make  func(t *testing.T, seed uint64) lawData
}

// lawData is what a case learns from, and noise-free rows outside.
type lawData struct {
	data, far       *datasets.Table
	inputs, targets []string
	size            float64  // of the targets: errors are divided by it
	units           []string // flags that say the units of columns, where they have some
}

// farFound and farSmall are what acceptance calls exact for noise of 0.01, and what a formula
// whose verdict is that it holds must not exceed.
const (
	farFound = 0.001
	farSmall = 0.03
	// farCart is what errors of 0.01 leave of 0.012, which the errors of the cart-pendulum's outputs must not exceed.
	farCart = 0.0066
)

func lawCases() []lawCase {
	cases := []lawCase{
		builtIn("F-1", farFound, nil), builtIn("F-2", farFound, nil), builtIn("F-3", farFound, nil),
		builtIn("F-4", farFound, nil), builtIn("DIV", 0.002, nil),
		builtIn("pendulum", 0.002, nil), builtIn("double-pendulum", farFound, nil),
		builtIn("cart-pendulum", farCart, nil),
	}
	for _, name := range []string{"F-2", "F-3"} {
		for _, c := range []struct {
			suffix string
			exact  float64 // what the noise leaves open grows with it, and with 1/√rows
			change func(*datasets.GenerateOptions)
		}{
			{"rows=1000", 0.01, func(g *datasets.GenerateOptions) { g.Rows = 1000 }},
			{"rows=300", 0.02, func(g *datasets.GenerateOptions) { g.Rows = 300 }},
			{"noise=0.1", 0.03, func(g *datasets.GenerateOptions) { g.Noise = new(0.1) }},
			{"noise=0", farFound, func(g *datasets.GenerateOptions) { g.Noise = new(0.0) }},
		} {
			cases = append(cases, builtIn(name+"/"+c.suffix, c.exact, c.change))
		}
	}
	sin, cos, sigmoid := math.Sin, math.Cos, func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	cases = append(cases,
		boxed("sum/1", farFound, 4, 10000, func(x []float64) float64 {
			return x[2]*sin(math.Pi*x[0]+2*x[1])/2 + sigmoid(4*x[3]-1)/2
		}),
		boxed("sum/2", farFound, 4, 10000, func(x []float64) float64 {
			return sin(math.Pi*x[0]*x[1])/2 + x[2]*cos(2*x[3]+x[0])/3
		}),
		boxed("sum/3", farFound, 4, 10000, func(x []float64) float64 { return sin(2*x[0]+sin(3*x[1]))/2 + x[2]*x[3]*x[3]/3 }),
		boxed("sum/4", farFound, 4, 10000, func(x []float64) float64 { return x[0]*x[1]*x[2]*x[3] + sin(2*math.Pi*x[0])/3 }),
		boxed("sum/5", farFound, 4, 10000,
			func(x []float64) float64 { return (sin(2*x[0]+3*x[1]) + x[2]*cos(2*x[3]-x[0])) / 2 }),
		boxed("outside/rational", farFound, 3, 4000,
			func(x []float64) float64 { return x[0]/(1+2*x[1]*x[1]) + math.Exp(x[2])/3 }),
		boxed("outside/abs", farFound, 3, 4000, func(x []float64) float64 { return math.Abs(x[0]) }),
		boxed("outside/step", 0, 3, 4000, func(x []float64) float64 {
			if x[0] > 0.2 {
				return 1
			}
			return 0
		}),
		boxed("outside/noise", 0, 3, 4000, func([]float64) float64 { return 0 }),
		outsideCart(),
	)
	cases = slices.Concat(cases, otherCases(),
		feynmanCases(), feynmanNearCases("feynman-quotient", feynmanQuotients),
		feynmanNearCases("feynman-curve", feynmanCurves),
		drawnCases("own", ownLaws), drawnCases("further", furtherLaws), drawnCases("practice", practiceLaws),
		randomCases(), publishedCases(), wideCases())
	for _, name := range []string{"F-1", "pendulum"} {
		exact := farFound
		if name == "pendulum" {
			exact = 0.002
		}
		for _, u := range []struct {
			suffix               string
			factor, shift, outer float64
		}{
			{"units=micro", 1e-6, 0, 1}, {"units=mega", 1e6, 0, 1}, {"units=shifted", 1, 1000, 1}, {"units=giga-out", 1, 0, 1e9},
		} {
			cases = append(cases, inUnits(name, u.suffix, exact, u.factor, u.shift, u.outer))
		}
	}
	return cases
}

func builtIn(name string, exact float64, change func(*datasets.GenerateOptions)) lawCase {
	return lawCase{name, exact, func(t *testing.T, seed uint64) lawData {
		p, err := datasets.Lookup(strings.Split(name, "/")[0])
		if err != nil {
			t.Fatal(err)
		}
		g := datasets.GenerateOptions{Seed: seed}
		if change != nil {
			change(&g)
		}
		suite, err := p.Generate(g)
		if err != nil {
			t.Fatal(err)
		}
		return lawData{suite.Data, suite.Tests[len(suite.Tests)-1].Clean, p.Inputs, p.Targets, 1, nil}
	}}
}

// outsideCart is the third output of the cart-pendulum, which divides.
func outsideCart() lawCase {
	c := builtIn("cart-pendulum", 0, func(g *datasets.GenerateOptions) { g.Rows = 4000 })
	whole := c.make
	return lawCase{"outside/cart-pendulum-y3", farCart, func(t *testing.T, seed uint64) lawData {
		d := whole(t, seed)
		keep := append(slices.Clone(d.inputs), "y3")
		d.data, d.far, d.targets = selected(t, d.data, keep), selected(t, d.far, keep), []string{"y3"}
		return d
	}}
}

func selected(t *testing.T, table *datasets.Table, names []string) *datasets.Table {
	s, err := table.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// boxed is a function on [−1, 1]ⁿ with noise of 0.01, and of 1 where there is nothing but noise.
func boxed(name string, exact float64, inputs, rows int, law func([]float64) float64) lawCase {
	return lawCase{name, exact, func(t *testing.T, seed uint64) lawData {
		noise := 0.01
		if name == "outside/noise" {
			noise = 1
		}
		d := lawData{targets: []string{"y"}, size: 1}
		for j := range inputs {
			d.inputs = append(d.inputs, fmt.Sprintf("x%d", j+1))
		}
		sample := func(rows int, stream uint64, half, noise float64) *datasets.Table {
			rng := rand.New(rand.NewPCG(seed, stream))
			cols := make([][]float64, inputs+1)
			x := make([]float64, inputs)
			for len(cols[0]) < rows {
				outside := false
				for j := range x {
					x[j] = half * (2*rng.Float64() - 1)
					outside = outside || math.Abs(x[j]) > 1
				}
				if half > 1 && !outside {
					continue
				}
				for j, v := range x {
					cols[j] = append(cols[j], v)
				}
				cols[inputs] = append(cols[inputs], law(x)+noise*rng.NormFloat64())
			}
			table, err := datasets.New(append(slices.Clone(d.inputs), "y"), cols)
			if err != nil {
				t.Fatal(err)
			}
			return table
		}
		d.data, d.far = sample(rows, 1, 1, noise), sample(5000, 2, 2, 0)
		return d
	}}
}

// inUnits is a built-in problem with inputs multiplied and shifted, and outputs multiplied.
func inUnits(problem, suffix string, exact, factor, shift, outer float64) lawCase {
	c := builtIn(problem, exact, nil)
	whole := c.make
	return lawCase{problem + "/" + suffix, exact, func(t *testing.T, seed uint64) lawData {
		d := whole(t, seed)
		d.size = outer
		convert := func(table *datasets.Table) *datasets.Table {
			cols := make([][]float64, len(table.Cols))
			for j, col := range table.Cols {
				f, s := factor, shift
				if slices.Contains(d.targets, table.Names[j]) {
					f, s = outer, 0
				}
				for _, v := range col {
					cols[j] = append(cols[j], f*v+s)
				}
			}
			n, err := datasets.New(table.Names, cols)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		d.data, d.far = convert(d.data), convert(d.far)
		return d
	}}
}

// lawOutcome is one line of the record of TestLaws, for one target.
type lawOutcome struct {
	Case      string  `json:"case"`
	Seed      uint64  `json:"seed"`
	Target    string  `json:"target"`
	Seconds   float64 `json:"seconds"` // of the process, its start included, for all targets
	Processor float64 `json:"processorSeconds"`
	Search    float64 `json:"search"` // time spent on searching for laws, over that of training
	Far       float64 `json:"far"`    // RMS without noise on the far rows, in sizes of the target
	Found     bool    `json:"found"`
	Verdict   string  `json:"verdict"`
	Reason    string  `json:"reason,omitempty"`
	Constants int     `json:"constants"`
	Snapped   int     `json:"snapped"`
	Formula   string  `json:"formula"`
}

// TestLaws fits tables with known laws with the built command, as a user would, and prints for
// each formula whether it is the law and what its verdict was. It takes minutes to hours and runs
// only when asked for:
//
//	go test ./bench -run TestLaws -laws . -laws-seeds 10 -timeout 6h -v
//
// Nothing but a crash fails: the outcomes are the result.
func TestLaws(t *testing.T) {
	if *lawsWanted == "" {
		t.Skip("long: needs -laws")
	}
	wanted := regexp.MustCompile(*lawsWanted)
	if *lawsCSV != "" {
		writeLaws(t, wanted)
		return
	}
	binary := buildCommand(t)
	var all []lawOutcome
	for _, c := range lawCases() {
		if !wanted.MatchString(c.name) {
			continue
		}
		var ofCase []lawOutcome
		for seed := range uint64(*lawsSeeds) {
			for _, o := range c.run(t, binary, seed) {
				line, err := json.Marshal(o)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Printf("%s\n", line)
				ofCase = append(ofCase, o)
			}
		}
		fmt.Printf("# %s\n", summary(c.name, ofCase))
		all = append(all, ofCase...)
	}
	right, held, small := 0, 0, 0
	for _, o := range all {
		holds := strings.HasPrefix(o.Verdict, "holds")
		good := o.Far <= farSmall
		if holds {
			held++
		}
		if good {
			small++
		}
		if holds && good {
			right++
		}
	}
	fmt.Printf("# verdict \"holds\": %d of %d formulas; %d of the held have a far error up to %g (precision), "+
		"of %d that have one (recall)\n",
		held, len(all), right, farSmall, small)
}

// writeLaws writes the tables of cases with one target, and beside each its far rows, for other programs.
func writeLaws(t *testing.T, wanted *regexp.Regexp) {
	for _, c := range lawCases() {
		if !wanted.MatchString(c.name) {
			continue
		}
		for seed := range uint64(*lawsSeeds) {
			d := c.make(t, seed)
			columns := slices.Concat(d.inputs, d.targets)
			name := fmt.Sprintf("%s-%d", strings.NewReplacer("/", "-", "=", "-").Replace(c.name), seed)
			for suffix, table := range map[string]*datasets.Table{".csv": d.data, "_far.csv": d.far} {
				used, err := table.Select(columns...)
				if err != nil {
					t.Fatal(err)
				}
				writeTable(t, filepath.Join(*lawsCSV, name+suffix), used)
			}
		}
	}
}

func writeTable(t *testing.T, path string, table *datasets.Table) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(table.WriteCSV(f), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func (c lawCase) run(t *testing.T, binary string, seed uint64) []lawOutcome {
	d := c.make(t, seed)
	dir := t.TempDir()
	data := filepath.Join(dir, "data.csv")
	f, err := os.Create(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.data.WriteCSV(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	args := []string{"fit", data, "--target", strings.Join(d.targets, ","), "--quiet", "--json", "--out",
		filepath.Join(dir, "run")}
	if *lawsLimit > 0 {
		args = append(args, "--time-limit", lawsLimit.String())
	}
	if *lawsUnits {
		args = append(args, d.units...)
	}
	cmd := exec.Command(binary, args...)
	cmd.Stderr = os.Stderr
	began := time.Now()
	out, err := cmd.Output()
	seconds := time.Since(began).Seconds()
	processor := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if err != nil {
		t.Fatalf("%s, seed %d: %v", c.name, seed, err)
	}
	var r struct {
		Formula  map[string]string
		Evidence map[string]struct {
			Verdict, Sentence string
			Constants         []struct{ Snapped *float64 }
		}
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "run", "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var times saved.Report
	if err := json.Unmarshal(kept, &times); err != nil {
		t.Fatal(err)
	}
	search := math.Round(100*times.Searching/times.Training) / 100
	var outcomes []lawOutcome
	for _, target := range d.targets {
		e := r.Evidence[target]
		o := lawOutcome{
			Case: c.name, Seed: seed, Target: target, Seconds: math.Round(100*seconds) / 100,
			Processor: math.Round(100*processor) / 100, Search: search, Far: d.farRMS(t, target, r.Formula[target]),
			Verdict: e.Verdict, Reason: e.Sentence, Constants: len(e.Constants), Formula: r.Formula[target],
		}
		for _, k := range e.Constants {
			if k.Snapped != nil {
				o.Snapped++
			}
		}
		o.Found = o.Far <= c.exact
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// farRMS returns the error of a formula on the far rows, in sizes of the target.
func (d lawData) farRMS(t *testing.T, target, text string) float64 {
	e, err := formula.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	far, err := sweep.Score(map[string]formula.Expr{target: e}, d.far, d.inputs, []string{target})
	if err != nil {
		t.Fatal(err)
	}
	if math.IsNaN(far) || math.IsInf(far, 0) {
		return math.MaxFloat64
	}
	return far / d.size
}

func summary(name string, outcomes []lawOutcome) string {
	found, held, heldWrong := 0, 0, 0
	slowest, worst, search := 0.0, 0.0, 0.0
	for _, o := range outcomes {
		holds := strings.HasPrefix(o.Verdict, "holds")
		if o.Found {
			found++
		}
		if holds {
			held++
		}
		if holds && o.Far > farSmall {
			heldWrong++
		}
		slowest, worst, search = max(slowest, o.Seconds), max(worst, o.Far), max(search, o.Search)
	}
	return fmt.Sprintf("%s: found %d of %d, holds %d (%d wrongly), far at most %.3g, at most %.1f s, "+
		"searching at most %.1f times as long as training",
		name, found, len(outcomes), held, heldWrong, worst, slowest, search)
}
