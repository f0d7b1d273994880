"""The layer against PyTorch's own: outputs, weights, masks, gradients; and what it refuses."""

import re
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from snippets.companion.masks import make_causal_mask, make_padding_mask
from snippets.companion.multi_head import MultiHeadAttention
from tests.companion.layers import assert_close, masks, pair, words

MASKS = ["none", "causal", "padding", "keys", "one by one"]


def hidden(mask: Tensor | None, heads: int) -> Tensor | None:
    """A mask as PyTorch's own layer takes it, [B · H, T, T], True = may not attend."""
    return None if mask is None else ~mask.expand(4, 4, 4).repeat_interleave(heads, dim=0)


@pytest.mark.parametrize("mask_name", MASKS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_equals_pytorchs_own_layer(
    device: torch.device, dtype: torch.dtype, mask_name: str, bias: bool, training: bool
) -> None:
    ours, theirs = (layer.train(training) for layer in pair(device, dtype, bias=bias))
    x, mask = words(device, dtype), masks(device)[mask_name]
    blocked = hidden(mask, heads=4)
    for gradients in (True, False):
        with torch.set_grad_enabled(gradients):
            output, none = ours(x, mask)
            same, weights = ours(x, mask, need_weights=True)
            expected, mean = theirs(x, x, x, attn_mask=blocked)
            _, each = theirs(x, x, x, attn_mask=blocked, average_attn_weights=False)
        assert none is None
        assert_close(output, expected)
        assert_close(same, expected)
        assert_close(weights, each)
        assert_close(weights.mean(dim=1), mean)


def test_padding_equals_pytorchs_key_padding_mask(device: torch.device, dtype: torch.dtype) -> None:
    ours, theirs = pair(device, dtype)
    x, lengths = words(device, dtype), torch.tensor([4, 1, 3, 2], device=device)
    mask = make_padding_mask(lengths, 4)
    expected, _ = theirs(x, x, x, key_padding_mask=~mask[:, 0])
    assert_close(ours(x, mask)[0], expected)


@pytest.mark.parametrize("mask_name", MASKS)
@pytest.mark.parametrize("need_weights", [True, False])
def test_causal_combines_with_any_mask(
    device: torch.device, dtype: torch.dtype, mask_name: str, need_weights: bool
) -> None:
    ours, theirs = pair(device, dtype)
    x, mask = words(device, dtype), masks(device)[mask_name]
    past = make_causal_mask(4, device=device)
    mask = None if mask is None else mask | torch.eye(4, dtype=torch.bool, device=device)
    combined = past if mask is None else mask & past
    expected, _ = theirs(x, x, x, attn_mask=hidden(combined, heads=4))
    output, _ = ours(x, mask, causal=True, need_weights=need_weights)
    assert_close(output, expected)


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("mask_name", MASKS)
@pytest.mark.parametrize("need_weights", [True, False])
def test_half_precision_is_near_to_the_exact_result(
    device: torch.device, half: torch.dtype, mask_name: str, need_weights: bool
) -> None:
    exact = MultiHeadAttention(16, 4, 2, rope_base=10_000.0).to(device, torch.float64)
    x, mask = words(device, torch.float64), masks(device)[mask_name]
    expected, _ = exact(x, mask, causal=True)
    output, _ = exact.to(half)(x.to(half), mask, causal=True, need_weights=need_weights)
    assert_close(output, expected)


def test_large_numbers_do_not_leave_float16(device: torch.device) -> None:
    layer = MultiHeadAttention(64, 1, bias=False).to(device, torch.float16)
    with torch.no_grad():
        layer.qkv.weight.copy_(torch.eye(64).repeat(3, 1))
        layer.out.weight.copy_(torch.eye(64))
    x = torch.full((1, 2, 64), 40.0, device=device, dtype=torch.float16)  # scores of 102,400
    for need_weights in (True, False):
        assert_close(layer(x, need_weights=need_weights)[0], x)


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_token_that_may_attend_to_nothing_takes_nothing(
    device: torch.device, dtype: torch.dtype, need_weights: bool
) -> None:
    ours, _ = pair(device, dtype)
    x = words(device, dtype).requires_grad_()
    mask = make_padding_mask(torch.tensor([4, 0, 3, 2], device=device), 4).repeat(1, 4, 1)
    mask[3, 2] = False
    output, weights = ours(x, mask, need_weights=need_weights)
    for empty in (output[1], output[3, 2]):
        assert_close(empty, ours.out.bias.expand_as(empty))
    if need_weights:
        assert (weights[1] == 0).all()
        assert (weights[3, :, 2] == 0).all()
        assert_close(weights[0].sum(-1), torch.ones(4, 4, device=device))
    (gradient,) = torch.autograd.grad(output.sum(), x)
    assert gradient.isfinite().all()
    assert (gradient[1] == 0).all()


def test_gradients_equal_those_of_pytorchs_own_layer(
    device: torch.device, dtype: torch.dtype
) -> None:
    ours, theirs = pair(device, dtype)
    x = words(device, dtype).requires_grad_()
    target = torch.randn_like(x)
    past = make_causal_mask(4, device=device)
    expected = torch.autograd.grad(
        (theirs(x, x, x, attn_mask=~past)[0] * target).sum(), (x, *theirs.parameters())
    )
    of_qkv_and_out = [ours.qkv.weight, ours.qkv.bias, ours.out.weight, ours.out.bias]
    for need_weights in (True, False):
        output, _ = ours(x, causal=True, need_weights=need_weights)
        found = torch.autograd.grad((output * target).sum(), (x, *of_qkv_and_out))
        for ours_is, theirs_is in zip(found, expected, strict=True):
            assert_close(ours_is, theirs_is)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("mask_name", ["none", "one text is empty"])
def test_gradients_are_those_of_finite_differences(
    device: torch.device, need_weights: bool, mask_name: str
) -> None:
    layer = MultiHeadAttention(8, 2, 1, rope_base=100.0).to(device, torch.float64)
    x = torch.randn(2, 3, 8, device=device, dtype=torch.float64, requires_grad=True)
    empty = make_padding_mask(torch.tensor([2, 0], device=device), 3)
    mask = None if mask_name == "none" else empty

    def output(x: Tensor) -> Tensor:
        found: Tensor = layer(x, mask, causal=True, need_weights=need_weights)[0]
        return found

    assert torch.autograd.gradcheck(output, x, nondet_tol=1e-12)


@pytest.mark.parametrize("need_weights", [True, False])
def test_dropout_drops_in_training_only(device: torch.device, need_weights: bool) -> None:
    ours, _ = pair(device, torch.float64)
    x = words(device, torch.float64)
    expected, _ = ours(x)
    ours.dropout = 0.5
    dropped = [ours(x, need_weights=need_weights)[0] for _ in range(2)]
    assert not torch.allclose(dropped[0], dropped[1])
    assert not torch.allclose(dropped[0], expected)
    ours.eval()
    assert_close(ours(x, need_weights=need_weights)[0], expected)


@pytest.mark.parametrize("need_weights", [True, False])
def test_dropout_keeps_the_mean(device: torch.device, need_weights: bool) -> None:
    layer = MultiHeadAttention(2, 1, bias=False, dropout=0.25).to(device)
    with torch.no_grad():
        layer.qkv.weight.copy_(torch.eye(2).repeat(3, 1))
        layer.out.weight.copy_(torch.eye(2))
    output, _ = layer(torch.ones(10_000, 1, 2, device=device), need_weights=need_weights)
    assert_close(output, (output > 0.5) / 0.75)  # all or nothing
    assert 0.98 < output.mean() < 1.02


def test_weights_in_training_are_those_before_dropout(device: torch.device) -> None:
    layer = MultiHeadAttention(16, 4, dropout=0.5).to(device)
    _, weights = layer(words(device, torch.float32), need_weights=True)
    assert_close(weights.sum(-1), torch.ones(4, 4, 4, device=device))


@pytest.mark.parametrize("bias", [True, False])
def test_weights_survive_saving_and_loading(device: torch.device, bias: bool) -> None:
    one, other = (MultiHeadAttention(16, 4, 2, bias=bias).to(device) for _ in range(2))
    x = words(device, torch.float32)
    assert not torch.allclose(one(x)[0], other(x)[0])
    other.load_state_dict(one.state_dict())
    assert torch.equal(one(x)[0], other(x)[0])


COMPILED: dict[str, Callable[[MultiHeadAttention, Tensor, Tensor], Tensor]] = {
    "plain": lambda layer, x, mask: layer(x)[0],
    "causal": lambda layer, x, mask: layer(x, causal=True)[0],
    "masked": lambda layer, x, mask: layer(x, mask, causal=True)[0],
    "with weights": lambda layer, x, mask: layer(x, mask, need_weights=True)[1],
}


@pytest.mark.parametrize("way", COMPILED)
def test_compiles_as_one_graph(device: torch.device, way: str) -> None:
    layer = MultiHeadAttention(16, 4, 2, rope_base=10_000.0).to(device)
    x, mask = (
        words(device, torch.float32),
        make_padding_mask(torch.tensor([4, 1, 3, 2]), 4).to(device),
    )
    compiled = torch.compile(COMPILED[way], backend="aot_eager", fullgraph=True)
    assert_close(compiled(layer, x, mask), COMPILED[way](layer, x, mask))


def test_contains_no_other_attention() -> None:
    assert {type(part) for part in MultiHeadAttention(8, 2).modules()} == {
        MultiHeadAttention,
        nn.Linear,
    }


X = torch.zeros(2, 3, 8)
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "heads": (lambda: MultiHeadAttention(8, 3), "3 heads do not divide 8 features"),
    "no heads": (lambda: MultiHeadAttention(8, 0), "0 heads do not divide 8 features"),
    "key heads": (lambda: MultiHeadAttention(8, 4, 3), "3 key heads do not divide 4 query heads"),
    "odd head": (lambda: MultiHeadAttention(6, 2, rope_base=1e4), "an even number of them, not 3"),
    "dropout": (lambda: MultiHeadAttention(8, 2, dropout=1), "from 0 to below 1, not 1"),
    "features": (
        lambda: MultiHeadAttention(4, 2)(X),
        "the layer takes [texts, tokens, 4], not (2, 3, 8)",
    ),
    "axes": (
        lambda: MultiHeadAttention(8, 2)(X[0]),
        "the layer takes [texts, tokens, 8], not (3, 8)",
    ),
    "mask of floats": (
        lambda: MultiHeadAttention(8, 2)(X, torch.ones(3, 3)),
        "a mask is boolean (True = may attend); one in torch.float32 would be added",
    ),
    "mask of integers": (
        lambda: MultiHeadAttention(8, 2)(X, torch.ones(3, 3, dtype=torch.int64)),
        "a mask is boolean",
    ),
    "mask of another size": (
        lambda: MultiHeadAttention(8, 2)(X, make_causal_mask(4)),
        "the mask (4, 4) does not fit the texts, queries and keys (2, 3, 3)",
    ),
    "mask with heads": (
        lambda: MultiHeadAttention(8, 2)(X, torch.ones(2, 1, 3, 3, dtype=torch.bool)),
        "the mask (2, 1, 3, 3) does not fit the texts, queries and keys (2, 3, 3)",
    ),
    "lengths": (lambda: make_padding_mask(torch.tensor([5]), 4), "have lengths 0 to 4, not [5]"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refuses_what_does_not_fit_and_names_it(what: str) -> None:
    act, message = REFUSED[what]
    with pytest.raises(ValueError, match=re.escape(message)):
        act()


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        ({"kdim": 4}, "with kdim=8, not kdim=4"),
        ({"vdim": 4}, "with vdim=8, not vdim=4"),
        ({"add_bias_kv": True}, "with add_bias_kv=False, not add_bias_kv=True"),
        ({"add_zero_attn": True}, "with add_zero_attn=False, not add_zero_attn=True"),
        ({"bias": False}, "with bias=True, not bias=False"),
        ({"embed_dim": 12}, "with embed_dim=8, kdim=8, vdim=8, not embed_dim=12, kdim=12, vdim=12"),
        ({"num_heads": 4}, "with num_heads=2, key heads=2, not num_heads=4, key heads=4"),
    ],
)
def test_loads_only_what_it_computes_as_well(theirs: dict[str, int], message: str) -> None:
    other = nn.MultiheadAttention(**({"embed_dim": 8, "num_heads": 2} | theirs))
    with pytest.raises(ValueError, match=re.escape(message)):
        MultiHeadAttention(8, 2).load_from(other)
    with pytest.raises(ValueError, match="key heads=1, not key heads=2"):
        MultiHeadAttention(8, 2, 1).load_from(nn.MultiheadAttention(8, 2))
