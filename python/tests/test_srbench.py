"""The method for SRBench, as its harness uses it."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

METHOD = Path(__file__).parent.parent / "srbench" / "regressor.py"


def test_method():
    sympy = pytest.importorskip("sympy")
    pandas = pytest.importorskip("pandas")
    spec = importlib.util.spec_from_file_location("method", METHOD)
    method = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(method)

    rng = np.random.default_rng(0)
    X = pandas.DataFrame(rng.uniform(1, 3, (200, 2)), columns=["m_0", "v"])
    y = 0.5 * X.m_0 * X.v**2
    est = clone(method.est)
    assert hasattr(est, "time_limit"), "by which SRBench sets the limit"
    assert hasattr(est, "random_state")
    est.fit(X, y.to_numpy())

    found = sympy.parse_expr(method.model(est, X), local_dict={name: sympy.Symbol(name) for name in X.columns})
    assert sympy.simplify(found - sympy.Symbol("m_0") * sympy.Symbol("v") ** 2 / 2) == 0
    assert method.complexity(est) > 1
    assert method.get_best_solution(est) is est
    population = method.get_population(est)
    assert 1 <= len(population) <= 100
    assert all(p.predict(X).shape == (200,) and method.model(p, X) for p in population)
