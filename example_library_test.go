package eql_test

import (
	"context"
	"fmt"
	"log"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
)

func Example() {
	table, codings, err := datasets.Load("examples/pendulum.csv", datasets.Options{}) // text columns as in the command
	if err != nil {
		log.Fatal(err)
	}
	result, err := eql.Fit(context.Background(), table, eql.Columns(codings), eql.Targets("y1", "y2"))
	if err != nil {
		log.Fatal(err)
	}
	for _, target := range result.Targets {
		fmt.Println(result.Equation(target), "|", result.Verdict(target).Sentence())
	}
	far, _ := result.Read("examples/pendulum_far.csv", datasets.Options{}) // rows outside the range of the data
	values, _ := result.Predict(far)
	fmt.Printf("%.3f\n", values["y2"][0])
	// Output:
	// y1 = 0.101861*x2 | holds outside the data as far as can be told
	// y2 = -sin(x1) | holds outside the data as far as can be told
	// -0.766
}
