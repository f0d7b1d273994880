"""Several heads against torch's own layer, by what each head must see, and against mistakes."""

import re
import types

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from snippets import multi_head
from snippets.attention import attention
from snippets.masks import causal_mask, padding_mask, window_mask
from snippets.multi_head import merge_heads, multi_head_attention, split_heads
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


def layer(d: int) -> tuple[Array, Array, Array, Array]:
    """w_q, w_k, w_v and w_o of a layer of d features."""
    w_q, w_k, w_v, w_o = np.random.default_rng(0).normal(size=(4, d, d)) / d**0.5
    return w_q, w_k, w_v, w_o


def torch_layer(
    x: Array, w: tuple[Array, ...], heads: int, hidden: Array | None
) -> tuple[Array, Array]:
    """Output and per-head weights of nn.MultiheadAttention; in its masks True = may not attend."""
    d = x.shape[-1]
    module = torch.nn.MultiheadAttention(d, heads, bias=False, batch_first=True, dtype=torch.double)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.from_numpy(np.concatenate([m.T for m in w[:3]])))
        module.out_proj.weight.copy_(torch.from_numpy(w[3].T))
        output, weights = module(
            *[torch.from_numpy(np.array(x))] * 3,
            attn_mask=None if hidden is None else torch.from_numpy(hidden),
            average_attn_weights=False,
        )
    return output.numpy(), weights.numpy()


def masks(batch: int, tokens: int) -> dict[str, Array | None]:
    """Every kind of mask for x [B, T, D], no row of it empty: torch's layer gives NaN there."""
    random = np.random.default_rng(1)
    each = random.random((batch, tokens, tokens)) < 0.5
    return {
        "none": None,
        "causal": causal_mask(tokens),
        "window": window_mask(tokens, 2),
        "padding": padding_mask(1 + np.arange(batch) % tokens, tokens),
        "keys only": np.arange(tokens) != 1,
        "one for each sentence": each | np.eye(tokens, dtype=bool),
        "one number": np.array(True),
    }


def check_split_by_hand(module: types.ModuleType) -> None:
    """Head 0 of arange(24) as 4 × 6 with three heads has the first two numbers of each row."""
    heads = module.split_heads(np.arange(24).reshape(4, 6), 3)
    assert heads[0].tolist() == [[0, 1], [6, 7], [12, 13], [18, 19]]
    assert heads[2].tolist() == [[4, 5], [10, 11], [16, 17], [22, 23]]


def check_split_is_a_slice_of_features(module: types.ModuleType) -> None:
    """Head h is features h · D/H to (h + 1) · D/H, whatever axes stand in front."""
    for shape in [(4, 6), (3, 3, 6), (2, 3, 1, 6), (3, 0, 6)]:
        x = np.random.default_rng(0).normal(size=shape)
        for heads in (1, 2, 3, 6):
            each = np.split(x, heads, axis=-1)
            assert_allclose(module.split_heads(x, heads), np.stack(each, axis=-3))


def check_split_refuses(module: types.ModuleType) -> None:
    """Heads that do not divide the features."""
    for heads in (4, 0, -1, -2, 12):
        with pytest.raises(ValueError, match=f"{heads} heads do not divide 6 features"):
            module.split_heads(np.ones((2, 6)), heads)
    with pytest.raises(ValueError, match=re.escape("[tokens, features]: x is (6,)")):
        module.split_heads(np.ones(6), 2)


def check_merge_is_side_by_side(module: types.ModuleType) -> None:
    """The heads' features, one head after the other."""
    for shape in [(3, 4, 2), (3, 3, 3, 2), (2, 1, 3, 4, 5), (3, 0, 2)]:
        x = np.random.default_rng(0).normal(size=shape)
        heads = [x[..., h, :, :] for h in range(shape[-3])]
        assert_allclose(module.merge_heads(x), np.concatenate(heads, axis=-1))
    with pytest.raises(ValueError, match=re.escape("[heads, tokens, features]: x is (2, 6)")):
        module.merge_heads(np.ones((2, 6)))


def check_identity(module: types.ModuleType) -> None:
    """Two words, two heads of one feature each, all matrices the identity: by hand.

    Scores 1 and 0 give σ(1) = .7311 and .2689, equal scores .5.
    """
    one = np.eye(2)
    output, weights = module.multi_head_attention(one, one, one, one, one, 2)
    assert_allclose(output.round(4), [[0.7311, 0.5], [0.5, 0.7311]])
    assert_allclose(weights[0].round(4), [[0.7311, 0.2689], [0.5, 0.5]])


