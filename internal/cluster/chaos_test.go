package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "disturb as often as the test of a release; .ci/run asks for it")

// chaos is work that is disturbed by kills, pauses and black holes, evenly as it goes on.
type chaos struct {
	units, workers int
	each           time.Duration // that a unit takes
	times          []time.Duration
	lease          time.Duration
	kills          int // of workers, by SIGKILL
	coordinators   int // kills of the coordinator
	pauses         int // of a worker, for two leases
	holes          int // between a worker and the coordinator, for two and a half leases: nothing comes through
	poison         bool
}

// TestChaos loses no result, whoever is killed when; none is kept twice, and none is disputed.
func TestChaos(t *testing.T) {
	waits(t)
	c := chaos{
		units: 60, workers: 3, each: 50 * time.Millisecond, lease: time.Second,
		kills: 12, coordinators: 2, pauses: 2, holes: 2,
	}
	if *long {
		c.units, c.kills, c.coordinators, c.pauses, c.holes = 200, 50, 5, 5, 5
	}
	h := newHarness(t, c)
	h.disturb(t)
	h.verify(t, 0)
}

// TestPoison: a unit that kills its worker costs three workers and becomes a failed row; the others are done.
func TestPoison(t *testing.T) {
	waits(t)
	h := newHarness(t, chaos{units: 8, workers: 2, each: 10 * time.Millisecond, lease: time.Second, poison: true})
	h.disturb(t)
	if h.deaths != endlessMost {
		t.Errorf("%d workers died, want %d", h.deaths, endlessMost)
	}
	h.verify(t, 1)
}

// TestCost bounds what the coordinator takes for a unit, and its memory.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("2,000 units")
	}
	h := newHarness(t, chaos{units: 2000, workers: 3, each: time.Millisecond, lease: 10 * time.Second})
	h.disturb(t)
	h.verify(t, 0)
	cpu, memory, ok := strings.Cut(h.used, " of CPU time and ")
	if !ok {
		t.Skip("this system does not say what a process used")
	}
	spent, err := time.ParseDuration(cpu)
	if err != nil {
		t.Fatal(err)
	}
	var megabytes int
	if _, err := fmt.Sscanf(memory, "%d MB", &megabytes); err != nil {
		t.Fatal(err)
	}
	if a := spent / time.Duration(h.units); a > 2*time.Millisecond || megabytes > 40 {
		t.Errorf("the coordinator used %v of CPU time a unit and %d MB, want at most 2 ms and 40 MB", a, megabytes)
	}
}

// TestFour: on four workers the groups of networks of F-2 take at most 0.3 of the time on one. They are 18, six of each
// depth, and took 14,013.7 s in all (bench/results/paper/formulas-F-2-full/clock.json), here a thousandth of that; in
// one case all alike, which four workers divide worst, in the other by 1, 2 and 3 layers of weights.
func TestFour(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("units that sleep for 14 seconds")
	}
	const all = 14013706 * time.Microsecond
	alike, by := make([]time.Duration, 18), make([]time.Duration, 18)
	for i := range alike {
		alike[i], by[i] = all/18, all*time.Duration(3-i/6)/36 // longest first, as in a plan
	}
	for name, times := range map[string][]time.Duration{"alike": alike, "by depth": by} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, chaos{units: 18, times: times, workers: 4, lease: 10 * time.Second})
			h.disturb(t)
			h.verify(t, 0)
			e := events(t, h.dir)
			took := e[len(e)-1].At.Sub(e[0].At)
			t.Logf("%v, which is %.3f of the time of one worker", took, took.Seconds()/all.Seconds())
			if took.Seconds() > 0.3*all.Seconds() {
				t.Errorf("four workers took %v, want at most 0.3 of %v", took, all)
			}
		})
	}
}

// harness runs coordinator and workers as processes.
type harness struct {
	chaos
	dir         string
	port        int
	rng         *rand.Rand
	coordinator *process
	pool        []*process
	tunnels     []*tunnel
	deaths      int // of workers that nobody killed
	lost        []loss
	restarts    []time.Time // of the coordinator
	used        string      // by the coordinator at last
}

