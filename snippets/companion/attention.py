"""Scaled dot-product attention in PyTorch: by its fused kernels, or step by step with weights.

Sources: Vaswani et al., "Attention Is All You Need" (2017), equation 1; Dao et al.,
"FlashAttention" (2022), for what the kernels do; Ainslie et al., "GQA" (2023), for shared keys.
"""

from torch import Tensor, nn

from snippets.companion.masks import make_causal_mask


def fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    causal: bool = False,
    dropout: float = 0.0,
) -> Tensor:
    """Attention that never holds the table of weights, where the device has a kernel for that.

    q: [B, H, Tq, D], k, v: [B, H_kv, Tk, D], where H_kv divides H; mask: boolean, broadcasts to
    [B, H, Tq, Tk], True = may attend; causal: aligned to the end; dropout: the share of weights to
    drop. Returns [B, H, Tq, D], zeros where a query may attend to nothing.

    >>> import torch
    >>> v = torch.tensor([[[[1.0], [2.0], [3.0]]]])  # one head, three tokens
    >>> fused_attention(torch.zeros(1, 1, 2, 1), torch.zeros(1, 1, 3, 1), v, causal=True).flatten()
    tensor([1.5000, 2.0000])
    """
    square = causal and mask is None and q.shape[-2] == k.shape[-2]
    if causal and not square:
        mask = hide_future(mask, q, k)
    return nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=mask,
        is_causal=square,  # a kernel's own mask, which starts at the first key
        dropout_p=dropout,
        enable_gqa=q.shape[-3] != k.shape[-3],
    )


def plain_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    causal: bool = False,
    dropout: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """The same by the formula, with the weights: softmax(q kᵀ / √D) v.

    The arguments are those of fused_attention. Returns (output [B, H, Tq, D], weights
    [B, H, Tq, Tk]), the weights before dropout: each row adds up to 1, or is all zeros.

    >>> import torch
    >>> q = torch.tensor([[[[2.0, 0.0], [0.0, 3.0], [2.0, 2.0]]]])  # I, love, AI
    >>> k = torch.tensor([[[[0.0, 2.0], [3.0, 0.0], [2.0, 2.0]]]])
    >>> output, weights = plain_attention(q, k, k, causal=True)
    >>> print(weights.numpy().round(4))
    [[[[1.     0.     0.    ]
       [0.9858 0.0142 0.    ]
       [0.0454 0.1867 0.7679]]]]
    """
    if causal:
        mask = hide_future(mask, q, k)
    group = q.shape[-3] // k.shape[-3]
    k, v = (x.repeat_interleave(group, dim=-3) for x in (k, v))  # 0, 0, 1, 1, not 0, 1, 0, 1
    q = q / q.shape[-1] ** 0.5  # before the product, which half precision might not hold
    scores = q @ k.transpose(-1, -2)  # [B, H, Tq, Tk]
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        weights = weights.masked_fill(~mask, 0.0)  # a row of −∞ only is NaN until here
    return nn.functional.dropout(weights, dropout, training=dropout > 0) @ v, weights


def hide_future(mask: Tensor | None, q: Tensor, k: Tensor) -> Tensor | None:
    """A mask, or none, made causal for the queries q [..., Tq, D] and the keys k [..., Tk, D].

    >>> import torch
    >>> q, k = torch.zeros(2, 1), torch.zeros(3, 1)
    >>> hide_future(torch.tensor([True, False, True]), q, k).int()
    tensor([[1, 0, 0],
            [1, 0, 1]], dtype=torch.int32)
    >>> hide_future(None, q[-1:], k) is None  # the last token has no future
    True
    """
    queries, keys = q.shape[-2], k.shape[-2]
    if queries == 1:
        return mask
    past = make_causal_mask(queries, keys, q.device)
    return past if mask is None else mask & past
