#!/usr/bin/env python3
"""Compares programs that search for formulas on the same tables. README.md says how."""

import argparse
import contextlib
import importlib
import io
import itertools
import json
import math
import os
import platform
import random
import re
import resource
import subprocess
import tempfile
import time
import types
from importlib import metadata
from pathlib import Path

import numpy as np

FOUND = 0.01  # far error, in spreads of the target, up to which a law counts as found
EXACT = 1e-6  # the same once the constants are fitted to rows without noise: the formula has the form of the law


def read(path):
    """Returns the names and the rows of a CSV."""
    with open(path, encoding="utf-8") as f:
        names = f.readline().strip().split(",")
    return names, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def processor():
    """Returns the seconds of processor time of this process and of those that it ran."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def eql(table, far, _, cores, seed, program):
    """The command under test, which ends by itself: predictions of the rows far, the formula, its version."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        out = subprocess.run(
            [program, "fit", table, "--json", "--quiet", "--time-limit", "0", "--workers", str(cores),
             "--seed", str(seed), "--out", run],
            check=True, capture_output=True, text=True)
        predicted = subprocess.run([program, "predict", run, far], check=True, capture_output=True, text=True)
        values = np.array([float(v) for v in predicted.stdout.split()[1:]])
    result = json.loads(out.stdout)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return values, next(iter(result["formula"].values())), version


def operon(table, far, seconds, cores, seed, _):
    """pyoperon: genetic programming with local search of the constants, two generations at a time."""
    from pyoperon.sklearn import SymbolicRegressor

    names, rows = read(table)
    began = processor()
    model = SymbolicRegressor(
        allowed_symbols="add,sub,mul,div,sin,cos,exp,log,sqrt,tanh,constant,variable", max_length=50, generations=2,
        max_evaluations=1_000_000_000, n_threads=cores, random_state=seed, optimizer_iterations=3, warm_start=True,
        model_selection_criterion="minimum_description_length")
    while processor() - began < seconds:
        model.fit(rows[:, :-1], rows[:, -1])
        model.set_params(random_state=model.random_state + 1)  # it is drawn from anew by each call
    formula = model.get_model_string(model.model_, 6, names[:-1])
    return model.predict(read(far)[1][:, :-1]), formula, "pyoperon " + metadata.version("pyoperon")


def gplearn(table, far, seconds, cores, seed, _):
    """gplearn: genetic programming, a generation at a time until the time is up."""
    from gplearn.functions import make_function
    from gplearn.genetic import SymbolicRegressor

    exp = make_function(function=lambda x: np.exp(np.clip(x, -50, 50)), name="exp", arity=1)
    tanh = make_function(function=np.tanh, name="tanh", arity=1)
    names, rows = read(table)
    began = processor()
    model = SymbolicRegressor(
        population_size=1000, generations=1, warm_start=True, n_jobs=cores, random_state=seed,
        parsimony_coefficient=0.001, feature_names=names[:-1],
        function_set=("add", "sub", "mul", "div", "sin", "cos", "log", "sqrt", exp, tanh))
    while True:
        model.fit(rows[:, :-1], rows[:, -1])
        if processor() - began >= seconds:
            break
        model.set_params(generations=model.generations + 1)
    return model.predict(read(far)[1][:, :-1]), str(model._program), "gplearn " + metadata.version("gplearn")


