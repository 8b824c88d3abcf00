package formula

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// printJSON writes the tree: a number as a number, a variable as a string, everything else as
// an object with the operation as its only key.
//
//	2*x1 - sin(x2)   {"add":[{"mul":[2,"x1"]},{"mul":[-1,{"sin":"x2"}]}]}
//	x/y^2            {"mul":["x",{"pow":["y",-2]}]}
//	max(x, 0)        {"max":["x",0]}
func printJSON(e Expr) string {
	var b strings.Builder
	writeJSON(&b, e)
	return b.String()
}

func writeJSON(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case number:
		b.WriteString(formatNumber(float64(e)))
	case variable:
		s, _ := json.Marshal(string(e)) // a string is always marshalled
		b.Write(s)
	case *call:
		b.WriteString(`{"` + e.f.String() + `":`)
		writeJSONArguments(b, e.args)
		b.WriteString("}")
	case *sum:
		writeJSONList(b, "add", e.terms)
	case *product:
		writeJSONList(b, "mul", e.factors)
	case *power:
		writeJSONList(b, "pow", []Expr{e.base, e.exp})
	}
}

// writeJSONArguments writes one argument as it is, and two as a list.
func writeJSONArguments(b *strings.Builder, args []Expr) {
	if len(args) == 1 {
		writeJSON(b, args[0])
		return
	}
	writeJSONItems(b, args)
}

func writeJSONList(b *strings.Builder, op string, xs []Expr) {
	b.WriteString(`{"` + op + `":`)
	writeJSONItems(b, xs)
	b.WriteString("}")
}

func writeJSONItems(b *strings.Builder, xs []Expr) {
	b.WriteString("[")
	for i, x := range xs {
		if i > 0 {
			b.WriteString(",")
		}
		writeJSON(b, x)
	}
	b.WriteString("]")
}

// ParseJSON reads what [Print] writes in the form [JSON]. An error names the offset in bytes.
func ParseJSON(data []byte) (Expr, error) {
	d := &jsonReader{json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	e, err := d.expr(0)
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return nil, fmt.Errorf("formula in JSON: offset %d: %w", d.InputOffset(), err)
	}
	return e, nil
}

type jsonReader struct{ *json.Decoder }

func (d *jsonReader) expr(depth int) (Expr, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d levels deep", maxDepth)
	}
	tok, err := d.token()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case string:
		return Var(tok), nil
	case json.Number:
		v, err := tok.Float64()
		if err != nil || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s is too large for a number", abbreviate(tok.String()))
		}
		return number(v), nil
	case json.Delim:
		if tok == '{' {
			return d.operation(depth)
		}
	}
	return nil, fmt.Errorf(`unexpected %v (want a number, a name or an object such as {"add":[1,"x"]})`, tok)
}

// operation reads an object after its opening brace.
func (d *jsonReader) operation(depth int) (Expr, error) {
	tok, err := d.token()
	if err != nil {
		return nil, err
	}
	op, ok := tok.(string)
	if !ok {
		return nil, errors.New("an operation is an object with one key")
	}
	e, err := d.operands(op, depth)
	if err != nil {
		return nil, err
	}
	if !d.More() {
		_, err = d.token()
		return e, err
	}
	return nil, fmt.Errorf("a second key after %q (an operation is an object with one key)", op)
}

func (d *jsonReader) operands(op string, depth int) (Expr, error) {
	f, isFunc := funcByName(op)
	if isFunc && f.Arity() == 1 {
		x, err := d.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		return Call(f, x), nil
	}
	if !isFunc && op != "add" && op != "mul" && op != "pow" {
		return nil, fmt.Errorf("unknown operation %q (want add, mul, pow or one of %s)", abbreviate(op), funcNames())
	}
	xs, err := d.list(depth + 1)
	switch {
	case err != nil:
		return nil, err
	case op == "pow" && len(xs) != 2:
		return nil, fmt.Errorf("pow has %d operands, want base and exponent", len(xs))
	case isFunc && len(xs) != f.Arity():
		return nil, fmt.Errorf("%s has %d operands, want %d", op, len(xs), f.Arity())
	case isFunc:
		return Call(f, xs...), nil
	case op == "pow":
		return Pow(xs[0], xs[1]), nil
	case op == "add":
		return Add(xs...), nil
	}
	return Mul(xs...), nil
}

func (d *jsonReader) list(depth int) ([]Expr, error) {
	tok, err := d.token()
	if err != nil {
		return nil, err
	}
	if tok != json.Delim('[') {
		return nil, fmt.Errorf("unexpected %v, want a list of operands", tok)
	}
	var xs []Expr
	for d.More() {
		x, err := d.expr(depth)
		if err != nil {
			return nil, err
		}
		xs = append(xs, x)
	}
	_, err = d.token()
	return xs, err
}

// token is Decoder.Token for input that must not end yet.
func (d *jsonReader) token() (json.Token, error) {
	tok, err := d.Token()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return tok, err
}

// end refuses anything after the expression.
func (d *jsonReader) end() error {
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more text after the expression")
	}
	return nil
}
