package datasets_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/eqlearner/eql/datasets"
)

func ExampleRead() {
	file := strings.NewReader("body;T;d\nMercury;88;0,387\nVenus;224,7;0,7233\nEarth;365,2;1\n")
	sheet, err := datasets.Read(file, "orbits.csv", datasets.Options{Decimal: datasets.Comma})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, column := range sheet.Columns() {
		fmt.Println(column, sheet.Numeric(column))
	}
	table, _, err := sheet.Table([]string{"T", "d"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Cols[0])
	// Output:
	// body false
	// T true
	// d true
	// [88 224.7 365.2]
}

func ExampleReadFile() {
	sheet, err := datasets.ReadFile("../examples/pendulum.csv", datasets.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sheet.Rows(), "rows of", sheet.Columns())
	// Output: 1000 rows of [x1 x2 y1 y2]
}

func ExampleSheet_Table() {
	file := strings.NewReader("t,v\n0,1.5\n1,off\n2,\n")
	sheet, err := datasets.Read(file, "speed.csv", datasets.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = sheet.Table([]string{"t", "v"})
	fmt.Println(err)
	// Output: speed.csv:3: column "v": "off" is not a number (clean the cell, or leave the column out)
}

func ExampleNew() {
	_, err := datasets.New([]string{"t", "v"}, [][]float64{{0, 1, 2}, {1.5, 1.4}})
	fmt.Println(err)
	// Output: column "v" has 2 rows, the first column has 3
}

func ExampleTable_WriteCSV() {
	table, err := datasets.New([]string{"t", "speed, m/s"}, [][]float64{{0, 1}, {0.1, 1e-9}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.WriteCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// t,"speed, m/s"
	// 0,0.1
	// 1,1e-09
}

func ExampleProblem_Generate() {
	problem, err := datasets.Lookup("pendulum")
	if err != nil {
		fmt.Println(err)
		return
	}
	suite, err := problem.Generate(datasets.GenerateOptions{Seed: 7, Rows: 500, Noise: new(0.05)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(problem.Formulas)
	fmt.Println("data", suite.Data.Rows(), suite.Data.Names)
	for _, test := range suite.Tests {
		fmt.Println(test.Name, test.Noisy.Rows())
	}
	// Output:
	// [y1 = x2/9.81 y2 = -sin(x1)]
	// data 500 [x1 x2 y1 y2]
	// interpolation 1000
	// near 1000
	// far 1000
}

func ExampleProblems() {
	for _, p := range datasets.Problems() {
		fmt.Printf("%-15s %2d → %-2d  %s\n", p.Name, len(p.Inputs), len(p.Targets), p.Title)
	}
	// Output:
	// pendulum         2 → 2   motion of a pendulum from its angle and angular velocity
	// double-pendulum  2 → 4   tips of a real double pendulum from its two angles, as recorded
	// kin-3-end        3 → 2   end of a planar robot arm from its 3 joint angles
	// kin-4-end        4 → 2   end of a planar robot arm from its 4 joint angles
	// kin-5-all        5 → 10  segment ends of a planar robot arm from its 5 joint angles
	// F-1              4 → 1   formula with two frequencies and a product, of one layer
	// F-2              4 → 1   formula with a product of a variable and a cosine, of two layers
	// F-3              4 → 1   formula with a product of three variables, of two layers
	// F-4              4 → 1   formula with a sine inside a cosine, of three layers
	// DIV              2 → 1   formula with a division whose denominator is positive
	// x-ray            1 → 1   energy of the X-ray line Kα2 from the atomic number, as measured
	// cart-pendulum    4 → 4   motion of a pendulum on a sprung cart, with divisions
}

func ExampleSplit() {
	train, validation := datasets.Split(1000, 0.1, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(len(train), len(validation))
	// Output: 900 100
}

func ExampleFolds() {
	for _, fold := range datasets.Folds(7, 3, rand.New(rand.NewPCG(1, 2))) {
		fmt.Println(len(fold))
	}
	// Output:
	// 2
	// 2
	// 3
}

func ExampleAutoScale() {
	fmt.Println(datasets.AutoScale([]float64{-0.3, 0.9, 0.1}))
	fmt.Println(datasets.AutoScale([]float64{101310, 101325, 101342}))
	// Output:
	// 0 1
	// 101330 16
}

func ExampleSheet_Encode() {
	const file = "date,smoker,cost\n2024-01-01,no,\"$1,200.50\"\n2024-02-01,yes,$900\n"
	sheet, err := datasets.Read(strings.NewReader(file), "costs.csv", datasets.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	codings := sheet.Codings()
	if err := sheet.Encode(codings); err != nil {
		fmt.Println(err)
		return
	}
	table, _, err := sheet.Table(sheet.Columns())
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, name := range table.Names {
		fmt.Printf("%s: %v, %s\n", name, table.Cols[j], codings[name].Meaning())
	}
	// Output:
	// date: [0 31], days since 2024-01-01
	// smoker: [0 1], 0 for "no", 1 for "yes"
	// cost: [1200.5 900], numbers in $
}

func ExampleLoad() {
	dir, err := os.MkdirTemp("", "eql")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of the system
	path := filepath.Join(dir, "lamps.csv")
	if err := os.WriteFile(path, []byte("lamp,power\non,1.5\noff,0.5\non,1.4\n"), 0o666); err != nil {
		log.Fatal(err)
	}
	table, codings, err := datasets.Load(path, datasets.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table.Names, table.Cols[0], codings["lamp"].Meaning())
	// Output: [lamp power] [1 0 1] 0 for "off", 1 for "on"
}
