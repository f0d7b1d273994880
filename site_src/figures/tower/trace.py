"""Words on their way up through four blocks, with and without the residual road."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from snippets.block import random_weights
from snippets.tower import kept, likeness, tower

WORDS = ["dogs", "chase", "small", "cats"]
D, HEADS, BLOCKS = 16, 2, 4
HALVES = ["attention", "MLP"]
LEVELS = ["start", *(f"{n} {half}" for n in range(1, BLOCKS + 1) for half in HALVES)]
ROADS = {"with": True, "without": False}
Array = NDArray[Any]


class Inputs(TypedDict):
    """Whether updates are added to a word ("with" the residual road) or replace it."""

    residual: str


def embedded() -> dict[str, Inputs]:
    """Both ways."""
    return {road: Inputs(residual=road) for road in ROADS}


def climbed(road: str) -> Array:
    """Random words in untrained blocks, on a road: [levels, T, D]."""
    x = np.random.default_rng(0).normal(size=(len(WORDS), D))
    weights = [random_weights(D, seed) for seed in range(BLOCKS)]
    levels: Array = tower(x, weights, HEADS, ROADS[road])
    return levels


def trace(inputs: Inputs) -> dict[str, Any]:
    """Each word's vector at each level. Raises ValueError for a road that there is not."""
    road = inputs.get("residual")
    if road not in ROADS:
        raise ValueError("The residual road is there or not: “with” or “without”.")
    roads = {name: climbed(name) for name in ROADS}
    alike = np.stack([likeness(levels) for levels in roads.values()])
    own = np.stack([kept(levels).mean(axis=-1) for levels in roads.values()])
    rows = list(ROADS)
    return {
        "inputs": inputs,
        "matrices": [
            matrix("alike", "mean cosine of two words", alike, rows, LEVELS, show=fixed),
            matrix("own", "mean cosine with the start", own, rows, LEVELS, show=fixed),
        ],
        "steps": [
            Step(
                key="likeness",
                title="How alike the words are, and how much of themselves they keep",
                says="A row with the residual road and one without, a column for each level.",
                takes=[],
                makes=["alike", "own"],
            )
        ],
        "picture": told(road, len(LEVELS) - 1, alike, own),
        "words": WORDS,
        "levels": LEVELS,
        "vectors": roads[road].round(2).tolist(),
        "told": [told(road, level, alike, own) for level in range(len(LEVELS))],
        "alike": alike.round(3).tolist(),
    }


def told(road: str, level: int, alike: Array, own: Array) -> str:
    """One level in words."""
    row = list(ROADS).index(road)
    return (
        f"{road.capitalize()} the residual road, at “{LEVELS[level]}”: the words are alike by "
        f"{fixed(alike[row, level])}, and each keeps {fixed(own[row, level])} of its start "
        "(cosines, 1 is the same direction)."
    )
