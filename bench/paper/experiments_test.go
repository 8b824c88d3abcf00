package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/baseline"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// TestGrids checks rows, splits, repetitions and grids against §4 of the paper: per repetition, the
// equation learner trains λ × L × widths, and so does the MLP.
func TestGrids(t *testing.T) {
	for _, tt := range []struct {
		experiment, set         string
		repetitions             int
		eql, mlp                int // networks of one repetition
		rows, held              int
		epochs, batch, machines int
	}{
		{"pendulum", "pendulum", 10, 9 * 1 * 3, 9 * 2 * 3, 1000, 100, 10000, 20, 8 * 5 * 4},
		{"double-pendulum", "double-pendulum", 10, 9 * 2 * 2, 9 * 2 * 3, 819, 82, 10000, 20, 160},
		{"arms", "kin-3-end", 5, 9 * 3 * 2, 9 * 3 * 2, 3000, 300, 10000, 20, 160},
		{"arms", "kin-4-end", 5, 9 * 3 * 2, 9 * 3 * 2, 6000, 600, 10000, 20, 160},
		{"arms", "kin-5-all", 5, 9 * 3 * 2, 9 * 3 * 2, 18000, 1800, 10000, 20, 160},
		{"formulas", "F-1", 10, 9 * 3, 9 * 3 * 2, 10000, 1000, 10000, 20, 160},
		{"formulas", "F-2", 10, 9 * 3, 9 * 3 * 2, 10000, 1000, 10000, 20, 160},
		{"formulas", "F-3", 10, 9 * 3, 9 * 3 * 2, 10000, 1000, 10000, 20, 160},
		{"formulas", "F-3-no-cos", 10, 9 * 3, 0, 10000, 1000, 10000, 20, 0},
		{"xray", "x-ray", 10, 9 * 2 * 3, 9 * 2 * 3, 80, 10, 50000, 2, 160},
		{"cart-pendulum", "cart-pendulum", 10, 9 * 3, 9 * 3 * 2, 10000, 1000, 10000, 20, 160},
		{"selection", "kin-3-end", 1, 9 * 3 * 2, 0, 3000, 300, 10000, 20, 0},
	} {
		t.Run(tt.experiment+"/"+tt.set, func(t *testing.T) {
			p, err := Request{Experiment: tt.experiment + "/" + tt.set}.Plan()
			if err != nil {
				t.Fatal(err)
			}
			s := p.Sets[0]
			if p.Preset != Full || p.Repetitions != tt.repetitions {
				t.Errorf("got %d repetitions of the preset %s, want %d of full", p.Repetitions, p.Preset, tt.repetitions)
			}
			if got := s.Networks(EQL, 1); got != tt.eql {
				t.Errorf("got %d networks of the equation learner, want %d", got, tt.eql)
			}
			if got := s.Networks(MLP, 1); got != tt.mlp {
				t.Errorf("got %d networks of the MLP, want %d", got, tt.mlp)
			}
			for _, c := range []*sweep.Settings{s.EQL, s.MLP} {
				if c != nil && (c.Train.Epochs != tt.epochs || c.Train.Batch != tt.batch || c.Train.LearnRate != 0.001 ||
					c.Train.DType != trainer.Float64) {
					t.Errorf("training is %+v, want %d epochs, batches of %d, a rate of 0.001, double precision",
						c.Train, tt.epochs, tt.batch)
				}
				if c != nil {
					if err := c.Validate(); err != nil {
						t.Error(err)
					}
				}
			}
			machines := 0
			if s.SVR != nil {
				machines = len(s.SVR.settings())
			}
			if machines != tt.machines {
				t.Errorf("got %d settings of support vector regression, want %d", machines, tt.machines)
			}
			set, err := prepare(s, 0)
			if err != nil {
				t.Fatal(err)
			}
			train, validation := set.split(0)
			if set.data.Rows() != tt.rows || validation.Rows() != tt.held || train.Rows() != tt.rows-tt.held {
				t.Errorf("got %d rows, %d to train on and %d to validate, want %d with %d of them held out",
					set.data.Rows(), train.Rows(), validation.Rows(), tt.rows, tt.held)
			}
			if len(p.differences()) > 0 {
				t.Errorf("the full preset differs from the protocol: %q", p.differences())
			}
		})
	}
}

