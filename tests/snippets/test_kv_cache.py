"""A cache, token by token, against the whole causal pass; what it holds and copies; mistakes."""

import re
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from snippets import kv_cache, three_words
from snippets.attention import attention
from snippets.kv_cache import KVCache
from snippets.masks import causal_mask, window_mask
from snippets.positions import rope
from tests.snippets.mistakes import Array, Check, Mistakes, checks, is_caught, name, read_only
from tests.snippets.oracles import onnx_attention, past_and_present


def problem(*leading: int, tokens: int) -> tuple[Array, Array, Array]:
    """Queries and keys [..., T, 4] and values [..., T, 3]."""
    random = np.random.default_rng(0)
    q, k, v = (random.normal(size=(*leading, tokens, d)) for d in (4, 4, 3))
    return q, k, v


def written(cache: Any, q: Array, k: Array, v: Array, parts: list[int]) -> tuple[Array, Array]:
    """Output and weights, the text being written in parts; weights of forgotten tokens are 0."""
    outputs, rows, end = [], [], 0
    for part in parts:
        new = slice(end, end + part)
        cache.append(k[..., new, :], v[..., new, :])
        output, weights = cache.attend(q[..., new, :])
        end += part
        padding = [(0, 0)] * weights.ndim
        padding[-1] = (end - weights.shape[-1], k.shape[-2] - end)
        outputs.append(output)
        rows.append(np.pad(weights, padding))
    return np.concatenate(outputs, -2), np.concatenate(rows, -2)


def in_parts(tokens: int) -> list[list[int]]:
    """A text one token at a time, as a prompt and single tokens, in uneven parts, at once."""
    return [[1] * tokens, [tokens - 3, 1, 1, 1], [2, 5, 1, tokens - 8], [tokens]]


def check_three_words(module: types.ModuleType) -> None:
    """I love AI, a word at a time: calculated by hand."""
    q, k, v = three_words.Q, three_words.K, three_words.V
    output, weights = written(module.KVCache(), q, k, v, [1, 1, 1])
    expected = [[1.0, 0, 0], [0.9858, 0.0142, 0], [0.0454, 0.1867, 0.7679]]
    assert_allclose(weights.round(4), expected)
    assert_allclose(output.round(4), [[2.0, 1], [1.9717, 1.0142], [1.6266, 1.9546]])


def check_equals_the_causal_pass(module: types.ModuleType) -> None:
    """However the text is cut, and whatever axes stand in front."""
    for leading in [(), (2,), (2, 3)]:
        q, k, v = problem(*leading, tokens=12)
        whole = attention(q, k, v, causal_mask(12))
        for parts in in_parts(12):
            found = written(module.KVCache(), q, k, v, parts)
            assert_allclose(found[0], whole[0], atol=1e-12)
            assert_allclose(found[1], whole[1], atol=1e-12)


def check_equals_the_window(module: types.ModuleType) -> None:
    """Windows of one token, of a few, and of more than there are."""
    q, k, v = problem(2, tokens=12)
    for window in (1, 2, 3, 5, 11, 12, 40):
        whole = attention(q, k, v, window_mask(12, window))
        for parts in in_parts(12):
            found = written(module.KVCache(window), q, k, v, parts)
            assert_allclose(found[0], whole[0], atol=1e-12)
            assert_allclose(found[1], whole[1], atol=1e-12)


def check_onnx(module: types.ModuleType) -> None:
    """The reference operator with past keys and values, three tokens after seven."""
    q, k, v = problem(2, 3, tokens=10)
    (past_k, new_k), (past_v, new_v) = past_and_present(k, 3), past_and_present(v, 3)
    for window in (None, 4):
        sizes = {} if window is None else {"left_window_size": window - 1}
        past = {"past_key": past_k, "past_value": past_v}
        expected = onnx_attention(q[..., 7:, :], new_k, new_v, **past, is_causal=True, **sizes)
        cache = module.KVCache(window)
        cache.append(past_k, past_v)
        cache.append(new_k, new_v)
        output, weights = cache.attend(q[..., 7:, :])
        assert_allclose(output, expected[0], atol=1e-12)
        assert_allclose(weights, expected[1][..., -weights.shape[-1] :], atol=1e-12)


def check_several_queries_after_several_appends(module: types.ModuleType) -> None:
    """Appended one by one, attended at once; attended twice, nothing changes."""
    q, k, v = problem(tokens=6)
    whole = attention(q, k, v, causal_mask(6))
    cache = module.KVCache()
    for t in range(6):
        cache.append(k[t : t + 1], v[t : t + 1])
    for queries in (6, 4, 1, 4):
        output, weights = cache.attend(q[6 - queries :])
        assert_allclose(output, whole[0][6 - queries :], atol=1e-12)
        assert_allclose(weights, whole[1][6 - queries :], atol=1e-12)


