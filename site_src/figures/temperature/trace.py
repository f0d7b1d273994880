"""Softmax's temperature: the same scores, sharper or softer."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from snippets.attention import softmax

SCORES = [2.0, 1.0, 0.5, 0.0, -1.0]
TEMPERATURES = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]
MOST_SCORES = 10


class Inputs(TypedDict):
    """Scores, and what they are divided by."""

    scores: list[float]
    temperature: float


STEPS = [
    Step(
        key="weights",
        title="softmax(scores ÷ temperature)",
        says="The weights add up to 1 (before rounding).",
        takes=["scores"],
        makes=["weights"],
    )
]


def embedded() -> dict[str, Inputs]:
    """One row of scores at several temperatures."""
    return {str(t): Inputs(scores=SCORES, temperature=t) for t in TEMPERATURES}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The weights. Raises ValueError for scores or a temperature that cannot be."""
    scores, temperature = inputs.get("scores"), inputs.get("temperature")
    if not isinstance(temperature, int | float) or temperature <= 0:
        raise ValueError("temperature must be a number above 0.")
    try:
        row = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        row = np.zeros(0)
    if row.ndim != 1 or not 1 <= len(row) <= MOST_SCORES:
        raise ValueError(f"scores must be a row of 1 to {MOST_SCORES} numbers.")
    with np.errstate(over="ignore"):
        divided = row / temperature
    if not np.isfinite(divided).all():
        raise ValueError("These scores are too large for this temperature.")
    weights = softmax(divided)
    keys = [f"key {n}" for n in range(1, len(row) + 1)]
    return {
        "inputs": inputs,
        "matrices": [
            matrix("scores", "", row[None], ["query"], keys, symbol="scores"),
            matrix("weights", "", weights[None], ["query"], keys, symbol="weights", show=fixed),
        ],
        "steps": STEPS,
        "picture": (
            f"At temperature {temperature:g} the largest score gets {weights.max():.0%}, "
            f"the smallest {weights.min():.0%}."
        ),
        "code": f"scores = np.array({row.tolist()})\ntemperature = {temperature}\n",
    }
