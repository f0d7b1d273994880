"""How features are dealt out to heads and put together again; the usual mistake beside it."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import matrix
from snippets.multi_head import merge_heads, split_heads

TOKENS, FEATURES, HEADS = 4, 6, 3
Array = NDArray[Any]


class Inputs(TypedDict):
    """The right way, or reshaping without the swap of axes."""

    way: str


class Stage(TypedDict):
    """An array as it lies: its shape in words, and for each number block, row and column."""

    title: str
    shape: str
    says: str
    places: dict[int, tuple[int, int, int]]


def embedded() -> dict[str, Inputs]:
    """Both ways."""
    return {way: Inputs(way=way) for way in ("right", "mistake")}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Where each of 24 numbers lies, step by step. Raises ValueError for another way."""
    if inputs.get("way") not in ("right", "mistake"):
        raise ValueError("There are two ways here: the right one and the mistake.")
    x = np.arange(TOKENS * FEATURES).reshape(TOKENS, FEATURES)
    stages = right(x) if inputs["way"] == "right" else mistaken(x)
    heads = split_heads(x, HEADS) if inputs["way"] == "right" else reshaped(x)
    names = [f"token {n}" for n in range(1, TOKENS + 1)]
    columns = [f"feature {n}" for n in range(1, FEATURES + 1)]
    return {
        "inputs": inputs,
        "matrices": [
            matrix("x", "numbered features", x.astype(float), names, columns, symbol="x"),
            *(
                matrix(f"head {n}", "its share", head.astype(float), names, columns[:2])
                for n, head in enumerate(heads, 1)
            ),
        ],
        "steps": [
            Step(
                key="split",
                title=f"{FEATURES} features, {HEADS} heads",
                says="Each head has two features of every token.",
                takes=["x"],
                makes=[f"head {n}" for n in range(1, HEADS + 1)],
            )
        ],
        "picture": told(1, stages),
        "stages": stages,
        "heads": [
            [int(number) for number in row]
            for row in np.sort(split_heads(x, HEADS).reshape(HEADS, -1))
        ],
    }


def right(x: Array) -> list[Stage]:
    """Reshape, swap, and the way back."""
    grouped = x.reshape(TOKENS, HEADS, FEATURES // HEADS)
    heads = split_heads(x, HEADS)
    return [
        stage("x, as it comes", "[T, D] = [4, 6]", "A row for each token.", x[None]),
        stage(
            "Reshape: the features in groups",
            "[T, H, D/H] = [4, 3, 2]",
            "Nothing has moved in memory; each token’s features now count as three pairs.",
            grouped.swapaxes(0, 1),
        ),
        stage(
            "Swap axes: a block for each head",
            "[H, T, D/H] = [3, 4, 2]",
            "Each head has a row for every token.",
            heads,
        ),
        stage(
            "Attend: each head on its own",
            "[H, T, D/H] = [3, 4, 2]",
            "Rows of one block look at each other; nothing goes from block to block.",
            heads,
        ),
        stage(
            "Swap back and reshape: merged",
            "[T, D] = [4, 6]",
            "Side by side again. W_o then mixes what the heads have found.",
            merge_heads(heads)[None],
        ),
    ]


def mistaken(x: Array) -> list[Stage]:
    """Reshape straight to the shape that is wanted."""
    return [
        right(x)[0],
        stage(
            "Reshape straight to the heads",
            "[H, T, D/H] = [3, 4, 2]",
            "The shape is right and the contents are not: a head now mixes tokens and features.",
            reshaped(x),
        ),
    ]


def reshaped(x: Array) -> Array:
    """The mistake: numbers in the order in which they lie in memory."""
    return x.reshape(HEADS, TOKENS, FEATURES // HEADS)


def stage(title: str, shape: str, says: str, blocks: Array) -> Stage:
    """Blocks [blocks, rows, columns] as the place of each number."""
    places = {
        int(number): (block, row, column) for (block, row, column), number in np.ndenumerate(blocks)
    }
    return Stage(title=title, shape=shape, says=says, places=places)


def told(number: int, stages: list[Stage]) -> str:
    """A stage in words, as the view says it."""
    one = stages[number - 1]
    return f"{number} of {len(stages)}. {one['title']}: {one['shape']}. {one['says']}"
