"""Attention as others compute it: torch, and the onnx project's reference operators."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx.reference.ops.op_attention import _compute_attention

Array = NDArray[Any]


def tensor(x: Array) -> torch.Tensor:
    """A torch tensor with a copy of the numbers."""
    return torch.from_numpy(np.array(x))


def torch_attention(q: Array, k: Array, v: Array, mask: Array | None = None, **how: Any) -> Array:
    """The output of scaled_dot_product_attention, whose boolean masks mean True = may attend."""
    return np.asarray(
        torch.nn.functional.scaled_dot_product_attention(
            tensor(q),
            tensor(k),
            tensor(v),
            attn_mask=None if mask is None else tensor(mask),
            **how,
        ).numpy()
    )


def onnx_attention(q: Array, k: Array, v: Array, **how: Any) -> tuple[Array, Array]:
    """Output and weights by the reference operator, for [B, H, T, D] only.

    Its traps: is_causal aligns to the start unless keys are split off as past_key and past_value;
    a mask of three axes means [H, Tq, Tk]; a window of w is left_window_size = w − 1.
    """
    output, _, _, weights = _compute_attention(q, k, v, qk_matmul_output_mode=3, **how)
    return output, weights


def past_and_present(x: Array, queries: int) -> tuple[Array, Array]:
    """Keys or values [..., T, D] split where the queries of the last tokens begin."""
    past = x.shape[-2] - queries
    return x[..., :past, :], x[..., past:, :]
