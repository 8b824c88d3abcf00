package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	kills          = flag.Int("kills", 2, "how often TestKills ends eql fit by kill -9")
	reproduceKills = flag.Int("reproduce-kills", 0, "how often TestKills ends eql reproduce by kill -9")
	killSeed       = flag.Uint64("kill-seed", 1, "seed of the moments at which TestKills kills")
)

// TestKills ends runs by kill -9 at random moments and resumes them until they end by themselves, again and again until
// it has killed as often as the flags say. What is in the folder then is, but for times, what a run has that was left
// alone.
//
//	go test ./internal/command -run TestKills -v -kills 100 -reproduce-kills 30
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	if runtime.GOOS == "windows" {
		t.Skip("there a process cannot be killed between two writes, but at the end of one")
	}
	for _, test := range []struct {
		name    string
		kills   int
		begin   []string
		resumed func(dir string) []string
		begun   string // the file without which a run cannot be resumed
	}{
		{
			"fit, a law is searched for", (*kills + 1) / 2,
			[]string{"fit", "data.csv", "--epochs", "1400", "--lambda", "0.001,0.01", "--restarts", "2", "--layers", "2,3",
				"--width", "1", "--time-limit", "0", "--quiet"},
			func(dir string) []string { return []string{"fit", "--resume", dir, "--time-limit", "0", "--quiet"} },
			"config.json",
		},
		{
			"fit, networks alone", *kills / 2,
			append(slices.Clone(longRun), "--quiet"),
			func(dir string) []string { return []string{"fit", "--resume", dir, "--quiet"} },
			"config.json",
		},
		{
			"reproduce", *reproduceKills,
			[]string{"reproduce", "xray", "--preset", "short", "--methods", "eql", "--repetitions", "1", "--quiet"},
			func(dir string) []string { return []string{"reproduce", "xray", "--resume", "--quiet", "--out", dir} },
			"experiment.json",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.kills == 0 {
				t.Skip("no kills are asked for")
			}
			k := killer{t: t, dir: t.TempDir(), rng: rand.New(rand.NewPCG(*killSeed, 0))}
			if err := os.WriteFile(filepath.Join(k.dir, "data.csv"), randomTable(60, 2), 0o666); err != nil {
				t.Fatal(err)
			}
			first := time.Now()
			if killed := k.run(slices.Concat(test.begin, []string{"--out", "whole"}), 0); killed {
				t.Fatal("a run that was left alone was killed")
			}
			k.longest = time.Since(first)
			want := contents(t, filepath.Join(k.dir, "whole"))
			left := test.kills
			for run := 0; left > 0; run++ {
				dir := fmt.Sprintf("run-%d", run)
				killed, moments, began := true, []time.Duration(nil), time.Now()
				for killed {
					args := slices.Concat(test.begin, []string{"--out", dir})
					if _, err := os.Stat(filepath.Join(k.dir, dir, test.begun)); err == nil {
						args = test.resumed(dir)
					}
					wait := time.Duration(0)
					if left > 0 && len(moments) < mostKills {
						wait = time.Millisecond + time.Duration(k.rng.Float64()*float64(k.longest)/2)
					}
					if killed = k.run(args, wait); killed {
						moments = append(moments, wait)
						left--
					}
				}
				if len(moments) == 0 { // the machine has less to do than before
					k.longest = min(k.longest, time.Since(began))
				}
				if got := contents(t, filepath.Join(k.dir, dir)); got != want {
					t.Fatalf("killed after %v, the run ends with other bits:\n%s", moments, firstDifference(want, got))
				}
				if err := os.RemoveAll(filepath.Join(k.dir, dir)); err != nil {
					t.Fatal(err)
				}
				t.Logf("run %d: the same bits after kills at %v", run, moments)
			}
			t.Logf("%d kills, the same bits each time", test.kills)
		})
	}
}

// mostKills is how often one run is killed before it is left to end.
const mostKills = 8

// killer starts processes in a folder and kills them.
type killer struct {
	t       *testing.T
	dir     string
	rng     *rand.Rand
	longest time.Duration // that a run takes that is left alone
}

// run runs eql, kills it after a while, unless that is 0, and reports whether it was killed before it ended.
func (k *killer) run(args []string, after time.Duration) (killed bool) {
	k.t.Helper()
	var notes bytes.Buffer
	c := exec.Command("eql", args...)
	c.Dir, c.Stderr = k.dir, &notes
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { c.Process.Kill() }) //nolint:errcheck // it may have ended
		defer timer.Stop()
	}
	err := c.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() >= 0) {
		k.t.Fatalf("eql %v: %v\n%s", args, err, &notes)
	}
	return err != nil
}

// contents returns the files in a folder as text, without times and without the order in which workers were done.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "clock.json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		switch filepath.Ext(path) {
		case ".jsonl":
			lines := slices.Collect(strings.Lines(text))
			slices.Sort(lines)
			text = strings.Join(lines, "")
		case ".json":
			text, err = withoutTimes(data)
		case ".md":
			text, _, _ = strings.Cut(text, "\n- time: ")
		}
		name, rerr := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "== %s\n%s\n", name, text)
		return errors.Join(err, rerr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// withoutTimes returns JSON without what differs from one run to the next.
func withoutTimes(data []byte) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(deleteTimes(v), "", " ")
	return string(text), err
}

func deleteTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if slices.Contains([]string{"seconds", "training_seconds", "searching_seconds", "times"}, key) {
				delete(v, key)
			} else {
				deleteTimes(value)
			}
		}
	case []any:
		for _, value := range v {
			deleteTimes(value)
		}
	}
	return v
}

// firstDifference returns the first line in which two texts differ, of both, cut to a length that can be read.
func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(la), len(lb)) {
		var x, y string
		if i < len(la) {
			x = la[i]
		}
		if i < len(lb) {
			y = lb[i]
		}
		if x != y {
			return fmt.Sprintf("line %d is %.300q, want %.300q", i+1, y, x)
		}
	}
	return "there is none"
}
