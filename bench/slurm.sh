#!/usr/bin/env bash
# Shards under real Slurm, on this machine alone: an array of 4 over 12 tables, of which one task is requeued and one is
# killed and submitted again. Every table must be learned from once. Needs root and Debian's packages:
#
#	apt-get install slurmctld slurmd slurm-client munge
#	bash bench/slurm.sh
#
# All that it starts has its files in a folder of its own, and ends with it.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in munged slurmctld slurmd sbatch; do
	command -v $tool >/dev/null || { echo "bench/slurm.sh: $tool is not installed; skipped" >&2; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "bench/slurm.sh: slurmd wants root; skipped" >&2; exit 0; }

work=$(mktemp -d)
chmod 755 "$work"
pids=()
finish() {
	status=$?
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
	if [ "$status" != 0 ]; then tail -n 20 "$work"/*.log "$work"/slurm-*.out >&2 || true; fi
	rm -rf "$work"
}
trap finish EXIT

go build -o "$work/eql" ./cmd/eql
export PATH=$work:$PATH SLURM_CONF=$work/slurm.conf
host=$(hostname -s)
mkdir "$work/state" "$work/spool" "$work/tables"
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
cat >"$work/slurm.conf" <<CONF
ClusterName=eql
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=5
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
	--log-file="$work/munged.log" --seed-file="$work/munge.seed" 2>/dev/null &
pids+=($!)
for _ in $(seq 100); do [ -S "$work/munge.socket" ] && break; sleep 0.1; done
slurmctld -D -c >"$work/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$host" >"$work/slurmd.log" 2>&1 &
pids+=($!)
# until COMMAND…: waits until it succeeds, five minutes at most.
until_true() {
	for _ in $(seq 600); do
		if "$@" >/dev/null 2>&1; then return; fi
		sleep 0.5
	done
	echo "bench/slurm.sh: this did not become true: $*" >&2
	return 1
}
ready() { sinfo -h -o %t | grep -qx 'idle\|mix\|alloc'; }
until_true ready
sinfo --version

for k in $(seq 0 11); do
	awk -v k="$k" 'BEGIN { srand(k + 1); print "x,z,y"; for (i = 0; i < 60; i++) { x = 4*rand() - 2; z = 4*rand() - 2
		printf "%.6f,%.6f,%.6f\n", x, z, (k + 1)*x*z + 0.02*(rand() - 0.5) } }' >"$work/tables/t$k.csv"
done
cd "$work"
eql batch tables --target y --shards 4 --out run --quiet --layers 2 --width 1 --lambda 0.001 --restarts 2 --epochs 200 >plan.txt
cat plan.txt
sbatch_line=$(sed -n 's/^Slurm *//p' plan.txt) # as it is printed
echo "+ $sbatch_line"
job=$(eval "$sbatch_line" | awk '{ print $NF }')

has_line() { [ -s "run/part-$1.jsonl" ]; }
until_true has_line 1
echo "+ scontrol requeue ${job}_1, which has finished $(wc -l <run/part-1.jsonl) of 3 tables"
scontrol requeue "${job}_1"
until_true has_line 2
id=$(squeue -h -j "${job}_2" -o %A)
killed=$(scontrol listpids "$id" | awk -v id="$id" '$2 == id { print $1 }')
echo "+ kill -9 of the processes of ${job}_2, which has finished $(wc -l <run/part-2.jsonl) of 3 tables"
kill -9 $killed
ended() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }
until_true ended "${job}_2"
again="${sbatch_line/--array=0-3/--array=2}" # SLURM_ARRAY_TASK_COUNT is 1 now
echo "+ $again"
second=$(eval "$again" | awk '{ print $NF }')
until_true ended "$job"
until_true ended "$second"

grep -h '^shard' slurm-*.out
eql batch run --quiet
cat run/part-*.jsonl | grep -o '^{"table":"[^"]*"' | sort | uniq -c | awk '
	$1 != 1 { bad = 1 } { n++ } END { printf "%d tables, each once: %s\n", n, bad ? "no" : "yes"; exit bad || n != 12 }'
