"""Wrong ways to hide keys, each beside the right one, on the three words."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, Matrix, fixed, matrix
from snippets import wrong_masks
from snippets.attention import attention, softmax
from snippets.masks import causal_mask
from snippets.three_words import K, Q, V, words

PADDING = ["none", "I"]


class Way(NamedTuple):
    """A way to hide keys: what goes into softmax, what comes out of it, and what is wrong."""

    label: str
    into: Callable[[Array, Array], Array]  # scores and mask → scores
    out: Callable[[Array, Array], Array]  # these scores and the mask → weights
    shows: str  # with which padding the fault is seen
    faults: dict[str, str]  # what is wrong, by padding


def minus_infinity(scores: Array, mask: Array) -> Array:
    """The right way, as `attention` goes it."""
    return np.where(mask, scores, -np.inf)


FINE = "Nothing is wrong here. Now hide “I” as padding: its own row has nothing left."
WAYS = {
    "right": Way(
        "−∞ before softmax",
        minus_infinity,
        lambda scores, _: softmax(scores),
        "none",
        {
            "none": "The right way: what is hidden gets exactly 0, and each row adds up to 1.",
            "I": "The right way: “I” has nothing left to look at, and its row is all zeros.",
        },
    ),
    "zeros": Way(
        "0 before softmax",
        wrong_masks.zeros,
        lambda scores, _: softmax(scores),
        "none",
        {
            "none": "A score of 0 is no mask: e^0 = 1, so the future still gets its share.",
            "I": "A score of 0 is no mask: e^0 = 1, so padding and future still get their share.",
        },
    ),
    "after": Way(
        "0 after softmax",
        lambda scores, _: scores,
        lambda scores, mask: softmax(scores) * mask,
        "none",
        {
            "none": "What the future had taken is missing: rows no longer add up to 1.",
            "I": "What was hidden had taken its share first: rows no longer add up to 1.",
        },
    ),
    "plain": Way(
        "−∞, softmax without a guard",
        minus_infinity,
        lambda scores, _: wrong_masks.plain_softmax(scores),
        "I",
        {
            "none": FINE,
            "I": "A row of −∞ only: 0 ÷ 0 is NaN, and NaN spreads to all that is made of it.",
        },
    ),
    "half": Way(
        "−10⁹ in half precision",
        wrong_masks.in_half_precision,
        lambda scores, _: wrong_masks.plain_softmax(scores).astype(np.float64),
        "I",
        {
            "none": FINE,
            "I": "16 bits end at 65,504, so −10⁹ becomes −∞, and a row of it becomes NaN.",
        },
    ),
    "put-in": Way(
        "−10⁹ in their place",
        wrong_masks.put_in,
        lambda scores, _: softmax(scores),
        "I",
        {
            "none": FINE,
            "I": "All scores of “I” are equal now: it looks at padding and future, a third each.",
        },
    ),
    "added": Way(
        "−10⁹ added, in double precision",
        wrong_masks.added,
        lambda scores, _: softmax(scores),
        "I",
        {
            "none": FINE,
            "I": "The same number off every score of “I” changes no share: nothing is hidden.",
        },
    ),
}


class Inputs(TypedDict):
    """How keys are hidden, and which word is padding."""

    way: str
    padding: str


def embedded() -> dict[str, Inputs]:
    """Every way, with padding and without."""
    return {
        f"{way}/{padding}": Inputs(way=way, padding=padding) for way in WAYS for padding in PADDING
    }


def trace(inputs: Inputs) -> dict[str, Any]:
    """What one way makes of the scores. Raises ValueError for a way that is not there."""
    key, padding = inputs.get("way"), inputs.get("padding")
    if key not in WAYS or padding not in PADDING:
        raise ValueError(f"way must be one of {', '.join(WAYS)}; padding one of {PADDING}.")
    way = WAYS[key]
    mask = causal_mask(len(words)) & (np.array(words) != padding)
    into = way.into(Q @ K.T / Q.shape[-1] ** 0.5, mask)
    drawn = matrices(key, mask, into, way.out(into, mask))
    right = matrices("right", mask, into, attention(Q, K, V, mask)[1])
    return {
        "inputs": inputs,
        "matrices": [*drawn, {**right[1], "name": "right", "title": "weights"}],
        "steps": [
            Step(
                key="way",
                title="From scores to weights, and what they should be",
                says=way.faults[padding],
                takes=["scores"],
                makes=["weights", "sums", "right"],
            )
        ],
        "changed": changed(drawn, right),
        "label": way.label,
        "shows": way.shows,
    }


def matrices(key: str, mask: Array, into: Array, weights: Array) -> list[Matrix]:
    """The scores that go into softmax, the weights that come out, and their sums."""
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]
    sums = weights.sum(axis=-1, keepdims=True)
    scores = matrix(
        "scores", "that go into softmax", into, queries, keys, symbol="scores", show=fixed
    )
    if key in ("put-in", "added"):
        scores["shown"] = [
            [text if seen else large(float(x), key) for text, x, seen in zip(*row, strict=True)]
            for row in zip(scores["shown"], into, mask, strict=True)
        ]
    return [
        scores,
        matrix(
            "weights", "this way", weights.round(4), queries, keys, symbol="weights", show=share
        ),
        matrix("sums", "of rows", sums.round(4), queries, ["sum"], show=lambda x: share(x, 4)),
    ]


def large(score: float, key: str) -> str:
    """A score near −10⁹, with what is left of it.

    >>> large(-1e9 + 2.5, "added"), large(-1e9, "put-in")
    ('2.50−10⁹', '−10⁹')
    """
    return f"{fixed(score + 1e9)}−10⁹" if key == "added" else "−10⁹"


def share(x: float, decimals: int = 2) -> str:
    """A share, or NaN.

    >>> share(0.25), share(np.nan)
    ('0.25', 'NaN')
    """
    return "NaN" if np.isnan(x) else fixed(x, decimals)


def changed(drawn: list[Matrix], right: list[Matrix]) -> dict[str, list[list[bool]]]:
    """Which weights and sums are NaN, or come out differently at two decimals."""
    return {
        one["name"]: [
            [text == "NaN" or fixed(a) != fixed(b) for text, a, b in zip(*rows, strict=True)]
            for rows in zip(one["shown"], one["values"], other["values"], strict=True)
        ]
        for one, other in zip(drawn[1:], right[1:], strict=True)
    }