def check_it_counts_what_it_has_seen(module: types.ModuleType) -> None:
    """The next token's position, forgotten ones included; appending nothing changes nothing."""
    q, k, v = problem(tokens=9)
    for window in (None, 2):
        cache = module.KVCache(window)
        assert cache.seen == 0
        cache.append(k[:4], v[:4])
        cache.append(k[4:5], v[4:5])
        before = cache.attend(q[4:5])[1]
        cache.append(k[:0], v[:0])
        assert cache.seen == 5
        assert_allclose(cache.attend(q[4:5])[1], before)


def check_a_window_holds_no_more_than_it_needs(module: types.ModuleType) -> None:
    """A token needs itself and window − 1 before it; buffers have at most four times that."""
    q, k, v = problem(tokens=60)
    for window in (1, 2, 7):
        cache = module.KVCache(window)
        for t, part in [
            (0, 1),
            (1, 1),
            (2, 30),
            (32, 1),
            (33, 1),
            (34, 4),
            *((t, 1) for t in range(38, 60)),
        ]:
            cache.append(k[t : t + part], v[t : t + part])
            needed = min(t + part, window - 1 + part)
            assert cache.attend(q[t : t + part])[1].shape == (part, needed)
            for rows in (cache.keys, cache.values):
                assert needed <= rows.buffer.shape[-2] <= 4 * needed


