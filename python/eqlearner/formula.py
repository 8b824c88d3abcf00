"""Formulas as eql writes them: read without eval, with values by NumPy, and for SymPy."""

from __future__ import annotations

import functools
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import sympy

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|`(?P<quoted>(?:[^`]|``)*)`"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<operator>\*\*|[-+*/^(),]))"
)

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "abs": np.abs,
    "min": lambda *x: functools.reduce(np.minimum, x),
    "max": lambda *x: functools.reduce(np.maximum, x),
}

#: Names of functions that formulas of earlier versions have as names of columns.
_LATER = frozenset(("asin", "acos", "atan", "sinh", "cosh", "abs", "min", "max"))


class Formula:
    """A formula in the text form of eql, such as ``0.5*m*v^2 + sin(`height (m)`)``.

    Parameters
    ----------
    text : str
        The formula. A name that is not an identifier stands between backticks.

    Attributes
    ----------
    text : str
        The formula as given.
    variables : tuple of str
        The names of the variables, sorted.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        names: set[str] = set()

        def variable(name: str) -> np.float64:
            names.add(name)
            return np.float64(1)

        with np.errstate(all="ignore"):
            _Reader(text, variable, _FUNCTIONS, _constant).read()
        self.variables = tuple(sorted(names))

    def __call__(self, columns: Mapping[str, Any]) -> Any:
        """Return the value for each row of the columns; NaN or an infinity where there is none."""
        with np.errstate(all="ignore"):
            return _Reader(self.text, lambda name: np.asarray(columns[name], float), _FUNCTIONS, _constant).read()

    def sympy(self) -> sympy.Expr:
        """Return the formula as an expression of SymPy, with a plain symbol for each variable."""
        import sympy

        capital = {"abs": "Abs", "min": "Min", "max": "Max"}
        functions = {name: getattr(sympy, capital.get(name, name)) for name in _FUNCTIONS if name != "sigmoid"}
        functions["sigmoid"] = lambda x: 1 / (1 + sympy.exp(-x))

        def number(text: str) -> sympy.Expr:
            if text == "pi":
                return sympy.pi
            return sympy.Integer(text) if text.isdigit() else sympy.Float(text)

        return _Reader(self.text, sympy.Symbol, functions, number).read()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def _constant(text: str) -> np.float64:
    return np.float64(math.pi if text == "pi" else text)


class _Reader:
    """A recursive descent that computes as it reads.

    What numbers, variables and functions are is up to the caller. The grammar is that of package formula::

        sum     = product { ("+" | "-") product }
        product = unary { ("*" | "/") unary }
        unary   = { "-" | "+" } power
        power   = primary [ ("^" | "**") unary ]
        primary = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
    """

    def __init__(
        self,
        text: str,
        variable: Callable[[str], Any],
        functions: Mapping[str, Callable[..., Any]],
        number: Callable[[str], Any],
    ) -> None:
        self.text, self.variable, self.functions, self.number = text, variable, functions, number
        self.position = 0
        self._next()

    def read(self) -> Any:
        value = self._sum()
        if self.kind != "end":
            raise self._error("an operator")
        return value

    def _next(self) -> None:
        """Read the token behind the last one: its kind, text and position."""
        match = _TOKEN.match(self.text, self.position)
        if match:
            self.kind, self.token = str(match.lastgroup), match.group(match.lastgroup)
            self.start, self.position = match.start(match.lastgroup), match.end()
            return
        self.start = len(self.text) - len(self.text[self.position :].lstrip())
        if self.start < len(self.text):
            raise self._error("a number, a name or an operator")
        self.kind, self.token = "end", ""

    def _error(self, wanted: str) -> ValueError:
        return ValueError(f"formula {self.text!r}: {wanted} must stand at column {self.start + 1}")

    def _accept(self, *operators: str) -> str:
        """Return the token and go on if it is one of the operators, otherwise return an empty text."""
        token = self.token
        if self.kind != "operator" or token not in operators:
            return ""
        self._next()
        return token

    def _sum(self) -> Any:
        value = self._product()
        while sign := self._accept("+", "-"):
            value = (operator.add if sign == "+" else operator.sub)(value, self._product())
        return value

    def _product(self) -> Any:
        value = self._unary()
        while sign := self._accept("*", "/"):
            value = (operator.mul if sign == "*" else operator.truediv)(value, self._unary())
        return value

    def _unary(self) -> Any:
        if sign := self._accept("-", "+"):
            value = self._unary()
            return -value if sign == "-" else value
        return self._power()

    def _power(self) -> Any:
        base = self._primary()
        return base ** self._unary() if self._accept("^", "**") else base

    def _primary(self) -> Any:
        if self._accept("("):
            return self._closed()
        kind, token = self.kind, self.token
        if kind not in ("number", "name", "quoted"):
            raise self._error("a number, a name or a parenthesis")
        self._next()
        if kind == "quoted":
            return self.variable(token.replace("``", "`"))
        if kind == "number" or token == "pi":
            return self.number(token)
        if token in self.functions:
            if self._accept("("):
                return self.functions[token](*self._arguments())
            if token not in _LATER:
                raise self._error(f"the ( of {token}")
        return self.variable(token)

    def _arguments(self) -> list[Any]:
        values = [self._sum()]
        while self._accept(","):
            values.append(self._sum())
        if not self._accept(")"):
            raise self._error("an operator or )")
        return values

    def _closed(self) -> Any:
        value = self._sum()
        if not self._accept(")"):
            raise self._error("an operator or )")
        return value
