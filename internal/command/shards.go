package command

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/sweep"
)

// arrayIndices are the variables in which engines tell a job of an array its number, and that of the first job.
var arrayIndices = []struct {
	variable string
	first    int
}{
	{"SLURM_ARRAY_TASK_ID", 0},
	{"PBS_ARRAY_INDEX", 0},
	{"LSB_JOBINDEX", 1}, // LSF, which sets 0 in jobs of no array
	{"SGE_TASK_ID", 1},  // "undefined" in jobs of no array
	{"JOB_COMPLETION_INDEX", 0},
	{"AWS_BATCH_JOB_ARRAY_INDEX", 0},
}

// shardNumber returns the shard that --shard asks for. The number of shards is the plan's: what engines say of their
// array changes when some of its jobs are submitted again.
func shardNumber(given string, shards int, getenv func(string) (string, bool)) (int, error) {
	if shards == 0 {
		return 0, usagef("--shard %s: the work was planned without --shards "+
			"(plan it anew with them, or go on with it by --resume)", given)
	}
	from := "--shard"
	if given == "auto" {
		k, variable, err := arrayIndex(getenv)
		if err != nil {
			return 0, err
		}
		given, from = strconv.Itoa(k), "--shard auto, by "+variable+","
	}
	k, err := strconv.Atoi(given)
	if err != nil || k < 0 || k >= shards {
		return 0, usagef("%s is %s, and %s", from, given, shardsText(shards))
	}
	return k, nil
}

func shardsText(n int) string {
	if n == 1 {
		return "there is only shard 0"
	}
	return fmt.Sprintf("shards are numbered 0 to %d", n-1)
}

// arrayIndex returns the number that an engine gave this job, counted from 0.
func arrayIndex(getenv func(string) (string, bool)) (k int, variable string, err error) {
	names := ""
	for _, a := range arrayIndices {
		names += ", " + a.variable
		value, _ := getenv(a.variable)
		if k, err := strconv.Atoi(value); err == nil && k >= a.first {
			return k - a.first, a.variable, nil
		}
	}
	return 0, "", usagef("--shard auto finds no number of a job in an array "+
		"(none of %s is one; give the number itself)", names[2:])
}

// shardPlan is work in a folder that is done in shards.
type shardPlan struct {
	command string // of eql that does a shard, given the folder
	dir     string
	shards  int
	what    string // that is divided, in words
	inputs  string // what a shard needs beside the folder, in words that end in " and "
	join    string // flags of the command that joins the shards, before the folder
	flags   string // the same, behind it
}

// print says how the shards are run.
func (p shardPlan) print(w io.Writer) error {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return err
	}
	manifest := filepath.Join(dir, "kubernetes.yaml")
	job := fmt.Sprintf(kubernetesJob, p.shards, strconv.Quote(dir), strconv.Quote(filepath.Dir(dir)), p.command)
	if err := sweep.ReplaceFile(manifest, []byte(job)); err != nil {
		return err
	}
	work := "eql " + p.command + " " + shellWord(dir)
	auto, last := shellWord(work+" --shard auto"), p.shards-1
	join := fmt.Sprintf("eql %s %s%s%s", p.command, p.join, shellWord(dir), p.flags)
	_, err = fmt.Fprintf(w, `%[1]s in %[2]d shards. Every machine must see %[9]s%[3]s under %[10]s.

by hand     for k in $(seq 0 %[4]d); do %[5]s --shard $k; done
Slurm       sbatch --array=0-%[4]d --cpus-per-task=4 --wrap %[6]s
PBS         echo %[6]s | qsub -J 0-%[4]d
LSF         bsub -J 'eql[1-%[2]d]' %[6]s
SGE         echo %[6]s | qsub -cwd -t 1-%[2]d
Kubernetes  kubectl apply -f %[7]s  # set image and volume in it first
then        %[8]s
`, p.what, p.shards, dir, last, work, auto, shellWord(manifest), join, p.inputs,
		map[bool]string{true: "this path", false: "these paths"}[p.inputs == ""])
	return err
}

// amount is a number of things in words.
func amount(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// shardFlags are the flags of a command whose work can be done in shards.
func shardFlags(category, what string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "shards", Category: category, Usage: "plan " + what + " in `N` shards, without starting it",
			DefaultText: "none"},
		&cli.StringFlag{Name: "shard", Category: category,
			Usage: "do shard `K` of the plan in the given folder; auto: the number of this job in its array"},
		&cli.BoolFlag{Name: "any-class", Category: category, DisableDefaultText: true,
			Usage: "continue what another build or family of processors began; results may then differ in their last bits"},
	}
}

// parseShards reads these flags and returns what is wrong with them.
func parseShards(c *cli.Context) (shards int, shard string, errs []error) {
	shards, shard = c.Int("shards"), c.String("shard")
	if c.IsSet("shards") && shards < 1 {
		errs = append(errs, usagef("--shards is %d, want at least 1", shards))
	}
	if c.IsSet("shard") && shard == "" {
		errs = append(errs, usagef("--shard is empty"))
	}
	if c.IsSet("shards") && c.IsSet("shard") {
		errs = append(errs, usagef("use either --shards N, to plan the work, or --shard K, to do a part of it"))
	}
	return shards, shard, errs
}

// checkClass refuses to go on with what another class of bits began, unless it may.
func checkClass(dir, planned string, anyClass bool) error {
	if class := buildClass(); class != planned && !anyClass {
		return fmt.Errorf("%s was planned for %s, and this is %s: the bits of results may differ "+
			"(use the same build on the same family of processors, or --any-class to mix them)", dir, planned, class)
	}
	return nil
}

// kubernetesJob is an indexed job. What is quoted in Go is quoted in YAML.
const kubernetesJob = `apiVersion: batch/v1
kind: Job
metadata:
  name: eql-%[4]s
spec:
  completionMode: Indexed
  completions: %[1]d
  parallelism: %[1]d
  backoffLimitPerIndex: 3
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: eql
        image: eql # an image with the command in it
        command: [eql, %[4]s, %[2]s, --shard, auto]
        volumeMounts:
        - name: shared
          mountPath: %[3]s
      volumes:
      - name: shared
        persistentVolumeClaim:
          claimName: shared # a volume with the folder, and with the tables of a batch
`
