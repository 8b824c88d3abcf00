package bench

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/sweep"
)

var ablationWanted = flag.String("ablation", "", "regular expression of the cases that TestAblation runs; empty: none")

// TestAblation learns the cases of TestLaws with parts of the quick preset left out, without further
// rounds, and counts the laws that are found with -laws-seeds data sets each. Nothing but a crash fails.
//
//	go test ./bench -run TestAblation -ablation '^(F-|sum/|other/)' -laws-seeds 5 -timeout 6h -v
func TestAblation(t *testing.T) {
	if *ablationWanted == "" {
		t.Skip("long: needs -ablation")
	}
	wanted := regexp.MustCompile(*ablationWanted)
	variants := []struct {
		name   string
		change func(*sweep.Settings)
	}{
		{"quick", func(*sweep.Settings) {}},
		{"no choice among starts", func(s *sweep.Settings) { s.Halving = sweep.Halving{} }},
		{"sparse starts only", func(s *sweep.Settings) { s.Init = sweep.InitSparse }},
		{"dense starts", func(s *sweep.Settings) { s.Init = sweep.InitPaper }},
	}
	for _, c := range lawCases() {
		if c.exact == 0 || !wanted.MatchString(c.name) {
			continue
		}
		for _, v := range variants {
			found, agree, networks, greedy, total := 0, 0, 0, 0, 0
			began := time.Now()
			for seed := range uint64(*lawsSeeds) {
				d := c.make(t, seed)
				r, err := eql.Fit(context.Background(), d.data, eql.Targets(d.targets...), eql.Adjust(func(s *sweep.Settings) {
					s.Extend = 0
					v.change(s)
				}))
				if err != nil {
					t.Fatal(err)
				}
				for _, target := range r.Targets {
					total++
					if d.farRMS(t, target, r.Formulas[target].String()) <= c.exact {
						found++
					}
					if e := r.Evidence(target); e != nil {
						agree, networks = agree+e.Support.Agree, networks+e.Support.Networks
						if e.Greedy.Agrees {
							greedy++
						}
					}
				}
			}
			fmt.Printf("%s, %s: found %d of %d, %.2f of the networks agree, growth alone %d; %.2f s each\n",
				c.name, v.name, found, total, float64(agree)/float64(max(networks, 1)), greedy,
				time.Since(began).Seconds()/float64(*lawsSeeds))
		}
	}
}
