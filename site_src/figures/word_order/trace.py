"""“Dog bites man” beside the same words in any order: which numbers are the same, and which not."""

from itertools import permutations
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Matrix, fixed, matrix
from snippets.word_order import attend

FIRST = ["dog", "bites", "man"]
SECOND = ["man", "bites", "dog"]  # at the start; the view shows any of the orders
WAYS = ["no positions", "causal mask", "sinusoids", "RoPE"]
SEED = 2


class Inputs(TypedDict):
    """How attention is told where words are, and the seed of the untrained numbers."""

    way: str
    seed: int


class Order(TypedDict):
    """The second sentence in one order: its numbers as text, and which are new (1) or not (0)."""

    words: list[str]
    weights: list[list[str]]
    output: list[list[str]]
    new_weights: list[list[int]]
    new_output: list[list[int]]
    says: str


def embedded() -> dict[str, Inputs]:
    """Each way with the page's own numbers."""
    return {way: Inputs(way=way, seed=SEED) for way in WAYS}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Both sentences. Raises ValueError for a way that is not known or an odd seed."""
    way, seed = inputs.get("way"), inputs.get("seed")
    if way not in WAYS or not isinstance(seed, int):
        raise ValueError(f"The way must be one of {', '.join(WAYS)}, and the seed a whole number.")
    orders = [order(list(words), way, abs(seed)) for words in permutations(FIRST)]
    second = next(one for one in orders if one["words"] == SECOND)
    return {
        "inputs": inputs,
        "matrices": [*tables(1, FIRST, way, seed), *tables(2, SECOND, way, seed)],
        "steps": [
            step(1, FIRST, "Each row of weights adds up to 1 (before rounding)."),
            step(2, SECOND, second["says"]),
        ],
        "orders": orders,
    }


def step(place: int, words: list[str], says: str) -> Step:
    """A sentence with its two tables."""
    makes = [f"weights {place}", f"output {place}"]
    return Step(key=f"sentence-{place}", title=" ".join(words), says=says, takes=[], makes=makes)


def tables(place: int, words: list[str], way: str, seed: int) -> list[Matrix]:
    """The weights and the output of a sentence."""
    output, weights = attend(words, way, seed=abs(seed))
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]
    numbers = [f"o{n}" for n in range(1, output.shape[1] + 1)]
    return [
        matrix(
            f"weights {place}", "", weights.round(2), queries, keys, symbol="weights", show=fixed
        ),
        matrix(f"output {place}", "", output.round(2), words, numbers, symbol="output", show=fixed),
    ]


def order(words: list[str], way: str, seed: int) -> Order:
    """The words in one order, each number held against the same words' in the first sentence."""
    back = [words.index(word) for word in FIRST]
    there = [FIRST.index(word) for word in words]
    first_output, first_weights = attend(FIRST, way, seed=seed)
    output, weights = attend(words, way, seed=seed)
    new_weights = ~np.isclose(weights, first_weights[there][:, there], atol=1e-9)
    new_output = ~np.isclose(output, first_output[there], atol=1e-9)
    return Order(
        words=words,
        weights=shown(weights),
        output=shown(output),
        new_weights=new_weights.astype(int).tolist(),
        new_output=new_output.astype(int).tolist(),
        says=told(new_weights, new_output, moved=back != sorted(back)),
    )


def shown(values: NDArray[Any]) -> list[list[str]]:
    """Numbers as text with two decimals."""
    return [[fixed(float(value)) for value in row] for row in values.round(2)]


def told(new_weights: NDArray[Any], new_output: NDArray[Any], moved: bool) -> str:
    """What a change of order has changed, counted.

    >>> none, some = np.zeros((3, 3), dtype=bool), np.eye(3, dtype=bool)
    >>> told(none, none, moved=True)
    'The same 9 weights and the same 3 outputs, only in another order.'
    >>> told(some, some, moved=True)
    '3 of 9 weights and 3 of 3 outputs are new (≠): the order shows.'
    """
    if not moved:
        return "The same sentence twice: swap two words."
    outputs = new_output.any(axis=-1)
    if not new_weights.any() and not outputs.any():
        return (
            f"The same {new_weights.size} weights and the same {outputs.size} outputs, "
            "only in another order."
        )
    return (
        f"{new_weights.sum()} of {new_weights.size} weights and {outputs.sum()} of {outputs.size} "
        "outputs are new (≠): the order shows."
    )