// TestFormulas270 is the paper's count for one data set of complex formulas: 9 λ, 3 L, 10 starts.
func TestFormulas270(t *testing.T) {
	p, err := Request{Experiment: "formulas/F-1", Preset: Full}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Sets[0].Networks(EQL, p.Repetitions); got != 9*3*10 {
		t.Errorf("got %d networks, want 270", got)
	}
}

// TestSettings checks what the equation learner and the MLP have of the protocol.
func TestSettings(t *testing.T) {
	p, err := Request{Experiment: "formulas"}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	eql, mlp := p.Sets[0].EQL, p.Sets[0].MLP
	for i, exponent := range []float64{-7, -6.3, -6, -5.3, -5, -4.3, -4, -3.3, -3} {
		// 10^-6.3 = 5.01e-7 is meant as 5e-7.
		if want := math.Pow(10, exponent); math.Abs(eql.Lambda[i]-want) > 0.003*want || eql.Lambda[i] != mlp.Lambda[i] {
			t.Errorf("λ %d is %g and %g, want 10^%g", i, eql.Lambda[i], mlp.Lambda[i], exponent)
		}
	}
	if eql.Init != sweep.InitPaper || eql.Refine || eql.Scale != sweep.ScaleNone || eql.Snap != sweep.SnapOff ||
		eql.Extend != 0 || eql.Select != sweep.SelectRank {
		t.Errorf("the equation learner has more than the protocol: %+v", eql)
	}
	if mlp.Select != sweep.SelectValidation || mlp.Train.Mask != 0 {
		t.Errorf("the MLP is chosen by %s and masked at %g, want validation and no mask", mlp.Select, mlp.Train.Mask)
	}
	arch := model.Uniform(4, 1, 3, 30, mlp.Products[0], mlp.Units)
	if want := baseline.MLP(4, 1, 3, 30); arch.String() != want.String() {
		t.Errorf("the MLP is %s, want %s", arch, want)
	}
	arch = archOf(datasets.Problem{Inputs: []string{"x"}, Targets: []string{"y"}}, 2, 10, 10, eql.Units)
	if arch.String() != "1-[10id 10sin 10cos 10sigmoid 10mul]-1" {
		t.Errorf("the equation learner is %s", arch)
	}
	if got := p.Sets[3].EQL.Units; slices.Contains(got, model.Cos) || len(got) != 4 {
		t.Errorf("without cosines the units are %v", got)
	}
	svr := p.Sets[0].SVR
	for i, exponent := range []float64{-3, -2, -1, 0, 1, 2, 3, 3.5} {
		if math.Abs(math.Log10(svr.C[i])-exponent) > 1e-12 {
			t.Errorf("C %d is %g, want 10^%g", i, svr.C[i], exponent)
		}
	}
	if !slices.Equal(svr.Gamma, []float64{.05, .1, .2, .5, 1}) ||
		!slices.Equal(svr.Epsilon, []float64{1e-3, 1e-2, 1e-1, 1}) {
		t.Errorf("γ is %v and ε %v", svr.Gamma, svr.Epsilon)
	}
}

