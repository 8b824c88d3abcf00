#!/usr/bin/env bash
# Builds what a release consists of: release/build.sh [VERSION [FOLDER]]. Needs Go, python3, tar and sha256sum.
# VERSION is 0.1.0 by default if the commit has the tag v0.1.0, and 0.0.0.dev0 without a tag. FOLDER is a new one, dist
# by default. It gets an archive and a wheel for each platform, a bill of materials (CycloneDX), and checksums.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=$(git describe --tags --exact-match --match 'v*' 2>/dev/null || echo v0.0.0.dev0)
version=${1:-${tag#v}}
dist=${2:-dist}
mkdir "$dist" # which must not be there: nothing old is published
dist=$(cd "$dist" && pwd)

python3 python/build_wheels.py --version "$version" --out "$dist"

# Archives with the same bytes for the same source: names in order, no owner, no time.
plain=(--sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01T00:00Z)
for program in "$dist"/eql-*; do
	platform=$(basename "$program" .exe)
	name=eql-$version-${platform#eql-}
	mkdir "$dist/$name"
	cp LICENSE README.md CHANGELOG.md "$dist/$name"
	end=
	case $program in *.exe) end=.exe ;; esac
	mv "$program" "$dist/$name/eql$end"
	os=${platform#eql-}
	case $os in linux-*) # where clusters are; elsewhere go install builds it
		CGO_ENABLED=0 GOOS=${os%-*} GOARCH=${os#*-} go build -trimpath -o "$dist/$name/eql-cluster" \
			-ldflags="-s -w -X github.com/eqlearner/eql/internal/command.release=v$version" ./cmd/eql-cluster
		;;
	esac
	if [ "$platform" = eql-linux-amd64 ]; then
		python3 release/sbom.py "$dist/$name/eql-cluster" "$version" >"$dist/eql-$version-sbom.cdx.json"
	fi
	tar "${plain[@]}" -C "$dist" -cf - "$name" | gzip -n9 >"$dist/$name.tar.gz"
	rm -r "${dist:?}/$name"
done

cd "$dist" && sha256sum -- * >checksums.txt
