"""The estimator on small tables."""

import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import NotFittedError

from eqlearner import EQLRegressor, program


@pytest.fixture(scope="module")
def pendulum():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (300, 2))
    return X, np.c_[X[:, 1] / 9.81, -np.sin(X[:, 0])] + rng.normal(0, 0.01, (300, 2))


@pytest.fixture(scope="module")
def fitted(pendulum):
    X, Y = pendulum
    return EQLRegressor().fit(X, Y[:, 1])


def test_finds_the_law_and_extrapolates(fitted):
    assert fitted.formula_ == "-sin(x0)"
    assert fitted.verdict_ == "holds"
    assert fitted.evidence_["y"]["constants"][0]["low"] < -1 < fitted.evidence_["y"]["constants"][0]["high"]
    far = np.array([[4.0, 0.0], [-6.0, 1.0]])
    np.testing.assert_allclose(fitted.predict(far), -np.sin(far[:, 0]), atol=1e-12)


def test_forms(fitted):
    sympy = pytest.importorskip("sympy")
    assert fitted.sympy() == -sympy.sin(sympy.Symbol("x0"))
    assert fitted.latex() == r"y = -\sin\left(x_{0}\right)"
    assert fitted.get_best_solution() is fitted


def test_display(fitted):
    page = fitted._repr_mimebundle_()["text/html"]
    assert "<math" in page
    assert "holds outside the data" in page
    assert EQLRegressor()._repr_html_()  # scikit-learn's own before fit
    assert "text/plain" in EQLRegressor()._repr_mimebundle_()


def test_equations_are_a_front_with_the_chosen_one(fitted):
    pandas = pytest.importorskip("pandas")
    table = fitted.equations_
    assert isinstance(table, pandas.DataFrame)
    assert table.chosen.sum() == 1
    assert table.verdict[table.chosen].item() == "holds"
    assert table.complexity.is_monotonic_increasing
    assert table.validation_rms.is_monotonic_decreasing


def test_equations_without_pandas(fitted, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert [row["model"] for row in fitted.equations_ if row["chosen"]] == [fitted.result_["chosen"]["y"]]


def test_choose_another_row():
    pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (300, 2))
    y = 3 * X[:, 0] + 0.5 * np.sin(2 * X[:, 1]) + rng.normal(0, 0.01, 300)
    model = EQLRegressor(time_limit=1).fit(X, y)
    line = next(m for m in model.result_["models"] if m.get("baseline"))["id"]
    other = model.choose(line)
    assert other.verdict_ == "fails"
    assert "fails" in other._repr_html_()
    assert "sin" not in other.formula_
    assert other.score(X, y) < model.score(X, y)
    assert [row.model for row in other.equations_.itertuples() if row.chosen] == [line]
    assert other.choose(model.result_["chosen"]["y"]).formula_ == model.formula_ == "3*x0 + 0.5*sin(2*x1)"
    with pytest.raises(ValueError, match="there is no model 999"):
        model.choose(999)


def test_two_targets_in_a_data_frame(pendulum):
    pandas = pytest.importorskip("pandas")
    X, Y = pendulum
    X = pandas.DataFrame(X, columns=["angle", "speed (rad/s)"])
    model = EQLRegressor().fit(X, pandas.DataFrame(Y, columns=["y, next", "-accel"]))
    assert model.formula_["-accel"] == "-sin(angle)"
    assert "`speed (rad/s)`" in model.formula_["y, next"]
    assert set(model.verdict_) == set(model.latex()) == {"y, next", "-accel"}
    assert model.predict(X).shape == (300, 2)
    assert set(model.equations_.target) == {"y, next", "-accel"}


def test_pickle_and_clone(fitted, pendulum):
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(pendulum[0]), fitted.predict(pendulum[0]))
    assert again.latex() == fitted.latex()
    assert not hasattr(clone(fitted), "result_")
    with pytest.raises(NotFittedError):
        clone(fitted).formula_  # noqa: B018


def test_same_seed_same_result(fitted, pendulum):
    again = EQLRegressor(n_jobs=1).fit(pendulum[0], pendulum[1][:, 1])
    assert again.result_["models"] == fitted.result_["models"]


