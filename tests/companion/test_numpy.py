"""The layer, its masks and its RoPE against the NumPy snippets."""

import numpy as np
import pytest
import torch

from snippets import kv_cache, masks, positions
from snippets.attention import attention
from snippets.companion.attention import fused_attention, plain_attention
from snippets.companion.kv_cache import KVCache
from snippets.companion.masks import make_causal_mask, make_padding_mask
from snippets.companion.multi_head import MultiHeadAttention
from snippets.companion.rotary import rope
from snippets.multi_head import multi_head_attention
from tests.companion.layers import as_array, assert_close, numpy_layer, projected, words

MASKS = {
    "none": None,
    "causal": masks.causal_mask(4),
    "window": masks.window_mask(4, 2),
    "padding": masks.padding_mask([4, 0, 3, 2], 4),
}


@pytest.mark.parametrize("mask_name", MASKS)
@pytest.mark.parametrize("kv_heads", [4, 2, 1])
@pytest.mark.parametrize("rope_base", [None, 100.0])
def test_equals_the_numpy_snippets(
    device: torch.device,
    dtype: torch.dtype,
    mask_name: str,
    kv_heads: int,
    rope_base: float | None,
) -> None:
    layer = MultiHeadAttention(16, 4, kv_heads, bias=False, rope_base=rope_base).to(device, dtype)
    x, mask = words(device, dtype), MASKS[mask_name]
    expected, expected_weights = map(torch.from_numpy, numpy_layer(layer, x, mask))
    ours = None if mask is None else torch.from_numpy(mask).to(device)
    output, weights = layer(x, ours, need_weights=True)
    assert_close(output.cpu(), expected)
    assert_close(weights.cpu(), expected_weights)
    assert_close(layer(x, ours)[0].cpu(), expected)


def test_equals_multi_head_attention_in_numpy(device: torch.device, dtype: torch.dtype) -> None:
    layer = MultiHeadAttention(16, 4, bias=False).to(device, dtype)
    x = words(device, dtype)
    w_q, w_k, w_v = np.split(as_array(layer.qkv.weight).T, 3, axis=1)
    w_o = as_array(layer.out.weight).T
    found = multi_head_attention(as_array(x), w_q, w_k, w_v, w_o, heads=4)
    output, weights = layer(x, need_weights=True)
    assert_close(output.cpu(), torch.from_numpy(found[0]))
    assert_close(weights.cpu(), torch.from_numpy(found[1]))


def test_the_issues_weights_give_the_issues_figures(device: torch.device) -> None:
    """PyTorch issue 141018, whose report gives the weights without a mask."""
    layer = MultiHeadAttention(2, 1, bias=False).to(device)
    in_proj = [[1.0, 2.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0], [2.0, 0.0]]
    with torch.no_grad():
        layer.qkv.weight.copy_(torch.tensor(in_proj))
    x = torch.tensor([[[1.0, 1.0], [2.0, 0.0]]], device=device)
    _, weights = layer(x, need_weights=True)
    expected = torch.tensor([[0.1070, 0.8930], [0.1956, 0.8044]], device=device)
    torch.testing.assert_close(weights[0, 0], expected, atol=5e-5, rtol=0)


@pytest.mark.parametrize(("queries", "keys"), [(3, 3), (2, 5), (1, 4), (4, 2), (1, 1)])
@pytest.mark.parametrize("masked", [False, True])
def test_causal_is_aligned_to_the_end(
    device: torch.device, dtype: torch.dtype, queries: int, keys: int, masked: bool
) -> None:
    q = torch.randn(2, 4, queries, 6, device=device, dtype=dtype)
    k, v = torch.randn(2, 2, 2, keys, 6, device=device, dtype=dtype)
    mask = torch.rand(2, 1, 1, keys) < 0.5 if masked else torch.ones(1, dtype=torch.bool)
    past = mask.numpy() & masks.causal_mask(queries, keys)
    each_k, each_v = (as_array(x.repeat_interleave(2, dim=1)) for x in (k, v))
    found = attention(as_array(q), each_k, each_v, past)
    expected, expected_weights = map(torch.from_numpy, found)
    given = mask.to(device) if masked else None
    output, weights = plain_attention(q, k, v, given, causal=True)
    assert_close(output.cpu(), expected)
    assert_close(weights.cpu(), expected_weights)
    assert_close(fused_attention(q, k, v, given, causal=True).cpu(), expected)


@pytest.mark.parametrize(("queries", "keys"), [(3, None), (2, 5), (4, 2)])
def test_masks_are_those_of_the_snippets(
    device: torch.device, queries: int, keys: int | None
) -> None:
    found = make_causal_mask(queries, keys, device)
    assert found.device.type == device.type
    assert (as_array(found) == masks.causal_mask(queries, keys)).all()
    lengths = torch.tensor([0, 3, 5], device=device)
    found = make_padding_mask(lengths, 5)
    assert found.shape == (3, 1, 5)
    assert (as_array(found) == masks.padding_mask(as_array(lengths), 5)).all()


def test_rope_is_that_of_the_snippets(device: torch.device, dtype: torch.dtype) -> None:
    x = torch.randn(2, 3, 5, 6, device=device, dtype=dtype)
    where = torch.tensor([0, 1, 7, 1000, 131_071], device=device)
    for base in (10_000.0, 500_000.0):
        expected = positions.rope(as_array(x), as_array(where), base)
        assert_close(rope(x, where, base).cpu(), torch.from_numpy(expected))


def test_rope_turns_half_precision_in_float32(device: torch.device) -> None:
    x = torch.randn(5, 6, device=device, dtype=torch.bfloat16)
    where = torch.arange(5, device=device)
    assert torch.equal(rope(x, where), rope(x.float(), where).bfloat16())


def test_the_cache_equals_that_of_the_snippets(device: torch.device, dtype: torch.dtype) -> None:
    layer = MultiHeadAttention(16, 4, bias=False, rope_base=100.0).to(device, dtype)
    x = words(device, dtype, tokens=5)
    q, k, v = projected(layer, x)
    ours, theirs = KVCache(), kv_cache.KVCache()
    for step in (slice(0, 2), slice(2, 3), slice(3, 5)):
        theirs.append(k[..., step, :], v[..., step, :])
        _, expected = theirs.attend(q[..., step, :])
        _, weights = layer(x[:, step], causal=True, cache=ours, need_weights=True)
        assert_close(weights.cpu(), torch.from_numpy(expected))
        assert ours.seen == theirs.seen
