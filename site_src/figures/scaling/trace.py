"""What √d_k is for: scores of random vectors, their softmax, and the gradient that survives it."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from snippets.attention import softmax
from snippets.scaling import sample_scores, surviving_gradient

SIZES = [2**n for n in range(11)]  # of a key: 1 to 1024
EDGE = 30  # the histogram ends here; what lies beyond is counted
KINDS = ["as they are", "÷ √d_k"]


class Inputs(TypedDict):
    """The length of a key, and the seed that the numbers are drawn from."""

    d_k: int
    seed: int


STEPS = [
    Step(
        key="row",
        title="Softmax of the first row of scores",
        says="Each row adds up to 1 (before rounding).",
        takes=[],
        makes=["weights"],
    ),
    Step(
        key="all",
        title="All 500 rows",
        says="The trace is that of softmax’s Jacobian: what it passes on to its input.",
        takes=[],
        makes=["summary"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """Each length with the first seed."""
    return {str(size): Inputs(d_k=size, seed=0) for size in SIZES}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Histograms, one row of weights, and the gradient. Raises ValueError for odd inputs."""
    d_k, seed = inputs.get("d_k"), inputs.get("seed")
    if not isinstance(d_k, int) or not isinstance(seed, int) or not 1 <= d_k <= SIZES[-1]:
        raise ValueError(f"d_k must be a whole number from 1 to {SIZES[-1]}.")
    raw = sample_scores(d_k, seed=abs(seed))
    both = [raw, raw / d_k**0.5]
    weights = np.stack([softmax(scores)[0] for scores in both])
    gradients = [surviving_gradient(softmax(scores)) for scores in both]
    summary = [
        [scores.std(), (np.abs(scores) > EDGE).mean(), gradient.mean(), np.median(gradient)]
        for scores, gradient in zip(both, gradients, strict=True)
    ]
    columns = ["standard deviation", f"beyond ±{EDGE}", "trace: mean", "trace: median"]
    keys = [f"key {n}" for n in range(1, raw.shape[1] + 1)]
    return {
        "inputs": inputs,
        "matrices": [
            matrix("weights", "", weights.round(4), KINDS, keys, symbol="weights", show=fixed),
            matrix("summary", "", np.array(summary).round(4), KINDS, columns, show=fixed),
        ],
        "steps": STEPS,
        "picture": told(d_k, np.array(summary)),
        "histograms": [histogram(scores) for scores in both],
        "edge": EDGE,
    }


def histogram(scores: NDArray[Any]) -> list[int]:
    """How many scores fall into each unit from −EDGE to EDGE."""
    counts, _ = np.histogram(scores, bins=2 * EDGE, range=(-EDGE, EDGE))
    return [int(count) for count in counts]


def told(d_k: int, summary: NDArray[Any]) -> str:
    """What the picture shows, in words."""
    (raw, _, raw_gradient, _), (scaled, _, scaled_gradient, _) = summary
    return (
        f"With {d_k} numbers in a key the scores have a standard deviation of {raw:.1f}, "
        f"and {scaled:.1f} after division. The trace of softmax’s Jacobian is {raw_gradient:.2f}, "
        f"and {scaled_gradient:.2f} after division (mean over 500 rows)."
    )
