"""Attention in tiles: equal to the plain one and to torch's, in memory that grows linearly."""

import re
import tracemalloc
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from snippets import flash, three_words
from snippets.attention import attention
from snippets.flash import flash_attention
from snippets.masks import causal_mask, padding_mask, window_mask
from tests.snippets.mistakes import (
    Array,
    Check,
    Mistakes,
    checks,
    is_caught,
    keeps_dtypes,
    name,
    read_only,
)
from tests.snippets.oracles import torch_attention


def problem(*leading: int, queries: int, keys: int, d_v: int = 3) -> tuple[Array, Array, Array]:
    """Queries, keys and values that differ in all sizes that may differ."""
    random = np.random.default_rng(0)
    sizes = (queries, 4), (keys, 4), (keys, d_v)
    q, k, v = (random.normal(size=(*leading, *size)) * 2 for size in sizes)
    return q, k, v


def masks(tokens: int) -> list[Array | None]:
    """Every kind of mask for scores [T, T, T, T]: as many sentences as heads as tokens."""
    random = np.random.default_rng(1)
    each = random.random((tokens,) * 4) < 0.5
    return [
        None,
        causal_mask(tokens),
        window_mask(tokens, 2),
        padding_mask(np.arange(tokens)[:, None], tokens),
        np.arange(tokens) == 1,
        each[0, 0, 0],
        each[0, 0],
        each[0],  # one for each head
        each[:, :1],  # one for each sentence
        each[:, :, :1],  # the same for all queries
        each[..., :1],  # queries that see all or nothing
        each,
        np.array(False),
    ]


def check_three_words(module: types.ModuleType) -> None:
    """Calculated by hand, whatever the size of the tiles."""
    for block in (1, 2, 3, 100):
        output = module.flash_attention(three_words.Q, three_words.K, three_words.V, block=block)
        assert_allclose(output.round(2), [[0.41, 1.99], [1.99, 1.50], [1.63, 1.95]])


def check_a_running_softmax_by_hand(module: types.ModuleType) -> None:
    """Exponentials 1, 2 | 4, 1 with values 0, 1 | 2, 3: first relative to 2, then to 4."""
    scores, v = np.log([[1.0, 2.0, 4.0, 1.0]]), np.arange(4.0)[:, None]
    first = module.add_tile(-np.inf, 0.0, 0.0, scores[:, :2], v[:2])
    assert_allclose([*map(np.squeeze, first)], [np.log(2), 3 / 2, 2 / 2])
    second = module.add_tile(*first, scores[:, 2:], v[2:])
    assert_allclose([*map(np.squeeze, second)], [np.log(4), 8 / 4, 13 / 4])


