"""Build eql for each platform and pack it into wheels, with Go and the standard library only.

    python python/build_wheels.py --version 0.1.0 --out dist
    python python/build_wheels.py linux-amd64          # this platform alone

DIR gets the programs, named eql-SYSTEM-PROCESSOR, and the wheels. The same source and version give the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "eqlearner"
REQUIRES = ["numpy", "scikit-learn>=1.6"]
EXTRAS = {"all": ["pandas", "sympy"]}

# A static program runs with each C library, hence the tags for glibc and musl. Go 1.26 needs macOS 12.
PLATFORMS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
}

RELEASE = "github.com/eqlearner/eql/internal/command.release"  # the variable that says the version


def build(platform: str, version: str, out: Path) -> Path:
    """Compile eql for a platform and return the path of the program."""
    system, processor = platform.split("-")
    program = out / f"eql-{platform}{'.exe' if system == 'windows' else ''}"
    subprocess.run(
        ["go", "build", "-trimpath", f"-ldflags=-s -w -X {RELEASE}=v{version}", "-o", str(program), "./cmd/eql"],
        cwd=HERE.parent,
        env={**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": processor},
        check=True,  # go says what is wrong
    )
    return program


def pack(program: Path, platform: str, version: str, out: Path) -> Path:
    """Write the wheel with the package and the program for a platform, and return its path."""
    tags = PLATFORMS[platform]
    info = f"{NAME}-{version}.dist-info"
    files = {
        f"{NAME}/{p.name}": p.read_bytes() for p in sorted((HERE / NAME).iterdir()) if p.suffix in (".py", ".typed")
    }
    files[f"{NAME}/bin/eql{program.suffix}"] = program.read_bytes()
    files[f"{info}/licenses/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\neql = {NAME}.program:main\n".encode()
    files[f"{info}/WHEEL"] = wheel_file(tags)
    files[f"{info}/METADATA"] = metadata(version)
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = out / f"{NAME}-{version}-py3-none-{tags}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, whose permissions the next line sets
            entry.external_attr = (0o100755 if "/bin/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def digest(data: bytes) -> str:
    """Return the SHA-256 as RECORD writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def wheel_file(tags: str) -> bytes:
    lines = ["Wheel-Version: 1.0", f"Generator: {NAME}", "Root-Is-Purelib: false"]
    return "\n".join(lines + [f"Tag: py3-none-{tag}" for tag in tags.split(".")] + [""]).encode()


def metadata(version: str) -> bytes:
    """Return the core metadata, with the package's README as the description."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {NAME}",
        f"Version: {version}",
        "Summary: Short formulas that extrapolate, from tables: the program eql as a scikit-learn estimator",
        "Author: The eql developers",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Project-URL: Source, https://github.com/eqlearner/eql",
        "Keywords: symbolic regression,equation learner,extrapolation",
        "Requires-Python: >=3.9",
        *(f"Requires-Dist: {r}" for r in REQUIRES),
    ]
    for extra, requires in EXTRAS.items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {r}; extra == "{extra}"' for r in requires)]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"default: all of {', '.join(PLATFORMS)}")
    parser.add_argument("--version", default="0.0.0.dev0", help="of the release, without v (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="default: %(default)s")
    options = parser.parse_args()
    if unknown := set(options.platforms) - set(PLATFORMS):
        parser.error(f"there is no platform {', '.join(sorted(unknown))} (there are {', '.join(PLATFORMS)})")
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for platform in options.platforms or PLATFORMS:
        try:
            program = build(platform, options.version, out)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"build_wheels.py: {platform}: {error}")
        print(program, pack(program, platform, options.version, out), sep="\n", flush=True)


if __name__ == "__main__":
    main()
