package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/journal"
	"github.com/eqlearner/eql/run"
)

var (
	calibrationWanted = flag.String("calibration", "", "regular expression of laws to fit, group/name")
	calibrationSeeds  = flag.Int("calibration-seeds", 3, "data sets of each law of TestCalibration")
	calibrationLimit  = flag.Duration("calibration-limit", 10*time.Second, "time limit of each fit")
	calibrationRounds = flag.Int("calibration-rounds", 0,
		"further rounds of each fit, in place of a time limit: results do not depend on the machine")
	calibrationWorkers = flag.Int("calibration-workers", 0, "goroutines that train; 0: one a processor")
	calibrationLines   = flag.String("calibration-lines", "results/calibration.jsonl", "file of finished fits")
	calibrationCommit  = flag.String("calibration-commit", "", "what the lines call this program; empty: git describe")
	calibrationFit     = flag.Bool("calibration-fit", true, "fit what is not in the file; false: sum up what is")
	calibrationCSV     = flag.String("calibration-csv", "", "folder to write the data to instead")
	calibrationHold    = flag.Bool("calibration-hold", false, "fail where fewer verdicts are right than in the record")
)

// calibrationLaws is the calibration set.
func calibrationLaws() []calibrationLaw { return slices.Concat(lawsInside, lawsOutside) }

// TestCalibration fits the data sets of laws that are known, appends a line for each fit to a file, and prints
// how often the verdict was right. It takes hours and runs only when asked for:
//
//	go test ./bench -run TestCalibration -calibration . -calibration-seeds 3 -timeout 0 -v
//
// What is in the file by the same program, time limit and workers is not fitted again. Nothing but an error fails,
// since the counts are the result, unless -calibration-hold asks for what was reached before.
func TestCalibration(t *testing.T) {
	if *calibrationWanted == "" {
		t.Skip("long: needs -calibration")
	}
	wanted := regexp.MustCompile(*calibrationWanted)
	laws := slices.DeleteFunc(calibrationLaws(), func(l calibrationLaw) bool { return !wanted.MatchString(l.String()) })
	if *calibrationCSV != "" {
		writeCalibration(t, laws)
		return
	}
	how := fitting{Commit: describe(t), Limit: calibrationLimit.String(), Workers: *calibrationWorkers}
	if *calibrationRounds > 0 {
		how.Limit, how.Workers = fmt.Sprintf("%d rounds", *calibrationRounds), 0 // which change nothing then
	}
	done := finishedFits(t, *calibrationLines, how)
	if *calibrationFit {
		fitCalibration(t, laws, how, done)
	}
	var all []calibrated
	for _, l := range laws {
		for seed := range uint64(*calibrationSeeds) {
			if c, ok := done[fitted{l.String(), seed}]; ok {
				all = append(all, c)
			}
		}
	}
	fmt.Printf("\n%s, limit %s, %d workers\n\n%s", how.Commit, how.Limit, how.Workers, summarise(all))
	if *calibrationHold {
		for _, s := range shortfalls(all) {
			t.Error(s)
		}
	}
}

// fitCalibration fits what is not done and appends it to the file, all laws of a seed first: an interrupted run has
// seen most kinds.
func fitCalibration(t *testing.T, laws []calibrationLaw, how fitting, done map[fitted]calibrated) {
	t.Helper()
	file, err := journal.Open(*calibrationLines)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	for seed := range uint64(*calibrationSeeds) {
		for _, l := range laws {
			key := fitted{l.String(), seed}
			if _, ok := done[key]; ok {
				continue
			}
			done[key] = l.fit(t, seed, how)
			line, err := json.Marshal(done[key])
			if err != nil {
				t.Fatal(err)
			}
			if err := file.Append(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%s\n", done[key])
		}
	}
}

// fitting is what a line must share for its fit not to be done again.
type fitting struct {
	Commit  string `json:"commit"`
	Limit   string `json:"limit"`
	Workers int    `json:"workers"`
}

// fitted names a data set.
type fitted struct {
	law  string
	seed uint64
}

// describe returns the name of the program's version.
func describe(t *testing.T) string {
	t.Helper()
	if *calibrationCommit != "" {
		return *calibrationCommit
	}
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		t.Fatalf("git describe: %v (name the version by -calibration-commit)", err)
	}
	return strings.TrimSpace(string(out))
}

