package report

import (
	"math"

	"github.com/eqlearner/eql/internal/sweep"
)

// groupsView is the table of the constants that differ between groups.
type groupsView struct {
	Name   string // of the target
	Column string
	Names  []string
	Rows   []groupRow
}

type groupRow struct {
	Level     string
	Constants []constantView
}

// groups returns the table of the constants of groups, with their intervals where these are known.
func (s *study) groups(g sweep.Groups) *groupsView {
	v := &groupsView{Name: s.choice.Target, Column: g.Column, Names: g.Names}
	for i, level := range g.Levels {
		row := groupRow{Level: level}
		for k, value := range g.Values[i] {
			c := constantView{Value: number(value, s.digits), Low: "–", High: "–"}
			if g.Half != nil && !math.IsInf(g.Half[i][k], 0) {
				c.Low, c.High = interval(value-g.Half[i][k], value+g.Half[i][k])
			}
			row.Constants = append(row.Constants, c)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}
