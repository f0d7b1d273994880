"""The block and its parts against torch's, by what may and may not change, and mistakes."""

import re
import types
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from snippets import block as block_module
from snippets.block import block, gelu, layer_norm, mlp, random_weights
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
from tests.snippets.oracles import tensor

functional = torch.nn.functional


def words(*shape: int, seed: int = 0) -> Array:
    """Vectors that are neither centred nor of size 1."""
    return 3 * np.random.default_rng(seed).normal(size=shape) + 2


def trained(d: int, seed: int = 0) -> dict[str, tuple[Array, ...]]:
    """Weights of a block whose norms have learned something too."""
    random = np.random.default_rng(seed)
    weights: dict[str, tuple[Array, ...]] = random_weights(d, seed)
    norms = {n: tuple(random.normal(size=(2, d)) + 0.5) for n in ("norm_1", "norm_2")}
    return weights | norms


def torch_block(x: Array, weights: dict[str, Any], heads: int, mask: Array | None) -> Array:
    """nn.TransformerEncoderLayer with norm_first, which has no bias in its layers but in norms."""
    d = x.shape[-1]
    layer = torch.nn.TransformerEncoderLayer(
        *(d, heads, 4 * d, 0.0),
        activation=torch.nn.GELU(approximate="tanh"),
        norm_first=True,
        batch_first=True,
        dtype=torch.double,
    )
    w_q, w_k, w_v, w_o = weights["attention"]
    loaded = {
        "self_attn.in_proj_weight": np.concatenate([w_q.T, w_k.T, w_v.T]),
        "self_attn.in_proj_bias": np.zeros(3 * d),
        "self_attn.out_proj.weight": w_o.T,
        "self_attn.out_proj.bias": np.zeros(d),
        "linear1.weight": weights["mlp"][0].T,
        "linear1.bias": np.zeros(4 * d),
        "linear2.weight": weights["mlp"][1].T,
        "linear2.bias": np.zeros(d),
        **{f"norm{i}.weight": weights[f"norm_{i}"][0] for i in (1, 2)},
        **{f"norm{i}.bias": weights[f"norm_{i}"][1] for i in (1, 2)},
    }
    layer.load_state_dict({key: tensor(value) for key, value in loaded.items()})
    hidden = None
    if mask is not None:  # torch wants [B · H, T, T], True = may not attend
        table = np.broadcast_to(~mask, (*x.shape[:-1], x.shape[-2]))
        hidden = tensor(np.repeat(table, heads, axis=0))
    with torch.no_grad():
        return np.asarray(layer(tensor(x), src_mask=hidden).numpy())


def check_layer_norm_torch(module: types.ModuleType) -> None:
    """torch's layer_norm, over the features, with any axes in front."""
    for shape in [(5,), (4, 5), (2, 3, 5), (5, 5), (2, 0, 5)]:
        x, (gain, bias) = words(*shape), words(2, 5, seed=1)
        for eps in (1e-5, 0.5):
            expected = functional.layer_norm(tensor(x), (5,), tensor(gain), tensor(bias), eps)
            assert_allclose(module.layer_norm(x, gain, bias, eps), expected.numpy(), atol=1e-12)
    small = 1e-3 * words(4, 5)  # here eps counts
    expected = functional.layer_norm(tensor(small), (5,))
    assert_allclose(module.layer_norm(small, 1, 0), expected.numpy(), atol=1e-12)


def check_layer_norm_by_hand(module: types.ModuleType) -> None:
    """1, 2, 3 has mean 2 and variance 2/3; equal numbers become 0, without a warning."""
    found = module.layer_norm([1.0, 2.0, 3.0], [1.0, 1.0, 2.0], [0.0, 5.0, 0.0], eps=0.0)
    assert_allclose(found, [-(1.5**0.5), 5, 2 * 1.5**0.5])
    with np.errstate(all="raise"):
        assert module.layer_norm([[7.0, 7.0]], 1, 0).tolist() == [[0, 0]]


def check_layer_norm_refuses(module: types.ModuleType) -> None:
    """Gains that would grow x, or that fit other features."""
    for x, gain, bias in [
        ((3, 4), (3,), (4,)),
        ((3, 4), (4,), (2, 3, 4)),
        ((4,), (4,), (3, 4)),
        ((), (), ()),
    ]:
        said = re.escape(f"x is {x}, gain is {gain}, bias is {bias}")
        with pytest.raises(ValueError, match=said):
            module.layer_norm(np.ones(x), np.ones(gain), np.ones(bias))


