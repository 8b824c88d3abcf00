package work

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// ledger keeps results in slices. The body "bad" is that of a unit that failed.
func ledger() (l *Ledger, journal, disputes *[]string) {
	journal, disputes = &[]string{}, &[]string{}
	to := func(list *[]string) func(Result) error {
		return func(r Result) error {
			*list = append(*list, r.Key+"="+string(r.Body)+r.Failed)
			return nil
		}
	}
	same := func(r Result) ([]byte, error) {
		if string(r.Body) == `"bad"` {
			return nil, nil
		}
		return r.Body, nil
	}
	return &Ledger{Append: to(journal), Dispute: to(disputes), Same: same}, journal, disputes
}

func TestLedger(t *testing.T) {
	ok := func(key, body string) Result { return Result{Key: key, Body: json.RawMessage(body)} }
	failed := func(key string) Result { return Result{Key: key, Failed: "died"} }
	for _, tt := range []struct {
		name              string
		known, come       []Result
		firsts            []bool
		journal, disputes []string
	}{
		{"the first is kept", nil, []Result{ok("a", "1"), ok("b", "1")}, []bool{true, true},
			[]string{"a=1", "b=1"}, []string{}},
		{"a second that is the same is dropped", nil, []Result{ok("a", "1"), ok("a", "1")}, []bool{true, false},
			[]string{"a=1"}, []string{}},
		{"a second that differs is a dispute",
			nil, []Result{ok("a", "1"), ok("a", "2"), ok("a", "1")}, []bool{true, false, false},
			[]string{"a=1"}, []string{"a=2"}},
		{"what the journal has is the first",
			[]Result{ok("a", "1")}, []Result{ok("a", "1"), ok("a", "2")}, []bool{false, false},
			[]string{}, []string{"a=2"}},
		{"a result comes after a failure", nil, []Result{failed("a"), failed("a"), ok("a", "1"), failed("a")},
			[]bool{true, false, false, false}, []string{"a=died", "a=1"}, []string{}},
		{"a body that says that it failed", nil, []Result{ok("a", `"bad"`), ok("a", "1")}, []bool{true, false},
			[]string{`a="bad"`, "a=1"}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, journal, disputes := ledger()
			for _, r := range tt.known {
				if err := l.Knows(r); err != nil {
					t.Fatal(err)
				}
			}
			var firsts []bool
			for _, r := range tt.come {
				first, err := l.Take(r)
				if err != nil {
					t.Fatal(err)
				}
				firsts = append(firsts, first)
			}
			got, want := []any{firsts, *journal, *disputes}, []any{tt.firsts, tt.journal, tt.disputes}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("firsts, journal and disputes are %q, want %q", got, want)
			}
		})
	}
}

// A result that could not be kept is as if it had not come.
func TestLedgerFullDisk(t *testing.T) {
	l, journal, _ := ledger()
	keep, full := l.Append, errors.New("the disk is full")
	l.Append = func(Result) error { return full }
	r := Result{Key: "a", Body: json.RawMessage("1")}
	if _, err := l.Take(r); !errors.Is(err, full) {
		t.Fatalf("got %v, want %v", err, full)
	}
	l.Append = keep
	if first, err := l.Take(r); !first || err != nil || len(*journal) != 1 {
		t.Errorf("got %v, %v and the journal %q", first, err, *journal)
	}
}
