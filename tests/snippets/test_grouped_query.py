"""Grouped queries against torch and the onnx reference operator, and against mistakes."""

import re
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from snippets import grouped_query
from snippets.attention import attention
from snippets.grouped_query import grouped_query_attention
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
from tests.snippets.oracles import onnx_attention, torch_attention


def problem(
    *leading: int, heads: int, kv_heads: int, queries: int = 3, keys: int = 3
) -> tuple[Array, Array, Array]:
    """Queries [..., H, Tq, 4], keys [..., H_kv, Tk, 4] and values [..., H_kv, Tk, 5]."""
    random = np.random.default_rng(0)
    sizes = (heads, queries, 4), (kv_heads, keys, 4), (kv_heads, keys, 5)
    q, k, v = (random.normal(size=(*leading, *size)) for size in sizes)
    return q, k, v


def check_neighbours_share(module: types.ModuleType) -> None:
    """Four query heads, two value heads, one token: heads 0 and 1 get the first value."""
    v = np.array([[[1.0]], [[2.0]]])
    output, weights = module.grouped_query_attention(np.zeros((4, 1, 2)), np.zeros((2, 1, 2)), v)
    assert output.ravel().tolist() == [1, 1, 2, 2]
    assert weights.shape == (4, 1, 1)


def check_torch(module: types.ModuleType) -> None:
    """scaled_dot_product_attention(…, enable_gqa=True), from all heads shared to none."""
    for leading, heads, kv_heads in [
        ((2,), 4, 2),
        ((3,), 6, 2),
        ((1,), 6, 3),
        ((2,), 4, 1),
        ((2,), 4, 4),
    ]:
        q, k, v = problem(*leading, heads=heads, kv_heads=kv_heads, queries=3, keys=5)
        for mask in (None, causal_mask(3, 5)):
            output, _ = module.grouped_query_attention(q, k, v, mask)
            assert_allclose(output, torch_attention(q, k, v, mask, enable_gqa=True), atol=1e-12)


def check_every_mask_onnx(module: types.ModuleType) -> None:
    """Output and weights of the reference operator; as many sentences as heads as tokens."""
    q, k, v = problem(4, heads=4, kv_heads=2, queries=4, keys=4)
    each = np.random.default_rng(1).random((4, 4, 4, 4)) < 0.5
    empty = padding_mask(np.array([[4], [0], [2], [1]]), 4)
    for mask in (causal_mask(4), window_mask(4, 2), empty, each, each[0], each[:, :1], each[0, 0]):
        with np.errstate(all="raise", under="ignore"):
            found = module.grouped_query_attention(q, k, v, mask)
        wide = np.broadcast_to(mask, each.shape)
        expected = onnx_attention(q, k, v, attn_mask=wide)
        assert_allclose(found[0], expected[0], atol=1e-12)
        assert_allclose(found[1], expected[1], atol=1e-12)


