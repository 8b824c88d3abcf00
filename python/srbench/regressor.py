"""The method eqlearner for SRBench.

This file goes into experiment/methods/eqlearner, beside an empty __init__.py; the others go into algorithms/eqlearner.
"""

from __future__ import annotations

from eqlearner import EQLRegressor

# SRBench gives each job one core, and sets time_limit and random_state itself.
est = EQLRegressor(n_jobs=1)

hyper_params = [{}]

# Formulas are found in the units of the data, where their constants are the simplest.
eval_kwargs = {"scale_x": False, "scale_y": False}


def model(est: EQLRegressor, X=None) -> str:
    """Return the formula in the names of X's columns, as SymPy reads it."""
    return str(est.sympy())


def complexity(est: EQLRegressor) -> int:
    """Return the number of nodes, for formulas that SymPy cannot count."""
    return est.result_["complexity"]


def get_population(est: EQLRegressor) -> list[EQLRegressor]:
    """Return an estimator for each formula of the front, the simplest first, at most 100."""
    return [est.choose(int(number)) for number in est.equations_["model"][:100]]


def get_best_solution(est: EQLRegressor) -> EQLRegressor:
    """Return the estimator with the chosen formula."""
    return est.get_best_solution()
