"""Long contexts: memory of attention at once and in tiles, time a token with and without cache."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snippets.attention import attention
from snippets.flash import flash_attention
from snippets.kv_cache import KVCache
from snippets.masks import causal_mask

Array = NDArray[Any]
TOKENS = [512, 1024, 2048, 4096]
FEATURES = 64
BLOCK = 128
WINDOW = 256
REPEATS = 7


def measure() -> None:
    """Print a line for each way, with how its cost grows: as the text to the power of …"""
    texts = [words(n) for n in TOKENS]
    show("attention at once, memory", "MB", [megabytes(at_once, x) for x in texts])
    show(f"attention in tiles of {BLOCK}, memory", "MB", [megabytes(in_tiles, x) for x in texts])
    show("a token without a cache", "ms", [milliseconds(without_cache(x)) for x in texts])
    show("a token with a cache", "ms", [milliseconds(with_cache(x)) for x in texts])
    windowed = [milliseconds(with_cache(x, WINDOW)) for x in texts]
    show(f"a token with a cache of the last {WINDOW}", "ms", windowed)


def show(what: str, unit: str, values: list[float]) -> None:
    """One line, with the slope of the logarithms."""
    slope = np.polyfit(np.log(TOKENS), np.log(values), 1)[0]
    line = ", ".join(f"{n}: {value:.3g} {unit}" for n, value in zip(TOKENS, values, strict=True))
    print(f"{what}: {line}; grows as n^{slope:.2f}")


def words(n: int) -> Array:
    """A text as [T, D]."""
    return np.random.default_rng(0).normal(size=(n, FEATURES)).astype(np.float32)


def at_once(x: Array) -> None:
    """Attention with its whole table."""
    attention(x, x, x)


def in_tiles(x: Array) -> None:
    """The same, a tile of the table at a time."""
    flash_attention(x, x, x, block=BLOCK)


def without_cache(x: Array) -> Callable[[], Any]:
    """The whole pass again for one more token, as a model does that keeps nothing."""
    w_q, w_k, w_v = matrices()
    return lambda: attention(x @ w_q, x @ w_k, x @ w_v, causal_mask(len(x)))


def with_cache(x: Array, window: int | None = None) -> Callable[[], Any]:
    """One more token, after a text that the cache has taken in."""
    w_q, w_k, w_v = matrices()
    cache = KVCache(window)
    cache.append(x @ w_k, x @ w_v)
    word = x[-1:]

    def step() -> None:
        cache.append(word @ w_k, word @ w_v)
        cache.attend(word @ w_q)

    return step


def matrices() -> list[Array]:
    """w_q, w_k and w_v."""
    size = (3, FEATURES, FEATURES)
    return list(np.random.default_rng(1).normal(size=size).astype(np.float32) / FEATURES**0.5)


def milliseconds(run: Callable[[], Any]) -> float:
    """The median of some runs, after one that warms up."""
    times = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times[1:])


def megabytes(run: Callable[[Array], None], x: Array) -> float:
    """The most memory that a call held at a time, its result included."""
    tracemalloc.start()
    run(x)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held / 1e6