// TestPublished compares the published numbers with the paper's tables, in their own notation.
func TestPublished(t *testing.T) {
	for _, tt := range []struct {
		experiment, set string
		method          Method
		interpolation   string
		near, far       string
	}{
		{"pendulum", "pendulum", EQL, "0.0102±0.0000", "0.012±0.002", "0.016±0.007"},
		{"pendulum", "pendulum", MLP, "0.0138±0.0002", "0.150±0.012", "0.364±0.036"},
		{"pendulum", "pendulum", SVR, "0.0105", "0.041", "0.18"},
		{"double-pendulum", "double-pendulum", EQL, "", "", "0.0003±0.00003"},
		{"double-pendulum", "double-pendulum", MLP, "", "", "0.58±0.03"},
		{"double-pendulum", "double-pendulum", SVR, "", "", "0.25"},
		{"arms", "kin-3-end", EQL, "0.012", "", "0.028±0.019"},
		{"arms", "kin-3-end", MLP, "0.012", "", "0.369±0.041"},
		{"arms", "kin-3-end", SVR, "0.012", "", "0.235"},
		{"arms", "kin-4-end", EQL, "0.012", "", "0.018±0.004"},
		{"arms", "kin-4-end", MLP, "0.012", "", "0.415±0.020"},
		{"arms", "kin-4-end", SVR, "0.012", "", "0.590"},
		{"arms", "kin-5-all", EQL, "0.012", "", "0.036±0.035"},
		{"arms", "kin-5-all", MLP, "0.012", "", "0.346±0.013"},
		{"arms", "kin-5-all", SVR, "0.012", "", "0.260"},
		{"formulas", "F-1", EQL, "0.010±0.000", "0.015±0.005", "0.026±0.015"},
		{"formulas", "F-1", MLP, "0.011±0.000", "0.32±0.12", "0.920±0.420"},
		{"formulas", "F-1", SVR, "0.011", "0.28", "1.2"},
		{"formulas", "F-2", EQL, "0.01±0.00", "0.013±0.004", "0.026±0.019"},
		{"formulas", "F-2", MLP, "0.01±0.00", "0.2±0.014", "0.49±0.043"},
		{"formulas", "F-2", SVR, "0.011", "0.3", "0.94"},
		{"formulas", "F-3", EQL, "0.01±0.000", "0.047±0.012", "0.35±0.11"},
		{"formulas", "F-3-no-cos", EQL, "0.01±0.000", "0.01±0.000", "0.011±0.001"},
		{"formulas", "F-3", MLP, "0.01±0.000", "0.084±0.007", "0.4±0.021"},
		{"formulas", "F-3", SVR, "0.01", "0.071", "0.39"},
		{"xray", "x-ray", EQL, "0.00042", "", "0.0061±0.0038"},
		{"xray", "x-ray", MLP, "0.002", "", "0.0180±0.0024"},
		{"xray", "x-ray", SVR, "0.00067", "", "0.0057±0.0014"},
		{"cart-pendulum", "cart-pendulum", EQL, "0.0103±0.0000", "0.0621±0.0208", "0.180±0.056"},
		{"cart-pendulum", "cart-pendulum", MLP, "0.0101±0.0000", "0.0184±0.0008", "0.195±0.006"},
		{"cart-pendulum", "cart-pendulum", SVR, "0.0118", "0.227", "0.639"},
	} {
		e, err := Lookup(tt.experiment + "/" + tt.set)
		if err != nil {
			t.Fatal(err)
		}
		for test, text := range map[string]string{Interpolation: tt.interpolation, Near: tt.near, Far: tt.far} {
			got, ok := e.Sets[0].Published[tt.method][test]
			if !ok && text == "" {
				continue
			}
			want := Value{SD: alone}
			mean, sd, both := strings.Cut(text, "±")
			fmt.Sscan(mean, &want.Mean) //nolint:errcheck // a literal above
			if both {
				fmt.Sscan(sd, &want.SD) //nolint:errcheck // a literal above
			}
			if got != want {
				t.Errorf("%s, %s, %s: got %v, want %s", tt.set, tt.method, test, got, text)
			}
		}
	}
}