// loss is a unit whose worker was killed.
type loss struct {
	key string
	at  time.Time
}

type process struct {
	*exec.Cmd
	ended chan error
}

func newHarness(t *testing.T, c chaos) *harness {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{chaos: c, dir: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port, rng: rand.New(rand.NewPCG(1, 1))}
	l.Close()
	h.coordinator = h.start(t, "coordinator", "")
	eventually(t, soon, "the coordinator is there", func() bool { _, err := ReadAddress(h.dir); return err == nil })
	for range c.workers {
		tunnel := dig(t, fmt.Sprintf("127.0.0.1:%d", h.port))
		h.tunnels = append(h.tunnels, tunnel)
		h.pool = append(h.pool, h.start(t, "worker", tunnel.address()))
	}
	t.Cleanup(func() {
		for _, p := range append(h.pool, h.coordinator) {
			_ = p.Process.Signal(resume)
			_ = p.Process.Kill()
			t.Log("ended:", <-p.ended)
		}
		for _, name := range []string{"worker.log", "coordinator.log", beginsFile} {
			if said, err := os.ReadFile(filepath.Join(h.dir, name)); err == nil && t.Failed() {
				t.Logf("%s:\n%s", name, said[max(0, len(said)-4000):])
			}
		}
	})
	return h
}

