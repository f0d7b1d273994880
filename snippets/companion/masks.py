"""Masks as tensors: who may look at whom. True = may attend.

The same as the NumPy snippets' masks. nn.MultiheadAttention's mean the opposite: give it `~mask`.
"""

import torch
from torch import Tensor


def make_causal_mask(
    queries: int, keys: int | None = None, device: torch.device | None = None
) -> Tensor:
    """Each token sees itself and those before it, [Tq, Tk], aligned to the end.

    With more keys than queries, the queries are those of the last tokens, as when a KV cache holds
    the earlier ones. `is_causal` of scaled_dot_product_attention aligns to the start instead.

    >>> make_causal_mask(2, 4).int()
    tensor([[1, 1, 1, 0],
            [1, 1, 1, 1]], dtype=torch.int32)
    """
    keys = queries if keys is None else keys
    everything = torch.ones(queries, keys, dtype=torch.bool, device=device)
    return everything.tril(keys - queries)


def make_padding_mask(lengths: Tensor, keys: int) -> Tensor:
    """No token sees the padding behind a shorter text, [B, 1, Tk].

    lengths: [B], how many of the `keys` tokens of each text are real.
    Raises ValueError for lengths beyond 0 to Tk.

    >>> make_padding_mask(torch.tensor([2, 4]), 4).int()
    tensor([[[1, 1, 0, 0]],
    <BLANKLINE>
            [[1, 1, 1, 1]]], dtype=torch.int32)
    """
    if ((lengths < 0) | (lengths > keys)).any():
        raise ValueError(f"texts of {keys} tokens have lengths 0 to {keys}, not {lengths.tolist()}")
    return torch.arange(keys, device=lengths.device) < lengths[..., None, None]


def insert_head_axis(mask: Tensor, tokens: tuple[int, int, int]) -> Tensor:
    """Give a mask that broadcasts to `tokens`, (B, Tq, Tk), an axis for heads, [B, 1, Tq, Tk].

    Without it a mask [B, 1, Tk] would meet scores [B, H, Tq, Tk] as [H, 1, Tk], and go wrong in
    silence if there are as many heads as texts. Axes of 1 stay as they are.
    Raises ValueError for a mask that is not boolean or does not fit.

    >>> insert_head_axis(make_padding_mask(torch.tensor([2, 4]), 4), (2, 4, 4)).shape
    torch.Size([2, 1, 1, 4])
    >>> insert_head_axis(make_causal_mask(3), (2, 4, 4))
    Traceback (most recent call last):
    ValueError: the mask (3, 3) does not fit the texts, queries and keys (2, 4, 4)
    >>> insert_head_axis(torch.zeros(4), (2, 4, 4))
    Traceback (most recent call last):
    ValueError: a mask is boolean (True = may attend); one in torch.float32 would be added
    """
    if mask.dtype != torch.bool:
        raise ValueError(
            f"a mask is boolean (True = may attend); one in {mask.dtype} would be added"
        )
    shape = (1,) * (3 - mask.dim()) + tuple(mask.shape)
    if len(shape) != 3 or any(m not in (1, n) for m, n in zip(shape, tokens, strict=True)):
        raise ValueError(
            f"the mask {tuple(mask.shape)} does not fit the texts, queries and keys {tokens}"
        )
    return mask.reshape(shape).unsqueeze(1)
