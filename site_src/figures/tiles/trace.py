"""FlashAttention tile by tile: the scores in memory, and the softmax under way."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import (
    Array,
    Matrix,
    bracketed,
    fixed,
    matrix,
    number,
    products,
    source,
)
from snippets import six_words
from snippets.attention import attention
from snippets.flash import add_tile, flash_attention, tiles

MOST_WORDS = 8
MOST_COLUMNS = 4
SIZES = [2, 3]  # of a tile
DONE = "·"  # a number that was in memory, and is no more


class Text(TypedDict):
    """Queries, keys and values of some words."""

    words: list[str]
    Q: list[list[float]]
    K: list[list[float]]
    V: list[list[float]]


class Inputs(Text):
    """The same, and the size of a tile."""

    block: int


class Tile(NamedTuple):
    """One tile of scores, and peak, total and sums of its queries before and after it."""

    at: int
    rows: slice
    columns: slice
    scores: Array
    before: tuple[Array, Array, Array]
    after: tuple[Array, Array, Array]

    @property
    def shrink(self) -> Array:
        """What an old sum counts relative to the new peak; 0 where nothing was before."""
        return np.asarray(np.exp(self.before[0] - self.after[0]))


COMPARE = Step(
    key="compare",
    title="Compare with attention all at once",
    says="The same output, up to rounding; but the whole table was never in memory.",
    takes=["O", "attention"],
    makes=["difference"],
)


def embedded() -> dict[str, Inputs]:
    """Six words, in tiles of each size."""
    return {str(block): Inputs(**six(), block=block) for block in SIZES}


def six() -> Text:
    """Six words."""
    Q, K, V = (table.tolist() for table in (six_words.Q, six_words.K, six_words.V))
    return Text(words=six_words.words, Q=Q, K=K, V=V)


def sizes(n: int) -> list[int]:
    """The sizes of tiles to choose from: smaller than the whole table, if there is one.

    >>> sizes(6), sizes(3), sizes(1)
    ([2, 3], [2], [1])
    """
    return [size for size in SIZES if size < n] or [1]


def trace(inputs: Inputs) -> dict[str, Any]:
    """A step for each tile, and one to compare. Raises ValueError for what does not fit."""
    words, q, k, v = checked(inputs)
    choices = sizes(len(words))
    block = int(inputs["block"]) if inputs.get("block") in choices else choices[-1]
    drawn, steps = [], []
    for tile in run(q, k, v, block):
        drawn += [scores_of(tile, words, q, k, block), state_of(tile, words, v)]
        steps.append(step(tile, words, block))
    return {
        "inputs": {**inputs, "block": block},
        "matrices": drawn + compared(words, q, k, v, block),
        "steps": [*steps, COMPARE],
        "sizes": choices,
    }


def checked(text: Text) -> tuple[list[str], Array, Array, Array]:
    """The words, and their queries, keys and values. Raises ValueError, in a sentence."""
    words = text.get("words")
    if not isinstance(words, list) or not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"words must be a list of 1 to {MOST_WORDS} words.")
    q, k, v = (checked_table(name, text.get(name), len(words)) for name in ("Q", "K", "V"))
    if q.shape != k.shape:
        raise ValueError(f"Q and K need equally many columns: Q is {q.shape}, K is {k.shape}.")
    return words, q, k, v


def checked_table(name: str, given: Any, rows: int) -> Array:
    """Q, K or V. Raises ValueError, in a sentence, if it does not fit the words."""
    found = np.asarray(given, dtype=np.float64)
    if found.ndim != 2 or len(found) != rows or not 1 <= found.shape[1] <= MOST_COLUMNS:
        raise ValueError(
            f"{name} must have a row of 1 to {MOST_COLUMNS} numbers for each of {rows} words, "
            f"but its shape is {found.shape}."
        )
    return found


def run(q: Array, k: Array, v: Array, block: int) -> Iterator[Tile]:
    """The tiles in the order of flash_attention, with what is known before and after each."""
    at = 0
    for rows in tiles(len(q), block):
        peak = np.full((len(q[rows]), 1), -np.inf)
        state = peak, np.zeros_like(peak), np.zeros((len(peak), v.shape[1]))
        for columns in tiles(len(k), block):
            at += 1
            scores = q[rows] @ k[columns].T / q.shape[1] ** 0.5
            before, state = state, add_tile(*state, scores, v[columns])
            yield Tile(at, rows, columns, scores, before, state)


def scores_of(tile: Tile, words: list[str], q: Array, k: Array, block: int) -> Matrix:
    """The n × n table, of which only this tile is in memory."""
    n = len(words)
    whole = np.full((n, n), np.nan)
    whole[tile.rows, tile.columns] = tile.scores.round(4)

    def one_score(i: int, j: int) -> str:
        if np.isnan(whole[i, j]):
            return ""
        product = products(q[i], k[j]).split(" = ")[0]
        return f"({product}) ÷ √{q.shape[1]} = {number(whole[i, j], 4)}"

    drawn = matrix(
        f"tile {tile.at}",
        "of the scores",
        whole,
        [f"query: {word}" for word in words],
        [f"key: {word}" for word in words],
        symbol="scores",
        show=shown,
        how=one_score,
    )
    for rows in tiles(n, block):
        for columns in tiles(n, block):
            if (rows.start, columns.start) < (tile.rows.start, tile.columns.start):
                for row in drawn["shown"][rows]:
                    row[columns] = [DONE] * (columns.stop - columns.start)
    return drawn


def state_of(tile: Tile, words: list[str], v: Array) -> Matrix:
    """For each query of the tile: its peak, what is summed up relative to it, and the output."""
    peak, total, sums = tile.after
    output = sums / total if tile.columns.stop == len(words) else np.full(sums.shape, np.nan)
    numbers = np.hstack([peak, tile.shrink, total, sums, output]).round(4)
    whole = np.full((len(words), numbers.shape[1]), np.nan)
    whole[tile.rows] = numbers
    features = range(1, v.shape[1] + 1)

    def one_number(i: int, j: int) -> str:
        return "" if np.isnan(whole[i, j]) else made(tile, v, i - tile.rows.start, j)

    return matrix(
        f"softmax {tile.at}",
        "of each query",
        whole,
        words,
        ["peak", "shrink", "total", *[f"sum {n}" for n in features], *[f"o{n}" for n in features]],
        symbol="output",
        show=shown,
        how=one_number,
        sources=[source(f"tile {tile.at}", "row", "row")],
    )


def made(tile: Tile, v: Array, i: int, j: int) -> str:
    """The sum behind a number of a tile's query."""
    peak, total, sums = (part[i] for part in tile.after)
    old_peak, old_total, old_sums = (part[i] for part in tile.before)
    shrink = number(tile.shrink[i, 0], 4)
    e = [number(x, 4) for x in np.exp(tile.scores[i] - peak)]
    if j == 0:
        seen = [number(x, 4) for x in [*old_peak, *tile.scores[i]]]
        return f"the largest of {', '.join(seen)}"
    if j == 1:
        first = ", as nothing was before" if np.isinf(old_peak[0]) else ""
        return f"e^({number(old_peak[0], 4)} − {bracketed(peak[0])}) = {shrink}{first}"
    if j == 2:
        return f"{shrink}·{number(old_total[0], 4)} + {' + '.join(e)} = {number(total[0], 4)}"
    feature = (j - 3) % len(sums)
    result = number(sums[feature], 4)
    if j >= 3 + len(sums):
        output = number(sums[feature] / total[0], 4)
        return f"sum {feature + 1} ÷ total = {result} ÷ {number(total[0], 4)} = {output}"
    values = v[tile.columns, feature]
    terms = [f"{x}·{bracketed(value)}" for x, value in zip(e, values, strict=True)]
    return f"{shrink}·{bracketed(old_sums[feature])} + {' + '.join(terms)} = {result}"


