#!/usr/bin/env python3
"""Compares programs that search for formulas on the same tables. README.md says how."""

import argparse
import json
import math
import os
import platform
import subprocess
import tempfile
import time
from importlib import metadata
from pathlib import Path

import numpy as np

FOUND = 0.01  # far error, in spreads of the target, up to which a law counts as found


def read(path):
    """Returns the names and the rows of a CSV."""
    with open(path, encoding="utf-8") as f:
        names = f.readline().strip().split(",")
    return names, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def eql(table, far, seconds, cores, seed, program):
    """The command under test: predictions of the rows far, the formula, its version."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        out = subprocess.run(
            [program, "fit", table, "--json", "--quiet", "--time-limit", f"{seconds}s", "--workers", str(cores),
             "--seed", str(seed), "--out", run],
            check=True, capture_output=True, text=True)
        predicted = subprocess.run([program, "predict", run, far], check=True, capture_output=True, text=True)
        values = np.array([float(v) for v in predicted.stdout.split()[1:]])
    result = json.loads(out.stdout)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return values, next(iter(result["formula"].values())), version


def operon(table, far, seconds, cores, seed, _):
    """pyoperon: genetic programming with local search of the constants."""
    from pyoperon.sklearn import SymbolicRegressor

    _, rows = read(table)
    model = SymbolicRegressor(
        allowed_symbols="add,sub,mul,div,sin,cos,exp,log,sqrt,tanh,constant,variable", max_length=50,
        generations=1_000_000, max_evaluations=1_000_000_000, max_time=seconds, n_threads=cores, random_state=seed,
        model_selection_criterion="minimum_description_length", optimizer_iterations=3)
    model.fit(rows[:, :-1], rows[:, -1])
    formula = model.get_model_string(model.model_, 6)
    return model.predict(read(far)[1][:, :-1]), formula, "pyoperon " + metadata.version("pyoperon")


def gplearn(table, far, seconds, cores, seed, _):
    """gplearn: genetic programming, a generation at a time until the time is up."""
    from gplearn.functions import make_function
    from gplearn.genetic import SymbolicRegressor

    exp = make_function(function=lambda x: np.exp(np.clip(x, -50, 50)), name="exp", arity=1)
    tanh = make_function(function=np.tanh, name="tanh", arity=1)
    _, rows = read(table)
    began = time.monotonic()
    model = SymbolicRegressor(
        population_size=1000, generations=1, warm_start=True, n_jobs=cores, random_state=seed, parsimony_coefficient=0.001,
        function_set=("add", "sub", "mul", "div", "sin", "cos", "log", "sqrt", exp, tanh))
    while True:
        model.fit(rows[:, :-1], rows[:, -1])
        if time.monotonic() - began >= seconds:
            break
        model.set_params(generations=model.generations + 1)
    return model.predict(read(far)[1][:, :-1]), str(model._program), "gplearn " + metadata.version("gplearn")


RIVALS = {"eql": eql, "pyoperon": operon, "gplearn": gplearn}


def compare(args, table, name):
    """Runs one program on one table and returns its line."""
    far = table.with_name(table.stem + "_far.csv")
    truth = read(far)[1][:, -1]
    began = time.monotonic()
    line = {"program": name, "table": table.stem, "seconds_allowed": args.seconds, "cores": args.cores, "seed": args.seed}
    try:
        predicted, line["formula"], line["version"] = RIVALS[name](
            str(table), str(far), args.seconds, args.cores, args.seed, args.eql)
        error = float(np.sqrt(np.mean((predicted - truth) ** 2)) / np.std(truth))
        line["far"] = error if math.isfinite(error) else None
    except Exception as failure:  # a rival that fails is a line, and the others go on
        line["failed"] = f"{type(failure).__name__}: {failure}"
    line["seconds"] = round(time.monotonic() - began, 2)
    return line


def summary(lines):
    """Writes the table of Markdown."""
    print("| program | found | far error, median | seconds, median / max |\n|---|---|---|---|")
    for name in RIVALS:
        mine = [line for line in lines if line["program"] == name]
        if not mine:
            continue
        errors = [math.inf if line.get("far") is None else line["far"] for line in mine]
        seconds = [line["seconds"] for line in mine]
        version = next((line["version"] for line in mine if "version" in line), name)
        print(f"| {version} | {sum(e <= FOUND for e in errors)} of {len(mine)} | {np.median(errors):.2g} | "
              f"{np.median(seconds):.1f} / {max(seconds):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the tables that TestLaws -laws-csv wrote")
    parser.add_argument("--out", type=Path, required=True, help="file of results, a JSON line for each fit")
    parser.add_argument("--eql", default="eql", help="the program under test")
    parser.add_argument("--programs", default=",".join(RIVALS), help="which to run, separated by commas")
    parser.add_argument("--every", type=int, default=1, help="take every n-th table")
    parser.add_argument("--seconds", type=int, default=15, help="for each fit")
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", action="store_true", help="only print the table of what is there")
    args = parser.parse_args()
    lines = [json.loads(text) for text in args.out.read_text().splitlines()] if args.out.exists() else []
    if not args.table:
        tables = sorted(t for t in args.folder.glob("*.csv") if not t.stem.endswith("_far"))[:: args.every]
        done = {(line["program"], line["table"]) for line in lines}
        with open(args.out, "a", encoding="utf-8") as out:
            for table in tables:
                for name in args.programs.split(","):
                    if (name, table.stem) in done:
                        continue
                    line = compare(args, table, name) | {"machine": platform.processor() or platform.machine()}
                    lines.append(line)
                    print(json.dumps(line), file=out, flush=True)
                    print(f"{table.stem:28} {name:9} {line['seconds']:6.1f} s  far {line.get('far')}")
    summary(lines)


if __name__ == "__main__":
    main()
