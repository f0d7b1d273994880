"""A KV cache that fills word by word: what is kept, the new row of weights, and the work spared."""

from typing import Any

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, fixed, matrix
from site_src.figures.tiles.trace import Text, checked, six
from snippets.cost import attention_multiply_adds
from snippets.kv_cache import KVCache

START = 4  # words at first
D = 512  # numbers a word, where the work is counted
COLUMNS = ["keys kept", "values kept", "new scores", "with a cache", "without"]


STEPS = [
    Step(
        key="weights",
        title="One new row of weights for each word",
        says="Each row is computed once, and adds up to 1 (before rounding).",
        takes=[],
        makes=["weights"],
    ),
    Step(
        key="work",
        title="Multiply-adds for the new word",
        says=f"Of one layer with {D} numbers a word; without a cache it passes all words again.",
        takes=[],
        makes=["work"],
    ),
]


def embedded() -> dict[str, Text]:
    """Six words."""
    return {"six words": six()}


def trace(inputs: Text) -> dict[str, Any]:
    """What the cache holds and gives, word by word. Raises ValueError for what does not fit."""
    words, q, k, v = checked(inputs)
    weights, work = written(q, k, v)
    return {
        "inputs": inputs,
        "matrices": [
            matrix(
                "weights",
                "row by row",
                weights,
                [f"query: {word}" for word in words],
                [f"key: {word}" for word in words],
                symbol="weights",
                show=fixed,
            ),
            matrix(
                "work",
                "",
                work,
                [f"“{word}”" for word in words],
                COLUMNS,
                show=lambda x: f"{x:,.0f}",
            ),
        ],
        "steps": STEPS,
        "picture": told(words, work, min(START, len(words))),
        "told": [told(words, work, t) for t in range(1, len(words) + 1)],
        "words": words,
    }


def written(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
    """The weights, and for each word: rows kept, new scores, and work with and without a cache."""
    cache = KVCache()
    weights, work = np.zeros((len(q), len(q))), []
    for t in range(len(q)):
        cache.append(k[t : t + 1], v[t : t + 1])
        _, row = cache.attend(q[t : t + 1])
        weights[t, : t + 1] = row[0].round(4)
        kept = [rows.kept().shape[-2] for rows in (cache.keys, cache.values)]
        costs = [attention_multiply_adds(1, D, keys=t + 1), attention_multiply_adds(t + 1, D)]
        work.append([*kept, row.size, *costs])
    return weights, np.array(work, dtype=float)


def told(words: list[str], work: Array, t: int) -> str:
    """What the picture shows once t words are there."""
    kept, _, new, with_cache, without = work[t - 1]
    times = without / with_cache
    keys = "1 key and 1 value" if kept == 1 else f"{kept:.0f} keys and {kept:.0f} values"
    scores = "1 score" if new == 1 else f"{new:.0f} scores"
    compared = "the same" if times == 1 else f"{times:.0f} times as many"
    return (
        f"The cache holds {keys}. “{words[t - 1]}” needs one new row, {scores}: "
        f"{with_cache:,.0f} multiply-adds with the cache, {without:,.0f} without, {compared}."
    )
