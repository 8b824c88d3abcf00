#!/usr/bin/env bash
# Times the training step of BenchmarkStep and of the peers in step.py alternately, on one core, and
# prints the ratios. README.md says what to install.
set -euo pipefail

usage() {
	cat <<'END'
usage: bench/peers/run.sh [--quick] [--rounds N] [--seconds S] [--peers a,b] [--net F1|Deep3|both]
                          [--dtype float32|float64] [--cpu K] [--device cpu|cuda] [--networks "N N"]
                          [--bench FILE] [--out FILE]
  --quick      one round of 1 s a measurement, to try it
  --rounds N   rounds; in each, ours runs just before every peer (default 3)
  --seconds S  of each measurement, in 5 repeats (default 5)
  --cpu K      the core that everything runs on (default 0)
  --device D   where all run: cpu, or cuda, for which ours must be built by make gpu-bench (default cpu)
  --networks   how many side by side, in place of each peer's own list; ours has 256, 1024 and 16384 on cuda
  --bench FILE ours, built elsewhere by go test -c ./bench, for a machine without Go
  --out FILE   raw output (default bench/results/peers-DATE.txt, not overwritten)
PYTHON names the interpreter that has torch and jax (default python3), COMMIT the commit where git does not.
END
}

rounds=3 seconds=5 net=both dtype=float32 cpu=0 device=cpu networks= bench= out=
peers=torch-eager,torch-eager-fused,torch-bmm,torch-vmap,torch-compile,torch-compile-lanes,jax
while [ $# -gt 0 ]; do
	case $1 in
	--quick) rounds=1 seconds=1 ;;
	--rounds | --seconds | --net | --dtype | --peers | --cpu | --device | --networks | --bench | --out)
		[ $# -ge 2 ] || { usage >&2; exit 2; }
		declare "${1#--}=$2"
		shift
		;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done

here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
"$python" -c 'import numpy' 2>/dev/null || { echo "run.sh: $python has no NumPy; set PYTHON, see README.md" >&2; exit 1; }
if [ -z "$out" ]; then
	out=$here/../results/peers-$(date +%Y-%m-%d).txt
	[ ! -e "$out" ] || { echo "run.sh: $out is there already; name another with --out" >&2; exit 1; }
	mkdir -p "$here/../results"
fi
: >"$out"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
[ -z "$bench" ] || bench=$(cd "$(dirname "$bench")" && pwd)/$(basename "$bench")
cd "$here/.."

unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE # they choose older kernels for every program that uses OpenBLAS
export PYTHONDONTWRITEBYTECODE=1 GOMAXPROCS=1
pin=()
if command -v taskset >/dev/null && taskset -c "$cpu" true 2>/dev/null; then pin=(taskset -c "$cpu"); fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ -z "$bench" ]; then # built once, so that no compiler runs between the measurements
	bench=$tmp/bench.test
	go test -c -o "$bench" .
fi

version() {
	"$python" -c 'import importlib.metadata as m, sys; print(m.version(sys.argv[1]))' "$1" 2>/dev/null || echo 'not installed'
}

load() { cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown; }

{
	echo "date: $(date -u +%Y-%m-%dT%H:%MZ)"
	echo "commit: ${COMMIT:-$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' with changes')}"
	echo "processor: $(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1), $(nproc) cores"
	echo "governor: $(cat "/sys/devices/system/cpu/cpu$cpu/cpufreq/scaling_governor" 2>/dev/null || echo 'not readable')"
	echo "pinned: ${pin[*]:-no}"
	echo "load before: $(load)"
	[ "$device" = cpu ] || echo "device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
	echo "$(go version 2>/dev/null | cut -d' ' -f3,4), kernel ${EQL_KERNEL:-chosen at run time}"
	echo "$("$python" --version), numpy $(version numpy), torch $(version torch), jax $(version jax), jaxlib $(version jaxlib)"
	echo "rounds: $rounds, seconds: $seconds"
	echo
} | tee "$out"

nets=$net
[ "$net" != both ] || nets='(F1|Deep3)'
ours=by=graph
[ "$device" = cpu ] || ours="device=cuda/networks=($(tr " " "|" <<<"${networks:-256 1024 16384}"))\$"
repeat=$(awk "BEGIN { print $seconds / 5 }")
for round in $(seq "$rounds"); do
	for peer in ${peers//,/ }; do
		printf '# round %s of %s, %s, load %s\n' "$round" "$rounds" "$peer" "$(load)"
		"${pin[@]}" "$bench" -test.run xxx -test.count 5 -test.benchtime "${repeat}s" \
			-test.bench "Step/^net=$nets\$/dtype=$dtype/$ours" | grep ^Benchmark
		"${pin[@]}" "$python" "$here/step.py" --net "$net" --dtype "$dtype" --seconds "$seconds" --peers "$peer" --device "$device" \
			${networks:+--networks $networks}
	done
done | tee -a "$out"

{
	echo
	echo "load after: $(load)"
	echo
	"$python" "$here/table.py" "$out"
} >"$tmp/end"
tee -a "$out" <"$tmp/end"
