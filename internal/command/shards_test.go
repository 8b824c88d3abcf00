package command

import "testing"

// TestShardNumber asks for shards as users and engines do.
func TestShardNumber(t *testing.T) {
	for _, tt := range []struct {
		name, given string
		env         map[string]string
		want        int // −1: an error
	}{
		{"given", "7", nil, 7},
		{"given inside a job of an array", "7", map[string]string{"SLURM_ARRAY_TASK_ID": "2"}, 7},
		{"Slurm", "auto", map[string]string{"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1"}, 2},
		{"PBS", "auto", map[string]string{"PBS_ARRAY_INDEX": "0"}, 0},
		{"LSF counts from 1", "auto", map[string]string{"LSB_JOBINDEX": "1"}, 0},
		{"SGE counts from 1", "auto", map[string]string{"SGE_TASK_ID": "10"}, 9},
		{"Kubernetes", "auto", map[string]string{"JOB_COMPLETION_INDEX": "9"}, 9},
		{"AWS Batch", "auto", map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "3"}, 3},
		{"SGE, no array", "auto", map[string]string{"SGE_TASK_ID": "undefined"}, -1},
		{"LSF, no array", "auto", map[string]string{"LSB_JOBINDEX": "0"}, -1},
		{"LSF on a node of another engine", "auto", map[string]string{"LSB_JOBINDEX": "0", "JOB_COMPLETION_INDEX": "4"}, 4},
		{"no job", "auto", nil, -1},
		{"beyond", "10", nil, -1},
		{"negative", "-1", nil, -1},
		{"an array that is too long", "auto", map[string]string{"SLURM_ARRAY_TASK_ID": "10"}, -1},
		{"no number", "first", nil, -1},
	} {
		getenv := func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }
		got, err := shardNumber(tt.given, 10, getenv)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("%s: got %d, %v, want %d", tt.name, got, err, tt.want)
		}
	}
	if _, err := shardNumber("0", 0, func(string) (string, bool) { return "", false }); err == nil {
		t.Error("a batch without shards has a shard 0")
	}
}
