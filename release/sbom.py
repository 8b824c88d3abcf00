"""Write the software bill of materials of a Go program as CycloneDX JSON, from what the linker put into it.

Usage: python3 release/sbom.py dist/eql-linux-amd64 0.1.0 > sbom.json
"""

from __future__ import annotations

import json
import subprocess
import sys


def main(program: str, version: str) -> None:
    shown = subprocess.run(["go", "version", "-m", "-json", program], stdout=subprocess.PIPE, check=True).stdout
    info = json.loads(shown)
    modules = [{"Path": "std", "Version": info["GoVersion"].replace("go", "", 1)}, *info["Deps"]]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component({**info["Main"], "Version": f"v{version}"}, "application")},
        "components": [component(module.get("Replace", module), "library") for module in modules],
    }
    json.dump(bill, sys.stdout, indent=2)
    print()


def component(module: dict[str, str], kind: str) -> dict[str, str]:
    """Return a module as CycloneDX has it."""
    purl = f"pkg:golang/{module['Path']}@{module['Version']}"
    return {"type": kind, "bom-ref": purl, "name": module["Path"], "version": module["Version"], "purl": purl}


if __name__ == "__main__":
    main(*sys.argv[1:])
