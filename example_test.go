package eql_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

// pendulum measures the torque of a pendulum at random angles.
func pendulum() *datasets.Table {
	rng := rand.New(rand.NewPCG(1, 1))
	angle, torque := make([]float64, 100), make([]float64, 100)
	for i := range angle {
		angle[i] = 4*rng.Float64() - 2
		torque[i] = -2*math.Sin(angle[i]) + 0.01*rng.NormFloat64()
	}
	t, err := datasets.New([]string{"angle", "torque"}, [][]float64{angle, torque})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

func ExampleFit() {
	result, err := eql.Fit(context.Background(), pendulum())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Equation("torque"))
	// Output: torque = -2*sin(angle)
}

func ExampleFit_options() {
	result, err := eql.Fit(context.Background(), pendulum(),
		eql.Targets("torque"),
		eql.Seed(7),
		eql.Workers(1),
		eql.Outliers(run.OutliersKeep),
		eql.Adjust(func(s *run.Settings) { s.Units = []model.Unit{model.Identity, model.Sin} }), // and no others
	)
	if err != nil {
		log.Fatal(err)
	}
	law, err := formula.Compile(result.Formulas["torque"], []string{"angle"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("far outside the data, at 10 rad: %.1f\n", law.Eval([]float64{10}))
	// Output: far outside the data, at 10 rad: 1.1
}

// One formula for each of many tables, several at a time. A table is read when a worker is free for it.
func ExampleFitEach() {
	tables := func(yield func(string, eql.Source) bool) {
		for _, slope := range []float64{2, 3} {
			read := func() (*datasets.Table, []eql.Option, error) {
				t := &datasets.Table{Names: []string{"x", "z", "y"}, Cols: make([][]float64, 3)}
				for i := range 20 {
					x, z := float64(i), float64(i*i%7)
					t.Cols[0], t.Cols[1] = append(t.Cols[0], x), append(t.Cols[1], z)
					t.Cols[2] = append(t.Cols[2], slope*x+z)
				}
				return t, []eql.Option{eql.Targets("y")}, nil
			}
			if !yield(fmt.Sprintf("slope %g", slope), read) {
				return
			}
		}
	}
	found := map[string]string{}
	for name, f := range eql.FitEach(context.Background(), tables, eql.Seed(1), quick) {
		if f.Err != nil {
			log.Fatal(name, ": ", f.Err)
		}
		found[name] = f.Result.Equation("y")
	}
	fmt.Println(found["slope 2"])
	fmt.Println(found["slope 3"])
	// Output:
	// y = 2*x + z
	// y = 3*x + z
}

func ExampleShare() {
	rates := map[string]float64{"lead": 0.8, "iron": 1.2, "zinc": 2}
	tables := func(yield func(string, eql.Source) bool) {
		for _, name := range []string{"lead", "iron", "zinc"} {
			read := func() (*datasets.Table, []eql.Option, error) {
				t := &datasets.Table{Names: []string{"dose", "t", "y"}, Cols: make([][]float64, 3)}
				for i := range 40 {
					dose, at := float64(1+i%4), float64(i)/20
					t.Cols[0], t.Cols[1] = append(t.Cols[0], dose), append(t.Cols[1], at)
					t.Cols[2] = append(t.Cols[2], 3*dose*math.Exp(-rates[name]*at)+0.01*math.Sin(float64(i*i)))
				}
				return t, nil, nil
			}
			if !yield(name, read) {
				return
			}
		}
	}
	found := map[string]map[string]formula.Expr{ // by FitEach, say
		"lead": {"y": formula.MustParse("3*dose*exp(-0.8*t)")},
		"iron": {"y": formula.MustParse("2.9*dose*exp(-1.2*t)")},
		"zinc": {"y": formula.MustParse("dose*(2.9 - 4*t + 1.5*t^2)")},
	}
	laws, err := eql.Share(context.Background(), tables, found)
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range laws {
		fmt.Println(l.Target, "=", l.Form)
		for _, t := range l.Tables {
			fmt.Println(t.Table, formula.Print(t.Formula, formula.Text, 2))
		}
	}
	// Output:
	// y = c1*dose*exp(c2*t)
	// lead 3*dose*exp(-0.8*t)
	// iron 3*dose*exp(-1.2*t)
	// zinc 3*dose*exp(-2*t)
}

func ExampleTrainShard() {
	dir, err := os.MkdirTemp("", "eql")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of the system
	t := &datasets.Table{Names: []string{"x", "y"},
		Cols: [][]float64{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 3, 5, 7, 9, 11, 13, 15, 17, 19}}}
	grid := eql.Adjust(func(s *run.Settings) {
		s.Layers, s.Width, s.Lambda, s.Restarts, s.Train.Epochs = []int{2, 3}, []int{1}, []float64{1e-3}, 16, 5
	})
	folder := filepath.Join(dir, "run")
	if err := eql.Plan(t, folder, 2, "", eql.PaperPreset(), grid); err != nil {
		log.Fatal(err)
	}
	for k := range 2 { // on two machines, say
		if err := eql.TrainShard(context.Background(), folder, k); err != nil {
			log.Fatal(err)
		}
	}
	result, err := eql.Resume(context.Background(), folder)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Ended, len(result.Rounds))
	// Output: grid 2
}

