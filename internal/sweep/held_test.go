package sweep

import (
	"fmt"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

func TestHeld(t *testing.T) {
	year := []float64{2000.2, 2000.4, 2001.6, 2003.7, 2004.1}
	fit, err := datasets.New([]string{"year", "y"}, [][]float64{year, year})
	if err != nil {
		t.Fatal(err)
	}
	origin := datasets.Origin(year)
	if origin == 0 {
		t.Fatal("these years have no origin")
	}
	e := formula.MustParse(fmt.Sprintf("1.2345678*exp(0.5*(year - %g)) + 0.987654321 + 2.718281828", origin))
	got := Held(e, fit, []float64{2.718281828})
	if want := []bool{false, true, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("of %v held are %v, want %v", formula.Constants(e), got, want)
	}
}
