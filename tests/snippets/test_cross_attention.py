"""One text asks, another answers: against torch, by what each may change, and mistakes."""

import re
import types

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from snippets import cross_attention as cross_attention_module
from snippets.attention import attention
from snippets.cross_attention import cross_attention
from snippets.masks import padding_mask
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
from tests.snippets.oracles import tensor


def problem(*leading: int, queries: int = 3, keys: int = 5) -> list[Array]:
    """Texts [..., Tq, 4] and [..., Tk, 6], and their three matrices."""
    random = np.random.default_rng(0)
    texts = [random.normal(size=(*leading, *size)) for size in ((queries, 4), (keys, 6))]
    return texts + [random.normal(size=size) / 2 for size in ((4, 4), (6, 4), (6, 4))]


def check_torch(module: types.ModuleType) -> None:
    """nn.MultiheadAttention with one head, whose other text has features of its own number."""
    for batch, queries, keys in [(2, 3, 5), (3, 3, 3), (1, 1, 4), (2, 4, 1)]:
        x, other, w_q, w_k, w_v = problem(batch, queries=queries, keys=keys)
        layer = torch.nn.MultiheadAttention(
            4, 1, bias=False, kdim=6, vdim=6, batch_first=True, dtype=torch.double
        )
        lengths = 1 + np.arange(batch) % keys
        for mask in (None, padding_mask(lengths, keys)):
            with torch.no_grad():
                layer.q_proj_weight.copy_(tensor(w_q.T))
                layer.k_proj_weight.copy_(tensor(w_k.T))
                layer.v_proj_weight.copy_(tensor(w_v.T))
                layer.out_proj.weight.copy_(torch.eye(4))
                hidden = None if mask is None else tensor(~mask[:, 0])  # True = may not attend
                expected = layer(*map(tensor, (x, other, other)), key_padding_mask=hidden)
            output, weights = module.cross_attention(x, other, w_q, w_k, w_v, mask)
            assert weights.shape == (batch, queries, keys)
            assert_allclose(output, expected[0].numpy(), atol=1e-12)
            assert_allclose(weights, expected[1].numpy(), atol=1e-12)


def check_by_hand(module: types.ModuleType) -> None:
    """A query that points at feature 1: scores 2/√2, 0 and 2/√2."""
    one = np.eye(2)
    output, weights = module.cross_attention([[2, 0]], [[1, 0], [0, 1], [1, 1]], one, one, one)
    e = np.exp(2**0.5)
    assert_allclose(weights, [[e / (2 * e + 1), 1 / (2 * e + 1), e / (2 * e + 1)]])
    assert_allclose(output, [[2 * e / (2 * e + 1), (1 + e) / (2 * e + 1)]])


def check_with_itself(module: types.ModuleType) -> None:
    """A text that asks itself: self-attention."""
    x, _, w, *_ = problem(2)
    found = module.cross_attention(x, x, w, w.T, 2 * w)
    for ours, same in zip(found, attention(x @ w, x @ w.T, x @ (2 * w)), strict=True):
        assert_allclose(ours, same, atol=1e-12)


def check_nothing_to_read(module: types.ModuleType) -> None:
    """An empty text, or one that is all padding, gives zeros."""
    x, other, *w = problem(2)
    with np.errstate(all="raise", under="ignore"):
        hidden = module.cross_attention(x, other, *w, padding_mask([0, 5], 5))
        empty = module.cross_attention(x, other[:, :0], *w)
    assert_allclose(hidden[0][0], 0)
    assert_allclose(hidden[1][1].sum(-1), 1)
    assert_allclose(empty[0], np.zeros((2, 3, 4)))


def check_what_does_not_fit(module: types.ModuleType) -> None:
    """The shapes found are named, of the text that they are about."""
    x, other, w_q, w_k, w_v = problem()
    for texts, w, said in [
        ((x, other), (w_k, w_k, w_v), "the input is (3, 4), w_q (6, 4)"),
        ((x, other), (w_q, w_q, w_v), "the input is (5, 6), w_k (4, 4), w_v (6, 4)"),
        ((x, other), (w_q, w_k, w_q), "the input is (5, 6), w_k (6, 4), w_v (4, 4)"),
        ((x, other), (w_q, w_k[:, :3], w_v), "q and k need equally many features"),
        ((x, other[0]), (w_q, w_k, w_v), "the input is (6,), w_k (6, 4)"),
        ((x, other), (w_q, w_k, w_v, np.ones((5, 3), bool)), "the mask (5, 3) does not fit"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.cross_attention(*texts, *w)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, float16 is computed in float32; nothing given is changed."""
    keeps_dtypes(module.cross_attention, (3, 4), (5, 6), (4, 2), (6, 2), (6, 3))
    module.cross_attention(*map(read_only, problem(2)), read_only(np.ones((3, 5), bool)))


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(cross_attention_module)


CALL = "attention(x @ w_q, other @ w_k, other @ w_v, mask)"

MISTAKES: Mistakes = {
    "a text that asks itself": (CALL, "attention(x @ w_q, x @ w_k[:4], x @ w_v[:4], mask)"),
    "the other text asks": (CALL, "attention(other @ w_k, x @ w_q, x @ w_q, mask)"),
    "values from the first text": (CALL, CALL.replace("other @ w_v", "x @ w_v[:4]")),
    "keys for values": (CALL, CALL.replace("w_v", "w_k")),
    "values for keys": (CALL, CALL.replace("w_k", "w_v")),
    "values not projected": (CALL, CALL.replace("other @ w_v", "other")),
    "the mask forgotten": (CALL, CALL.replace(", mask", "")),
    "the mask the wrong way round": (
        CALL,
        CALL.replace("mask)", "None if mask is None else ~mask)"),
    ),
    "torch's transposed weights": (CALL, CALL.replace("x @ w_q", "x @ w_q.T")),
    "always float64": ("output.astype(dtype)", "output.astype(float)"),
    "float16 not widened": (
        "(x, other, w_q, w_k, w_v), dtype = as_float(x, other, w_q, w_k, w_v)",
        "import numpy as np\n"
        "    x, other, w_q, w_k, w_v = map(np.asarray, (x, other, w_q, w_k, w_v))\n"
        "    dtype = x.dtype if x.dtype.kind == 'f' else np.dtype(float)",
    ),
    "the first text not checked": ("    check_weights(x, w_q=w_q)\n", ""),
    "the other text not checked": ("    check_weights(other, w_k=w_k, w_v=w_v)\n", ""),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(cross_attention_module, MISTAKES[mistake], CHECKS)


def test_the_order_of_the_other_text_does_not_matter_that_of_the_first_does() -> None:
    x, other, *w = problem()
    output, weights = cross_attention(x, other, *w)
    turned = cross_attention(x, other[::-1], *w)
    assert_allclose(turned[0], output, atol=1e-12)
    assert_allclose(turned[1], weights[:, ::-1], atol=1e-12)
    assert_allclose(cross_attention(x[::-1], other, *w)[0], output[::-1], atol=1e-12)


def test_each_word_asks_for_itself() -> None:
    x, other, *w = problem()
    output, _ = cross_attention(x, other, *w)
    assert_allclose(cross_attention(x[1:2], other, *w)[0], output[1:2], atol=1e-12)
