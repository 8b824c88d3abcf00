package report

import (
	"math"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// TestPageHasGroups expects the form once, and a row of the table for each group.
func TestPageHasGroups(t *testing.T) {
	p := planted([3]string{"g=<p>", "g=q", "y"}, 60, 0)
	levels := []string{"<p>", "q"}
	p.Run.Columns = map[string]datasets.Coding{}
	for i, level := range levels {
		p.Run.Columns["g="+level] = datasets.Coding{Level: &datasets.LevelCoding{Column: "g", Levels: levels, Level: i}}
	}
	c := &p.Result.Chosen[0]
	c.Formula = formula.MustParse("2.25*`g=<p>` + 3.5*`g=q`")
	c.Evidence.Fitted, c.Evidence.Groups = c.Formula, [][]float64{{0.25}, {math.Inf(1)}}
	text := written(t, p)
	for _, want := range []string{
		"<caption>Constants of each g, with 95&nbsp;% intervals</caption>",
		`<tr><th scope="row" class="text">&lt;p&gt;</th><td>2.25</td><td>2.00</td><td>2.50</td></tr>`,
		`<tr><th scope="row" class="text">q</th><td>3.5</td><td>–</td><td>–</td></tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if err := balanced(text); err != nil {
		t.Error(err)
	}
}