def check_it_keeps_copies(module: types.ModuleType) -> None:
    """What is appended may be overwritten afterwards, and is not changed by the cache."""
    q, k, v = problem(tokens=8)
    whole = attention(q, k, v, causal_mask(8))[0]
    cache, buffer_k, buffer_v = module.KVCache(), np.empty((1, 4)), np.empty((1, 3))
    for t in range(8):
        buffer_k[:], buffer_v[:] = k[t], v[t]
        cache.append(buffer_k, buffer_v)
    buffer_k[:] = buffer_v[:] = 99
    assert_allclose(cache.attend(q)[0], whole, atol=1e-12)
    cache = module.KVCache()
    cache.append(read_only(k), read_only(v))
    cache.append(read_only(k), read_only(v))
    assert_allclose(cache.attend(read_only(q))[1].sum(-1), 1)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats are kept as they are and give their dtype; float16 is computed in float32."""
    for dtype, expected in [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), ("i4", "f8"), ("?", "f8")]:
        q, k, v = (x.astype(dtype) for x in problem(tokens=4))
        cache = module.KVCache()
        found = written(cache, q, k, v, [1, 1, 2])
        assert {x.buffer.dtype for x in (cache.keys, cache.values)} == {np.dtype(expected)}
        assert [x.dtype for x in found] == [np.dtype(expected)] * 2
        assert_allclose(found[0], attention(q, k, v, causal_mask(4))[0], atol=1e-6)
    cache = module.KVCache()
    cache.append([[1, 0]], [[2.0]])
    assert_allclose(cache.attend([[0, 1]])[0], [[2]])


def check_what_does_not_fit(module: types.ModuleType) -> None:
    """The shapes found are named, and the cache goes on as if nothing had come."""
    x = np.ones
    cache = module.KVCache()
    cache.append(x((2, 3, 4)), x((2, 3, 5)))
    for k, v, said in [
        (x((2, 1, 3)), x((2, 1, 5)), "k (2, 1, 3) and v (2, 1, 5) do not fit"),
        (x((2, 1, 4)), x((2, 1, 4)), "k (2, 1, 4) and v (2, 1, 4) do not fit"),
        (x((1, 4)), x((1, 5)), "k (1, 4) and v (1, 5) do not fit"),
        (x((1, 1, 4)), x((1, 1, 5)), "k (1, 1, 4) and v (1, 1, 5) do not fit"),
        (x((2, 1, 4)), x((2, 2, 5)), "each key needs a value, both [..., T, D]: k (2, 1, 4) and v"),
        (x(4), x((2, 1, 5)), "each key needs a value, both [..., T, D]: k (4,) and v"),
        (x((2, 1, 4), "f4"), x((2, 1, 5), "f4"), "the cache holds float64, not float32"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            cache.append(k, v)
    assert cache.seen == 3
    with pytest.raises(ValueError, match=re.escape("q is (2, 1, 5), k is (2, 3, 4)")):
        cache.attend(x((2, 1, 5)))
    with pytest.raises(ValueError, match="each key needs a value"):
        module.KVCache().append(x(4), x(4))
    with pytest.raises(ValueError, match=re.escape("q is (4,), k is (2, 3, 4)")):
        cache.attend(x(4))
    for window in (0, -3):
        with pytest.raises(ValueError, match=f"at least the token itself, 1, not {window}"):
            module.KVCache(window)


def check_queries_that_come_too_early(module: types.ModuleType) -> None:
    """Before their keys."""
    q, k, v = problem(tokens=9)
    cache = module.KVCache()
    for queries in (0, 1):
        with pytest.raises(ValueError, match=f"{queries} queries for 0 tokens: append"):
            cache.attend(q[:queries])
    cache.append(k[:2], v[:2])
    with pytest.raises(ValueError, match="3 queries for 2 tokens: append"):
        cache.attend(q[:3])


def check_queries_that_come_too_late(module: types.ModuleType) -> None:
    """When what they need has left the window, and not before."""
    q, k, v = problem(tokens=9)
    cache = module.KVCache(window=3)
    for t in range(3):
        cache.append(k[t : t + 1], v[t : t + 1])
    whole = attention(q, k, v, window_mask(9, 3))[0]
    assert_allclose(cache.attend(q[:3])[0], whole[:3])  # nothing has left the window yet
    cache.append(k[3:4], v[3:4])
    said = "2 queries need the last 4 tokens, but a window of 3 kept 3: attend after each append"
    with pytest.raises(ValueError, match=said):
        cache.attend(q[2:4])
    assert_allclose(cache.attend(q[3:4])[0], whole[3:4])


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(kv_cache)


KEYS = "self.keys.append(k.astype(dtype, copy=False), self.window - 1)"
VALUES = "self.values.append(v.astype(dtype, copy=False), self.window - 1)"
BOTH = f"{KEYS}\n        {VALUES}"
MASK = "(distance >= 0) & (distance < self.window)"

MISTAKES: Mistakes = {
    # KVCache.append
    "one token too few kept": (BOTH, BOTH.replace("window - 1", "window - 2")),
    "one token too many kept": (BOTH, BOTH.replace("window - 1", "window")),
    "no window": (BOTH, BOTH.replace(", self.window - 1", "")),
    "values without a window": (VALUES, VALUES.replace(", self.window - 1", "")),
    "keys for values": (VALUES, VALUES.replace("v.as", "k[..., : v.shape[-1]].as")),
    "tokens seen not counted": ("self.seen += k.shape[-2]", "pass"),
    "one token counted for many": ("self.seen += k.shape[-2]", "self.seen += 1"),
    "only kept tokens counted": (
        "self.seen += k.shape[-2]",
        "self.seen = self.keys.kept().shape[-2]",
    ),
    "always float64": (BOTH, BOTH.replace("dtype, copy=False", "float")),
    "float16 kept as float32": (BOTH, BOTH.replace(".astype(dtype, copy=False)", "")),
    "not checked": ("        check_next(k, v, dtype, self.keys.kept(), self.values.kept())\n", ""),
    "windows of 0": ("None and window < 1", "None and window < 0"),
    # KVCache.attend
    "a window one too large": (MASK, MASK.replace("<", "<=")),
    "a window one too small": (MASK, MASK.replace("self.window", "max(self.window - 1, 1)")),
    "the future not masked": (MASK, "distance < self.window"),
    "the window not masked": (MASK, "distance >= 0"),
    "the token itself masked": (MASK, MASK.replace(">=", ">")),
    "aligned to the start": ("position[kept - queries :, None]", "position[:queries, None]"),
    "keys for values once more": ("attention(q, k, v,", "attention(q, k, k[..., : v.shape[-1]],"),
    "not asked whether it is too late": (
        "        check_queries(queries, kept, self.seen, self.window)\n",
        "",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(kv_cache, MISTAKES[mistake], CHECKS)


# Properties.


@given(
    hnp.array_shapes(min_dims=0, max_dims=2, max_side=2),
    st.lists(st.integers(0, 6), min_size=1, max_size=12).filter(any),
    st.none() | st.integers(1, 20),
)
def test_a_text_in_parts_is_the_whole_text(
    leading: tuple[int, ...], parts: list[int], window: int | None
) -> None:
    tokens = sum(parts)
    q, k, v = problem(*leading, tokens=tokens)
    mask = causal_mask(tokens) if window is None else window_mask(tokens, window)
    found = written(KVCache(window), q, k, v, [part for part in parts if part])
    for ours, whole in zip(found, attention(q, k, v, mask), strict=True):
        assert_allclose(ours, whole, atol=1e-12)


@pytest.mark.parametrize("window", [None, 3])
def test_positions_go_on_where_the_text_stopped(window: int | None) -> None:
    """Keys are turned before they are kept; starting again at 0 would be another text."""
    q, k, v = problem(tokens=9)
    mask = causal_mask(9) if window is None else window_mask(9, window)
    whole = attention(rope(q, np.arange(9)), rope(k, np.arange(9)), v, mask)[0]

    def last(counted: bool) -> Array:
        cache = KVCache(window)
        for t in range(9):
            at = [cache.seen if counted else 0]
            cache.append(rope(k[t : t + 1], at), v[t : t + 1])
            output, _ = cache.attend(rope(q[t : t + 1], at))
        return np.asarray(output[0])

    assert_allclose(last(counted=True), whole[-1], atol=1e-12)
    assert not np.allclose(last(counted=False), whole[-1])
