"""Selects one network for each repetition of a run of `eql fit --preset paper`, by the paper's rank
rule over that repetition's grid, and scores it: python3 repetitions.py EQL RUN TEST.csv

A repetition is a restart of every network of the grid on the same data and split. Networks that
only fill the lanes have restarts beyond the protocol's and are left out.
"""

import json
import math
import statistics
import subprocess
import sys


def ranks(values):
    ordered = sorted(values)
    return [ordered.index(v) + 1 for v in values]


def main(eql, run, test):
    with open(f"{run}/result.json", encoding="utf-8") as f:
        result = json.load(f)
    repetitions = result["settings"]["restarts"]
    errors = []
    for repetition in range(repetitions):
        grid = [m for m in result["models"] if m["seed"] == repetition and not m.get("baseline") and m["validation_rms"] is not None]
        by_error = ranks([m["validation_rms"] for m in grid])
        by_units = ranks([m["sparsity"] for m in grid])
        _, _, best = min((e * e + u * u, m["validation_rms"], m["id"]) for e, u, m in zip(by_error, by_units, grid))
        scores = json.loads(subprocess.check_output([eql, "score", run, test, "--model", str(best), "--json"]))
        rms = math.sqrt(statistics.fmean(s["rms"] ** 2 for s in scores))
        errors.append(rms)
        m = next(m for m in grid if m["id"] == best)
        print(f"repetition {repetition}: {len(grid)} networks, chosen {best}: width {m['width']}, lambda {m['lambda']}, s={m['sparsity']}, "
              f"validation {m['validation_rms']:.5f}, test {rms:.5f}")
    print(f"test RMS {statistics.fmean(errors):.5f} ± {statistics.stdev(errors):.5f} (median {statistics.median(errors):.5f}, "
          f"min {min(errors):.5f}, max {max(errors):.5f})")


if __name__ == "__main__":
    main(*sys.argv[1:4])