def test_constant_target(pendulum):
    with pytest.warns(UserWarning, match="is 3 in every row"):
        model = EQLRegressor().fit(pendulum[0], np.full(300, 3.0))
    assert model.formula_ == "3"
    assert model.verdict_ == ""
    assert len(model.equations_) == 0
    np.testing.assert_array_equal(model.predict(pendulum[0]), 3)


def test_weights():
    """Of two laws in one table the weighted one is found; a row with the weight 0 is none."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 3, 120)
    first = np.arange(120) < 60
    y = np.where(first, 5 * x, 2 * x**2) + rng.normal(0, 0.01, 120)
    X, Y = x[:, None], np.c_[y, -y]
    assert (
        EQLRegressor().fit(X, y, sample_weight=~first).formula_
        == EQLRegressor().fit(X[60:], y[60:]).formula_
        == "2*x0^2"
    )
    model = EQLRegressor().fit(X, Y, sample_weight=np.where(first, 1e-8, 1.0))
    assert model.formula_ == {"y0": "2*x0^2", "y1": "-2*x0^2"}
    with pytest.raises(ValueError, match="sample_weight has negative values"):
        EQLRegressor().fit(X, y, sample_weight=-x)


def test_names_that_differ_by_spaces_alone(pendulum):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(pendulum[0], columns=["a", " a"])
    formulas = EQLRegressor().fit(X, pendulum[1]).formula_
    assert formulas["y0"].endswith("*a_")
    assert formulas["y1"] == "-sin(a)"


def test_a_column_named_like_an_error_bar_is_an_input(pendulum):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(pendulum[0], columns=["y_err", "x"])
    assert EQLRegressor().fit(X, pendulum[1][:, 1]).formula_ == "-sin(y_err)"


def test_a_target_named_like_an_input(pendulum):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(pendulum[0], columns=["y", "x"])
    assert EQLRegressor().fit(X, pendulum[1][:, 1]).formula_ == "-sin(y)"


def test_dates_as_numbers_are_refused(pendulum):
    pandas = pytest.importorskip("pandas")
    dates = pandas.date_range("2024-01-01", periods=300).strftime("%Y%m%d").astype(int)
    with pytest.raises(ValueError, match=r"column 'day' holds dates written as numbers \(days since 2024-01-01\)"):
        EQLRegressor().fit(pandas.DataFrame({"day": dates, "x": pendulum[0][:, 0]}), pendulum[1][:, 1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"preset": "slow"}, "--preset"),
        ({"units": ["cosh"]}, "--units"),
        ({"time_limit": -1}, "--time-limit"),
        ({"n_jobs": -3}, "--workers"),
        ({"flags": ["--frob"]}, "there is no flag --frob"),
    ],
)
def test_errors_are_those_of_eql(pendulum, parameters, message):
    with pytest.raises(ValueError, match=message):
        EQLRegressor(**parameters).fit(pendulum[0], pendulum[1][:, 1])


def test_progress_is_printed_when_asked_for(pendulum, capsys):
    EQLRegressor(verbose=1).fit(pendulum[0], pendulum[1][:, 1])
    assert "networks" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_ctrl_c_ends_the_program(tmp_path):
    """The interrupt goes to Python alone, as a notebook sends it; the program must end with it."""
    script = (
        "import numpy as np; from eqlearner import EQLRegressor\n"
        "X = np.random.default_rng(0).normal(size=(500, 5))\n"
        "EQLRegressor(time_limit=300).fit(X, np.random.default_rng(1).normal(size=500))\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    python = subprocess.Popen(
        [sys.executable, "-c", script],
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell in the background ignores it
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("eql*/run/jobs.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.05)
    python.send_signal(signal.SIGINT)
    _, said = python.communicate(timeout=20)
    assert "KeyboardInterrupt" in said
    assert not list(tmp_path.glob("eql*"))  # the folder is gone, and so is who would write into it


def test_the_command(tmp_path):
    code = f"import sys; sys.argv = ['eql', '--version']; from {program.__name__} import main; main()"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("eql version ")
