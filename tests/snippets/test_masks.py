"""Masks against the onnx reference operator, entry by entry against their meaning, and mistakes."""

import re
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from snippets import four_words, masks, three_words
from snippets.attention import attention
from snippets.masks import causal_mask, padding_mask, window_mask
from tests.snippets.mistakes import Array, Check, Mistakes, checks, is_caught, name
from tests.snippets.oracles import onnx_attention, past_and_present


def problem(batch: int, heads: int, queries: int, keys: int) -> tuple[Array, Array, Array]:
    """Queries, keys and values [B, H, T, 4]."""
    random = np.random.default_rng(0)
    shape = (batch, heads, keys, 4)
    return random.normal(size=(batch, heads, queries, 4)), *random.normal(size=(2, *shape))


def check_causal_three_words(module: types.ModuleType) -> None:
    """I love AI, of which each word sees those before it: calculated by hand."""
    mask = module.causal_mask(3)
    output, weights = attention(three_words.Q, three_words.K, three_words.V, mask)
    expected = [[1.0, 0, 0], [0.9858, 0.0142, 0], [0.0454, 0.1867, 0.7679]]
    assert_allclose(weights.round(4), expected)
    assert_allclose(output.round(4), [[2.0, 1], [1.9717, 1.0142], [1.6266, 1.9546]])


def check_four_words(module: types.ModuleType) -> None:
    """Causal, and in a window of two: computed with torch and with the onnx reference operators."""
    q, k, v = four_words.Q, four_words.K, four_words.V
    output, _ = attention(q, k, v, module.causal_mask(4))
    assert_allclose(output.round(4), [[3.0, 2.0], [2.0, 1.0], [0.9914, 1.2314], [1.4209, 1.8293]])
    output, _ = attention(q, k, v, module.window_mask(4, 2))
    assert_allclose(output.round(2), [[3.0, 2.0], [2.0, 1.0], [0.11, 0.89], [0.80, 1.80]])


def check_causal_by_meaning(module: types.ModuleType) -> None:
    """True where the key's position is not after the query's, the last of both being the same."""
    for queries in range(5):
        for keys in range(6):
            mask = module.causal_mask(queries, keys)
            expected = [[j - keys <= i - queries for j in range(keys)] for i in range(queries)]
            assert mask.dtype == bool
            assert mask.shape == (queries, keys)
            assert mask.tolist() == expected
    assert (module.causal_mask(4) == module.causal_mask(4, 4)).all()


def check_causal_onnx(module: types.ModuleType) -> None:
    """Keys before the first query are the past; without them is_causal would align to the start."""
    for queries, keys in [(4, 4), (1, 5), (3, 5), (2, 7)]:
        q, k, v = problem(2, 3, queries, keys)
        (past_k, new_k), (past_v, new_v) = (past_and_present(x, queries) for x in (k, v))
        past = {"past_key": past_k, "past_value": past_v}
        output, weights = onnx_attention(q, new_k, new_v, **past, is_causal=True)
        found = attention(q, k, v, module.causal_mask(queries, keys))
        assert_allclose(found[0], output, atol=1e-12)
        assert_allclose(found[1], weights, atol=1e-12)


def check_causal_with_few_keys_onnx(module: types.ModuleType) -> None:
    """More queries than keys: the operator aligns lengths to the end too, and gives zeros."""
    q, k, v = problem(1, 2, 5, 3)
    output, _ = onnx_attention(q, k, v, is_causal=True, nonpad_kv_seqlen=np.array([3]))
    found = attention(q, k, v, module.causal_mask(5, 3))[0]
    assert_allclose(found, output, atol=1e-12)
    assert_allclose(found[..., :2, :], 0)


def check_window_by_meaning(module: types.ModuleType) -> None:
    """True where the key is the query's own token or one of the window − 1 before it."""
    for n in range(6):
        for window in range(1, 8):
            mask = module.window_mask(n, window)
            expected = [[i - window < j <= i for j in range(n)] for i in range(n)]
            assert mask.dtype == bool
            assert mask.shape == (n, n)
            assert mask.tolist() == expected


def check_window_onnx(module: types.ModuleType) -> None:
    """A window of w is the token itself and w − 1 to its left."""
    q, k, v = problem(2, 2, 6, 6)
    for window in (1, 2, 3, 6, 9):
        sizes = {"left_window_size": window - 1, "right_window_size": 0}
        expected = onnx_attention(q, k, v, is_causal=True, **sizes)
        found = attention(q, k, v, module.window_mask(6, window))
        assert_allclose(found[1], expected[1], atol=1e-12)


