"""Multi-head attention as a PyTorch layer, on the fused kernels of the device that it is on.

Sources: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2; Ainslie et al., "GQA"
(2023), for shared keys and values; Su et al., "RoFormer" (2021), for RoPE.
"""

import torch
from torch import Tensor, nn

from snippets.companion.attention import fused_attention, plain_attention
from snippets.companion.inputs import check_dropout, check_heads, check_loadable, check_words
from snippets.companion.kv_cache import KVCache
from snippets.companion.masks import insert_head_axis
from snippets.companion.rotary import check_pairs, rope


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads: cut the features into heads, attend, merge, mix.

    d_model: features of a token; heads: of queries, with d_model / heads features each; kv_heads:
    of keys and values, as many as heads unless fewer are shared by neighbours (grouped queries);
    dropout: the share of weights to drop in training; rope_base: turns queries and keys by their
    positions, usually 10,000, or None for no turn. Raises ValueError for numbers that do not fit.

    layer(x, mask, causal=…, cache=…, need_weights=…) is described at forward.

    >>> layer = MultiHeadAttention(512, heads=8)
    >>> output, weights = layer(torch.randn(2, 10, 512), causal=True, need_weights=True)
    >>> output.shape, weights.shape
    (torch.Size([2, 10, 512]), torch.Size([2, 8, 10, 10]))
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        kv_heads: int | None = None,
        *,
        bias: bool = True,
        dropout: float = 0.0,
        rope_base: float | None = None,
    ) -> None:
        super().__init__()
        kv_heads = heads if kv_heads is None else kv_heads
        check_heads(d_model, heads, kv_heads)
        check_dropout(dropout)
        if rope_base is not None:
            check_pairs(d_model // heads)
        self.d_model, self.heads, self.kv_heads = d_model, heads, kv_heads
        self.d_head = d_model // heads
        self.dropout, self.rope_base = dropout, rope_base
        self.qkv = nn.Linear(d_model, (heads + 2 * kv_heads) * self.d_head, bias)
        self.out = nn.Linear(d_model, d_model, bias)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: KVCache | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Returns (output [B, T, d_model], weights [B, H, T, Tk], or None unless needed).

        x: [B, T, d_model]; mask: boolean, broadcasts to [B, T, Tk], True = may attend, the same for
        all heads; causal: hides the future as well; cache: the tokens before x, which are attended
        to and followed by those of x, so that Tk = tokens seen + T, else Tk = T. The last query
        belongs to the last key. A token that may attend to nothing has weights of 0, and the
        output's bias for output. The weights are those before dropout.
        Raises ValueError, naming the shapes, if they do not fit.

        >>> layer = MultiHeadAttention(8, heads=2, rope_base=10_000.0)
        >>> x, cache = torch.randn(1, 3, 8), KVCache()
        >>> first, _ = layer(x[:, :2], causal=True, cache=cache)
        >>> last, _ = layer(x[:, 2:], causal=True, cache=cache)
        >>> torch.allclose(torch.cat((first, last), dim=1), layer(x, causal=True)[0], atol=1e-6)
        True
        """
        check_words(x, self.d_model)
        seen = 0 if cache is None else cache.seen
        if mask is not None:
            mask = insert_head_axis(mask, (x.shape[0], x.shape[1], seen + x.shape[1]))
        q, k, v = self.project(x, seen)
        if cache is not None:
            k, v = cache.append(k, v)
        dropout = self.dropout if self.training else 0.0
        if need_weights:
            output, weights = plain_attention(q, k, v, mask, causal=causal, dropout=dropout)
        else:
            output = fused_attention(q, k, v, mask, causal=causal, dropout=dropout)
            weights = None
        return self.out(output.transpose(1, 2).flatten(2)), weights  # heads side by side again

    def project(self, x: Tensor, seen: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Queries [B, H, T, d_head], keys and values [B, H_kv, T, d_head] of x [B, T, d_model].

        seen: how many tokens come before x, for RoPE.

        >>> q, k, v = MultiHeadAttention(8, heads=4, kv_heads=2).project(torch.randn(1, 3, 8))
        >>> q.shape, k.shape
        (torch.Size([1, 4, 3, 2]), torch.Size([1, 2, 3, 2]))
        """
        parts = self.qkv(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2)
        q, k, v = parts.split([self.heads, self.kv_heads, self.kv_heads], dim=1)
        if self.rope_base is not None:
            positions = torch.arange(seen, seen + x.shape[1], device=x.device)
            q, k = (rope(part, positions, self.rope_base) for part in (q, k))
        return q, k, v

    @torch.no_grad()
    def load_from(self, theirs: nn.MultiheadAttention) -> None:
        """Copy the weights of PyTorch's own layer, after which both compute the same.

        Raises ValueError for a layer of other numbers, or with parts that this one lacks.

        >>> theirs, ours = nn.MultiheadAttention(8, 2, batch_first=True), MultiHeadAttention(8, 2)
        >>> ours.load_from(theirs)
        >>> x = torch.randn(2, 5, 8)
        >>> torch.allclose(ours(x)[0], theirs(x, x, x)[0], atol=1e-6)
        True
        """
        bias = self.qkv.bias is not None
        check_loadable(theirs, self.d_model, self.heads, self.kv_heads, bias)
        self.qkv.weight.copy_(theirs.in_proj_weight)
        self.out.weight.copy_(theirs.out_proj.weight)
        if bias:
            self.qkv.bias.copy_(theirs.in_proj_bias)
            self.out.bias.copy_(theirs.out_proj.bias)
