package formula

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseJSON(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"number", "-1.5e-7", "-1.5e-7"},
		{"variable", ` "a b" `, "`a b`"},
		{"tree", `{"add":["x",{"mul":[-1,{"sin":"y"},{"pow":["z",-2]}]}]}`, "x - sin(y)/z^2"},
		{"nothing added", `{"add":[]}`, "0"},
		{"one factor", `{"mul":["x"]}`, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ParseJSON([]byte(tt.in))
			if err != nil || e.String() != tt.want {
				t.Errorf("ParseJSON(%s) = %v, %v, want %s", tt.in, e, err, tt.want)
			}
		})
	}
}

func TestParseJSONErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", "offset 0: unexpected EOF"},
		{"cut", `{"add":["x"`, "offset 11: unexpected EOF"},
		{"null", "null", `offset 4: unexpected <nil> (want a number, a name or an object such as {"add":[1,"x"]})`},
		{"no key", "{}", "offset 2: an operation is an object with one key"},
		{"two keys", `{"sin":"x","cos":"x"}`, `offset 10: a second key after "sin" (an operation is an object with one key)`},
		{"operation", `{"sub":[1,2]}`,
			`offset 6: unknown operation "sub" (want add, mul, pow or one of sin, cos, tan, exp, log, sqrt, sigmoid, tanh, asin, acos, atan, sinh, cosh, abs, min, max)`},
		{"operands", `{"pow":[1,2,3]}`, "offset 14: pow has 3 operands, want base and exponent"},
		{"one of two", `{"max":["x"]}`, "offset 12: max has 1 operands, want 2"},
		{"no list", `{"add":1}`, "offset 8: unexpected 1, want a list of operands"},
		{"too large", "1e999", "offset 5: 1e999 is too large for a number"},
		{"more", "1 2", "offset 3: more text after the expression"},
		{"deep", strings.Repeat(`{"sin":`, maxDepth+2), "offset 7006: nested more than 1000 levels deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseJSON([]byte(tt.in))
			if want := "formula in JSON: " + tt.want; fmt.Sprint(err) != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{
		"1", `"x"`, `{"add":["x",{"mul":[-1,{"sin":"y"},{"pow":["z",-2]}]}]}`,
		`{"mul":[-1,-1,-0]}`, `{"pow":[{"pow":["x",-1]},-1]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ParseJSON(data)
		if err != nil {
			return
		}
		s := Print(e, JSON, 0)
		if again, err := ParseJSON([]byte(s)); err != nil || !Equal(again, e) {
			t.Errorf("%q prints as %s, which reads back as %v, %v", data, s, again, err)
		}
		if again, err := Parse(e.String()); err != nil || !Equal(again, e) {
			t.Errorf("%q prints as %s, which reads back as %v, %v", data, e, again, err)
		}
	})
}