def check_torch(module: types.ModuleType) -> None:
    """nn.MultiheadAttention, loaded with the same weights, under every kind of mask.

    There are as many sentences as heads as tokens, so that a mixed-up axis has the right size.
    """
    for batch, heads, tokens, d in [(3, 3, 3, 6), (2, 4, 5, 8), (1, 1, 1, 2)]:
        x, w = np.random.default_rng(2).normal(size=(batch, tokens, d)), layer(d)
        for mask in masks(batch, tokens).values() if tokens > 1 else [None]:
            hidden = None
            if mask is not None:
                hidden = ~np.broadcast_to(mask, (batch, tokens, tokens))
                hidden = np.repeat(hidden, heads, axis=0)  # torch wants [B · H, T, T]
            output, weights = module.multi_head_attention(x, *w, heads, mask)
            expected = torch_layer(x, w, heads, hidden)
            assert weights.shape == (batch, heads, tokens, tokens)
            assert_allclose(output, expected[0], atol=1e-12)
            assert_allclose(weights, expected[1], atol=1e-12)


def check_nothing_to_attend_to(module: types.ModuleType) -> None:
    """A sentence of length 0 gives zeros in every head, without a warning."""
    x = np.random.default_rng(3).normal(size=(2, 2, 4))
    with np.errstate(all="raise", under="ignore"):
        output, weights = module.multi_head_attention(x, *layer(4), 2, padding_mask([0, 2], 2))
    assert_allclose(output[0], 0)
    assert_allclose(weights[0], 0)
    assert_allclose(weights[1].sum(-1), 1)


def check_values_of_another_size(module: types.ModuleType) -> None:
    """d_k, d_v and the number of columns of w_o are free."""
    random = np.random.default_rng(4)
    x, w_q, w_k = random.normal(size=(3, 5)), *random.normal(size=(2, 5, 4))
    w_v, w_o = random.normal(size=(5, 6)), random.normal(size=(6, 7))
    output, weights = module.multi_head_attention(x, w_q, w_k, w_v, w_o, 2)
    assert output.shape == (3, 7)
    heads = [attention(x @ w_q[:, s], x @ w_k[:, s], x @ w_v) for s in (slice(0, 2), slice(2, 4))]
    assert_allclose(weights, [head[1] for head in heads])
    halves = [heads[0][0][:, :3], heads[1][0][:, 3:]]
    assert_allclose(output, np.concatenate(halves, -1) @ w_o)


def check_masks_that_do_not_fit(module: types.ModuleType) -> None:
    """A mask that would grow the scores, or that is not boolean, is refused in words."""
    x, w = np.ones((2, 3, 4)), layer(4)
    for shape in [(5, 3, 3), (2, 2, 3), (2, 2, 3, 3), (2, 2, 1, 3), (1, 2, 3, 3)]:
        said = re.escape(f"the mask {shape} does not fit the tokens (2, 3, 3)")
        with pytest.raises(ValueError, match=said):
            module.multi_head_attention(x, *w, 2, np.ones(shape, bool))
    with pytest.raises(ValueError, match="the mask must be boolean"):
        module.multi_head_attention(x, *w, 2, np.ones((3, 3)))
    with pytest.raises(ValueError, match=re.escape("the mask (2, 3, 3)")):  # a mask for each head
        module.multi_head_attention(x[0], *w, 2, np.ones((2, 3, 3), bool))


