"""RoPE as tensors: queries and keys are turned by an angle that grows with position.

Source: Su et al., "RoFormer" (2021); pairs are features i and i + D/2, as in GPT-NeoX and Llama's
weights for transformers, not neighbours, as in the paper.
"""

import torch
from torch import Tensor


def rope(x: Tensor, positions: Tensor, base: float = 10_000.0) -> Tensor:
    """Turn pairs of features by an angle that grows with position, [..., T, D].

    x: queries or keys, D even; positions: integers that broadcast to [..., T].
    Half precision is turned in float32, angles are float64: positions may be large.
    Raises ValueError for an odd D.

    >>> print(rope(torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([1])).numpy().round(4))
    [[-1.9841  1.9599  2.4624  4.0198]]
    """
    check_pairs(x.shape[-1])
    pair = torch.arange(0, x.shape[-1], 2, device=x.device, dtype=torch.float64)
    speed = base ** -(pair / x.shape[-1])  # [D/2], from 1 to almost 1/base
    angle = positions[..., None] * speed  # [..., T, D/2]
    working = torch.promote_types(x.dtype, torch.float32)
    cos, sin = angle.cos().to(working), angle.sin().to(working)
    a, b = x.to(working).chunk(2, dim=-1)  # [..., T, D/2]
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1).to(x.dtype)


def check_pairs(features: int) -> None:
    """Raise a ValueError, if features cannot be turned in pairs.

    >>> check_pairs(3)
    Traceback (most recent call last):
    ValueError: RoPE turns pairs of features, so a head needs an even number of them, not 3
    """
    if features % 2:
        raise ValueError(
            f"RoPE turns pairs of features, so a head needs an even number of them, not {features}"
        )