def check_window_refuses(module: types.ModuleType) -> None:
    """A window in which a token does not see even itself."""
    for window in (0, -1):
        with pytest.raises(ValueError, match=f"at least the token itself, 1, not {window}"):
            module.window_mask(4, window)


def check_padding_by_meaning(module: types.ModuleType) -> None:
    """True for as many tokens as the text is long, with an axis for the queries."""
    mask = module.padding_mask([0, 1, 3], 3)
    assert mask.dtype == bool
    assert mask.astype(int).tolist() == [[[0, 0, 0]], [[1, 0, 0]], [[1, 1, 1]]]
    for lengths, shape in [
        (np.array(2), (1, 4)),
        (np.array([1, 2]), (2, 1, 4)),
        (np.array([1, 2])[:, None], (2, 1, 1, 4)),
        (np.array([[1, 2, 3], [4, 0, 1]]), (2, 3, 1, 4)),
        (np.array([], dtype=int), (0, 1, 4)),
    ]:
        mask = module.padding_mask(lengths, 4)
        assert mask.shape == shape
        assert (mask.sum(-1) == lengths[..., None]).all()
        assert (np.diff(mask.astype(int)) <= 0).all()  # the real tokens stand first


def check_padding_onnx(module: types.ModuleType) -> None:
    """As many sentences as heads as tokens: lengths still belong to the sentences."""
    q, k, v = problem(3, 3, 3, 3)
    lengths = np.array([3, 0, 2])
    expected = onnx_attention(q, k, v, nonpad_kv_seqlen=lengths)
    found = attention(q, k, v, module.padding_mask(lengths[:, None], 3))
    assert_allclose(found[0], expected[0], atol=1e-12)
    assert_allclose(found[1], expected[1], atol=1e-12)
    one_head = attention(q[:, 0], k[:, 0], v[:, 0], module.padding_mask(lengths, 3))
    assert_allclose(one_head[1], expected[1][:, 0], atol=1e-12)


def check_padding_refuses(module: types.ModuleType) -> None:
    """Lengths that no text of so many tokens has."""
    for lengths in ([2, 5], [-1, 2]):
        said = f"texts of 4 tokens have lengths 0 to 4, not {lengths}"
        with pytest.raises(ValueError, match=re.escape(said)):
            module.padding_mask(lengths, 4)


def check_head_axis(module: types.ModuleType) -> None:
    """Each sentence's own table, once for all heads; as many sentences as heads as tokens."""
    x = np.ones((3, 3, 4))
    random = np.random.default_rng(2)
    for shape in [(3, 3, 3), (3, 1, 3), (3, 3, 1), (3, 3), (1, 3), (3,), ()]:
        mask = random.random(shape) < 0.5
        found = module.add_head_axis(mask, x)
        assert found.shape == (3, 1, 3, 3)
        for sentence in range(3):
            own = np.broadcast_to(mask, (3, 3, 3))[sentence]
            assert (np.broadcast_to(found, (3, 3, 3, 3))[sentence] == own).all()
    assert module.add_head_axis([[True, False], [True, True]], np.ones((2, 4))).shape == (1, 2, 2)


def check_head_axis_refuses(module: types.ModuleType) -> None:
    """Masks that would make the scores larger, such as one with an axis for heads already."""
    for shape in [(5, 3, 3), (2, 2, 3), (2, 2, 3, 3), (2, 1, 1, 3), (1, 2, 3, 3)]:
        said = re.escape(f"the mask {shape} does not fit the tokens (2, 3, 3): x is (2, 3, 4)")
        with pytest.raises(ValueError, match=said):
            module.add_head_axis(np.ones(shape, bool), np.ones((2, 3, 4)))


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(masks)


CAUSAL = "np.tri(queries, keys, keys - queries, dtype=bool)"
PADDING = "np.arange(keys) < lengths[..., None, None]"
AXIS = "np.broadcast_to(mask, table)[..., None, :, :]"
WINDOW = "(distance >= 0) & (distance < window)"

