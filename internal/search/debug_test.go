package search

import (
	"context"
	"fmt"
	"testing"
)

func TestDebug(t *testing.T) {
	if *laws == "" {
		t.Skip()
	}
	for _, set := range [][]law{missedLaws, knownLaws, ownLaws} {
		for _, l := range set {
			if l.name != *laws {
				continue
			}
			tb := l.draw(t, 1000, 3000, *noise)
			var s *searcher
			last := map[string]bool{}
			pr := func() {
				for _, c := range s.pool {
					k := signature(c.e)
					if !last[k] {
						last[k] = true
						fmt.Printf("   %s crit %.1f rms %.5f %s\n", c.how, c.crit, c.sse, show(c.e, c.e.root(), tb.names))
					}
				}
			}
			s = newSearcher(context.Background(), tb.near, Options{Names: tb.names, Try: func(st string) {
				pr()
				fmt.Printf("-- %s work %.3g\n", st, float64(s.meter.used.Load()))
				if st == "products" {
					fmt.Println("sigma/sd", s.sigma/s.sd, s.sep, s.exponent)
				}
			}}, true)
			s.search()
			pr()
		}
	}
}
