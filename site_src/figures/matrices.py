"""Matrices as figures draw them: named rows and columns, numbers as text, and their origin."""

from collections.abc import Callable
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Explain = Callable[[int, int], str]


class Source(TypedDict):
    """What a number is made from: a row, a column or a cell of another matrix.

    by: "row" or "column" of the number that is explained, or "cell" for the same place.
    part: which part of the other matrix: "row", "column" or "cell".
    """

    matrix: str
    part: str
    by: str


class Matrix(TypedDict):
    """One matrix of a trace; `shown` and `how` have the shape of `values`."""

    name: str
    symbol: str | None
    title: str
    rows: list[str]
    columns: list[str]
    values: list[list[float]]
    shown: list[list[str]]
    how: list[list[str]] | None
    sources: list[Source]
    editable: bool


def number(x: float, decimals: int = 2) -> str:
    """A number with at most so many decimals, and a real minus sign.

    >>> number(2.0), number(-0.5), number(0.7951), number(-1e-9), number(-np.inf)
    ('2', '−0.5', '0.8', '0', '−∞')
    """
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    text = f"{x:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", "−")


def fixed(x: float, decimals: int = 2) -> str:
    """A number with just so many decimals, as a column of shares wants it.

    >>> fixed(0.8), fixed(-1.0), fixed(0.0, 1)
    ('0.80', '−1.00', '0.0')
    """
    return number(x) if np.isinf(x) else f"{x + 0.0:.{decimals}f}".replace("-", "−")


def products(left: Array, right: Array) -> str:
    """The sum of products of two vectors, written out.

    >>> products(np.array([1.0, 2.0]), np.array([3.0, -1.0]))
    '1·3 + 2·(−1) = 1'
    """
    terms = [f"{number(a, 4)}·{bracketed(b)}" for a, b in zip(left, right, strict=True)]
    return f"{' + '.join(terms)} = {number(float(left @ right), 4)}"


def bracketed(x: float) -> str:
    """A number that may follow a sign.

    >>> bracketed(2.0), bracketed(-2.0)
    ('2', '(−2)')
    """
    return f"({number(x, 4)})" if x < 0 else number(x, 4)


def matrix(
    name: str,
    title: str,
    values: Array,
    rows: list[str],
    columns: list[str],
    *,
    symbol: str | None = None,
    show: Callable[[float], str] = number,
    how: Explain | None = None,
    sources: list[Source] | None = None,
    editable: bool = False,
) -> Matrix:
    """Put a matrix into the form that views and tables read."""
    explained = how and [
        [how(i, j) for j in range(values.shape[1])] for i in range(values.shape[0])
    ]
    return Matrix(
        name=name,
        title=title,
        symbol=symbol,
        rows=rows,
        columns=columns,
        values=[[float(x) if np.isfinite(x) else 0.0 for x in row] for row in values],
        shown=[[show(float(x)) for x in row] for row in values],
        how=explained or None,
        sources=sources or [],
        editable=editable,
    )


def source(matrix_name: str, part: str, by: str) -> Source:
    """Short for a Source."""
    return Source(matrix=matrix_name, part=part, by=by)