def pse(table, far, seconds, cores, seed, _):
    """psrn: parallel symbolic enumeration, with two layers: of three, one pass takes minutes on a core."""
    import torch
    from psrn.model import regressor

    regressor.time = types.SimpleNamespace(time=processor)  # its limit is one of processor time, too
    torch.set_num_threads(cores)
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    names, rows = read(table)
    operators = ["Add", "Mul", "Sub", "Div", "Identity", "Sin", "Cos", "Exp", "Log", "Tanh", "Sqrt"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        model = regressor.PSRN_Regressor(
            variables=[f"x{i}" for i in range(len(names) - 1)], n_symbol_layers=2, use_const=True,
            device=torch.device("cpu"),
            token_generator_config={"base": {"has_const": True, "tokens": operators}},
            stage_config={"default": {"operators": operators, "time_limit": seconds, "n_psrn_inputs": 5,
                                      "n_sample_variables": 3}, "stages": [{}]})
        model.fit(rows[:, :-1], rows[:, -1:], n_down_sample=100, use_threshold=False, threshold=1e-20, prun_const=True,
                  prun_ndigit=6, top_k=10)
        formula = model.get_pf(sort_by="mse")[0][0]
    version = "psrn " + metadata.version("psrn")
    named = re.sub(r"\bx(\d+)\b", lambda m: names[int(m[1])], formula)
    return model.predict(read(far)[1][:, :-1]).ravel(), named, version


RIVALS = {"eql": eql, "pyoperon": operon, "gplearn": gplearn, "psrn": pse}
MODULES = {"pyoperon": "pyoperon.sklearn", "gplearn": "gplearn.genetic", "psrn": "psrn.model.regressor"}


NUMBER = r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?"  # with a point or an exponent: a constant
FUNCTIONS = {name: getattr(np, name) for name in "sin cos tan exp log sqrt tanh sinh cosh abs".split()} | {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "min": np.minimum, "max": np.maximum, "pi": np.pi,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
GPLEARN = {  # gplearn prints calls, and guards some functions
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "sqrt": lambda x: np.sqrt(np.abs(x)),
    "div": lambda a, b: np.where(np.abs(b) > 0.001, a / b, 1.0),
    "log": lambda x: np.where(np.abs(x) > 0.001, np.log(np.abs(x)), 0.0),
    "exp": lambda x: np.exp(np.clip(x, -50, 50)),
}


def best_error(formula, functions, names, rows):
    """Returns the error of a formula on some of the rows, with the constants that fit others best."""
    from scipy.optimize import least_squares

    start = [float(number) for number in re.findall(NUMBER, formula)]
    count = itertools.count()
    code = compile(re.sub(NUMBER, lambda _: f"k_[{next(count)}]", formula.replace("^", "**")), "formula", "eval")
    spread = np.std(rows[:, -1])

    def misfit(constants, rows):
        scope = dict(zip(names, rows.T)) | {"k_": constants}
        with np.errstate(all="ignore"):
            error = (eval(code, {"__builtins__": {}} | functions, scope) - rows[:, -1]) / spread
        return np.nan_to_num(error, nan=1e9, posinf=1e9, neginf=-1e9)

    if start:
        start = least_squares(misfit, start, x_scale="jac", ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=100,
                              args=(rows[::10],)).x
    return float(np.sqrt(np.mean(misfit(start, rows[1::10]) ** 2)))


def compare(args, table, name, seconds):
    """Runs one program on one table and returns its line."""
    far = table.with_name(table.stem + "_far.csv")
    columns, rows = read(far)
    with contextlib.suppress(ImportError):  # the fit says that it is missing
        importlib.import_module(MODULES.get(name, "math"))  # loading is no part of the time
    began, used = time.monotonic(), processor()
    line = {"program": name, "table": table.stem, "allowed": seconds, "cores": args.cores, "seed": args.seed}
    try:
        predicted, line["formula"], line["version"] = RIVALS[name](
            str(table), str(far), seconds, args.cores, args.seed, args.eql)
        error = float(np.sqrt(np.mean((predicted - rows[:, -1]) ** 2)) / np.std(rows[:, -1]))
        line["far"] = error if math.isfinite(error) else None
    except Exception as failure:  # a rival that fails is a line, and the others go on
        line["failed"] = f"{type(failure).__name__}: {failure}"
    line["seconds"], line["processor"] = round(time.monotonic() - began, 2), round(processor() - used, 2)
    if line.get("far") is not None and line["far"] <= FOUND:
        functions = FUNCTIONS | (GPLEARN if name == "gplearn" else {})
        line["refitted"] = best_error(line["formula"], functions, columns[:-1], rows)
    return line


def summary(lines):
    """Writes the table of Markdown."""
    print("| program | found | exact | far error, median | seconds, median / max | processor, median / max |\n"
          "|---|---|---|---|---|---|")
    for name in RIVALS:
        mine = [line for line in lines if line["program"] == name]
        if not mine:
            continue
        errors = [math.inf if line.get("far") is None else line["far"] for line in mine]
        seconds = [line["seconds"] for line in mine]
        used = [line["processor"] for line in mine]
        exact = sum(line.get("refitted", math.inf) <= EXACT for line in mine)
        version = next((line["version"] for line in mine if "version" in line), name)
        print(f"| {version} | {sum(e <= FOUND for e in errors)} of {len(mine)} | {exact} | {np.median(errors):.2g} | "
              f"{np.median(seconds):.1f} / {max(seconds):.1f} | {np.median(used):.1f} / {max(used):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+", help="of the tables that TestLaws -laws-csv wrote")
    parser.add_argument("--out", type=Path, required=True, help="file of results, a JSON line for each fit")
    parser.add_argument("--eql", default="eql", help="the program under test")
    parser.add_argument("--programs", default=",".join(RIVALS), help="which to run, separated by commas")
    parser.add_argument("--every", type=int, default=1, help="take every n-th table")
    parser.add_argument("--seconds", type=int, default=15, help="of each core's time, or as many as eql took")
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", action="store_true", help="only print the table of what is there")
    args = parser.parse_args()
    lines = [json.loads(text) for text in args.out.read_text().splitlines()] if args.out.exists() else []
    if not args.table:
        tables = sorted(t for folder in args.folder for t in folder.glob("*.csv") if not t.stem.endswith("_far"))
        tables = random.Random(0).sample(tables[:: args.every], len(tables[:: args.every]))  # a part is of all kinds
        done = {(line["program"], line["table"]) for line in lines}
        with open(args.out, "a", encoding="utf-8") as out:
            for table in tables:
                for name in args.programs.split(","):
                    if (name, table.stem) in done:
                        continue
                    ours = [x["processor"] for x in lines if (x["program"], x["table"]) == ("eql", table.stem)]
                    line = compare(args, table, name, max([args.seconds * args.cores, *ours]))
                    line["machine"] = platform.processor() or platform.machine()
                    lines.append(line)
                    print(json.dumps(line), file=out, flush=True)
                    print(f"{table.stem:28} {name:9} {line['seconds']:6.1f} s  far {line.get('far')}")
    summary(lines)


if __name__ == "__main__":
    main()
