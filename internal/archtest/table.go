package archtest

// Rules are what a tree is held to.
type Rules struct {
	Path       string            // module path, the prefix of our own imports
	Packages   []Package         // one per folder that has Go files
	Exits      map[string]string // functions that may panic or exit ("folder.Func", "folder.Type.Method"), with the reason
	MaxLines   int               // longest Go file written by hand
	MaxColumns int               // longest line in one
	Skip       []string          // folders at the top that hold nothing of ours
}

// Package is a row of the import table of ARCHITECTURE.md. The standard library is always allowed.
type Package struct {
	Folder  string   // from the module's root, "." for the root itself
	Ours    []string // our folders that it may import
	Outside []string // import paths of others, each with what lies below it
}

const (
	gonum  = "gonum.org/v1/gonum"
	tensor = "gorgonia.org/tensor"
	gorgon = "gorgonia.org/gorgonia"
	cuda   = "gorgonia.org/cu" // only in files with the tag below
	gpuTag = "gpu"             // not cuda: Gorgonia reads that one itself and then needs cuDNN
)

// Reasons for more than one panic.
const (
	callersBug = "a wrong argument can only come from a mistake in a program, never from data or flags"
	allKinds   = "after a switch over all kinds of expression, which only this package can add to"
)

// core is what package eql is made of, library what a command, a benchmark or a test helper may build on besides.
var (
	core = []string{
		"formula", "evidence", "datasets", "model", "internal/units", "internal/kernel", "graph", "trainer", "run",
		"internal/fit", "internal/distill", "internal/trajectory", "internal/sweep", "internal/saved",
	}
	library = append([]string{".", "internal/baseline", "internal/report"}, core...)
)

// Module is the table of this module. A new package changes it, ARCHITECTURE.md and .golangci.yml in one commit.
var Module = Rules{
	Path: "github.com/eqlearner/eql",
	Packages: []Package{
		{Folder: "formula"},
		{Folder: "evidence", Ours: []string{"formula"}},
		{Folder: "datasets", Outside: []string{"golang.org/x/text/encoding/unicode"}},
		{Folder: "model", Ours: []string{"formula"}, Outside: []string{gonum}},
		{Folder: "internal/units", Ours: []string{"formula"}},
		{Folder: "internal/kernel", Outside: []string{"golang.org/x/sys/cpu"}},
		{Folder: "internal/journal"},
		{Folder: "internal/work"},
		{Folder: "internal/cluster", Ours: []string{"internal/work"}, Outside: []string{
			"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go"}},
		{Folder: "internal/trajectory", Ours: []string{"formula", "evidence", "datasets", "internal/fit"}},
		{Folder: "internal/gpu"},
		{Folder: "internal/ptx"},
		{Folder: "internal/forms", Ours: []string{"formula"}, Outside: []string{gonum}},
		{Folder: "internal/search", Ours: []string{"formula", "internal/kernel", "internal/units"}, Outside: []string{gonum}},
		{Folder: "graph", Ours: []string{"model", "internal/kernel", "internal/gpu", "internal/ptx"}, Outside: []string{
			gorgon, tensor, cuda, "github.com/chewxy/hm", "go4.org/unsafe/assume-no-moving-gc"}},
		{Folder: "trainer", Ours: []string{"graph", "model", "datasets", "internal/kernel"},
			Outside: []string{gorgon, tensor}},
		{Folder: "run", Ours: []string{"trainer", "model", "internal/units"}},
		{Folder: "internal/fit", Ours: []string{"formula", "evidence"}, Outside: []string{gonum}},
		{Folder: "internal/distill", Ours: []string{"model", "formula", "evidence", "internal/fit", "internal/kernel"},
			Outside: []string{gonum}},
		{Folder: "internal/sweep", Ours: []string{
			"run", "evidence", "trainer", "internal/fit", "internal/distill", "formula", "model", "datasets",
			"internal/journal", "internal/search", "internal/forms", "internal/units", "internal/trajectory"}},
		{Folder: "internal/batch",
			Ours: []string{".", "run", "evidence", "formula", "datasets", "internal/sweep", "internal/journal"}},
		{Folder: "internal/saved", Ours: []string{"internal/sweep", "run", "evidence", "formula", "datasets", "trainer",
			"internal/kernel", "internal/trajectory"}},
		{Folder: "internal/baseline", Ours: []string{"trainer", "model", "datasets"}, Outside: []string{gonum}},
		{Folder: "internal/report", Ours: []string{
			".", "formula", "evidence", "run", "model", "datasets", "trainer", "internal/sweep",
			"internal/batch"}, Outside: []string{"gonum.org/v1/plot"}},
		{Folder: ".", Ours: core},
		{Folder: "internal/command", Ours: append([]string{"bench/paper", "internal/batch", "internal/work"}, library...),
			Outside: []string{
				"github.com/urfave/cli/v2", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}},
		{Folder: "cmd/eql", Ours: []string{"internal/command"}},
		{Folder: "cmd/eql-cluster", Ours: []string{"internal/command", "internal/cluster", "internal/work"},
			Outside: []string{"github.com/urfave/cli/v2"}},
		{Folder: "bench", Ours: append([]string{"bench/paper"}, library...)},
		{Folder: "bench/paper", Ours: append([]string{"internal/journal"}, library...)},
		// Helpers of tests: nothing but a test imports them.
		{Folder: "internal/archtest"},
		{Folder: "internal/gradcheck", Outside: []string{gonum}},
		{Folder: "internal/gpu/emulator", Ours: []string{"internal/gpu"}},
	},
	Exits: map[string]string{
		"formula.MustParse":        "for tests and literals in code, as its comment says",
		"formula.WithConstants":    callersBug,
		"formula.Call":             callersBug,
		"formula.Func.Unary":       callersBug,
		"formula.Func.info":        callersBug,
		"formula.printNamed":       callersBug,
		"formula.compiler.compute": allKinds,
		"formula.eval":             allKinds,
		"formula.Fold":             allKinds,
		"formula.infix.print":      allKinds,
		"formula.latex":            allKinds,
		"formula.mathml":           allKinds,
	},
	MaxLines: 500, MaxColumns: 120,
	Skip: []string{".git", "eql-runs", "eql-reproduce"},
}
