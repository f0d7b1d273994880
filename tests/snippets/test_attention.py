"""Attention against independent figures, against torch, by its properties, and against mistakes."""

import re
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from snippets import attention as attention_module
from snippets import four_words, three_words
from snippets.attention import attention, softmax
from tests.snippets.mistakes import is_caught

Array = NDArray[Any]


# Independent figures. Each check takes the module under test, so that mutants can be tried too.


def check_three_words(module: types.ModuleType) -> None:
    """Calculated by hand: the example of the site's pages."""
    output, weights = module.attention(three_words.Q, three_words.K, three_words.V)
    assert_allclose(weights.round(2), [[0.01, 0.80, 0.19], [0.50, 0.01, 0.50], [0.05, 0.19, 0.77]])
    assert_allclose(output.round(2), [[0.41, 1.99], [1.99, 1.50], [1.63, 1.95]])


def check_four_words(module: types.ModuleType) -> None:
    """A second example, asymmetric: computed with torch and with the onnx reference operators."""
    output, weights = module.attention(four_words.Q, four_words.K, four_words.V)
    assert_allclose(
        weights.round(4),
        [
            [0.5981, 0.0353, 0.0717, 0.2949],
            [0.1651, 0.1651, 0.3349, 0.3349],
            [0.1354, 0.0329, 0.2746, 0.5570],
            [0.2793, 0.0165, 0.1377, 0.5665],
        ],
    )
    expected = [
        [2.124446, 1.857609],
        [0.995358, 1.334881],
        [0.996193, 1.659509],
        [1.420897, 1.829265],
    ]
    assert_allclose(output, expected, atol=1e-6)


def check_four_words_masked(module: types.ModuleType) -> None:
    """The same example with a causal mask and with a window of two, from the same source."""
    causal = np.tril(np.ones((4, 4), dtype=bool))
    q, k, v = four_words.Q, four_words.K, four_words.V
    output, weights = module.attention(q, k, v, causal)
    assert_allclose(weights[2].round(4), [0.3057, 0.0743, 0.6200, 0])
    assert_allclose(output.round(4)[:3], [[3.0, 2.0], [2.0, 1.0], [0.9914, 1.2314]])
    window = causal & ~np.tril(np.ones((4, 4), dtype=bool), -2)
    assert_allclose(
        module.attention(q, k, v, window)[1].round(4)[2:],
        [[0, 0.1070, 0.8930, 0], [0, 0, 0.1956, 0.8044]],
    )


