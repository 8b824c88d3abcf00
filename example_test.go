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
