"""A sliding window: who sees whom, how far news travels through layers, and the scores it costs."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, matrix, number
from snippets.masks import window_mask

WORDS = ["it", "was", "too", "tired", "to", "cross", "the", "street"]
LAYERS = 4
START = 2  # layers at first


class Inputs(TypedDict):
    """How many words each word sees, itself included."""

    window: int


STEPS = [
    Step(
        key="mask",
        title="Who sees whom in one layer",
        says="A row for each query; 1 = may attend. Each word sees itself and those just before.",
        takes=[],
        makes=["mask"],
    ),
    Step(
        key="reach",
        title="How many words reach the last one",
        says="Through one layer and more, the last word itself included.",
        takes=[],
        makes=["reach"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """Every window from 1 word to all."""
    return {str(window): Inputs(window=window) for window in range(1, len(WORDS) + 1)}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The mask, and the first word that each word hears of. Raises ValueError for odd windows."""
    window = inputs.get("window")
    if not isinstance(window, int | float) or window != int(window) or window < 1:
        raise ValueError("window must be a whole number of at least 1.")
    mask = window_mask(len(WORDS), int(window))
    first = [first_seen(power) for power in powers(mask)]
    counts = [len(WORDS) - row[-1] for row in first[1:]]
    layers = [layers_of(n) for n in range(1, LAYERS + 1)]
    return {
        "inputs": {"window": int(window)},
        "matrices": [
            matrix(
                "mask",
                "",
                mask.astype(int),
                [f"query: {word}" for word in WORDS],
                [f"key: {word}" for word in WORDS],
            ),
            matrix("reach", "words", np.array([counts]), [f"to “{WORDS[-1]}”"], layers),
        ],
        "steps": STEPS,
        "picture": told(int(window), mask, counts, START),
        "told": [told(int(window), mask, counts, n) for n in range(1, LAYERS + 1)],
        "words": WORDS,
        "first": first,
        "code": f"window = {int(window)}\n",
    }


def powers(mask: Array) -> list[Array]:
    """Who hears of whom after 0, 1, … layers."""
    heard = [np.eye(len(mask), dtype=int)]
    for _ in range(LAYERS):
        heard.append(((heard[-1] @ mask.astype(int)) > 0).astype(int))
    return heard


def first_seen(heard: Array) -> list[int]:
    """The first word that each word hears of."""
    return [int(row.argmax()) for row in heard]


def layers_of(n: int) -> str:
    """n layers, in words."""
    return f"{n} {'layer' if n == 1 else 'layers'}"


def told(window: int, mask: Array, counts: list[int], layers: int) -> str:
    """What the picture shows, in words."""
    n, count = len(WORDS), counts[layers - 1]
    back = layers * (window - 1)
    reach = f"{layers} · ({number(window)} − 1) = {back} words back"
    whole = ", more than there are" if back > n - 1 else ""
    return (
        f"Window {window}: {int(mask.sum())} scores; a causal mask alone leaves "
        f"{n * (n + 1) // 2}. "
        f"Through {layers_of(layers)} "
        f"“{WORDS[-1]}” hears of words up to {reach}{whole}: {count} of {n} words."
    )