def check_fixed_matrices_1(module: types.ModuleType) -> None:
    """Machine Learning Mastery, "The Attention Mechanism from Scratch" (d_k = 3, asymmetric)."""
    words = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    q = words @ [[2, 0, 2], [2, 0, 0], [2, 1, 2]]
    k = words @ [[2, 2, 2], [0, 2, 1], [0, 1, 1]]
    v = words @ [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
    expected = [
        [0.98522025, 1.74174051, 0.75652026],
        [0.90965265, 1.40965265, 0.5],
        [0.99851226, 1.75849334, 0.75998108],
        [0.99560386, 1.90407309, 0.90846923],
    ]
    assert_allclose(module.attention(q, k, v)[0], expected, atol=1e-8)


def check_fixed_matrices_2(module: types.ModuleType) -> None:
    """Raschka, "Build a Large Language Model", chapter 3: its scores are not scaled."""
    x = np.array(
        [
            *[[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64]],
            *[[0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]],
        ]
    )
    weights = module.softmax(x @ x.T)
    assert_allclose(weights[1].round(4), [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
    assert_allclose((weights @ x)[1].round(4), [0.4419, 0.6515, 0.5683])


def check_small_and_sharp(module: types.ModuleType) -> None:
    """Two tiny examples; the second sees a wrong axis and a wrong scale."""
    output, _ = module.attention([[1, 2], [3, 4]], [[1, 1], [0, 0]], [[2, 2], [3, 3]])
    assert_allclose(output.round(4), [[2.1070, 2.1070], [2.0070, 2.0070]])
    x = [[1, 1], [1, 0]]
    output, _ = module.attention(x, x, np.array(x) @ [[1, 2], [3, 4]])
    assert_allclose(output, [[3.00928465, 4.6790462], [2.5, 4]], atol=1e-8)


def check_illustrated_transformer(module: types.ModuleType) -> None:
    """Alammar, "The Illustrated Transformer": scores 112 and 96, d_k = 64."""
    assert_allclose(module.softmax([112 / 8, 96 / 8]).round(2), [0.88, 0.12])


def check_nothing_to_attend_to(module: types.ModuleType) -> None:
    """A fully masked row gives zeros, as in torch's scaled_dot_product_attention."""
    mask = np.array([[True, False, True], [False, False, False], [True, True, True]])
    output, weights = module.attention(three_words.Q, three_words.K, three_words.V, mask)
    assert_allclose(weights[1], 0)
    assert_allclose(output[1], 0)
    assert_allclose(weights[[0, 2]].sum(-1), 1)


def check_large_scores(module: types.ModuleType) -> None:
    """Scores of ±10,000 give neither NaN nor a warning."""
    q = np.array([[100.0], [-100.0]])
    with np.errstate(all="raise", under="ignore"):
        output, weights = module.attention(q, q, q)
    assert_allclose(weights, np.eye(2))
    assert_allclose(output, q)
    assert_allclose(module.softmax([[1e4, 1e4], [-1e4, -1e4]]), 0.5)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, float16 is computed in float32, integers in float64."""
    for given_dtype, expected in [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), ("i4", "f8")]:
        x = np.ones((3, 2), dtype=given_dtype)
        assert [a.dtype for a in module.attention(x, x, x)] == [np.dtype(expected)] * 2
    x = np.full((2, 4), 200, dtype=np.float16)  # 200 · 200 · 4 overflows float16
    assert_allclose(module.attention(x, x, x)[1], 0.5)


CHECKS: list[Callable[[types.ModuleType], None]] = [
    check_three_words,
    check_four_words,
    check_four_words_masked,
    check_fixed_matrices_1,
    check_fixed_matrices_2,
    check_small_and_sharp,
    check_illustrated_transformer,
    check_nothing_to_attend_to,
    check_large_scores,
    check_dtypes,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_agrees_with_independent_figures(check: Callable[[types.ModuleType], None]) -> None:
    check(attention_module)


# Mistakes that people make: the checks must catch every one.

MISTAKES = {
    "softmax over the wrong axis": ("softmax(scores)", "softmax(scores, axis=-2)"),
    "no scaling": ("/ q.shape[-1] ** 0.5", "/ 1"),
    "÷ d_k": ("/ q.shape[-1] ** 0.5", "/ q.shape[-1]"),
    "÷ √d_model": ("/ q.shape[-1] ** 0.5", "/ (q.shape[-1] + 1) ** 0.5"),
    "Q and K swapped": ("q @ k.swapaxes(-1, -2)", "k @ q.swapaxes(-1, -2)"),
    "Aᵀ V": ("(weights @ v)", "(weights.swapaxes(-1, -2) @ v)"),
    "K for V": ("(weights @ v)", "(weights @ k)"),
    "the word itself masked": (
        "weights = softmax(scores)",
        "weights = softmax(np.where(np.eye(*scores.shape[-2:]), -np.inf, scores))",
    ),
    "masked with 0": ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, 0)"),
    "masked with +inf": ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, np.inf)"),
    "masked with -1e9": ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -1e9)"),
    "mask the wrong way round": ("np.where(mask, ", "np.where(~np.asarray(mask), "),
    "masked after the softmax": (
        "scores = np.where(mask, scores, -np.inf)\n    weights = softmax(scores)",
        "scores = scores\n    weights = softmax(scores) * (1 if mask is None else mask)",
    ),
    "exp without subtracting the largest": ("np.where(np.isinf(peak), 0, peak)", "0"),
    "the largest of the whole table subtracted": (
        "x.max(axis, keepdims=True, initial=-np.inf)",
        "np.full_like(x[..., :1], x.max(initial=-np.inf))",
    ),
    "0/0 in an empty row": ("np.where(total == 0, 1, total)", "total"),
    "float16 not widened": (
        "(q, k, v), dtype = as_float(q, k, v)",
        "q, k, v = map(np.asarray, (q, k, v)); dtype = q.dtype",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(attention_module, MISTAKES[mistake], CHECKS)


def test_swapping_q_and_k_is_invisible_in_the_three_word_example() -> None:
    """Why the second example exists."""
    right = attention(three_words.Q, three_words.K, three_words.V)[0]
    swapped = attention(three_words.K, three_words.Q, three_words.V)[0]
    assert_allclose(right, swapped)


# PyTorch as the oracle.


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_equals_torch(leading: tuple[int, ...], masked: bool) -> None:
    random = np.random.default_rng(0)
    q = random.normal(size=(*leading, 5, 4))
    k = random.normal(size=(*leading, 7, 4))
    v = random.normal(size=(*leading, 7, 3))
    mask = random.random((5, 7)) < 0.6 if masked else None
    ours, _ = attention(q, k, v, mask)
    theirs = torch.nn.functional.scaled_dot_product_attention(
        torch.from_numpy(q),
        torch.from_numpy(k),
        torch.from_numpy(v),
        attn_mask=None if mask is None else torch.from_numpy(mask),
    )
    assert_allclose(ours, theirs.numpy(), atol=1e-12)


# Properties.

numbers = st.floats(-50, 50)
tables = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=1, max_dims=4, max_side=6), elements=numbers
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Array, Array, Array]:
    """Queries, keys and values of fitting shapes, with any leading axes."""
    leading = draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    queries, keys, d_k, d_v = (draw(st.integers(1, 5)) for _ in range(4))
    shapes = [(*leading, queries, d_k), (*leading, keys, d_k), (*leading, keys, d_v)]
    q, k, v = (draw(hnp.arrays(np.float64, shape, elements=st.floats(-9, 9))) for shape in shapes)
    return q, k, v


@given(tables)
def test_softmax_gives_shares(x: Array) -> None:
    shares = softmax(x)
    assert (shares >= 0).all()
    assert_allclose(shares.sum(-1), 1)


@given(tables, st.floats(-1000, 1000))
def test_softmax_ignores_a_common_shift(x: Array, shift: float) -> None:
    assert_allclose(softmax(x + shift), softmax(x), atol=1e-9)


@given(tables)
def test_softmax_works_along_any_axis(x: Array) -> None:
    assert_allclose(softmax(x, axis=0), np.moveaxis(softmax(np.moveaxis(x, 0, -1)), -1, 0))


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_the_words_permutes_the_outputs(
    problem: tuple[Array, Array, Array], random: Any
) -> None:
    q, k, v = problem
    new_queries = random.sample(range(q.shape[-2]), q.shape[-2])
    new_keys = random.sample(range(k.shape[-2]), k.shape[-2])
    output, weights = attention(q, k, v)
    permuted = attention(q[..., new_queries, :], k[..., new_keys, :], v[..., new_keys, :])
    assert_allclose(permuted[0], output[..., new_queries, :], atol=1e-9)
    assert_allclose(permuted[1], weights[..., new_queries, :][..., new_keys], atol=1e-9)


@given(problems(), st.data())
def test_each_row_of_weights_adds_up_to_1_or_is_empty(
    problem: tuple[Array, Array, Array], data: st.DataObject
) -> None:
    q, k, v = problem
    shape = (q.shape[-2], k.shape[-2])
    mask = data.draw(hnp.arrays(bool, shape))
    before = [a.copy() for a in (q, k, v, mask)]
    output, weights = attention(q, k, v, mask)
    rows = np.broadcast_to(mask.any(-1), weights.shape[:-1])
    assert_allclose(weights.sum(-1), rows.astype(float))
    assert (weights[..., ~mask] == 0).all()
    assert np.isfinite(output).all()
    assert all((a == b).all() for a, b in zip(before, (q, k, v, mask), strict=True))


@given(hnp.arrays(np.float64, (3, 4), elements=st.floats(-1e4, 1e4)))
def test_large_scores_never_give_nan(scores: Array) -> None:
    assert np.isfinite(softmax(scores)).all()


# Bad input.

ones = np.ones


@pytest.mark.parametrize(
    ("q", "k", "v", "mask", "said"),
    [
        (ones((3, 2)), ones((3, 4)), ones((3, 2)), None, "q is (3, 2), k is (3, 4), v is (3, 2)"),
        (ones((3, 2)), ones((4, 2)), ones((3, 2)), None, "each key needs a value"),
        (ones(2), ones((3, 2)), ones((3, 2)), None, "q is (2,)"),
        (ones((3, 0)), ones((3, 0)), ones((3, 2)), None, "at least one feature"),
        (ones((2, 3, 2)), ones((5, 3, 2)), ones((3, 2)), None, "leading axes do not fit"),
        (ones((3, 2)), ones((3, 2)), ones((3, 2)), ones((3, 3)), "must be boolean"),
        (ones((3, 2)), ones((3, 2)), ones((3, 2)), ones((2, 3), bool), "the mask (2, 3)"),
        (ones((3, 2)), ones((3, 2)), ones((3, 2)), ones((2, 3, 3), bool), "the scores (3, 3)"),
    ],
)
def test_shapes_that_do_not_fit_are_named(
    q: Array, k: Array, v: Array, mask: Array | None, said: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        attention(q, k, v, mask)


def test_no_keys_at_all_gives_zeros() -> None:
    output, weights = attention(ones((2, 3)), ones((0, 3)), ones((0, 4)))
    assert weights.shape == (2, 0)
    assert_allclose(output, np.zeros((2, 4)))


def test_leading_axes_broadcast() -> None:
    """One set of keys for a batch of queries."""
    q = np.random.default_rng(1).normal(size=(2, 3, 4))
    output, weights = attention(q, q[0], q[0])
    assert output.shape == (2, 3, 4)
    assert_allclose(weights[1], attention(q[1], q[0], q[0])[1])