def check_gelu_torch(module: types.ModuleType) -> None:
    """torch's gelu with tanh; the exact one is nowhere farther than 0.0005."""
    x = np.linspace(-8, 8, 2001)
    assert_allclose(module.gelu(x), functional.gelu(tensor(x), approximate="tanh"), atol=1e-12)
    assert np.abs(module.gelu(x) - functional.gelu(tensor(x)).numpy()).max() < 0.0005
    assert module.gelu(np.ones((2, 0, 3))).shape == (2, 0, 3)


def check_mlp_torch(module: types.ModuleType) -> None:
    """Two linear layers with a bend between them, each word alone."""
    for shape in [(3, 4), (2, 3, 4), (1, 4)]:
        x, w_in, w_out = words(*shape), words(4, 7, seed=1), words(7, 5, seed=2)
        hidden = functional.gelu(tensor(x) @ tensor(w_in), approximate="tanh")
        expected = (hidden @ tensor(w_out)).numpy()
        assert_allclose(module.mlp(x, w_in, w_out), expected, atol=1e-10)
        each = [module.mlp(word[None], w_in, w_out) for word in x.reshape(-1, 4)]
        assert_allclose(np.reshape(each, expected.shape), expected, atol=1e-10)


def check_mlp_refuses(module: types.ModuleType) -> None:
    """The shapes found are named."""
    one = np.ones
    for w_in, w_out, said in [
        (one((5, 7)), one((7, 4)), "the input is (3, 4), w_in (5, 7)"),
        (one((4, 7)), one((6, 4)), "7 features need weights with 7 rows: the input is (3, 7), w_o"),
        (one(4), one((6, 4)), "weights have two axes"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.mlp(one((3, 4)), w_in, w_out)


def check_add(module: types.ModuleType) -> None:
    """The sum; x is not changed; nothing is broadcast in silence."""
    x, y = read_only(words(2, 3)), read_only(words(2, 3, seed=1))
    assert_allclose(module.add(x, y), x + y)
    for shape in [(2, 1), (3,), (1, 3), (1, 2, 3), ()]:
        with pytest.raises(ValueError, match=re.escape(f"x is (2, 3), the update is {shape}")):
            module.add(x, np.ones(shape))
    with pytest.raises(ValueError, match="what is added"):
        module.add(np.ones((2, 1)), x)


def check_block_torch(module: types.ModuleType) -> None:
    """The whole layer, under every kind of mask; as many sentences as heads as tokens."""
    for batch, tokens, heads in [(3, 3, 3), (2, 5, 2), (1, 1, 1)]:
        x, weights = words(batch, tokens, 6), trained(6)
        padding = padding_mask(1 + np.arange(batch) % tokens, tokens)
        for mask in (None, causal_mask(tokens), window_mask(tokens, 2), padding):
            expected = torch_block(x, weights, heads, mask)
            assert_allclose(module.block(x, weights, heads, mask), expected, atol=1e-11)


def check_block_passes_words_on(module: types.ModuleType) -> None:
    """Attention and MLP that add nothing leave x as it is; either alone adds only its own."""
    x, weights, z = words(3, 4), trained(4), np.zeros
    idle = {"attention": (z((4, 4)),) * 4, "mlp": (z((4, 16)), z((16, 4)))}
    assert (module.block(x, weights | idle, 2) == x).all()
    only_mlp = weights | {"attention": idle["attention"]}
    expected = x + mlp(layer_norm(x, *weights["norm_2"]), *weights["mlp"])
    assert_allclose(module.block(x, only_mlp, 2), expected, atol=1e-12)


def check_block_stacked(module: types.ModuleType) -> None:
    """Two blocks are torch's two layers, one after the other."""
    x, layers = words(2, 4, 6), [trained(6, seed) for seed in (0, 1)]
    found = expected = x
    for weights in layers:
        found = module.block(found, weights, 2, causal_mask(4))
        expected = torch_block(expected, weights, 2, causal_mask(4))
    assert_allclose(found, expected, atol=1e-11)


def check_block_refuses(module: types.ModuleType) -> None:
    """Layers whose results could not be added to x."""
    x, weights, one = words(3, 4), trained(4), np.ones
    wrongs: list[tuple[dict[str, tuple[Array, ...]], str]] = [
        ({"attention": (*weights["attention"][:3], one((4, 1)))}, "the update is (3, 1)"),
        ({"mlp": (one((4, 16)), one((16, 1)))}, "the update is (3, 1)"),
        ({"norm_1": (one(3), one(4))}, "gain and bias need a number for each feature"),
    ]
    for wrong, said in wrongs:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.block(x, weights | wrong, 2)
    with pytest.raises(ValueError, match="3 heads do not divide 4 features"):
        module.block(x, weights, 3)


def check_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, float16 is computed in float32; nothing given is changed."""
    keeps_dtypes(module.gelu, (3, 4))
    keeps_dtypes(module.layer_norm, (3, 4), (4,), (4,))
    keeps_dtypes(module.mlp, (3, 4), (4, 5), (5, 4))

    def whole(x: Array, *w: Array) -> Array:
        weights = {"norm_1": w[:2], "attention": w[2:6], "norm_2": w[:2], "mlp": w[6:]}
        return np.asarray(module.block(x, weights, 2))

    keeps_dtypes(whole, (3, 4), (4,), (4,), *[(4, 4)] * 4, (4, 8), (8, 4))
    mixed = whole(np.ones((3, 4), "f4"), *[np.ones(4)] * 2, *[np.ones((4, 4))] * 6)
    assert mixed.dtype == np.float32  # the stream's own


def check_random_weights(module: types.ModuleType) -> None:
    """The same for the same seed, of the right shapes, and sums as large as what is summed."""
    weights, again = module.random_weights(64, 0), module.random_weights(64, 0)
    shapes = {key: [w.shape for w in value] for key, value in weights.items()}
    assert shapes == {
        "norm_1": [(64,), (64,)],
        "attention": [(64, 64)] * 4,
        "norm_2": [(64,), (64,)],
        "mlp": [(64, 256), (256, 64)],
    }
    drawn = [*weights["attention"], *weights["mlp"]]
    for w, same in zip(drawn, [*again["attention"], *again["mlp"]], strict=True):
        assert (w == same).all()
        assert 0.9 < (w**2).sum(0).mean() < 1.1
        assert abs(w.mean()) < 0.02
    assert len({w.ravel()[0] for w in drawn}) == 6
    assert (module.random_weights(64, 1)["mlp"][0] != weights["mlp"][0]).all()
    for norm in ("norm_1", "norm_2"):
        assert [set(w.tolist()) for w in weights[norm]] == [{1.0}, {0.0}]


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(block_module)


MEAN, SPREAD = "x - x.mean(-1, keepdims=True)", "np.sqrt((x**2).mean(-1, keepdims=True) + eps)"
BEND = "np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))"
ATTEND = "multi_head_attention(normed, w_q, w_k, w_v, w_o, heads, mask)"
FIRST, SECOND = (f'normed = layer_norm(x, *weights["norm_{i}"])' for i in (1, 2))
MLP = 'x = add(x, mlp(normed, *weights["mlp"]))'

MISTAKES: Mistakes = {
    # layer_norm
    "a norm over the words": (MEAN, "x - x.mean(-2 if x.ndim > 1 else -1, keepdims=True)"),
    "a norm over everything": (MEAN, "x - x.mean()"),
    "not centred": (MEAN, "x"),
    "the spread with n − 1": (SPREAD, "np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps)"),
    "variance for spread": (SPREAD, "((x**2).mean(-1, keepdims=True) + eps)"),
    "the sum for the mean": (SPREAD, SPREAD.replace("mean(", "sum(")),
    "eps outside the root": (SPREAD, "(np.sqrt((x**2).mean(-1, keepdims=True)) + eps)"),
    "no eps": (SPREAD, SPREAD.replace(" + eps", "")),
    "gain and bias exchanged": ("(x * gain + bias)", "(x * bias + gain)"),
    "bias before gain": ("(x * gain + bias)", "((x + bias) * gain)"),
    "any gain goes": (
        "if x.ndim < 1 or broadcast(x.shape, gain.shape, bias.shape) != x.shape:",
        "if False:",
    ),
    # gelu
    "a ReLU": ("(x * (1 + bend) / 2)", "np.maximum(x, 0)"),
    "a sigmoid's bend": (BEND, "np.tanh(1.702 / 2 * x)"),
    "√(2π) for √(2/π)": (BEND, BEND.replace("2 / np.pi", "2 * np.pi")),
    "no cube": (BEND, BEND.replace(" + 0.044715 * x**3", "")),
    "a square for the cube": (BEND, BEND.replace("x**3", "x**2")),
    "not halved": ("(x * (1 + bend) / 2)", "(x * (1 + bend))"),
    "the bend alone": ("(x * (1 + bend) / 2)", "((1 + bend) / 2)"),
    "float32 becomes float64": ("(1 + bend) / 2).astype(dtype)", "(1 + bend) / 2).astype(float)"),
    # mlp
    "no bend": ("hidden = gelu(x @ w_in)", "hidden = x @ w_in"),
    "bent at the end": ("(hidden @ w_out).astype", "gelu(hidden @ w_out).astype"),
    "the bend first": ("hidden = gelu(x @ w_in)", "hidden = gelu(x) @ w_in"),
    "a bend too many": ("hidden = gelu(x @ w_in)", "hidden = gelu(gelu(x @ w_in))"),
    "w_in twice": ("(hidden @ w_out)", "(hidden @ w_in.T)"),
    "the hidden words": ("(hidden @ w_out)", "hidden"),
    "the words mixed": (
        "hidden = gelu(x @ w_in)",
        "hidden = gelu((x + x.mean(-2, keepdims=True)) @ w_in)",
    ),
    "the weights in not checked": ("    check_weights(x, w_in=w_in)\n", ""),
    "the weights out not checked": ("    check_weights(hidden, w_out=w_out)\n", ""),
    # add
    "replaced for added": ("return x + update", "return update"),
    "added nothing": ("return x + update", "return x"),
    "taken away": ("return x + update", "return x - update"),
    "in place": ("return x + update", "x += update\n    return x"),
    "broadcast in silence": ("if x.shape != update.shape:", "if False:"),
    "broadcast if it does not grow": (
        "if x.shape != update.shape:",
        "if broadcast(x.shape, update.shape) != x.shape:",
    ),
    # block
    "norms behind (2017's)": (FIRST, "normed = x"),
    "no second norm": (SECOND, "normed = x"),
    "the first norm twice": (SECOND, FIRST),
    "norms exchanged": (FIRST, SECOND + "  # exchanged"),
    "no residual around attention": ("x = add(x, update)  #", "x = update  #"),
    "no residual around the MLP": (MLP, 'x = mlp(normed, *weights["mlp"])'),
    "the norm on the residual road": (MLP, 'x = add(normed, mlp(normed, *weights["mlp"]))'),
    "attention on raw words": (ATTEND, ATTEND.replace("normed", "x")),
    "the mask kept from attention": (ATTEND, ATTEND.replace(", mask", "")),
    "one head for all": (ATTEND, ATTEND.replace("heads, mask", "1, mask")),
    "MLP beside attention": (SECOND, 'normed = layer_norm(x - update, *weights["norm_2"])'),
    "the dtype of the weights": ("    return x.astype(dtype)\n", "    return x\n"),
    # random_weights
    "not scaled": (" / shape[0] ** 0.5 for", " for"),
    "scaled by the wrong side": ("shape[0] ** 0.5", "shape[1] ** 0.5"),
    "scaled by the count": ("shape[0] ** 0.5", "shape[0]"),
    "unseeded": ("np.random.default_rng(seed)", "np.random.default_rng()"),
    "always one seed": ("np.random.default_rng(seed)", "np.random.default_rng(0)"),
    "uniform from 0": ("random.normal(size=shape)", "random.random(size=shape)"),
    "gains of 0": ("np.ones(d), np.zeros(d)", "np.zeros(d), np.zeros(d)"),
    "a narrow MLP": ("[(d, 4 * d), (4 * d, d)]", "[(d, d), (d, d)]"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(block_module, MISTAKES[mistake], CHECKS)


# Properties.


@given(hnp.arrays(np.float64, (3, 5), elements=st.floats(-100, 100)))
def test_a_norm_leaves_mean_0_and_at_most_variance_1(x: Array) -> None:
    found = layer_norm(x, 1, 0)
    assert_allclose(found.mean(-1), 0, atol=1e-9)
    assert (found.var(-1) <= 1 + 1e-9).all()
    assert_allclose(layer_norm(x + 7, 1, 0), found, atol=1e-6)


@given(st.floats(-30, 30))
def test_gelu_of_x_minus_gelu_of_minus_x_is_x(x: float) -> None:
    assert_allclose(gelu(x) - gelu(-x), x, atol=1e-12)


@given(st.integers(1, 5), st.integers(0, 4))
@settings(max_examples=20)
def test_under_a_causal_mask_a_later_word_changes_no_earlier_one(tokens: int, at: int) -> None:
    at = min(at, tokens - 1)
    x, mask, layers = words(tokens, 4), causal_mask(tokens), [trained(4, seed) for seed in (0, 1)]
    y = x.copy()
    y[at] += [1, -1, 2, 0]
    for weights in layers:
        x, y = (block(z, weights, 2, mask) for z in (x, y))
    assert (x[:at] == y[:at]).all()
    assert (x[at:] != y[at:]).any(-1).all()


def test_without_a_mask_permuted_words_give_permuted_results() -> None:
    x, weights, order = words(5, 4), trained(4), [3, 1, 4, 0, 2]
    assert_allclose(block(x[order], weights, 2), block(x, weights, 2)[order], atol=1e-12)


def test_any_axes_may_stand_in_front() -> None:
    x, weights = words(2, 3, 4, 6), trained(6)
    found = block(x, weights, 2)
    assert_allclose(found[1, 2], block(x[1, 2], weights, 2), atol=1e-12)
    assert block(x[0, 0, :1], weights, 2).shape == (1, 6)