// TestLookupOfSets chooses data sets by names and patterns, in the order of the experiment.
func TestLookupOfSets(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		sets       int
	}{
		{"arms", "arms", 3},
		{"arms/KIN-4-end", "arms/kin-4-end", 1},
		{"arms/kin-5-all,kin-3-end", "arms/kin-5-all,kin-3-end", 2},
		{"noise/60-*,200-*", "noise/60-*,200-*", 10},
		{"noise/*-rows-noise-0.1", "noise/*-rows-noise-0.1", 5},
	} {
		e, err := Lookup(tt.name)
		if err != nil || e.Name != tt.want || len(e.Sets) != tt.sets {
			t.Errorf("%s is %q with %d sets (%v), want %q with %d", tt.name, e.Name, len(e.Sets), err, tt.want, tt.sets)
		}
	}
	if e, _ := Lookup("arms/kin-5-all,kin-3-end"); len(e.Sets) != 2 || e.Sets[0].Name != "kin-3-end" {
		t.Errorf("the sets are not in their own order: %v", e.setNames())
	}
	pattern := Request{Experiment: "noise/60-*", Preset: Full, Repetitions: 1}
	if got, want := pattern.Command(), "eql reproduce 'noise/60-*' --preset full --repetitions 1 --seed 0"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
	for _, name := range []string{"arms/", "arms/kin-6-end", "arms/kin-3-end,", "arms/[", "legs"} {
		if _, err := Lookup(name); err == nil {
			t.Errorf("there are data sets of %q", name)
		}
	}
}

// TestShort holds the short preset to being a part of the protocol that can be run at all.
func TestShort(t *testing.T) {
	for _, e := range Experiments() {
		p, err := Request{Experiment: e.Name, Preset: Short}.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if len(p.differences()) == 0 {
			t.Errorf("%s: the table would not say what the short preset leaves out", e.Name)
		}
		full, err := Request{Experiment: e.Name}.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range p.Sets {
			for _, m := range []Method{EQL, MLP} {
				a, b := s.sweep(m), full.Sets[i].sweep(m)
				if a == nil {
					continue
				}
				for _, l := range a.Lambda {
					if !slices.Contains(b.Lambda, l) {
						t.Errorf("%s: λ=%g is not in the grid of the paper", s.Name, l)
					}
				}
				if a.Select != b.Select || a.Init != b.Init {
					t.Errorf("%s: the short preset starts or selects otherwise", s.Name)
				}
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"pendulums", `there is no experiment "pendulums" (there are pendulum, double-pendulum, arms, formulas, ` +
			"xray, cart-pendulum, selection, noise)"},
		{"arms/kin-2-end", `experiment arms has no data set "kin-2-end" (there are kin-3-end, kin-4-end, kin-5-all)`},
	} {
		if _, err := Lookup(tt.name); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	if e, err := Lookup("formulas/f-2"); err != nil || e.Name != "formulas/F-2" || len(e.Sets) != 1 {
		t.Errorf("got %s with %d sets, %v", e.Name, len(e.Sets), err)
	}
	if _, err := (Request{Experiment: "selection", Methods: []Method{SVR}}).Plan(); err == nil ||
		err.Error() != "selection compares no svr" {
		t.Errorf("got %v, want that selection compares no svr", err)
	}
	if _, err := (Request{Experiment: "pendulum", Preset: "long", Methods: []Method{"gp"}}).Plan(); err == nil ||
		err.Error() != "there is no preset \"long\" (there are full, short)\n"+
			"there is no method \"gp\" (there are eql, mlp, svr, quick)" {
		t.Errorf("got %v, want that there is neither such a preset nor such a method", err)
	}
	if _, err := (Request{Experiment: "pendulum", Repetitions: -1}).Plan(); err == nil {
		t.Error("-1 repetitions were accepted")
	}
}

// TestPrecision asks for the whole protocol in float32: the tables must say so.
func TestPrecision(t *testing.T) {
	p, err := Request{Experiment: "formulas/F-1", DType: new(trainer.Float32)}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if e, m := p.Sets[0].EQL.Train.DType, p.Sets[0].MLP.Train.DType; e != trainer.Float32 || m != trainer.Float32 {
		t.Errorf("trains in %v and %v, want float32", e, m)
	}
	want := []string{
		"the networks are trained in float32",
		"SVR: settings are tried on 2000 training rows, drawn at random, before the chosen machine is fitted",
	}
	if got := p.choices(); !slices.Equal(got, want) || len(p.differences()) > 0 {
		t.Errorf("says %q, and that %q differs from the protocol, want %q", got, p.differences(), want)
	}
	if c := p.Command(); !strings.HasSuffix(c, " --dtype float32") {
		t.Errorf("the command is %q", c)
	}
}