MISTAKES: Mistakes = {
    # causal_mask
    "aligned to the start": (CAUSAL, "np.tri(queries, keys, dtype=bool)"),
    "the token itself masked": (CAUSAL, "np.tri(queries, keys, keys - queries - 1, dtype=bool)"),
    "one token of the future": (CAUSAL, "np.tri(queries, keys, keys - queries + 1, dtype=bool)"),
    "only the future": (CAUSAL, f"~{CAUSAL}"),
    "upside down": (CAUSAL, "np.tri(keys, queries, keys - queries, dtype=bool).T"),
    "numbers for booleans": (CAUSAL, "np.tri(queries, keys, keys - queries)"),
    "aligned to the start if keys are few": (
        CAUSAL,
        CAUSAL.replace("- queries,", "- min(queries, keys),"),
    ),
    "no keys taken for as many as queries": (
        "queries if keys is None else keys",
        "keys or queries",
    ),
    # padding_mask
    "one token too many": (PADDING, PADDING.replace("<", "<=")),
    "True = padding": (PADDING, PADDING.replace("<", ">=")),
    "padding in front": (PADDING, "(np.arange(keys) >= keys - lengths[..., None, None])"),
    "no axis for the queries": (PADDING, "np.arange(keys) < lengths[..., None]"),
    "an axis for heads too": (PADDING, "np.arange(keys) < lengths[..., None, None, None]"),
    "lengths along the queries": (PADDING, f"({PADDING}).swapaxes(0, -2)"),
    "counting from 1": (PADDING, "np.arange(1, keys + 1) < lengths[..., None, None]"),
    "lengths beyond the text": ("if ((lengths < 0) | (lengths > keys)).any():", "if False:"),
    # window_mask
    "a window without the token itself": (WINDOW, "(distance >= 0) & (distance <= window)"),
    "a window one too small": (WINDOW, "(distance >= 0) & (distance < window - 1)"),
    "a window to both sides": (WINDOW, "np.abs(distance) < window"),
    "a window into the future": (
        "position[:, None] - position  #",
        "position - position[:, None]  #",
    ),
    "only the edge of the window": (WINDOW, "(distance >= 0) & (distance == window - 1)"),
    "everything but the window": (WINDOW, "(distance >= 0) & (distance >= window)"),
    "the token itself hidden": (WINDOW, "(distance > 0) & (distance < window)"),
    "windows of 0": ("if window < 1:", "if window < 0:"),
    # add_head_axis
    "no axis for the heads": (AXIS, AXIS.replace("[..., None, :, :]", "")),
    "the axis for the heads in front": (AXIS, AXIS.replace("[..., None, :, :]", "[None]")),
    "the axis for the heads behind the queries": (AXIS, AXIS.replace("None, :, :", ":, None, :")),
    "the mask transposed": (AXIS, AXIS + ".swapaxes(-1, -2)"),
    "not broadcast before it gets the axis": (AXIS, "np.asarray(mask)[..., None, :, :]"),
    "the axis only where batches are": (
        AXIS,
        "np.asarray(mask)[:, None] if np.ndim(mask) > 2 else mask",
    ),
    "a mask that grows the scores": ("if broadcast(np.shape(mask), table) != table:", "if False:"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(masks, MISTAKES[mistake], CHECKS)


# Properties.

few = st.integers(0, 8)


@given(few, few, few)
def test_the_last_rows_of_a_causal_mask_are_that_of_the_last_queries(
    keys: int, queries: int, extra: int
) -> None:
    """What a cache relies on: queries may come all at once or in parts."""
    whole = causal_mask(queries + extra, keys)
    assert (whole[extra:] == causal_mask(queries, keys)).all()


@given(few, st.integers(1, 12))
def test_a_window_is_what_is_left_of_the_causal_mask(n: int, window: int) -> None:
    mask = window_mask(n, window)
    assert (mask.sum(-1) == np.minimum(1 + np.arange(n), window)).all()
    assert not (mask & ~causal_mask(n)).any()
    assert mask.diagonal().all()
    if window >= n:
        assert (mask == causal_mask(n)).all()


@given(st.data())
def test_padded_words_change_nothing(data: st.DataObject) -> None:
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    lengths = data.draw(hnp.arrays(int, shape, elements=st.integers(0, 4)))
    random = np.random.default_rng(0)
    q, k = random.normal(size=(*shape, 2, 3)), random.normal(size=(*shape, 4, 3))
    mask = padding_mask(lengths, 4)
    padded = np.where(mask.swapaxes(-1, -2), k, 99.0)  # padding holds just anything
    assert_allclose(attention(q, padded, padded, mask)[0], attention(q, k, k, mask)[0])
