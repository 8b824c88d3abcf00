"""Short formulas from tables: the program eql as a scikit-learn estimator.

>>> from eqlearner import EQLRegressor
>>> model = EQLRegressor().fit(X, y)
>>> model.formula_
'-sin(x0)'
>>> model.verdict_
'holds'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .formula import Formula
    from .regressor import EQLRegressor

__all__ = ["EQLRegressor", "Formula", "program"]


def __getattr__(name: str) -> object:
    """Load scikit-learn only when the estimator is used: the command eql starts without it."""
    if name == "EQLRegressor":
        from .regressor import EQLRegressor

        return EQLRegressor
    if name == "Formula":
        from .formula import Formula

        return Formula
    if name == "__version__":
        from importlib.metadata import version

        return version("eqlearner")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
