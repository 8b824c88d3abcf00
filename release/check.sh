#!/usr/bin/env bash
# Checks what release/build.sh wrote: release/check.sh [FOLDER]. Each program has the format and processor of its name,
# and each that this machine can run starts; that of this machine finds a law, from the archive and from the wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$(cd "${1:-dist}" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

(cd "$dist" && sha256sum --check --quiet checksums.txt)
here=$(go env GOHOSTOS)-$(go env GOHOSTARCH)
found=0
for archive in "$dist"/eql-*.tar.gz; do
	tar -C "$tmp" -xzf "$archive"
	name=$(basename "$archive" .tar.gz)
	platform=$(grep -oE '[a-z]+-[a-z0-9]+$' <<<"$name")
	for program in "$tmp/$name"/eql*; do
		built=$(go version -m "$program") # reads ELF, Mach-O and PE
		for setting in "GOOS=${platform%-*}" "GOARCH=${platform#*-}"; do
			grep -q "$setting$" <<<"$built" || { echo "$name is not built with $setting" >&2; exit 1; }
		done
		echo "$name: $(basename "$program") has $(wc -c <"$program") bytes, built for $platform"
	done
	program=$tmp/$name/eql
	if [ "$platform" = "$here" ]; then
		"$program" --version | grep -F "eql version v"
		[[ $platform != linux-* ]] || "$program-cluster" --version | grep -F "eql-cluster version v"
		"$program" fit examples/pendulum.csv --target y2 --quiet --out "$tmp/run" | grep -F 'y2 = -sin(x1)'
	elif [[ $platform = linux-arm64 ]] && command -v qemu-aarch64-static >/dev/null; then
		qemu-aarch64-static "$program" devices
	fi
	found=$((found + 1))
done
[ "$found" = 5 ] || { echo "$found archives, want 5" >&2; exit 1; }
[ "$(ls "$dist"/*.whl | wc -l)" = 5 ] || { echo "want 5 wheels" >&2; exit 1; }
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["components"]) > 20' "$dist"/*-sbom.cdx.json