def check_tiles_cover(module: types.ModuleType) -> None:
    """Each token once and in order, no tile larger than the block."""
    for n in range(8):
        for block in range(1, 10):
            found = module.tiles(n, block)
            assert [t for tile in found for t in range(tile.start, tile.stop)] == list(range(n))
            assert len(found) == -(-n // block)
            assert all(0 < tile.stop - tile.start <= block for tile in found)
    for block in (0, -1):
        with pytest.raises(ValueError, match=f"at least one token, not {block}"):
            module.tiles(3, block)


def check_equals_attention_and_torch(module: types.ModuleType) -> None:
    """One query or many, tiles that do not divide either length, values of another size."""
    for leading, queries, keys in [
        ((), 5, 7),
        ((2,), 1, 6),
        ((2, 3), 4, 4),
        ((), 7, 1),
        ((1,), 3, 9),
    ]:
        q, k, v = problem(*leading, queries=queries, keys=keys)
        for mask in (None, causal_mask(queries, keys)):
            for block in (1, 2, 3, 7, 64):
                output = module.flash_attention(q, k, v, mask, block=block)
                assert_allclose(output, attention(q, k, v, mask)[0], atol=1e-12)
                assert_allclose(output, torch_attention(q, k, v, mask), atol=1e-12)


def check_every_mask(module: types.ModuleType) -> None:
    """Empty rows and empty tiles among them: zeros, and never a warning."""
    q, k, v = problem(3, 3, queries=3, keys=3)
    for mask in masks(3):
        for block in (1, 2, 3):
            with np.errstate(all="raise", under="ignore"):
                output = module.flash_attention(q, k, v, mask, block=block)
            assert_allclose(output, attention(q, k, v, mask)[0], atol=1e-12)


def check_nothing_to_attend_to(module: types.ModuleType) -> None:
    """A row of which all tiles are empty gives zeros; so do no keys at all."""
    q, k, v = problem(queries=4, keys=6)
    mask = np.zeros((4, 6), dtype=bool)
    mask[1, 5] = mask[2, 0] = True  # seen only in the last tile, only in the first
    with np.errstate(all="raise", under="ignore"):
        output = module.flash_attention(q, k, v, mask, block=2)
        nothing = module.flash_attention(q, k[:0], v[:0])
    assert_allclose(output, [np.zeros(3), v[5], v[0], np.zeros(3)])
    assert_allclose(nothing, np.zeros((4, 3)))


def check_large_scores(module: types.ModuleType) -> None:
    """Scores of ±10,000, rising or falling from tile to tile; rows far apart; scores below −1e9."""
    for k in (np.array([[-100.0], [0.0], [100.0]]), np.array([[100.0], [0.0], [-100.0]])):
        q = np.array([[100.0], [-100.0]])
        with np.errstate(all="raise", under="ignore"):
            output = module.flash_attention(q, k, k, block=1)
        assert_allclose(output, [[100.0], [-100.0]])
    q, k, v = np.array([[100.0], [0.0]]), np.array([[100.0], [-100.0]]), np.array([[1.0], [3.0]])
    assert_allclose(module.flash_attention(q, k, v), [[1.0], [2.0]])
    assert_allclose(module.flash_attention(-1e5 * k[:1], 1e5 * k[:1], v[:1]), v[:1])


def check_leading_axes_broadcast(module: types.ModuleType) -> None:
    """One set of keys for a batch of queries, and the other way round."""
    q, k, v = problem(2, 3, queries=4, keys=5)
    for some in [(q, k[0], v[0]), (q[0], k, v), (q, k[:, :1], v), (q[0, 0], k[0, 0], v)]:
        output = module.flash_attention(*some, block=2)
        assert_allclose(output, attention(*some)[0], atol=1e-12)


def check_shapes_that_do_not_fit(module: types.ModuleType) -> None:
    """The same refusals as attention's, and tiles of nothing."""
    x = np.ones((3, 2))
    for given_x, said in [
        ((x, np.ones((3, 4)), x), "q is (3, 2), k is (3, 4), v is (3, 2)"),
        ((x, x, np.ones((4, 2))), "each key needs a value"),
        ((x, x, x, np.ones((3, 3))), "the mask must be boolean"),
        ((x, x, x, np.ones((2, 3, 3), bool)), "the mask (2, 3, 3) does not fit"),
        ((x, x, x, None, 0), "at least one token, not 0"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.flash_attention(*given_x)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, float16 is computed in float32; nothing given is changed."""
    keeps_dtypes(lambda *a: module.flash_attention(*a, block=2), (2, 5, 4), (2, 5, 4), (2, 5, 3))
    x = np.full((2, 4), 200, dtype=np.float16)  # 200 · 200 · 4 overflows float16
    assert_allclose(module.flash_attention(x, x, x), x)
    module.flash_attention(*map(read_only, problem(queries=3, keys=3)), read_only(causal_mask(3)))


def check_memory(module: types.ModuleType) -> None:
    """Not even half a byte for each entry of the table, with and without a mask."""
    tokens = 1024
    x = np.ones((tokens, 8), dtype=np.float32)
    for mask in (None, padding_mask(1000, tokens)):
        assert peak(module.flash_attention, x, x, x, mask, 64) < tokens**2 / 2


def peak(run: Callable[..., Any], *given: Any) -> int:
    """The most bytes that a call held at a time."""
    tracemalloc.start()
    try:
        run(*given)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(flash)


PEAK = "np.maximum(peak, scores.max(-1, keepdims=True))"
SHIFT = "np.where(np.isinf(new_peak), 0, new_peak)"
TILES = "[slice(i, min(i + block, n)) for i in range(0, n, block)]"
ADD = "seen = add_tile(*seen, scores, v[..., columns, :])"
WIDE = "np.broadcast_to(True if mask is None else mask, table)"
SEEN = "mask[..., rows, columns]"

MISTAKES: Mistakes = {
    # add_tile
    "the sum not shrunk": ("shrink * total", "total"),
    "the output not shrunk": ("shrink * output", "output"),
    "grown for shrunk": ("np.exp(peak - shift)", "np.exp(shift - peak)"),
    "the peak of this tile alone": (PEAK, "scores.max(-1, keepdims=True)"),
    "the first peak kept": (PEAK, "np.where(np.isinf(peak), scores.max(-1, keepdims=True), peak)"),
    "the peak of the whole tile": (PEAK, "np.maximum(peak, scores.max())"),
    "−∞ − (−∞)": (SHIFT, "new_peak"),
    "no peak at all": (SHIFT, "0"),
    "a finite lowest score": ("np.maximum(peak,", "np.maximum(np.maximum(peak, -1e9),"),
    "this tile's sum alone": (
        "shrink * total + e.sum(-1, keepdims=True)",
        "e.sum(-1, keepdims=True)",
    ),
    "each tile a softmax of its own": (
        "shrink * output + e @ v",
        "output + e / e.sum(-1, keepdims=True) @ v",
    ),
    # tiles
    "the last, shorter tile dropped": (
        TILES,
        TILES.replace("range(0, n, block)", "range(0, n - block + 1, block)"),
    ),
    "the first tile dropped": (TILES, TILES.replace("range(0,", "range(block,")),
    "tiles that overlap": (TILES, TILES.replace("i + block,", "i + block + 1,")),
    "tiles with gaps": (TILES, TILES.replace("i + block,", "i + max(block - 1, 1),")),
    "one tile for everything": (TILES, "[slice(0, n)]"),
    "tiles of nothing": ("if block < 1:", "if block < 0:"),
    # flash_attention
    "no scaling": (" / q.shape[-1] ** 0.5", ""),
    "÷ d_k": ("/ q.shape[-1] ** 0.5", "/ q.shape[-1]"),
    "÷ √block": ("/ q.shape[-1] ** 0.5", "/ block ** 0.5"),
    "tiles on the diagonal only": ("tiles(k.shape[-2], block)", "[rows]"),
    "each tile starting afresh": ("add_tile(*seen, scores", "add_tile(-np.inf, 0, 0, scores"),
    "the mask's first columns for all": (
        SEEN,
        "mask[..., rows, :block][..., : columns.stop - columns.start]",
    ),
    "the mask's first rows for all": (
        SEEN,
        "mask[..., :block, columns][..., : rows.stop - rows.start, :]",
    ),
    "the mask the wrong way round": (SEEN, f"~{SEEN}"),
    "masked with 0": (f"np.where({SEEN}, scores, -np.inf)", f"np.where({SEEN}, scores, 0)"),
    "masked with -1e9": (f"np.where({SEEN}, scores, -np.inf)", f"np.where({SEEN}, scores, -1e9)"),
    "the mask not broadcast": (WIDE, "np.ones(table, bool) if mask is None else np.asarray(mask)"),
    "the mask copied": (WIDE, f"np.array({WIDE})"),
    "0/0 in an empty row": ("np.where(total == 0, 1, total)", "total"),
    "not divided by the sum": ("output / np.where(total == 0, 1, total)", "output"),
    "each tile divided by its sum": (ADD, f"{ADD}; seen = (*seen[:2], seen[2] / seen[1])"),
    "the values of other tokens": (ADD, ADD.replace("columns, :]", ": scores.shape[-1], :]")),
    "each query with its own value": (ADD, ADD.replace("v[..., columns", "q[..., columns")),
    "always float64": ("np.empty(shape, dtype)", "np.empty(shape)"),
    "float16 not widened": (
        "(q, k, v), dtype = as_float(q, k, v)",
        "q, k, v = map(np.asarray, (q, k, v)); dtype = q.dtype",
    ),
    "the values' own axes forgotten": ("*broadcast(leading, v.shape[:-2])", "*leading"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(flash, MISTAKES[mistake], CHECKS)


# Properties.


@given(st.data())
def test_equals_attention_for_any_shapes_masks_and_tiles(data: st.DataObject) -> None:
    leading = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    queries, keys, d_v = (data.draw(st.integers(1, 6)) for _ in range(3))
    block = data.draw(st.integers(1, 7))
    q, k, v = problem(*leading, queries=queries, keys=keys, d_v=d_v)
    scale = data.draw(st.sampled_from([0.0, 1.0, 30.0]))
    mask = data.draw(st.none() | hnp.arrays(bool, (queries, keys)))
    with np.errstate(all="raise", under="ignore"):
        output = flash_attention(scale * q, k, v, mask, block)
    assert_allclose(output, attention(scale * q, k, v, mask)[0], atol=1e-12)


def test_memory_grows_with_the_tokens_not_with_their_square() -> None:
    short, long = (np.ones((n, 8), dtype=np.float32) for n in (512, 2048))
    tiled = [peak(flash_attention, x, x, x, None, 64) for x in (short, long)]
    whole = [peak(attention, x, x, x) for x in (short, long)]
    assert tiled[1] / tiled[0] < 4.1  # 4 times the tokens
    assert whole[1] / whole[0] > 12
