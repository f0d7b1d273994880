"""What the layer asks of its numbers, its input and the layer it is loaded from."""

from torch import Tensor, nn


def check_heads(d_model: int, heads: int, kv_heads: int) -> None:
    """Raise a ValueError that names the numbers, if they do not divide.

    >>> check_heads(512, heads=7, kv_heads=7)
    Traceback (most recent call last):
    ValueError: 7 heads do not divide 512 features
    >>> check_heads(512, heads=8, kv_heads=3)
    Traceback (most recent call last):
    ValueError: 3 key heads do not divide 8 query heads
    """
    if heads < 1 or d_model < 1 or d_model % heads:
        raise ValueError(f"{heads} heads do not divide {d_model} features")
    if kv_heads < 1 or heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {heads} query heads")


def check_dropout(dropout: float) -> None:
    """Raise a ValueError, if this is no share of weights to drop.

    >>> check_dropout(10)
    Traceback (most recent call last):
    ValueError: dropout is a share from 0 to below 1, not 10
    """
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout is a share from 0 to below 1, not {dropout}")


def check_words(x: Tensor, d_model: int) -> None:
    """Raise a ValueError that names the shapes, if x is not [B, T, d_model].

    >>> import torch
    >>> check_words(torch.ones(2, 10, 64), 512)
    Traceback (most recent call last):
    ValueError: the layer takes [texts, tokens, 512], not (2, 10, 64)
    """
    if x.dim() != 3 or x.shape[-1] != d_model:
        raise ValueError(f"the layer takes [texts, tokens, {d_model}], not {tuple(x.shape)}")


def check_loadable(
    theirs: nn.MultiheadAttention, d_model: int, heads: int, kv_heads: int, bias: bool
) -> None:
    """Raise a ValueError, if a layer of PyTorch's own would not compute the same as ours.

    >>> check_loadable(nn.MultiheadAttention(8, 2, kdim=4), 8, heads=2, kv_heads=2, bias=True)
    Traceback (most recent call last):
    ValueError: this layer loads nn.MultiheadAttention with kdim=8, not kdim=4
    >>> check_loadable(nn.MultiheadAttention(8, 2), 8, heads=2, kv_heads=2, bias=False)
    Traceback (most recent call last):
    ValueError: this layer loads nn.MultiheadAttention with bias=False, not bias=True
    """
    wanted_and_found = {
        "embed_dim": (d_model, theirs.embed_dim),
        "num_heads": (heads, theirs.num_heads),
        "key heads": (kv_heads, theirs.num_heads),
        "kdim": (d_model, theirs.kdim),
        "vdim": (d_model, theirs.vdim),
        "bias": (bias, theirs.in_proj_bias is not None),
        "add_bias_kv": (False, theirs.bias_k is not None),
        "add_zero_attn": (False, theirs.add_zero_attn),
    }
    wrong = {name: pair for name, pair in wanted_and_found.items() if pair[0] != pair[1]}
    if wrong:
        wanted, found = (", ".join(f"{n}={p[i]}" for n, p in wrong.items()) for i in (0, 1))
        raise ValueError(f"this layer loads nn.MultiheadAttention with {wanted}, not {found}")
