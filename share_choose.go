package eql

import (
	"context"
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// ownPrice is by how much the BIC2 of a table's own formula must be lower than that of a law of other tables to be
// kept: networks and searches look at some 10⁵ formulas in a table, and the best of as many wrong ones explains 2·ln
// 10⁵ by chance. Half as much and twice as much change no table of the tests; without it each formula that is wrong by
// chance keeps its table, and 1000 gives decays and waves one polynomial.
var ownPrice = 2 * math.Log(1e5)

// weighed is what the tests of a table say of a form with constants fitted to it.
type weighed struct {
	evidence   *evidence.Evidence // nil where it could not be judged
	validation float64
	refused    bool
}

func fails(e *evidence.Evidence) bool { return e.Level == evidence.Fails }

// lawsOf returns the laws of one target.
func (s *sharing) lawsOf(ctx context.Context, target string, members []*member) (laws []SharedLaw) {
	candidates := s.candidates(ctx, members)
	left := slices.Clone(members)
	for ctx.Err() == nil {
		var best *candidate
		var takes []*member
		most := 0.0
		for _, c := range candidates {
			if of, gain := c.takenBy(left); len(of) > 1 && gain > most {
				best, takes, most = c, of, gain
			}
		}
		if best == nil {
			break
		}
		if s.weigh(ctx, best, takes) {
			continue // a table refuses it: another form may be better now
		}
		law, of := s.conclude(ctx, best, takes, candidates)
		if law != nil {
			law.Target = target
			laws = append(laws, *law)
		}
		left = slices.DeleteFunc(left, func(m *member) bool { return slices.Contains(of, m) })
	}
	return laws
}

// takenBy returns the tables that take the form, and by how much the sum of BIC2 is lower than that of their own
// formulas, each with its price.
func (c *candidate) takenBy(members []*member) (of []*member, gain float64) {
	for _, m := range members {
		of1, gain1 := c.takes(m)
		if of1 {
			of, gain = append(of, m), gain+gain1
		}
	}
	return of, gain
}

// takes reports whether a table takes the form: by BIC2, or because its own formula is refused, and unless the form is.
func (c *candidate) takes(m *member) (bool, float64) {
	if w := c.weight[m]; math.IsInf(c.bic2[m], 1) || w != nil && w.refused {
		return false, 0
	}
	gain := m.bic2 + ownPrice - c.bic2[m]
	if math.IsInf(m.bic2, 1) || m.fails && gain < 0 {
		gain = 0
	}
	return gain >= 0, gain
}

// weigh asks the tests of tables that were not asked yet, and reports whether any refuses the form.
func (s *sharing) weigh(ctx context.Context, c *candidate, members []*member) (refused bool) {
	found := make([]*weighed, len(members))
	s.each(ctx, len(members), func(i int) {
		if found[i] = c.weight[members[i]]; found[i] == nil {
			found[i] = c.ask(members[i], c.values[members[i]])
		}
	})
	for i, m := range members {
		if found[i] == nil { // ctx is done
			return true
		}
		c.weight[m] = found[i]
		refused = refused || found[i].refused
	}
	return refused
}

// ask asks the tests of a table about the form with some constants.
func (c *candidate) ask(m *member, values []float64) *weighed {
	others := len(c.of)
	if c.of[m] {
		others--
	}
	e, validation, err := m.judge.Weigh(c.with(values), others)
	return &weighed{e, validation, err != nil || fails(e)}
}

// with returns the form with numbers for its constants.
func (c *candidate) with(values []float64) formula.Expr {
	put := map[string]formula.Expr{}
	for i, name := range c.names {
		put[name] = formula.Const(values[i])
	}
	return formula.Substitute(c.form, put)
}

// conclude makes one number of the constants that agree and returns the law with its tables. A table that refuses the
// law then has not got it; it returns all tables that are settled.
func (s *sharing) conclude(
	ctx context.Context, c *candidate, members []*member, all []*candidate,
) (*SharedLaw, []*member) {
	for len(members) > 1 && ctx.Err() == nil {
		tables := fit.Tables{Inputs: c.inputs()}
		var values [][]float64
		for _, m := range members {
			d, _ := c.dataOf(m) // it was fitted
			tables.Data, values = append(tables.Data, d), append(values, c.values[m])
		}
		common, err := tables.Together(c.form, c.names, values)
		if err != nil {
			return nil, members
		}
		found := make([]*weighed, len(members))
		s.each(ctx, len(members), func(i int) {
			found[i] = c.weight[members[i]]
			if slices.Contains(common.Is, true) {
				found[i] = c.ask(members[i], common.Values[i])
			}
		})
		var rest []*member
		for i, m := range members {
			if found[i] != nil && !found[i].refused {
				rest = append(rest, m)
			} else {
				c.weight[m] = &weighed{refused: true}
			}
		}
		if len(rest) == len(members) {
			return c.law(members, common, tables, found, all), members
		}
		members = rest
	}
	return nil, members
}

// law writes what was found.
func (c *candidate) law(
	members []*member, common fit.Common, tables fit.Tables, found []*weighed, all []*candidate,
) *SharedLaw {
	const normal = 1.959963984540054 // half the width of a 95 % interval in standard errors
	l := &SharedLaw{Form: c.form, Gap: math.Inf(1)}
	for k, name := range c.names {
		constant := SharedConstant{Name: name, Common: common.Is[k]}
		if v := common.Values[0][k]; constant.Common {
			half := normal * common.Errors[k]
			constant.Constant = evidence.Constant{Value: v, Low: v - half, High: v + half, Snapped: v}
		}
		l.Constants = append(l.Constants, constant)
	}
	sum, own := 0.0, 0.0
	for i, m := range members {
		t := TableLaw{
			Table: m.table, Formula: c.with(common.Values[i]), Evidence: found[i].evidence, Validation: found[i].validation,
			BIC2: c.bic2[m], Alone: c.of[m],
			Constants: c.constantsIn(tables.Inputs, tables.Data[i], common, i, l.Constants),
		}
		if t.Alone {
			l.Alone++
		}
		l.Tables = append(l.Tables, t)
		sum, own = sum+c.bic2[m], own+m.bic2
	}
	l.Gain, l.Extrapolation = own-sum, outerRows(l.Tables)
	for m, w := range c.weight {
		if w.refused {
			l.Refused = append(l.Refused, m.table)
		}
	}
	slices.Sort(l.Refused)
	for _, other := range all {
		if other == c {
			continue
		}
		total := 0.0
		for _, m := range members {
			total += other.bic2[m]
		}
		if gap := total - sum; gap < l.Gap {
			l.Next, l.Gap = other.form, gap
		}
	}
	return l
}

// constantsIn returns the constants of a law in one table with their intervals; of those in common the law's.
func (c *candidate) constantsIn(
	inputs []string, d fit.Data, common fit.Common, table int, shared []SharedConstant,
) []evidence.Constant {
	p := common.Values[table]
	constants, err := fit.IntervalsApart(c.form, c.names, inputs, d, p, common.Is)
	if err != nil { // too few rows to say
		for _, v := range p {
			constants = append(constants, evidence.Constant{Value: v, Low: math.Inf(-1), High: math.Inf(1), Snapped: v})
		}
	}
	for k := range constants {
		if common.Is[k] {
			constants[k] = shared[k].Constant
		}
	}
	return constants
}
