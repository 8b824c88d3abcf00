package eql_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// pendulum measures the torque of a pendulum at random angles.
func pendulum() *datasets.Table {
	rng := rand.New(rand.NewPCG(1, 1))
	angle, torque := make([]float64, 300), make([]float64, 300)
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
	fmt.Println("torque =", formula.Print(result.Formulas["torque"], formula.Text, 2))
	// Output: torque = -2*sin(angle)
}

func ExampleFit_options() {
	result, err := eql.Fit(context.Background(), pendulum(),
		eql.Targets("torque"),
		eql.Seed(7),
		eql.Workers(1),
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
				t := &datasets.Table{Names: []string{"x", "y"}, Cols: make([][]float64, 2)}
				for i := range 20 {
					t.Cols[0] = append(t.Cols[0], float64(i))
					t.Cols[1] = append(t.Cols[1], slope*float64(i))
				}
				return t, []eql.Option{eql.Targets("y")}, nil
			}
			if !yield(fmt.Sprintf("slope %g", slope), read) {
				return
			}
		}
	}
	found := map[string]string{}
	for name, f := range eql.FitEach(context.Background(), tables, eql.Seed(1)) {
		if f.Err != nil {
			log.Fatal(name, ": ", f.Err)
		}
		found[name] = f.Result.Equation("y")
	}
	fmt.Println(found["slope 2"])
	fmt.Println(found["slope 3"])
	// Output:
	// y = 2*x
	// y = 3*x
}