def check_weights_that_do_not_fit(module: types.ModuleType) -> None:
    """The shapes found are named."""
    x, w = np.ones((3, 4)), np.ones((4, 4))
    for given_w, said in [
        ((np.ones((5, 4)), w, w, w), "4 features need weights with 4 rows: the input is (3, 4), w"),
        ((w, w, w, np.ones((3, 4))), "the input is (3, 4), w_o (3, 4)"),
        ((w, np.ones((4, 2)), w, w), "q and k need equally many features"),
        ((w, w, np.ones((4, 3)), w), "2 heads do not divide 3 features"),
        ((w, np.ones(4), w, w), "weights have two axes"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.multi_head_attention(x, *given_w, 2)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype; nothing given is changed."""
    keeps_dtypes(lambda *a: module.multi_head_attention(*a, 2), (3, 4), *[(4, 4)] * 4)
    x, w, mask = read_only(np.ones((2, 3, 4))), map(read_only, layer(4)), read_only(causal_mask(3))
    module.multi_head_attention(x, *w, 2, mask)


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(multi_head)


SPLIT = "x = x.reshape(*leading, tokens, heads, features // heads)  # [..., T, H, D/H]"
SWAP = "return x.swapaxes(-2, -3)  # [..., H, T, D/H]"
MERGE = "x = x.swapaxes(-2, -3)  # [..., T, H, D]\n"
PROJECT = "(split_heads(x @ w, heads) for w in (w_q, w_k, w_v))"

MISTAKES: Mistakes = {
    # split_heads
    "heads split by a view": (
        SPLIT,
        "return x.reshape(*leading, heads, tokens, features // heads)",
    ),
    "heads not brought to the front": (SWAP, "return x"),
    "heads brought before the batch": (SWAP, "return np.moveaxis(x, -2, 0)"),
    "wrong axes swapped": (SWAP, "return x.swapaxes(-1, -3)"),
    "every other feature": (
        SPLIT,
        "x = x.reshape(*leading, tokens, features // heads, heads).swapaxes(-1, -2)",
    ),
    "heads that leave features over": (
        "if heads < 1 or features % heads:",
        "if heads < 1:",
    ),
    "negative heads": ("heads < 1 or features % heads", "features % heads"),
    # merge_heads
    "merged without transposing back": (MERGE, "pass\n"),
    "merged with the wrong axes transposed": (MERGE, "x = x.swapaxes(-1, -2)\n"),
    "merged features first": (MERGE, "x = np.moveaxis(x, -3, -1)\n"),
    "merged by an average": (
        "return x.reshape(*leading, tokens, heads * features)",
        "return x.mean(-2).repeat(heads, axis=-1)",
    ),
    "merged in the reverse order": (MERGE, "x = x[..., ::-1, :, :].swapaxes(-2, -3)\n"),
    # multi_head_attention
    "÷ √d_model": (PROJECT, PROJECT.replace("(w_q, w", "(w_q / heads ** 0.5, w")),
    "Q and K swapped": (PROJECT, PROJECT.replace("w_q, w_k", "w_k, w_q")),
    "values not projected": (
        "output, weights = attention(q, k, v, mask)",
        "output, weights = attention(q, k, split_heads(x, heads), mask)",
    ),
    "torch's transposed weights": (PROJECT, PROJECT.replace("x @ w,", "x @ w.T,")),
    "W_o forgotten": ("(output @ w_o)", "output"),
    "W_o transposed": ("(output @ w_o)", "(output @ w_o.T)"),
    "weights averaged over the heads": ("weights.astype(dtype)", "weights.mean(-3).astype(dtype)"),
    "mask forgotten": ("attention(q, k, v, mask)", "attention(q, k, v)"),
    "mask the wrong way round": ("mask = add_head_axis(mask, x)", "mask = ~add_head_axis(mask, x)"),
    "mask without the head axis": ("mask = add_head_axis(mask, x)", "mask = np.asarray(mask)"),
    "merged before the values": (
        "output = merge_heads(output)",
        "output = output.reshape(*x.shape[:-1], -1)",
    ),
    "float16 not widened": (
        "(x, w_q, w_k, w_v, w_o), dtype = as_float(x, w_q, w_k, w_v, w_o)",
        "x = np.asarray(x); dtype = x.dtype",
    ),
    "everything in float64": ("(output @ w_o).astype(dtype)", "(output @ w_o).astype(float)"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(multi_head, MISTAKES[mistake], CHECKS)


# Properties.


@given(
    hnp.array_shapes(min_dims=0, max_dims=2, max_side=3),
    *[st.integers(1, 4)] * 3,
)
def test_merging_undoes_splitting(
    leading: tuple[int, ...], tokens: int, heads: int, d: int
) -> None:
    x = np.arange(np.prod(leading) * tokens * heads * d).reshape(*leading, tokens, heads * d)
    split = split_heads(x, heads)
    assert split.shape == (*leading, heads, tokens, d)
    assert (merge_heads(split) == x).all()


@given(st.data())
@settings(max_examples=40)
def test_each_head_is_attention_with_its_columns(data: st.DataObject) -> None:
    leading = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    tokens, heads, d_k = (data.draw(st.integers(1, 4)) for _ in range(3))
    random = np.random.default_rng(0)
    x, w = random.normal(size=(*leading, tokens, heads * d_k)), layer(heads * d_k)
    shape = data.draw(
        hnp.broadcastable_shapes((*leading, tokens, tokens), max_dims=len(leading) + 2)
    )
    small = np.broadcast_shapes(shape, (*leading, tokens, tokens)) == (*leading, tokens, tokens)
    mask = data.draw(hnp.arrays(bool, shape)) if small else None
    output, weights = multi_head_attention(x, *w, heads, mask)
    merged = np.zeros_like(output)
    for h in range(heads):
        own = slice(h * d_k, (h + 1) * d_k)
        head = attention(x @ w[0][:, own], x @ w[1][:, own], x @ w[2][:, own], mask)
        assert_allclose(weights[..., h, :, :], head[1], atol=1e-12)
        merged += head[0] @ w[3][own]  # W_o adds up what each head says
    assert_allclose(output, merged, atol=1e-12)


def test_one_head_is_plain_attention() -> None:
    x, w = np.random.default_rng(5).normal(size=(2, 3, 4)), layer(4)
    output, weights = multi_head_attention(x, *w, 1)
    plain = attention(x @ w[0], x @ w[1], x @ w[2])
    assert_allclose(output, plain[0] @ w[3], atol=1e-12)
    assert_allclose(weights[:, 0], plain[1], atol=1e-12)
