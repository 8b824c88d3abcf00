"""Formulas are read as eql reads them, and evaluated without eval."""

import json
import math
import pickle

import numpy as np
import pytest

from eqlearner import Formula, program

X = {
    "x": np.array([0.5, 2.0]),
    "flow (l/s)": np.array([3.0, 4.0]),
    "a`b": np.array([1.0, 7.0]),
    "µ": np.array([2.0, 3.0]),
}

VALUES = [
    ("a number", "1.5e-3", lambda x: 0.0015),
    ("a point before digits", ".5*x", lambda x: 0.5 * x["x"]),
    ("pi", "2*pi", lambda x: 2 * math.pi),
    ("a power binds closer than a sign", "-x^2", lambda x: -(x["x"] ** 2)),
    ("powers from the right", "2^x^2", lambda x: 2 ** (x["x"] ** 2)),
    ("stars for a power", "x**-2", lambda x: x["x"] ** -2),
    ("differences from the left", "8 - 3 - 2", lambda x: 3.0),
    ("quotients from the left", "8/4/x", lambda x: 2 / x["x"]),
    ("a sign after an operator", "3*-x", lambda x: -3 * x["x"]),
    ("a name between backticks", "2*`flow (l/s)`", lambda x: 2 * x["flow (l/s)"]),
    ("a backtick in a name", "`a``b` + 1", lambda x: x["a`b"] + 1),
    ("a letter that Python would normalise", "µ", lambda x: x["µ"]),
    ("functions", "sin(x) + cos(x)*tan(x)", lambda x: 2 * np.sin(x["x"])),
    ("inverse functions", "exp(log(x)) - sqrt(x)^2", lambda x: 0 * x["x"]),
    ("sigmoid", "2*sigmoid(2*x) - 1", lambda x: np.tanh(x["x"])),
    ("tanh", "tanh(x)", lambda x: np.tanh(x["x"])),
    (
        "arcs",
        "asin(x/9) - acos(x/9) + atan(x)",
        lambda x: np.arcsin(x["x"] / 9) - np.arccos(x["x"] / 9) + np.arctan(x["x"]),
    ),
    ("hyperbolic", "sinh(x) - cosh(x)", lambda x: -np.exp(-x["x"])),
    ("magnitude", "abs(x - 1)", lambda x: np.abs(x["x"] - 1)),
    ("larger and smaller", "max(x, 2, 1) - min(x, 1)", lambda x: np.maximum(x["x"], 2) - np.minimum(x["x"], 1)),
    ("a pole", "1/(x - 2)", lambda x: np.array([1 / -1.5, np.inf])),
    ("outside a domain", "log(x - 1)", lambda x: np.array([np.nan, 0.0])),
]


@pytest.mark.parametrize(("text", "want"), [v[1:] for v in VALUES], ids=[v[0] for v in VALUES])
def test_values(text, want):
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(Formula(text)(X), want(X), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("text", [v[1] for v in VALUES if v[0] not in ("a pole", "outside a domain")])
def test_sympy_has_the_same_values(text):
    sympy = pytest.importorskip("sympy")
    formula = Formula(text)
    at = {sympy.Symbol(name): X[name][1] for name in formula.variables}
    want = np.broadcast_to(formula(X), 2)[1]
    assert float(formula.sympy().evalf(subs=at)) == pytest.approx(want, abs=1e-14)


def test_sympy_keeps_fractions_exact():
    sympy = pytest.importorskip("sympy")
    assert Formula("x/3 + pi/8").sympy() == sympy.Symbol("x") / 3 + sympy.pi / 8


@pytest.mark.parametrize(
    ("text", "column"),
    [("", 1), ("2 x", 3), ("(x", 3), ("x)", 2), ("sin", 4), ("x +", 4), ("`x", 1), ("x.real", 2), ("x[0]", 2)],
)
def test_errors_name_the_column(text, column):
    with pytest.raises(ValueError, match=f"at column {column}$"):
        Formula(text)


@pytest.mark.parametrize("text", ["__import__('os')", "exec(x)", "x.__class__", "lambda: 0"])
def test_python_is_refused(text):
    with pytest.raises(ValueError, match="must stand at column"):
        Formula(text)


def test_variables_and_pickle():
    formula = Formula("2*`flow (l/s)` + x*sin(x)")
    assert formula.variables == ("flow (l/s)", "x")
    assert pickle.loads(pickle.dumps(formula)) == formula


def test_values_are_those_of_eql(tmp_path):
    """The same formula by eql predict and by this package, on rows inside and outside the data."""
    rng = np.random.default_rng(1)
    x, z = rng.uniform(0.5, 2, (2, 60))
    y = 3 * np.exp(-x) + x / (1 + z**2)
    table, new, run = tmp_path / "t.csv", tmp_path / "new.csv", tmp_path / "run"
    np.savetxt(table, np.c_[x, z, y], delimiter=",", header="x,z (m),y", comments="", fmt="%.17g")
    rows = rng.uniform(-3, 5, (500, 2))
    np.savetxt(new, rows, delimiter=",", header="x,z (m)", comments="", fmt="%.17g")
    result = json.loads(program.run(["fit", str(table), "--out", str(run), "--quiet", "--json", "--time-limit", "5s"]))
    predicted = np.array(program.run(["predict", str(run), str(new)]).split()[1:], float)
    ours = Formula(result["formula"]["y"])({"x": rows[:, 0], "z (m)": rows[:, 1]})
    np.testing.assert_allclose(ours, predicted, rtol=1e-12)
