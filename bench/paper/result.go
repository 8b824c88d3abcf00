package paper

import (
	"cmp"
	"fmt"
	"slices"
)

// A Result is what a run came to.
type Result struct {
	Plan     Plan      `json:"plan"`
	Command  string    `json:"command"`
	Builds   []string  `json:"builds"` // of the program that worked on it
	Machine  string    `json:"machine"`
	Times    Times     `json:"times"`
	Rows     []Row     `json:"rows"`
	Methods  []Success `json:"methods"`
	Outcomes []Outcome `json:"outcomes"` // by data set, method and repetition

	sets []*prepared
}

// A Row is the statistics of the errors of a method on a test set over the repetitions.
type Row struct {
	Set    string `json:"set"`
	Method Method `json:"method"`
	Test   string `json:"test"`
	// Against tells which targets the errors are measured against: noisy ones, as published, or the
	// true ones. Where the data carries no noise there is one row, against the data.
	Against string `json:"against"`
	Stats
	Published *Value   `json:"published,omitempty"`
	Ratio     *float64 `json:"ratio,omitempty"` // of the mean to the published mean
}

// The targets that errors are measured against.
const (
	AgainstNoisy = "noisy"
	AgainstTrue  = "true"
	AgainstData  = "data"
)

// Success counts the repetitions of a method whose error on the far set, against the true targets,
// is within the bound.
type Success struct {
	Set         string  `json:"set"`
	Method      Method  `json:"method"`
	Repetitions int     `json:"repetitions"`
	Succeeded   int     `json:"succeeded"`
	Bound       float64 `json:"bound"`
	Networks    int     `json:"networks,omitempty"` // that the protocol trains
	Seconds     float64 `json:"seconds"`            // of workers
}

// result makes the tables from the journal and writes them.
func (r *runner) result() (*Result, error) {
	times, err := r.clock.total()
	if err != nil {
		return nil, err
	}
	res := &Result{
		Plan: r.plan, Command: r.plan.Command(), Builds: r.folder.saved.Builds, Machine: r.opt.Machine,
		Times: times, sets: r.sets,
	}
	parts := slices.Clone(r.parts)
	position := func(p *part) int { return slices.Index(r.sets, p.set)*10 + slices.Index(Methods(), p.method) }
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(position(a), position(b)), cmp.Compare(a.repetitions[0], b.repetitions[0]))
	})
	for _, p := range parts {
		for _, i := range p.repetitions {
			o, ok := p.outcome(i)
			if !ok {
				return nil, fmt.Errorf("%s: the journal has no readable %s; delete its line, and resume", r.folder.dir, p.key(i))
			}
			res.Outcomes = append(res.Outcomes, o)
		}
	}
	for _, set := range r.sets {
		for _, m := range r.plan.Methods {
			if outcomes := res.of(set.plan.Name, m); len(outcomes) > 0 {
				res.summarise(set, m, outcomes)
			}
		}
	}
	if err := res.write(r.folder); err != nil {
		return nil, err
	}
	return res, res.writeFigures(r.folder)
}

// of returns the outcomes of a method on a data set, by repetition.
func (res *Result) of(set string, m Method) []Outcome {
	var outcomes []Outcome
	for _, o := range res.Outcomes {
		if o.Set == set && o.Method == m {
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

func (res *Result) summarise(set *prepared, m Method, outcomes []Outcome) {
	for _, test := range Tests() {
		if _, ok := outcomes[0].errorOn(test, false); !ok {
			continue
		}
		row := Row{Set: set.plan.Name, Method: m, Test: test, Against: AgainstData, Stats: statsOf(outcomes, test, false)}
		if set.noisy() {
			row.Against = AgainstNoisy
		}
		if v, ok := set.plan.Published[m][test]; ok {
			row.Published = &v
			if row.Mean != nil {
				row.Ratio = number(*row.Mean / v.Mean)
			}
		}
		res.Rows = append(res.Rows, row)
		if set.noisy() {
			res.Rows = append(res.Rows, Row{Set: set.plan.Name, Method: m, Test: test, Against: AgainstTrue,
				Stats: statsOf(outcomes, test, true)})
		}
	}
	s := Success{
		Set: set.plan.Name, Method: m, Repetitions: len(outcomes), Bound: set.plan.Bound,
		Networks: set.plan.Networks(m, res.Plan.Repetitions), Seconds: res.Times.Work[set.plan.Name][m],
	}
	for _, o := range outcomes {
		if e, ok := o.errorOn(Far, true); ok && e <= set.plan.Bound {
			s.Succeeded++
		}
	}
	res.Methods = append(res.Methods, s)
}

func statsOf(outcomes []Outcome, test string, clean bool) Stats {
	values := make([]float64, len(outcomes))
	for i, o := range outcomes {
		values[i], _ = o.errorOn(test, clean)
	}
	return newStats(values)
}