// quick has few networks and few units, for examples that are about something else.
var quick = eql.Adjust(func(s *run.Settings) {
	s.Layers, s.Width, s.Lambda, s.Restarts, s.Extend, s.Train.Epochs = []int{2}, []int{1}, []float64{1e-3}, 1, 0, 20
	s.Units, s.Outliers = []model.Unit{model.Identity, model.Sin}, run.OutliersKeep
})

// kept returns the folder of a run that is finished.
func kept() (dir string, remove func()) {
	parent, err := os.MkdirTemp("", "eql")
	if err != nil {
		log.Fatal(err)
	}
	dir = filepath.Join(parent, "run")
	if _, err := eql.Fit(context.Background(), pendulum(), quick, eql.Folder(dir)); err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(parent) } //nolint:errcheck // a folder of the system
}

func ExampleLoad() {
	dir, remove := kept()
	defer remove()
	result, err := eql.Load(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Equation("torque"))
	// Output: torque = -2*sin(angle)
}

func ExampleResume() {
	parent, err := os.MkdirTemp("", "eql")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(parent) //nolint:errcheck // a folder of the system
	dir := filepath.Join(parent, "run")
	ctx, cancel := context.WithCancel(context.Background())
	interrupt := eql.Observe(func(run.Event) { cancel() })
	_, err = eql.Fit(ctx, pendulum(), quick, eql.Folder(dir), interrupt)
	fmt.Println(errors.Is(err, context.Canceled))
	result, err := eql.Resume(context.Background(), dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Equation("torque"))
	// Output:
	// true
	// torque = -2*sin(angle)
}

func ExampleResult_Predict() {
	result, err := eql.Fit(context.Background(), pendulum(), quick)
	if err != nil {
		log.Fatal(err)
	}
	far, err := datasets.New([]string{"angle"}, [][]float64{{3, 10}})
	if err != nil {
		log.Fatal(err)
	}
	values, err := result.Predict(far)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", values["torque"])
	// Output: [-0.28 1.09]
}

func ExampleResult_Verdict() {
	result, err := eql.Fit(context.Background(), pendulum(), quick)
	if err != nil {
		log.Fatal(err)
	}
	verdict := result.Verdict("torque")
	fmt.Println(verdict.Level == evidence.Holds)
	fmt.Println(verdict.Sentence())
	// Output:
	// true
	// holds outside the data as far as can be told
}

func ExampleResult_Choose() {
	result, err := eql.Fit(context.Background(), pendulum(), quick)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range result.Front("torque") {
		if row.Complexity > 1 { // the simplest that depends on the angle
			if err := result.Choose("torque", row.ID); err != nil {
				log.Fatal(err)
			}
			break
		}
	}
	fmt.Println(formula.Print(result.Formulas["torque"], formula.Text, 2))
	fmt.Println(result.Verdict("torque").Level)
	// Output:
	// -1.3*angle
	// fails
}

func ExampleObserve() {
	last := 0.0
	_, err := eql.Fit(context.Background(), pendulum(), quick, eql.Observe(func(e run.Event) { last = e.Fraction }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %% of the work\n", 100*last)
	// Output: 100 % of the work
}

func ExampleRefit() {
	other, err := datasets.New([]string{"t", "y"}, [][]float64{{0, 1, 2, 3}, {5, 8, 11, 14}})
	if err != nil {
		log.Fatal(err)
	}
	r, err := eql.Refit(formula.MustParse("2.1*t + 4"), "y", other, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(formula.Print(r.Formula, formula.Text, 3))
	// Output: 3*t + 5
}

func ExampleParseForm() {
	form, err := eql.ParseForm("y = a*exp(-b*t) + c", []string{"t", "y"})
	if err != nil {
		log.Fatal(err)
	}
	form.Constant("b").Low = 0
	fmt.Println(form.Target, form.Inputs, len(form.Constants))
	// Output: y [t] 3
}
