package eql

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// SharedLaw is a form that several tables have in common; each has its own constants.
type SharedLaw struct {
	Target    string
	Form      formula.Expr     // with the names of the constants as variables
	Constants []SharedConstant // in the order of the form
	Tables    []TableLaw       // that have the law, in their order
	// Alone is how many of these tables led to the form by themselves.
	Alone int
	// Next is the form that fits the same tables best of all others, and Gap how much larger the sum of its BIC2 is over
	// them; nil and +Inf where there is no other.
	Next formula.Expr
	Gap  float64
	// Gain is how much larger the sum of BIC2 is of the formulas that the tables led to by themselves.
	Gain float64
	// Extrapolation is the test on the outer rows of all tables together: the mean of the ratios and of what is expected
	// of them, and a limit nearer to that than those of the tables, as there are more rows.
	Extrapolation evidence.Extrapolation
	// Refused are the tables that the law fits nearly as well as their own formula, and whose tests refuse it.
	Refused []string
}

// SharedConstant is a constant of a shared law. One that agrees in all tables is one number, with its 95 % interval.
type SharedConstant struct {
	Name   string
	Common bool
	evidence.Constant
}

// TableLaw is a shared law in one table.
type TableLaw struct {
	Table      string
	Formula    formula.Expr
	Constants  []evidence.Constant // in the order of those of the law, with 95 % intervals
	Evidence   *evidence.Evidence  // for the formula in this table
	Validation float64             // its RMS on the rows held out, or by cross-validation
	BIC2       float64
	Alone      bool // the table led to the form by itself
}

// Law returns the form with numbers for the constants that agree in all tables.
func (l *SharedLaw) Law() formula.Expr {
	put := map[string]formula.Expr{}
	for _, c := range l.Constants {
		if c.Common {
			put[c.Name] = formula.Const(c.Value)
		}
	}
	return formula.Substitute(l.Form, put)
}

// Verdict tells how far a shared law can be trusted. It holds if two tables or more led to it by themselves, no other
// form fits nearly as well, and the outer rows speak for it, of all its tables together or of at least half of them
// alone. It fails if the outer rows of all tables together contradict it. A table whose own tests contradict the law
// does not have it.
func (l *SharedLaw) Verdict() evidence.Verdict {
	holds := 0
	for _, t := range l.Tables {
		if t.Evidence.Level == evidence.Holds {
			holds++
		}
	}
	doubt := func(code evidence.Code, kind evidence.Kind, format string, args ...any) evidence.Verdict {
		return evidence.Verdict{Level: evidence.Uncertain, Code: code, Kind: kind, Reason: fmt.Sprintf(format, args...)}
	}
	switch x := l.Extrapolation; {
	case x.Fails():
		return evidence.Verdict{Level: evidence.Fails, Code: "outer-rows", Kind: evidence.Contradicts,
			Reason: "fitted to the inner rows of its tables, " + x.Failure()}
	case l.Alone < 2:
		return doubt("unsupported", evidence.Doubtful, "only one table led to it by itself")
	case l.Gap < evidence.SmallestGap:
		return doubt("rival", evidence.Doubtful, "another form fits its tables nearly as well: %v", l.Next)
	case !x.Telling() && 2*holds < len(l.Tables):
		return doubt("untelling", evidence.Untested,
			"fitted to the inner rows of its tables alone, its constants are too uncertain for a test on the outer rows")
	}
	return evidence.Verdict{Level: evidence.Holds, Code: "holds",
		Reason: "outside the data of its tables as far as can be told"}
}

// outerRows returns the test on the outer rows of all tables together. The ratio of a right law differs from what is
// expected by so much less in the mean of n tables than in one as √n says.
func outerRows(tables []TableLaw) evidence.Extrapolation {
	var sum evidence.Extrapolation
	n, squares := 0.0, 0.0
	for _, t := range tables {
		if x := t.Evidence.Extrapolation; x.Defined {
			sum.Ratio += x.Ratio
			sum.Inflation += x.Inflation
			sum.Inner += x.Inner
			sum.Doubt += x.Doubt
			squares += (x.Limit - x.Inflation) * (x.Limit - x.Inflation)
			n++
		}
	}
	if n == 0 {
		return sum
	}
	return evidence.Extrapolation{
		Ratio: sum.Ratio / n, Inflation: sum.Inflation / n, Limit: (sum.Inflation + math.Sqrt(squares)) / n,
		Inner: sum.Inner / n, Doubt: sum.Doubt / n, Defined: true,
	}
}

// Share looks for laws that tables have in common. The candidates are the forms of the formulas that were found in
// each, by table and target; constants are taken out, and each form is fitted to every table with constants of its own.
// The sum of BIC2 over the tables decides. A table takes a law unless its own formula is clearly better by BIC2 or the
// tests of the table refuse the law; such tables may have another law in common, or keep their own formula. The laws
// that more tables gain by come first.
//
// The tables are read again, several at a time as [FitEach] does, and of a large one 2,000 rows are looked at. The
// error joins the reasons why tables were left out; it comes with the laws of the others. When ctx is done, the error
// is ctx's. The result does not depend on the number of workers.
func Share(
	ctx context.Context, tables iter.Seq2[string, Source], found map[string]map[string]formula.Expr, options ...Option,
) ([]SharedLaw, error) {
	s := &sharing{workers: atATime(options)}
	err := s.read(ctx, tables, found, options)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var laws []SharedLaw
	for _, target := range s.targets {
		of := slices.DeleteFunc(slices.Clone(s.members), func(m *member) bool { return m.target != target })
		laws = append(laws, s.lawsOf(ctx, target, of)...)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return laws, err
}
