package paper

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
)

// differences returns what a plan does otherwise than the paper's protocol, a line each.
func (p Plan) differences() []string {
	full, err := Request{Experiment: p.Experiment, Preset: Full, Methods: p.Methods}.Plan()
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	if p.Repetitions != full.Repetitions {
		lines = append(lines, fmt.Sprintf("%d repetitions [%d]", p.Repetitions, full.Repetitions))
	}
	if len(p.Sets) != len(full.Sets) {
		lines = append(lines, fmt.Sprintf("%d data sets [%d]", len(p.Sets), len(full.Sets)))
	}
	for _, s := range p.Sets {
		i := slices.IndexFunc(full.Sets, func(f SetPlan) bool { return f.Name == s.Name })
		for _, d := range s.differences(full.Sets[i]) {
			if !slices.Contains(lines, d) { // the same of several sets is said once
				lines = append(lines, d)
			}
		}
	}
	return lines
}

// choices returns what was chosen where the paper leaves it open, a line each.
func (p Plan) choices() []string {
	var lines []string
	e, err := Lookup(p.Experiment)
	if err == nil {
		lines = append(lines, e.Chosen...)
	}
	for _, s := range p.Sets {
		for _, m := range []Method{EQL, MLP} {
			if c := s.sweep(m); c != nil {
				if line := fmt.Sprintf("the networks are trained in %s", c.Train.DType); !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
		}
	}
	if rows := p.svrRows(); rows > 0 {
		lines = append(lines, fmt.Sprintf("SVR: settings are tried on %d training rows, drawn at random, before the chosen "+
			"machine is fitted", rows))
	}
	var left []string
	for _, m := range Methods() {
		if !slices.Contains(p.Methods, m) && slices.ContainsFunc(e.Sets, func(s Set) bool { return s.has(m) }) {
			left = append(left, m.Title())
		}
	}
	if len(left) > 0 {
		lines = append(lines, "left out of this run: "+strings.Join(left, ", "))
	}
	return lines
}

// svrRows returns on how many rows the settings of support vector regression are tried, 0 where that is all.
func (p Plan) svrRows() int {
	for _, s := range p.Sets {
		problem, err := datasets.Lookup(s.Problem)
		if err == nil && s.SVR != nil && slices.Contains(p.Methods, SVR) &&
			float64(problem.Rows)*(1-s.Held) > float64(s.SVR.Rows) {
			return s.SVR.Rows
		}
	}
	return 0
}

func (s SetPlan) differences(full SetPlan) []string {
	var lines []string
	if s.Rows != full.Rows {
		was := "all"
		if full.Rows > 0 {
			was = fmt.Sprint(full.Rows)
		}
		lines = append(lines, fmt.Sprintf("at most %d rows, drawn at random [%s]", s.Rows, was))
	}
	for _, m := range []Method{EQL, MLP} {
		if a, b := s.sweep(m), full.sweep(m); a != nil {
			if d := sweepDifferences(*a, *b); len(d) > 0 {
				lines = append(lines, m.Title()+": "+strings.Join(d, ", "))
			}
		}
	}
	if s.SVR != nil {
		if d := svrDifferences(*s.SVR, *full.SVR); len(d) > 0 {
			lines = append(lines, "SVR: "+strings.Join(d, ", "))
		}
	}
	if s.Quick != nil {
		d := different(pair{"repetitions", s.Quick.Repetitions, full.Quick.Repetitions},
			pair{"further rounds at most", s.Quick.Extend, full.Quick.Extend})
		if len(d) > 0 {
			lines = append(lines, "eql quick: "+strings.Join(d, ", "))
		}
	}
	return lines
}

func sweepDifferences(a, b sweep.Settings) []string {
	return different(
		pair{"L", a.Layers, b.Layers}, pair{"width", a.Width, b.Width}, pair{"λ", a.Lambda, b.Lambda},
		pair{"epochs", a.Train.Epochs, b.Train.Epochs},
	)
}

func svrDifferences(a, b SVRGrid) []string {
	return different(
		pair{"C", a.C, b.C}, pair{"γ", a.Gamma, b.Gamma}, pair{"ε", a.Epsilon, b.Epsilon},
		pair{"rows of the grid", a.Rows, b.Rows}, pair{"rows of the chosen one", a.finalRows(), b.finalRows()},
	)
}

func (g SVRGrid) finalRows() string {
	if g.FinalRows == 0 {
		return "all"
	}
	return fmt.Sprint(g.FinalRows)
}

// pair is two values of one setting.
type pair struct {
	name string
	a, b any
}

func different(pairs ...pair) []string {
	var d []string
	for _, p := range pairs {
		if a, b := settingText(p.a), settingText(p.b); a != b {
			d = append(d, fmt.Sprintf("%s %s [%s]", p.name, a, b))
		}
	}
	return d
}

func settingText(v any) string {
	if list, ok := v.([]float64); ok {
		parts := make([]string, len(list))
		for i, x := range list {
			parts[i] = fmt.Sprintf("%.4g", x)
		}
		return strings.Join(parts, " ")
	}
	return strings.Trim(fmt.Sprint(v), "[]")
}
