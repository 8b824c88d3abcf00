package saved

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Evidence is what speaks for and against the formula of a target; see [evidence.Evidence].
type Evidence struct {
	Verdict   evidence.Level `json:"verdict"`        // holds, uncertain or fails
	Code      evidence.Code  `json:"code,omitempty"` // of the reason, for programs
	Kind      evidence.Kind  `json:"kind,omitempty"` // of the reason
	Reason    string         `json:"reason,omitempty"`
	Sentence  string         `json:"sentence,omitempty"` // level, kind and reason, for people
	Fitted    string         `json:"fitted"`             // the formula before special values were put in
	Constants []Constant     `json:"constants"`
	// Groups are half the intervals of the constants that differ between groups; null: the data leave one open.
	Groups [][]*float64 `json:"group_widths,omitempty"`
	Gap    *float64     `json:"gap"` // null: no other formula comes near
	Support
	Explained *float64   `json:"explained"`
	Line      *float64   `json:"line_rms"`
	Power     *Power     `json:"power_law,omitempty"`
	Greedy    *Greedy    `json:"greedy,omitempty"`
	Outer     *Outer     `json:"outer,omitempty"`          // missing where there are too few rows
	Residuals *Residuals `json:"residuals,omitempty"`      // missing where there are too few rows, or no errors
	Noise     *float64   `json:"noise"`                    // of the target, estimated from above
	Exact     bool       `json:"exact,omitempty"`          // the formula meets the data to the last digit
	Mismatch  string     `json:"units_mismatch,omitempty"` // which term does not agree with the units of the columns
	Edges     []Edge     `json:"edges,omitempty"`          // where the formula has no value, the nearest to the data first
	// Errors is what errors are taken to be; missing where they are equal, without heavy tails, and none was left out.
	Errors *evidence.Errors `json:"errors,omitempty"`
}

// Edge is a place where a formula has no value, in the data or up to twice their size; see [evidence.Edge].
type Edge struct {
	Kind   string              `json:"kind"`   // pole, logarithm, root or overflow
	Of     string              `json:"of"`     // the denominator, or the argument of the logarithm or the root
	Inside bool                `json:"inside"` // in the box of the data
	Among  bool                `json:"among"`  // with rows on both sides
	Place  map[string]*float64 `json:"place"`  // of the inputs that it depends on
	Beyond map[string]*float64 `json:"beyond"` // the range of the data
}

// Support is how a formula was found; see [evidence.Support].
type Support struct {
	Networks int `json:"networks"`
	// networks that had the form of the formula before their constants were refitted
	Trained int             `json:"as_trained"`
	Agree   int             `json:"agree"`            // networks that led to it by themselves
	Grown   int             `json:"grown"`            // networks from whose parts the search grew it
	Form    string          `json:"form,omitempty"`   // the standard form that it is
	Tables  int             `json:"tables,omitempty"` // other tables that led to it, of a law that they share
	Ways    int             `json:"ways"`             // independent ways to it
	Halves  evidence.Answer `json:"halves,omitempty"`
}

// Residuals is the test of the residuals for structure; see [evidence.Structure].
type Residuals struct {
	Z     *float64 `json:"z"`
	Limit *float64 `json:"limit"`
	Order string   `json:"order"` // of the rows with the largest Z: the name of an input, "prediction" or "neighbours"
}

// Power is the power law that was fitted for comparison.
type Power struct {
	Formula    string   `json:"formula"`
	Validation *float64 `json:"validation_rms"`
}

// Greedy is the formula that was grown without a network.
type Greedy struct {
	Formula    string   `json:"formula"`
	Complexity int      `json:"complexity"`
	Validation *float64 `json:"validation_rms"`
	Agrees     bool     `json:"agrees"` // it is the chosen formula
}