def compared(words: list[str], q: Array, k: Array, v: Array, block: int) -> list[Matrix]:
    """The output in tiles, that of the whole table at once, and their difference."""
    in_tiles, at_once = flash_attention(q, k, v, block=block), attention(q, k, v)[0]
    rows = [f"query: {word}" for word in words]
    columns = [f"o{n}" for n in range(1, v.shape[1] + 1)]
    difference = (in_tiles - at_once).round(12)

    def four(x: float) -> str:
        return fixed(x, 4)

    def twelve(x: float) -> str:
        return number(x, 12)

    return [
        matrix("O", "in tiles", in_tiles, rows, columns, symbol="output", show=four),
        matrix("attention", "at once", at_once, rows, columns, symbol="output", show=four),
        matrix("difference", "to 12 decimals", difference, rows, columns, show=twelve),
    ]


def shown(x: float) -> str:
    """Two decimals, or nothing where there is no number."""
    return "" if np.isnan(x) else fixed(x)


def step(tile: Tile, words: list[str], block: int) -> Step:
    """What a tile's step says."""
    n, count = len(words), len(tiles(len(words), block)) ** 2
    return Step(
        key=f"tile-{tile.at}",
        title=f"Tile {tile.at} of {count}",
        says=f"In memory: {tile.scores.size} of {n * n} scores. {what_happened(tile, words)}",
        takes=[f"tile {tile.at}"],
        makes=[f"softmax {tile.at}"],
    )


def what_happened(tile: Tile, words: list[str]) -> str:
    """Whose peak has risen, and whether these queries are done."""
    risen = [
        f"“{word}”"
        for word, new, old in zip(words[tile.rows], tile.after[0], tile.before[0], strict=True)
        if new > old
    ]
    if tile.columns.start == 0:
        told = "The first scores of these queries."
    elif risen:
        told = f"A new peak for {' and '.join(risen)}: what was summed up there shrinks."
    else:
        told = "No new peak: nothing shrinks."
    done = tile.columns.stop == len(words)
    return f"{told} All keys met: sum ÷ total is the output." if done else told
