"""Text that is written with a cache is the text that is read at once."""

import pytest
import torch

from snippets.companion.block import DecoderBlock
from snippets.companion.kv_cache import KVCache
from snippets.companion.masks import make_padding_mask
from snippets.companion.multi_head import MultiHeadAttention
from tests.companion.layers import assert_close, words

STEPS = {"token by token": [1] * 6, "a prompt first": [4, 1, 1], "in pieces": [2, 3, 1]}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("kv_heads", [4, 2, 1])
@pytest.mark.parametrize("rope_base", [None, 100.0])
@pytest.mark.parametrize("need_weights", [True, False])
def test_step_by_step_equals_one_pass(
    device: torch.device,
    steps: list[int],
    kv_heads: int,
    rope_base: float | None,
    need_weights: bool,
) -> None:
    layer = MultiHeadAttention(16, 4, kv_heads, rope_base=rope_base).to(device, torch.float64)
    x, cache = words(device, torch.float64, tokens=6), KVCache()
    expected, table = layer(x, causal=True, need_weights=True)
    seen = 0
    for piece in torch.split(x, steps, dim=1):
        output, weights = layer(piece, causal=True, cache=cache, need_weights=need_weights)
        rows = slice(seen, seen + piece.shape[1])
        seen = rows.stop
        assert cache.seen == seen
        assert_close(output, expected[:, rows])
        if need_weights:
            assert_close(weights, table[:, :, rows, :seen])


def test_only_key_heads_are_kept(device: torch.device) -> None:
    layer, cache = MultiHeadAttention(16, 4, 1).to(device), KVCache()
    keys, values = cache.append(*layer.project(words(device, torch.float32))[1:])
    assert keys.shape == values.shape == (4, 1, 4, 4)


def test_a_mask_covers_the_tokens_in_the_cache(device: torch.device) -> None:
    layer, cache = MultiHeadAttention(16, 4).to(device, torch.float64), KVCache()
    x = words(device, torch.float64)
    real = make_padding_mask(torch.tensor([4, 1, 3, 2], device=device), 4)
    expected, _ = layer(x, real, causal=True)
    layer(x[:, :3], real[..., :3], causal=True, cache=cache)
    with pytest.raises(ValueError, match=r"does not fit the texts, queries and keys \(4, 1, 4\)"):
        layer(x[:, 3:], real[..., 3:].repeat(1, 3, 1), causal=True, cache=cache)
    assert cache.seen == 3  # what was refused is not kept
    assert_close(layer(x[:, 3:], real, causal=True, cache=cache)[0], expected[:, 3:])


def test_a_cache_refuses_other_texts(device: torch.device) -> None:
    layer, cache = MultiHeadAttention(16, 4).to(device), KVCache()
    x = words(device, torch.float32)
    layer(x, causal=True, cache=cache)
    message = r"holds \(4, 4, 4, 4\) in float32, which \(2, 4, 4, 4\) in float32 cannot follow"
    with pytest.raises(ValueError, match=message):
        layer(x[:2], causal=True, cache=cache)
    with pytest.raises(ValueError, match=r"in float32, which \(4, 4, 4, 4\) in float64"):
        layer.double()(x.double(), causal=True, cache=cache)
    assert cache.seen == 4


def test_gradients_flow_through_a_cache(device: torch.device) -> None:
    layer, cache = MultiHeadAttention(16, 4).to(device), KVCache()
    x = words(device, torch.float32).requires_grad_()
    layer(x[:, :3], causal=True, cache=cache)
    output, _ = layer(x[:, 3:], causal=True, cache=cache)
    (gradient,) = torch.autograd.grad(output.sum(), x)
    assert (gradient != 0).any(dim=-1).all()


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_blocks_write_as_they_read(device: torch.device, steps: list[int]) -> None:
    blocks = [DecoderBlock(16, 4, 2, rope_base=100.0).to(device, torch.float64) for _ in range(2)]
    x = words(device, torch.float64, tokens=6)
    expected = blocks[1](blocks[0](x))
    caches = [KVCache() for _ in blocks]
    pieces = []
    for piece in torch.split(x, steps, dim=1):
        for block, cache in zip(blocks, caches, strict=True):
            piece = block(piece, cache=cache)
        pieces.append(piece)
    assert_close(torch.cat(pieces, dim=1), expected)
