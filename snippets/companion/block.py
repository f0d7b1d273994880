"""A decoder's block: causal attention and an MLP, norms first, both added to the words.

Sources: Radford et al., "Language Models are Unsupervised Multitask Learners" (2019, GPT-2);
Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020), for norms first.
"""

from torch import Tensor, nn

from snippets.companion.kv_cache import KVCache
from snippets.companion.multi_head import MultiHeadAttention


class DecoderBlock(nn.Module):
    """x + attention(norm(x)), then x + MLP(norm(x)), as in GPT-2; with RoPE if asked.

    d_model, heads, kv_heads, bias, dropout (of attention's weights) and rope_base: as
    MultiHeadAttention takes them. The MLP goes to 4 · d_model features and back, with GELU.

    >>> block = DecoderBlock(768, heads=12)  # a layer of GPT-2 small
    >>> sum(p.numel() for p in block.parameters())
    7087872
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
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(
            d_model, heads, kv_heads, bias=bias, dropout=dropout, rope_base=rope_base
        )
        self.norm_2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 4 * d_model, bias),
            nn.GELU(approximate="tanh"),  # as in GPT-2
            nn.Linear(4 * d_model, d_model, bias),
        )

    def forward(
        self, x: Tensor, mask: Tensor | None = None, *, cache: KVCache | None = None
    ) -> Tensor:
        """[B, T, d_model] to the same; mask and cache as MultiHeadAttention takes them.

        >>> import torch
        >>> block, cache = DecoderBlock(8, heads=2, rope_base=10_000.0), KVCache()
        >>> x = torch.randn(1, 5, 8)
        >>> steps = [block(x[:, t : t + 1], cache=cache) for t in range(5)]
        >>> torch.allclose(torch.cat(steps, dim=1), block(x), atol=1e-6)
        True
        """
        update: Tensor = self.attention(self.norm_1(x), mask, causal=True, cache=cache)[0]
        x = x + update  # each token, and what it took from those before it
        update = self.mlp(self.norm_2(x))
        return x + update
