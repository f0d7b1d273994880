"""Layers and masks to compare, and how close is equal."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from snippets.companion.masks import make_causal_mask, make_padding_mask
from snippets.companion.multi_head import MultiHeadAttention
from snippets.grouped_query import grouped_query_attention
from snippets.masks import add_head_axis
from snippets.multi_head import merge_heads, split_heads
from snippets.positions import rope

Array = NDArray[Any]

CLOSE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}


def devices() -> list[torch.device]:
    """The CPU, and the GPU where there is one."""
    return [torch.device(name) for name in ("cpu", "cuda") if name == "cpu" or on_gpu()]


def on_gpu() -> bool:
    """Whether there is a GPU that CUDA reaches."""
    return torch.cuda.is_available()


def assert_close(found: Tensor, expected: Tensor) -> None:
    """Equal up to the rounding of what was found; no NaN anywhere."""
    close = CLOSE[found.dtype]
    torch.testing.assert_close(found, expected.to(found.dtype), atol=close, rtol=close)


def pair(
    device: torch.device, dtype: torch.dtype, *, bias: bool = True, heads: int = 4
) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """Ours, loaded from PyTorch's own of 16 features, whose biases are not left at 0."""
    theirs = nn.MultiheadAttention(16, heads, bias=bias, batch_first=True)
    for parameter in theirs.parameters():
        if parameter.dim() == 1:
            nn.init.normal_(parameter)
    theirs.to(device, dtype)
    ours = MultiHeadAttention(16, heads, bias=bias).to(device, dtype)
    ours.load_from(theirs)
    return ours, theirs


def words(device: torch.device, dtype: torch.dtype, tokens: int = 4) -> Tensor:
    """As many texts as heads as tokens, [4, T, 16]: an axis that is mistaken is not noticed."""
    return torch.randn(4, tokens, 16, device=device, dtype=dtype)


def masks(device: torch.device) -> dict[str, Tensor | None]:
    """Every kind of mask for four texts of four tokens, none with an empty row."""
    each = torch.rand(4, 4, 4, device=device) < 0.5
    itself = torch.eye(4, dtype=torch.bool, device=device)
    return {
        "none": None,
        "causal": make_causal_mask(4, device=device),
        "padding": make_padding_mask(torch.tensor([4, 1, 3, 2], device=device), 4),
        "keys": torch.tensor([True, False, True, True], device=device),
        "one by one": each | itself,
    }


def numpy_layer(layer: MultiHeadAttention, x: Tensor, mask: Array | None) -> tuple[Array, Array]:
    """(output, weights) of a layer without biases, by the NumPy snippets."""
    q, k, v = projected(layer, x)
    wide = None if mask is None else add_head_axis(mask, x.cpu().numpy())
    output, weights = grouped_query_attention(q, k, v, wide)
    return merge_heads(output) @ as_array(layer.out.weight).T, weights


def projected(layer: MultiHeadAttention, x: Tensor) -> tuple[Array, Array, Array]:
    """Queries, keys and values [B, H or H_kv, T, d_head], turned by RoPE if the layer does."""
    w = as_array(layer.qkv.weight).T  # [D, features of q, k and v]
    widths = np.array([layer.heads, layer.kv_heads]) * layer.d_head
    parts = np.split(as_array(x) @ w, np.cumsum(widths), axis=-1)
    heads = (layer.heads, layer.kv_heads, layer.kv_heads)
    q, k, v = (split_heads(part, n) for part, n in zip(parts, heads, strict=True))
    if layer.rope_base is not None:
        positions = np.arange(x.shape[1])
        q, k = (rope(part, positions, layer.rope_base) for part in (q, k))
    return q, k, v


def as_array(x: Tensor) -> Array:
    """The numbers of a tensor of any device."""
    found: Array = x.detach().cpu().numpy()
    return found