// finishedFits reads the fits in a file that were made in the same way.
func finishedFits(t *testing.T, path string, how fitting) map[fitted]calibrated {
	t.Helper()
	done := map[fitted]calibrated{}
	err := journal.Read(path, func(line int, text []byte) error {
		var c calibrated
		if err := json.Unmarshal(text, &c); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		if c.fitting == how {
			done[fitted{c.Law, c.Seed}] = c
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// verdictOf is the one place that reads what a fit says about its formula.
func verdictOf(e *evidence.Evidence) (level, sentence string, holds bool) {
	if e == nil {
		return "none", "", false
	}
	return string(e.Level), e.Sentence(), e.Level == evidence.Holds
}

// boxPoints is how many points without noise an error is measured at.
const boxPoints = 2000

// fit learns a data set and measures the formula.
func (l calibrationLaw) fit(t *testing.T, seed uint64, how fitting) calibrated {
	t.Helper()
	d, err := l.make(seed)
	if err != nil {
		t.Fatal(err)
	}
	options := []eql.Option{eql.TimeLimit(*calibrationLimit)}
	if *calibrationRounds > 0 {
		options = []eql.Option{eql.Adjust(func(s *run.Settings) { s.Extend = *calibrationRounds })}
	}
	if *calibrationWorkers > 0 {
		options = append(options, eql.Workers(*calibrationWorkers))
	}
	c := calibrated{
		fitting: how, Law: l.String(), Seed: seed, Rows: d.table.Rows(), Noise: l.noise.name, Related: l.related(),
		Spread: d.spread, Inside: math.MaxFloat64, Far: math.MaxFloat64,
	}
	r, err := eql.Fit(context.Background(), d.table, options...)
	if err != nil {
		t.Errorf("%s, seed %d: %v", l, seed, err)
		c.Level, c.Sentence = "error", err.Error()
		return c
	}
	e := r.Evidence("y")
	c.Level, c.Sentence, c.Holds = verdictOf(e)
	c.Named = e != nil && len(e.Edges) > 0
	for _, m := range r.Models("y") {
		if m.Chosen {
			c.Validation = finite(m.Validation)
		}
	}
	c.Formula, c.Seconds = r.Formulas["y"].String(), math.Round(100*r.Seconds)/100
	if c.Inside, _, _, err = l.err(d, 1, r.Formulas["y"], l.stream(seed, drawInside)); err != nil {
		t.Fatal(err)
	}
	if c.Far, c.FarElse, c.NoValue, err = l.err(d, 2, r.Formulas["y"], l.stream(seed, drawFar)); err != nil {
		t.Fatal(err)
	}
	return c
}

// finite returns v, and for what is not finite the largest number, since JSON has no infinities.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.MaxFloat64
	}
	return v
}

// err returns the root mean square error of a formula in a box of size times the data's, in spreads, not [finite]
// when the formula has no finite value at a point; the error at the points where it has, and the share where not.
func (l calibrationLaw) err(d calibrationData, size float64, e formula.Expr, rng *rand.Rand) (
	all, rest, none float64, err error,
) {
	x, y := l.box(d, size, boxPoints, rng)
	law, err := formula.Compile(e, d.table.Names[:len(x)])
	if err != nil {
		return 0, 0, 0, err
	}
	predicted := make([]float64, len(y))
	law.EvalColumns(predicted, x)
	sum, have := 0.0, 0.0
	for i := range y {
		if v := predicted[i] - y[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum, have = sum+v*v, have+1
		}
	}
	rest = finite(math.Sqrt(sum/have) / d.spread)
	all, none = rest, 1-have/float64(len(y))
	if none > 0 {
		all = finite(math.Inf(1))
	}
	return all, rest, none, nil
}

// writeCalibration writes the data sets of laws as GROUP-NAME-SEED.csv.
func writeCalibration(t *testing.T, laws []calibrationLaw) {
	t.Helper()
	for _, l := range laws {
		for seed := range uint64(*calibrationSeeds) {
			d, err := l.make(seed)
			if err != nil {
				t.Fatal(err)
			}
			writeTable(t, filepath.Join(*calibrationCSV, fmt.Sprintf("%s-%s-%d.csv", l.group, l.name, seed)), d.table)
		}
	}
}