// start runs this test binary in a role, see [TestMain].
func (h *harness) start(t *testing.T, role, through string) *process {
	t.Helper()
	config, err := json.Marshal(child{Role: role, Dir: h.dir, Port: h.port, Through: through,
		Units: h.units, Each: h.each, Times: h.times, Lease: h.lease, Poison: h.poison})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{exec.Command(os.Args[0]), make(chan error, 1)}
	p.Env = append(os.Environ(), childVariable+"="+string(config))
	out, err := os.OpenFile(filepath.Join(h.dir, role+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p.Stdout, p.Stderr = out, out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	return p
}

// disturb does what the chaos says, evenly over the work, until all units have a result.
func (h *harness) disturb(t *testing.T) {
	var actions []func(*testing.T)
	for _, a := range []struct {
		times int
		do    func(*testing.T)
	}{{h.kills, h.killWorker}, {h.coordinators, h.killCoordinator}, {h.pauses, h.pause}, {h.holes, h.blackHole}} {
		for range a.times {
			actions = append(actions, a.do)
		}
	}
	h.rng.Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
	did := 0
	for end := time.Now().Add(4 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		done := h.lines(t)
		for did < len(actions) && done*(len(actions)+1) >= (did+1)*h.units {
			actions[did](t)
			did++
		}
		select {
		case err := <-h.coordinator.ended:
			h.coordinator.ended <- err
			if err != nil {
				t.Fatalf("the coordinator ended with %v", err)
			}
			if did < len(actions) {
				t.Errorf("of %d disturbances there were %d", len(actions), did)
			}
			return
		default:
		}
		h.replaceDead(t)
		if time.Now().After(end) {
			t.Fatalf("only %d of %d units have a result", h.lines(t), h.units)
		}
	}
}

func (h *harness) replaceDead(t *testing.T) {
	for i, p := range h.pool {
		select {
		case err := <-p.ended:
			if err == nil { // the run has ended
				p.ended <- nil
				continue
			}
			h.deaths++
			h.pool[i] = h.start(t, "worker", h.tunnels[i].address())
		default:
		}
	}
}

func (h *harness) killWorker(t *testing.T) {
	i := h.rng.IntN(len(h.pool))
	_ = h.pool[i].Process.Kill()
	t.Log("ended:", <-h.pool[i].ended)
	h.lost = append(h.lost, h.inHand(t, h.pool[i].Process.Pid)...)
	h.pool[i] = h.start(t, "worker", h.tunnels[i].address())
}

func (h *harness) killCoordinator(t *testing.T) {
	_ = h.coordinator.Process.Kill()
	t.Log("ended:", <-h.coordinator.ended)
	h.restarts = append(h.restarts, time.Now())
	h.coordinator = h.start(t, "coordinator", "")
}

func (h *harness) pause(*testing.T) {
	p := h.pool[h.rng.IntN(len(h.pool))]
	_ = p.Process.Signal(suspend)
	time.AfterFunc(2*h.lease, func() { _ = p.Process.Signal(resume) })
}

func (h *harness) blackHole(*testing.T) {
	hole := h.tunnels[h.rng.IntN(len(h.tunnels))]
	hole.swallow(true)
	time.AfterFunc(5*h.lease/2, func() { hole.swallow(false) })
}

// lines returns how many lines the journal has.
func (h *harness) lines(t *testing.T) int {
	data, err := os.ReadFile(filepath.Join(h.dir, journalFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return bytes.Count(data, []byte("\n"))
}

// verify reads the journal: each unit has one result, which is right, or failed because its worker died so often. Units
// that failed are then done without a disturbance, but for poison.
func (h *harness) verify(t *testing.T, failures int) {
	right, failed, twice, wrong := h.read(t)
	t.Logf("%d units, %d of them given up; %s", right+failed, failed, h.delays(t))
	if failed > 0 && !h.poison { // kills hit the same unit three times
		h.coordinator = h.start(t, "coordinator", "")
		for i := range h.pool {
			h.pool[i] = h.start(t, "worker", h.tunnels[i].address())
		}
		if err := <-h.coordinator.ended; err != nil {
			t.Fatal(err)
		}
		h.coordinator.ended <- nil
		right, failed, twice, wrong = h.read(t)
	}
	if right != h.units-failures || failed != failures || twice > 0 || wrong > 0 {
		t.Errorf("%d units are done, %d failed, %d were kept twice, %d are wrong; want %d and %d failed",
			right, failed, twice, wrong, h.units-failures, failures)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "disputes.jsonl")); err == nil {
		t.Error("results are disputed")
	}
	used, err := os.ReadFile(filepath.Join(h.dir, "coordinator.log"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(used)) {
		if strings.HasPrefix(line, usedPrefix) {
			h.used = strings.TrimSpace(strings.TrimPrefix(line, usedPrefix))
			t.Logf("the coordinator used %s", h.used)
		}
	}
}

func (h *harness) read(t *testing.T) (right, failed, twice, wrong int) {
	succeeded, gaveUp := map[string]bool{}, map[string]bool{}
	for _, r := range readJournal(t, h.dir) {
		switch {
		case succeeded[r.Key]:
			twice++
		case r.Failed != "":
			gaveUp[r.Key] = true
		case string(r.Body) != answerTo(r.Key):
			wrong++
		default:
			succeeded[r.Key] = true
		}
	}
	for key := range gaveUp {
		if !succeeded[key] {
			failed++
		}
	}
	return len(succeeded), failed, twice, wrong
}

// answerTo is what a unit of the chaos comes to.
func answerTo(key string) string { return fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(key))) }

// delays says after which times units of killed workers began again.
func (h *harness) delays(t *testing.T) string {
	begun := events(t, h.dir)
	var shortest, longest time.Duration
	n := 0
	for _, l := range h.lost {
		for _, b := range begun {
			if b.Key == l.key && b.At.After(l.at) && !b.End {
				d := b.At.Sub(l.at)
				if slices.ContainsFunc(h.restarts, func(r time.Time) bool { return r.After(l.at) && r.Before(b.At) }) {
					break // what was lost begins again at once
				}
				if n++; n == 1 || d < shortest {
					shortest = d
				}
				longest = max(longest, d)
				break
			}
		}
	}
	return fmt.Sprintf("%d units of killed workers began again after %v to %v, with a lease of %v",
		n, shortest.Round(time.Millisecond), longest.Round(time.Millisecond), h.lease)
}

// inHand returns the units that a process had begun and not ended.
func (h *harness) inHand(t *testing.T, pid int) []loss {
	keys := map[string]bool{}
	for _, b := range events(t, h.dir) {
		if b.PID == pid {
			keys[b.Key] = !b.End
		}
	}
	var lost []loss
	for key, open := range keys {
		if open {
			lost = append(lost, loss{key, time.Now()})
		}
	}
	return lost
}