def check_any_leading_axes(module: types.ModuleType) -> None:
    """None at all, or several; each query head is attention with its group's keys and values."""
    for leading in [(), (2,), (2, 3)]:
        q, k, v = problem(*leading, heads=6, kv_heads=3, queries=2)
        output, weights = module.grouped_query_attention(q, k, v)
        for h in range(6):
            alone = attention(q[..., h, :, :], k[..., h // 2, :, :], v[..., h // 2, :, :])
            assert_allclose(output[..., h, :, :], alone[0], atol=1e-12)
            assert_allclose(weights[..., h, :, :], alone[1], atol=1e-12)


def check_heads_that_do_not_fit(module: types.ModuleType) -> None:
    """The shapes found are named."""

    def x(*shape: int) -> Array:
        return np.ones((*shape, 5, 2))

    for given_x, said in [
        ((x(8), x(3), x(3)), "3 key heads do not divide 8 query heads: q is (8, 5, 2)"),
        ((x(2), x(4), x(4)), "4 key heads do not divide 2 query heads"),
        ((x(2), x(0), x(0)), "0 key heads do not divide 2 query heads"),
        ((x(4), x(2), x(1)), "equally many heads: q is (4, 5, 2), k (2, 5, 2), v (1, 5, 2)"),
        ((x(4), x(1), x(2)), "equally many heads"),
        ((x(4), x(4), x()), "at least the axes [heads, tokens, features]"),
        ((x(), x(), x()), "at least the axes [heads, tokens, features]"),
        ((x(2, 4), x(3, 2), x(3, 2)), "the leading axes do not fit"),
        ((x(4), x(2), x(2), np.ones((2, 5, 5), bool)), "the mask (2, 5, 5) does not fit"),
        ((x(4), x(2), x(2), np.ones((3, 4, 5, 5), bool)), "the mask (3, 4, 5, 5) does not fit"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.grouped_query_attention(*given_x)


def check_group_size(module: types.ModuleType) -> None:
    """How many query heads to a key head, wherever the heads' axis stands from the front."""
    for leading in [(), (5,), (5, 7)]:
        q, kv = np.ones((*leading, 6, 4, 2)), np.ones((*leading, 2, 3, 2))
        assert module.group_size(q, kv, kv) == 3
        assert module.group_size(q, q, q) == 1


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, float16 is computed in float32; nothing given is changed."""
    keeps_dtypes(module.grouped_query_attention, (4, 3, 2), (2, 3, 2), (2, 3, 2))
    q, k, v = map(read_only, problem(heads=4, kv_heads=2))
    module.grouped_query_attention(q, k, v, read_only(causal_mask(3)))
    module.grouped_query_attention(q.tolist(), k.tolist(), v.tolist())


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(grouped_query)


K, V = "k = k.repeat(group, axis=-3)", "v = v.repeat(group, axis=-3)"
BOTH = f"{K}  # 0, 0, 1, 1, not tile's 0, 1, 0, 1\n    {V}"
TILE = "np.tile({0}, (group, 1, 1))"

MISTAKES: Mistakes = {
    "tile for repeat": (BOTH, f"k, v = {TILE.format('k')}, {TILE.format('v')}"),
    "keys repeated, values tiled": (V, f"v = {TILE.format('v')}"),
    "values repeated, keys tiled": (K, f"k = {TILE.format('k')}"),
    "tokens repeated for heads": (BOTH, BOTH.replace("-3", "-2")),
    "features repeated for heads": (BOTH, BOTH.replace("-3", "-1")),
    "heads counted from the front": (BOTH, BOTH.replace("-3", "0")),
    "the first key head for all": (
        BOTH,
        "k, v = (x[..., :1, :, :].repeat(q.shape[-3], -3) for x in (k, v))",
    ),
    "key heads averaged": (
        BOTH,
        "k, v = (x.mean(-3, keepdims=True).repeat(q.shape[-3], -3) for x in (k, v))",
    ),
    "queries averaged to the key heads": (
        BOTH,
        "q = q.reshape(*q.shape[:-3], -1, group, *q.shape[-2:]).mean(-3)",
    ),
    "the mask forgotten": ("attention(q, k, v, mask)", "attention(q, k, v)"),
    "the mask for the key heads": (
        "attention(q, k, v, mask)",
        "attention(q, k, v, mask if mask is None else np.asarray(mask)[..., ::-1, :])",
    ),
    "computed in float16": (
        "return attention(q, k, v, mask)",
        "return tuple(x.astype(q.dtype) for x in attention(q * q.dtype.type(1.001), k, v, mask))",
    ),
    "always float64": (
        "return attention(q, k, v, mask)",
        "return attention(q.astype(float), k, v, mask)",
    ),
    # group_size
    "the wrong axis counted": ("q.shape[-3], k.shape[-3]", "q.shape[-2], k.shape[-2]"),
    "the first axis counted": ("q.shape[-3], k.shape[-3]", "q.shape[0], k.shape[0]"),
    "upside down": ("return heads // kv_heads", "return max(kv_heads // heads, 1)"),
    "heads left over": ("kv_heads == 0 or heads % kv_heads", "kv_heads == 0"),
    "no key heads": ("kv_heads == 0 or heads % kv_heads", "heads % kv_heads"),
    "values with other heads": ("if v.shape[-3] != kv_heads:", "if v.shape[-3] > kv_heads:"),
    "no axis for heads": ("min(q.ndim, k.ndim, v.ndim) < 3", "min(q.ndim, k.ndim) < 2"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(grouped_query, MISTAKES[mistake], CHECKS)


@given(*[st.integers(1, 3)] * 5)
def test_one_key_head_for_each_query_head_is_plain_attention(
    batch: int, kv_heads: int, group: int, queries: int, keys: int
) -> None:
    """And sharing is the same as having copies."""
    sizes = {"heads": kv_heads * group, "kv_heads": kv_heads, "queries": queries, "keys": keys}
    q, k, v = problem(batch, **sizes)
    shared = grouped_query_attention(q, k, v)
    copies = [x[:, [h // group for h in range(kv_heads * group)]] for x in (k, v)]
    for found, plain, same in zip(
        shared, attention(q, *copies), grouped_query_attention(q, *copies), strict=True
    ):
        assert_allclose(found, plain, atol=1e-12)
        assert_allclose(found, same, atol=1e-12)
