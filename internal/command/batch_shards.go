package command

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/eqlearner/eql/internal/batch"
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
		return 0, usagef("--shard %s: the batch was planned without --shards "+
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

// printPlan says how shards are run.
func printPlan(w io.Writer, f *batch.Folder) error {
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return err
	}
	manifest := filepath.Join(dir, "kubernetes.yaml")
	job := fmt.Sprintf(kubernetesJob, f.Shards, strconv.Quote(dir), strconv.Quote(filepath.Dir(dir)))
	if err := sweep.ReplaceFile(manifest, []byte(job)); err != nil {
		return err
	}
	join := "eql batch " + shellWord(dir)
	auto, last := shellWord(join+" --shard auto"), f.Shards-1
	_, err = fmt.Fprintf(w, `%[1]d tables in %[2]d shards. Every machine must see the tables and %[3]s under these paths.

by hand     for k in $(seq 0 %[4]d); do %[5]s --shard $k; done
Slurm       sbatch --array=0-%[4]d --cpus-per-task=4 --wrap %[6]s
PBS         echo %[6]s | qsub -J 0-%[4]d
LSF         bsub -J 'eql[1-%[2]d]' %[6]s
SGE         echo %[6]s | qsub -cwd -t 1-%[2]d
Kubernetes  kubectl apply -f %[7]s  # set image and volume in it first
then        %[5]s
`, len(f.Tables), f.Shards, dir, last, join, auto, shellWord(manifest))
	return err
}

// kubernetesJob is an indexed job. What is quoted in Go is quoted in YAML.
const kubernetesJob = `apiVersion: batch/v1
kind: Job
metadata:
  name: eql-batch
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
        command: [eql, batch, %[2]s, --shard, auto]
        volumeMounts:
        - name: shared
          mountPath: %[3]s
      volumes:
      - name: shared
        persistentVolumeClaim:
          claimName: shared # a volume with the tables and the folder of the batch
`
