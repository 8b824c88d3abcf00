"""The estimator: fit runs eql, everything else reads its result."""

from __future__ import annotations

import copy
import csv
import html
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import program
from .formula import Formula

if TYPE_CHECKING:
    import sympy

_FEWEST_ROWS = 5  # that eql learns from
_COLUMNS = ["target", "model", "complexity", "validation_rms", "formula", "verdict", "chosen"]  # of equations_
_SAME = 1e-6  # relative difference of errors up to which two formulas are as good as each other


class EQLRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Regression by a short formula that extrapolates, with the evidence for it.

    ``fit`` runs the program eql on the table of X and y. The same data, parameters and random state give the
    same formula.

    Parameters
    ----------
    preset : {"quick", "paper"}, default="quick"
        The settings to start from: seconds, or the published protocol, which takes hours.
    time_limit : float, default=None
        Seconds of search; the first round is always finished. None is 60 for "quick" and no limit for
        "paper"; 0 is no limit.
    units : sequence of str, default=None
        What formulas may consist of, among id, sin, cos, sigmoid, tanh, mul, div, exp, log. None is the preset's.
    snap : bool, default=True
        Whether constants become special values, such as pi/8 or 1/3, where the data allow it.
    random_state : int, RandomState or None, default=0
        The seed of every random choice. None takes another one in each fit.
    n_jobs : int, default=None
        Threads. None and -1 are all cores. The formula does not depend on it.
    verbose : int, default=0
        Whether progress and notes are printed on standard error.
    flags : sequence of str, default=None
        Further flags of ``eql fit``, such as ["--layers", "2", "--restarts", "5"].

    Attributes
    ----------
    formula_ : str, or dict of str for y with two dimensions
        The chosen formula in the text form of eql, by target.
    verdict_ : str, or dict of str for y with two dimensions
        "holds", "uncertain" or "fails": whether the formula holds outside the data, as far as the data can tell.
        Empty for a constant target.
    evidence_ : dict
        For each target the evidence that eql found, as ``eql fit --json`` has it: "sentence" says the verdict in
        words, "constants" has the 95 % intervals.
    equations_ : pandas.DataFrame, or list of dict without pandas
        For each target the best formula of each complexity, and the chosen one, each with its verdict.
    result_ : dict
        All that ``eql fit --json`` prints.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of str
        The names of the columns of X, if they have names.
    """

    def __init__(
        self,
        preset: str = "quick",
        *,
        time_limit: float | None = None,
        units: Sequence[str] | None = None,
        snap: bool = True,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        flags: Sequence[str] | None = None,
    ) -> None:
        self.preset = preset
        self.time_limit = time_limit
        self.units = units
        self.snap = snap
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.flags = flags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> EQLRegressor:
        """Learn a formula for each column of y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The inputs. The names of a DataFrame's columns are the names in formulas, otherwise x0, x1, ...
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            The targets. The name of a Series and the names of a DataFrame's columns are those in the results,
            otherwise y, or y0, y1, ...
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the rows, in proportion to 1/σ² of the errors of y. Rows with the weight 0 are left out.

        Returns
        -------
        self : EQLRegressor
        """
        named = y
        X, y = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, multi_output=True, ensure_min_samples=_FEWEST_ROWS
        )
        self._flat = y.ndim == 1
        self._inputs = _unique(_names(getattr(self, "feature_names_in_", None), "x", X.shape[1]))
        self._targets = _unique(_target_names(named, y), self._inputs)
        columns = dict(zip([*self._inputs, *self._targets], np.column_stack([X, y]).T))
        flags = self._flags()
        if sample_weight is not None:
            (weights,) = _unique(["weight"], columns)
            columns[weights] = _check_sample_weight(sample_weight, X)
            if (columns[weights] < 0).any():
                raise ValueError("sample_weight has negative values; want 0 or more")
            columns = {name: column[columns[weights] > 0] for name, column in columns.items()}
            flags += [f"--weights={weights}"] * len(self._targets)
        self._run(columns, flags)
        self._check_codings()
        self.evidence_ = self.result_.get("evidence", {})
        self._chosen = self.result_["chosen"]
        self._formulas = {name: Formula(self.result_["formula"][name]) for name in self._targets}
        for text in self.result_.get("warnings", []):
            warnings.warn(text, UserWarning, stacklevel=2)
        return self

    def _run(self, columns: dict[str, NDArray[np.float64]], flags: list[str]) -> None:
        """Keep what eql fit and eql show print for a table."""
        with tempfile.TemporaryDirectory(prefix="eql") as folder:
            table, run = Path(folder, "data.csv"), str(Path(folder, "run"))
            _write(table, columns)
            printed = program.run(["fit", str(table), "--out", run, *flags], sys.stderr if self.verbose else None)
            self.result_ = json.loads(printed)
            self._latex = program.run(["show", run, "--format", "latex"]).splitlines()
            self._mathml = program.run(["show", run, "--format", "mathml"]).splitlines()

    def _flags(self) -> list[str]:
        """Return the flags of eql fit."""
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(2**31)
        flags = ["--json", "--preset", self.preset, "--seed", str(seed), "--snap", "auto" if self.snap else "off"]
        flags += [f"--target={name}" for name in self._targets] + [f"--inputs={name}" for name in self._inputs]
        if self.time_limit is not None:
            flags += ["--time-limit", f"{float(self.time_limit):.6f}s"]
        if self.units is not None:
            flags += ["--units", ",".join(self.units)]
        if self.n_jobs not in (None, -1):
            flags += ["--workers", str(self.n_jobs)]
        if not self.verbose:
            flags += ["--quiet"]
        return flags + list(self.flags or [])

    def _check_codings(self) -> None:
        """Refuse columns of integers that eql took for dates: their formulas are not in the numbers of X."""
        for name, column in self.result_.get("columns", {}).items():
            raise ValueError(
                f"column {name!r} holds dates written as numbers ({column['meaning']}); "
                "give it as the number of days or seconds since some date"
            )

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the values of the formulas.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The inputs.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets), as y was in fit
            NaN or an infinity where a formula has no value.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        columns = dict(zip(self._inputs, X.T))
        y = np.empty((len(X), len(self._targets)))
        for k, formula in enumerate(self._formulas.values()):
            y[:, k] = formula(columns)
        return y[:, 0] if self._flat else y

    def _by_target(self, values: dict[str, Any]) -> Any:
        """Return the only value if y had one dimension, otherwise all by target."""
        return values[self._targets[0]] if self._flat else values

    @property
    def formula_(self) -> str | dict[str, str]:
        check_is_fitted(self)
        return self._by_target({name: f.text for name, f in self._formulas.items()})

    @property
    def verdict_(self) -> str | dict[str, str]:
        check_is_fitted(self)
        return self._by_target({name: self.evidence_.get(name, {}).get("verdict", "") for name in self._targets})

    @property
    def equations_(self) -> Any:
        check_is_fitted(self)
        rows = [row for name in self._targets for row in self._front(name)]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows, columns=_COLUMNS)

    def _front(self, target: str) -> list[dict[str, Any]]:
        """Return the models that no simpler one beats in the error on held-out rows, and the chosen one."""
        rows = []
        for m in self.result_["models"]:
            of_target = m["target"][target]
            if target in m["formula"] and of_target["validation_rms"] is not None:
                row = {"target": target, "model": m["id"], "complexity": of_target["complexity"]}
                row |= {"validation_rms": of_target["validation_rms"], "formula": m["formula"][target]}
                row["verdict"] = self._judged(m, target)[1].get("verdict", "")
                rows.append(row | {"chosen": m["id"] == self._chosen.get(target)})
        rows.sort(key=lambda r: (r["complexity"], not r["chosen"], r["validation_rms"]))
        front, best = [], np.inf
        for row in rows:
            if row["validation_rms"] < best * (1 - _SAME) or row["chosen"]:
                front.append(row)
            best = min(best, row["validation_rms"])
        return front

    def _judged(self, model: dict[str, Any], target: str) -> tuple[str, dict[str, Any]]:
        """Return a model's formula with special values, and its evidence, which is empty where eql did not judge it."""
        if model["id"] == self.result_["chosen"].get(target):
            return self.result_["formula"][target], self.result_.get("evidence", {}).get(target, {})
        judged = model["target"][target].get("judged", {})
        return judged.get("formula", model["formula"][target]), judged.get("evidence", {})

    def choose(self, model: int) -> EQLRegressor:
        """Return a copy that predicts with the formulas of another row of ``equations_``.

        eql judges the rows of the table as it judges the chosen formula, and gives them special values. The copy has
        no evidence for models that are not in it.

        Parameters
        ----------
        model : int
            The number in the column "model".
        """
        check_is_fitted(self)
        found = next((m for m in self.result_["models"] if m["id"] == model), None)
        if found is None or any(name not in found["formula"] for name in self._targets):
            raise ValueError(f"there is no model {model!r} with a formula for each target (equations_ lists them)")
        other = copy.copy(self)
        judged = {name: self._judged(found, name) for name in self._targets}
        other._formulas = {name: Formula(text) for name, (text, _) in judged.items()}
        other.evidence_ = {name: evidence for name, (_, evidence) in judged.items() if evidence}
        other._chosen = dict.fromkeys(self._targets, model)
        other._latex = other._mathml = None  # which eql printed for its own choice
        return other

    def sympy(self) -> sympy.Expr | dict[str, sympy.Expr]:
        """Return the formula as an expression of SymPy; for y with two dimensions a dict by target."""
        check_is_fitted(self)
        return self._by_target({name: f.sympy() for name, f in self._formulas.items()})

    def latex(self) -> str | dict[str, str]:
        """Return the equation in LaTeX; for y with two dimensions a dict by target."""
        check_is_fitted(self)
        if self._latex is not None:
            return self._by_target(dict(zip(self._targets, self._latex)))
        from sympy import Eq, Symbol, latex

        return self._by_target(
            {name: latex(Eq(Symbol(name), f.sympy(), evaluate=False)) for name, f in self._formulas.items()}
        )

    def get_best_solution(self) -> EQLRegressor:
        """Return the estimator with the chosen formula: itself, as SRBench asks for it."""
        check_is_fitted(self)
        return self

    def _repr_html_(self) -> str:
        """Return the equations as MathML with their verdicts; before fit what scikit-learn shows."""
        if not hasattr(self, "result_"):
            return super()._repr_html_
        lines = []
        for k, name in enumerate(self._targets):
            text = f"<code>{html.escape(f'{name} = {self._formulas[name]}')}</code>"
            sentence = self.evidence_.get(name, {}).get("sentence", "")
            lines.append(f"<div>{self._mathml[k] if self._mathml else text}<p>{html.escape(sentence)}</p></div>")
        return "\n".join(lines)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        if not hasattr(self, "result_"):
            return super()._repr_mimebundle_(**kwargs)
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _names(given: Sequence[str] | None, letter: str, n: int) -> list[str]:
    """Return names as eql reads them: without line breaks and outer spaces, and never empty."""
    if given is None:
        return [f"{letter}{i}" for i in range(n)]
    return [re.sub(r"\s+", " ", str(name)).strip() or f"{letter}{i}" for i, name in enumerate(given)]


def _unique(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return the names, with as many _ behind each as make it differ from those before it and those taken."""
    all_names = list(taken)
    first = len(all_names)
    for name in names:
        while name in all_names:
            name += "_"
        all_names.append(name)
    return all_names[first:]


def _target_names(given: Any, y: NDArray[np.float64]) -> list[str]:
    """Return the names of a Series or a DataFrame, otherwise y, or y0, y1, ..."""
    if y.ndim == 1:
        name = getattr(given, "name", None)
        return _names([name], "y", 1) if isinstance(name, str) else ["y"]
    columns = getattr(given, "columns", None)
    named = columns is not None and all(isinstance(name, str) for name in columns)
    return _names(list(columns) if named else None, "y", y.shape[1])


def _write(path: Path, columns: dict[str, NDArray[np.float64]]) -> None:
    """Write a CSV with all digits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerow(columns)
        np.savetxt(file, np.column_stack(list(columns.values())), fmt="%.17g", delimiter=",")
