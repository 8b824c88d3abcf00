#!/usr/bin/env bash
# Checks and measures eql on a machine with a card, which needs neither Go nor a toolkit, in under ten minutes:
#
#   make gpu-carry                      # where Go and cuda.h are: writes .gpu/binaries.tar.gz
#   OUT=results bash bench/gpu.sh       # there, with that file in its place
#
# PYTHON names an interpreter with NumPy and JAX; without one the comparison is left out. All output is also in
# $OUT/gpu.txt, and the comparison in $OUT/peers.txt. The last line is ALL PASSED or SOMETHING FAILED, and the exit
# code 0 or 1.
set -uo pipefail
cd "$(dirname "$0")/.."

out=${OUT:-.gpu/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
exec > >(tee "$out/gpu.txt") 2>&1
log=$!

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar xzf .gpu/binaries.tar.gz -C "$work" || {
	printf 'make gpu-carry writes .gpu/binaries.tar.gz\nSOMETHING FAILED\n'
	exit 1
}
export PATH=$work:$PATH CUDA_CACHE_PATH=$work/cache EQL_NEEDS_CARD=1
# Where Kubernetes mounts the driver, which is not always among the folders of the loader.
[ ! -d /usr/local/nvidia/lib64 ] || export LD_LIBRARY_PATH=/usr/local/nvidia/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

failed=()

# step NAME SECONDS PATTERN COMMAND… fails when the command does, or takes too long, or prints no line with the
# pattern: a test that is not there or is skipped has not passed.
step() {
	local name=$1 limit=$2 pattern=$3 began=$SECONDS code
	shift 3
	printf '\n== %s\n' "$name"
	timeout -k 5 "$limit" "$@" 2>&1 | tee "$work/step"
	code=${PIPESTATUS[0]}
	if [ "$code" -ne 0 ] || ! grep -qE "$pattern" "$work/step" || grep -q '^--- SKIP' "$work/step"; then
		echo "FAILED: exit code $code after $((SECONDS - began)) s of at most $limit, or no line $pattern, or a test skipped"
		failed+=("$name")
	fi
}

skip() { printf '\n== %s\nSKIPPED: %s\n' "$1" "$2"; }

# both trains on both devices, and compares all that is written but times, the device and the order in which networks ended.
both() {
	local device
	for device in cpu cuda; do
		eql fit examples/pendulum.csv --target y1,y2 --seed 1 --device $device --out "$work/$device" --quiet || return
		sed -E '/"([a-z_]*seconds|device|card|on_card|kernel)"/d; s/,$//' "$work/$device/result.json" >"$work/$device.json" || return
		sed 's/,"device":"cuda"//' "$work/$device/jobs.jsonl" | sort >"$work/$device.jobs" || return
	done
	cmp "$work/cpu.jobs" "$work/cuda.jobs" && cmp "$work/cpu.json" "$work/cuda.json" && echo the same
}
export -f both
export work

step card 20 '^gpu: [^n]' sh -c 'nvidia-smi; eql devices'
step 'bits of the machine' 90 '^--- PASS' graph.test -test.run CUDA -test.skip CUDALong -test.v
step 'bits of the training' 60 '^--- PASS' trainer.test -test.run 'Card|Plan' -test.skip TestCardFails -test.v
step 'one result on both devices' 50 '^the same$' bash -c both
step 'threads, tiles and networks' 90 '^--- PASS' graph.test -test.run '^TestCardTable$' -card-table -test.v
step steps 100 '^Benchmark' bench.test -test.run xxx -test.bench 'Step/net=/dtype=/device=cuda' -test.benchtime 2s
if "${PYTHON:-python3}" -c 'import numpy, jax' 2>/dev/null; then
	step peers 100 '^Benchmark' bash bench/peers/run.sh --quick --peers jax --device cuda --networks '256 16384' \
		--bench "$work/bench.test" --out "$out/peers.txt"
else
	skip peers "${PYTHON:-python3} has no NumPy or no JAX"
fi
for tool in memcheck racecheck initcheck; do
	if command -v compute-sanitizer >/dev/null; then
		step "$tool" 25 '^--- PASS' compute-sanitizer --tool $tool --error-exitcode 9 \
			"$work/graph.test" -test.run CUDASmall -test.v
	else
		skip "$tool" 'there is no compute-sanitizer'
	fi
done

code=0
if [ ${#failed[@]} -gt 0 ]; then
	printf '\nfailed:'
	printf ' %s;' "${failed[@]}"
	printf '\nSOMETHING FAILED\n'
	code=1
else
	printf '\nALL PASSED\n'
fi
exec >&- 2>&-
wait "$log"
exit $code