// Constant is a constant of a fitted formula: 95 % interval, and the special value that it
// became, if it did.
type Constant struct {
	Value   *float64 `json:"value"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Snapped *float64 `json:"snapped,omitempty"`
	Unit    string   `json:"unit,omitempty"` // where columns have units, and it has one
}

// Outer is the test on the outer rows; see [evidence.Extrapolation].
type Outer struct {
	Ratio     *float64 `json:"ratio"`
	Inflation *float64 `json:"inflation"`
	Limit     *float64 `json:"limit"`
	Doubt     *float64 `json:"doubt"`
	Inner     *float64 `json:"inner"`          // fraction of the rows fitted to
	Held      bool     `json:"held,omitempty"` // whether constants were held at their special values
}

func writeEvidence(e *evidence.Evidence, inputs []string) Evidence {
	r := Evidence{
		Verdict: e.Level, Code: e.Code, Kind: e.Kind, Reason: e.Reason, Sentence: e.Sentence(),
		Fitted: e.Fitted.String(), Gap: number(e.Gap), Support: Support(e.Support), Noise: number(e.Noise), Exact: e.Exact,
		Mismatch:  e.Mismatch,
		Explained: number(e.Explained), Line: number(e.Line), Constants: []Constant{},
	}
	for _, c := range e.Constants {
		rc := Constant{Value: number(c.Value), Low: number(c.Low), High: number(c.High), Unit: c.Unit}
		if c.Snapped != c.Value {
			rc.Snapped = number(c.Snapped)
		}
		r.Constants = append(r.Constants, rc)
	}
	for _, group := range e.Groups {
		var widths []*float64
		for _, half := range group {
			widths = append(widths, number(half))
		}
		r.Groups = append(r.Groups, widths)
	}
	if !e.Errors.Plain() {
		r.Errors = &e.Errors
	}
	if w := e.Power; w.Formula != nil {
		r.Power = &Power{Formula: w.Formula.String(), Validation: number(w.Validation)}
	}
	if g := e.Greedy; g.Formula != nil {
		r.Greedy = &Greedy{Formula: g.Formula.String(), Complexity: g.Complexity, Validation: number(g.Validation),
			Agrees: g.Agrees}
	}
	if x := e.Extrapolation; x.Defined {
		r.Outer = &Outer{Ratio: number(x.Ratio), Inflation: number(x.Inflation), Limit: number(x.Limit),
			Doubt: number(x.Doubt), Inner: number(x.Inner), Held: x.Held}
	}
	for _, x := range e.Edges {
		r.Edges = append(r.Edges, writeEdge(x))
	}
	if s := e.Structure; s.Defined {
		r.Residuals = &Residuals{number(s.Z), number(s.Limit), s.Along(inputs)}
	}
	return r
}

func readWidths(saved [][]*float64) (groups [][]float64) {
	for _, group := range saved {
		var widths []float64
		for _, half := range group {
			widths = append(widths, value(half, math.Inf(1)))
		}
		groups = append(groups, widths)
	}
	return groups
}

func readEvidence(saved Evidence, inputs []string) (*evidence.Evidence, error) {
	fitted, err := formula.Parse(saved.Fitted)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	e := &evidence.Evidence{
		Verdict: evidence.Verdict{Level: saved.Verdict, Code: saved.Code, Kind: saved.Kind, Reason: saved.Reason},
		Fitted:  fitted, Gap: value(saved.Gap, math.Inf(1)), Support: evidence.Support(saved.Support),
		Noise: value(saved.Noise, nan), Exact: saved.Exact, Mismatch: saved.Mismatch,
		Explained: value(saved.Explained, nan), Line: value(saved.Line, nan), Groups: readWidths(saved.Groups),
	}
	if saved.Errors != nil {
		e.Errors = *saved.Errors
	}
	if w := saved.Power; w != nil {
		e.Power.Validation = value(w.Validation, nan)
		if e.Power.Formula, err = formula.Parse(w.Formula); err != nil {
			return nil, err
		}
	}
	if g := saved.Greedy; g != nil {
		e.Greedy.Complexity, e.Greedy.Validation, e.Greedy.Agrees = g.Complexity, value(g.Validation, nan), g.Agrees
		if e.Greedy.Formula, err = formula.Parse(g.Formula); err != nil {
			return nil, err
		}
	}
	for _, k := range saved.Constants {
		v := value(k.Value, nan)
		e.Constants = append(e.Constants, evidence.Constant{
			Value: v, Low: value(k.Low, math.Inf(-1)), High: value(k.High, math.Inf(1)), Snapped: value(k.Snapped, v),
			Unit: k.Unit,
		})
	}
	if s := saved.Residuals; s != nil {
		e.Structure = evidence.Structure{Z: value(s.Z, math.Inf(1)), Limit: value(s.Limit, nan),
			Order: evidence.OrderOf(s.Order, inputs), Defined: true}
	}
	if x := saved.Outer; x != nil {
		e.Extrapolation = evidence.Extrapolation{
			Ratio: value(x.Ratio, math.Inf(1)), Inflation: value(x.Inflation, nan), Limit: value(x.Limit, nan),
			Doubt: value(x.Doubt, nan), Inner: value(x.Inner, evidence.FirstInner),
			Held: x.Held, Defined: true,
		}
	}
	for _, x := range saved.Edges {
		edge, err := readEdge(x, inputs)
		if err != nil {
			return nil, err
		}
		e.Edges = append(e.Edges, edge)
	}
	return e, nil
}

func writeEdge(x evidence.Edge) Edge {
	e := Edge{
		Kind: x.Kind.String(), Of: x.Critical.String(), Inside: x.Inside, Among: x.Among,
		Place: map[string]*float64{}, Beyond: map[string]*float64{},
	}
	for k, name := range x.Inputs {
		e.Place[name], e.Beyond[name] = number(x.Place[k]), number(x.Beyond[k])
	}
	return e
}

func readEdge(saved Edge, inputs []string) (e evidence.Edge, err error) {
	for e.Kind = formula.PoleEdge; e.Kind.String() != saved.Kind; e.Kind++ {
		if e.Kind == formula.OverflowEdge {
			return e, fmt.Errorf("there is no kind %q of places without a value", saved.Kind)
		}
	}
	if e.Critical, err = formula.Parse(saved.Of); err != nil {
		return e, err
	}
	e.Inside, e.Among = saved.Inside, saved.Among
	for _, name := range inputs {
		if place, ok := saved.Place[name]; ok {
			e.Inputs = append(e.Inputs, name)
			e.Place = append(e.Place, value(place, math.NaN()))
			e.Beyond = append(e.Beyond, value(saved.Beyond[name], math.NaN()))
		}
	}
	return e, nil
}
