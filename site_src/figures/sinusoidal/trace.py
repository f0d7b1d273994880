"""Positions as waves: a table of sines and cosines, and how alike two of its rows are."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix, number
from snippets.positions import sinusoidal

POSITIONS, FEATURES = 64, 32
START = (20, 6)  # position and feature under the cursor at first
SHOWN_POSITIONS, SHOWN_FEATURES = [0, 1, 2, 3, 20, 63], [0, 1, 6, 7, 30, 31]
FROM, OFFSETS = [0, 10, 20, 40], [0, 1, 2, 3, 10, 20]


class Inputs(TypedDict, total=False):
    """Nothing for the page's own waves, or a reader's table: positions × features."""

    table: list[list[float]]


def embedded() -> dict[str, Inputs]:
    """The waves."""
    return {"waves": Inputs()}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The table, its waves and products. Raises ValueError for a table that cannot be drawn."""
    waves = sinusoidal(POSITIONS, FEATURES)
    table = readers_table(inputs["table"]) if "table" in inputs else waves
    own = table.shape == waves.shape and np.allclose(table, waves, atol=1e-12)
    products = table @ table.T  # [T, T]
    rows, columns = within(SHOWN_POSITIONS, len(table)), within(SHOWN_FEATURES, table.shape[1])
    return {
        "inputs": {} if own else {"table": table.round(3).tolist()},
        "matrices": [
            matrix(
                "PE",
                "",
                table[np.ix_(rows, columns)].round(2),
                [f"position {p}" for p in rows],
                [f"feature {i}" for i in columns],
                show=fixed,
            ),
            product_table(products),
        ],
        "steps": steps(table, even=by_distance(products) is not None),
        "picture": told(table, kinds(table) if own else []),
        "verdict": verdict(products),
        "table": table.round(2).tolist(),
        "kinds": kinds(table) if own else [],
        "products": by_distance(products) or products.round(2).tolist(),
    }


def steps(table: NDArray[Any], even: bool) -> list[Step]:
    """What the tables of numbers show; even: products depend on the distance alone."""
    positions, features = table.shape
    return [
        Step(
            key="table",
            title="Some rows and columns of the table",
            says=f"The whole of it has {positions} positions and {features} features.",
            takes=[],
            makes=["PE"],
        ),
        Step(
            key="products",
            title="PE(p) · PE(q)",
            says="A row for each p, a column for each distance q − p"
            + (": all rows are alike." if even else "."),
            takes=[],
            makes=["products"],
        ),
    ]


def readers_table(table: Any) -> NDArray[Any]:
    """A table that can be drawn."""
    try:
        found = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2 or not 2 <= len(found) <= 128 or not 1 <= found.shape[1] <= 64:
        raise ValueError("table must have 2 to 128 rows (positions) and 1 to 64 columns.")
    return found


def within(places: list[int], length: int) -> list[int]:
    """Those places that there are."""
    return [place for place in places if place < length]


def product_table(products: NDArray[Any]) -> Any:
    """Some products by where the first position is and how far away the second."""
    rows = [p for p in FROM if p + OFFSETS[-1] < len(products)] or [0]
    columns = [k for k in OFFSETS if rows[-1] + k < len(products)]
    picked = np.array([[products[p, p + k] for k in columns] for p in rows]).round(2)
    names = [f"p = {p}" for p in rows], [f"q = p + {k}" for k in columns]
    return matrix("products", "of two rows", picked, *names, symbol="scores", show=fixed)


def unevenness(products: NDArray[Any]) -> float:
    """How much products of positions at the same distance differ, at most."""
    n = len(products)
    return float(max(np.ptp(np.diagonal(products, distance)) for distance in range(n)))


def by_distance(products: NDArray[Any]) -> list[float] | None:
    """One product for each distance, if products depend on nothing else."""
    return products[0].round(2).tolist() if unevenness(products) < 1e-9 else None


def kinds(table: NDArray[Any]) -> list[str]:
    """What wave each feature is: the angle of a pair at position 1 is how fast it turns.

    >>> kinds(sinusoidal(2, 32))[::31]
    ['a sine, one turn in 6.3 positions', 'a cosine, one turn in 35,333 positions']
    """
    turns = 2 * np.pi / np.arctan2(table[1, 0::2], table[1, 1::2])
    shown = [f"{turn:.1f}" if turn < 100 else f"{turn:,.0f}" for turn in turns]
    waves = ("sine", "cosine")
    return [f"a {wave}, one turn in {turn} positions" for turn in shown for wave in waves]


def told(table: NDArray[Any], waves: list[str]) -> str:
    """What stands under the cursor at first, as the view says it of any place."""
    p, i = min(START[0], len(table) - 1), min(START[1], table.shape[1] - 1)
    of = f" ({waves[i]})" if waves else ""
    return f"Position {p}, feature {i}{of}: {fixed(float(table[p, i].round(2)))}."


def verdict(products: NDArray[Any]) -> str:
    """Whether products depend on the distance alone, by trying all pairs."""
    n = len(products)
    if by_distance(products):
        return (
            f"Tried with all {n} × {n} pairs: PE(p) · PE(q) depends on the distance of p and q "
            "and on nothing else."
        )
    return (
        "PE(p) · PE(q) depends on where p and q are: at the same distance it differs by up to "
        f"{number(unevenness(products))}."
    )
