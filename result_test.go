package eql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// TestChoose makes each row of a table the formula, and returns to the run's own choice; from a folder, too.
func TestChoose(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	dir := filepath.Join(t.TempDir(), "run")
	fitted, err := eql.Fit(context.Background(), pendulum(), quick, eql.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := eql.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*eql.Result{fitted, loaded} {
		own, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		id := r.Chosen("torque").ID
		front := r.Front("torque")
		if len(front) < 2 {
			t.Fatalf("the front has %d rows, want several", len(front))
		}
		for _, row := range front {
			if row.Evidence == nil {
				t.Errorf("model %d has no evidence", row.ID)
			}
			if err := r.Choose("torque", row.ID); err != nil {
				t.Fatal(err)
			}
			if now := r.Chosen("torque"); now.ID != row.ID || now.Evidence != row.Evidence ||
				r.Verdict("torque") != row.Evidence.Verdict {
				t.Errorf("chose %+v, got %+v", row, now)
			}
		}
		if err := r.Choose("torque", id); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(r); err != nil || string(again) != string(own) {
			t.Errorf("after all, %v:\n%s, want\n%s", err, again, own)
		}
		for name, c := range map[string]struct {
			target string
			model  int
		}{"a name that is not a target": {"angle", 0}, "no such model": {"torque", 1000}} {
			if err := r.Choose(c.target, c.model); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

// TestLoad reads a result that was kept, and names what is wrong with a folder.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	dir := filepath.Join(t.TempDir(), "run")
	want, err := eql.Fit(context.Background(), pendulum(), quick, eql.Folder(dir), eql.WithTest("again", pendulum()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := eql.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, gerr := json.Marshal(got)
	w, werr := json.Marshal(want)
	if gerr != nil || werr != nil || string(g) != string(w) {
		t.Errorf("loaded %s, %v, want %s, %v", g, gerr, w, werr)
	}
	if got.Equation("torque") != want.Equation("torque") || got.RMS.Test["again"] != want.RMS.Test["again"] {
		t.Errorf("loaded %s, %v, want %s, %v", got.Equation("torque"), got.RMS, want.Equation("torque"), want.RMS)
	}
	if _, err := eql.Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), run.ErrNotARun.Error()) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "result.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	var damaged *run.DamagedError
	if _, err := eql.Load(dir); !errors.As(err, &damaged) || damaged.File != "result.json" {
		t.Errorf("a damaged result: %v", err)
	}
}

// TestTextColumns learns from a file with words and amounts, in two lines, and predicts for another.
func TestTextColumns(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := "lamp,note,x,y,day\n"
	for i := range 60 {
		x, on, word := float64(i%12)/3, i%5%2, "off"
		if on == 1 {
			word = "on"
		}
		data += fmt.Sprintf("%s,n%d,%g m,%.6f,2024-03-%02d\n", word, i, x, 2*x+3*float64(on), 1+i%28)
	}
	table, codings, err := datasets.Load(write("data.csv", data), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Names, " "); got != "lamp x y day" {
		t.Fatalf("the table has %s, want all but the note", got)
	}
	run := filepath.Join(dir, "run")
	fitted, err := eql.Fit(context.Background(), table, eql.Columns(codings), quick, eql.Folder(run))
	if err != nil {
		t.Fatal(err)
	}
	if got := fitted.Equation("y"); got != "y = 3*lamp + 2*x" && got != "y = 2*x + 3*lamp" {
		t.Errorf("got %s", got)
	}
	loaded, err := eql.Load(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*eql.Result{fitted, loaded} {
		other, err := r.Read(write("other.csv", "x,lamp\n10 m,on\n10 m,off\n"), datasets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := r.Predict(other)
		if err != nil {
			t.Fatal(err)
		}
		if got := y["y"]; len(got) != 2 || math.Abs(got[0]-23) > 1e-6 || math.Abs(got[1]-20) > 1e-6 {
			t.Errorf("predicted %v, want 23 and 20", got)
		}
		if _, err := r.Read(write("third.csv", "x,lamp\n1 m,dim\n"), datasets.Options{}); err == nil {
			t.Error("a word that the run does not know is read")
		}
	}
	if strings.Contains(fmt.Sprint(fitted.Targets), "day") {
		t.Error("the last column, of dates, is a target")
	}
}
