"""A KV cache as tensors: the keys and values of the tokens so far, kept while a text is written.

Source: Shazeer, "Fast Transformer Decoding" (2019).
"""

import torch
from torch import Tensor


class KVCache:
    """The keys and values of the tokens so far, for one layer.

    append(k, v) takes those of the next tokens, [B, H_kv, T, D], and returns all so far,
    [B, H_kv, seen, D]. `seen` counts the tokens: the position of the next one.
    Raises ValueError, naming the shapes, for tokens that cannot follow those that are kept.

    >>> cache = KVCache()
    >>> keys, values = cache.append(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    >>> keys, values = cache.append(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 4))
    >>> keys.shape, cache.seen
    (torch.Size([1, 2, 4, 4]), 4)
    """

    def __init__(self) -> None:
        self.kept: tuple[Tensor, Tensor] | None = None

    @property
    def seen(self) -> int:
        """How many tokens are kept, the position of the next one."""
        return 0 if self.kept is None else self.kept[0].shape[-2]

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Keep k and v [B, H_kv, T, D] of T more tokens; returns those of all tokens so far."""
        if self.kept is not None:
            keys, values = self.kept
            check_follows(k, keys)
            k, v = torch.cat((keys, k), dim=-2), torch.cat((values, v), dim=-2)
        self.kept = k, v
        return k, v


def check_follows(k: Tensor, keys: Tensor) -> None:
    """Raise a ValueError that names the shapes, if k cannot follow the keys that are kept.

    >>> check_follows(torch.ones(1, 2, 1, 4), torch.ones(3, 2, 5, 4))
    Traceback (most recent call last):
    ValueError: the cache holds (3, 2, 5, 4) in float32, which (1, 2, 1, 4) in float32 cannot follow
    """
    batch, heads, _, features = keys.shape
    if (*k.shape[:2], k.shape[-1], k.dtype) != (batch, heads, features, keys.dtype):
        held, new = (
            f"{tuple(x.shape)} in {str(x.dtype).removeprefix('torch.')}" for x in (keys, k)
        )
        raise ValueError(f"the cache holds {held}, which {new} cannot follow")
