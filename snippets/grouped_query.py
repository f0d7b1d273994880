"""Grouped-query attention: several query heads share one head of keys and values.

Source: Ainslie et al., "GQA" (2023); with one key/value head it is multi-query attention,
Shazeer, "Fast Transformer Decoding" (2019).
"""

import numpy as np

from snippets.attention import attention


def grouped_query_attention(q, k, v, mask=None):
    """Attention whose query heads share keys and values with their neighbours.

    q: [..., H, Tq, d_k], k: [..., H_kv, Tk, d_k], v: [..., H_kv, Tk, d_v], where H_kv divides H;
    mask: boolean, broadcasts to [..., H, Tq, Tk], True = may attend.
    Returns (output [..., H, Tq, d_v], weights [..., H, Tq, Tk]). Only H_kv heads need caching.
    Raises ValueError, naming the shapes, if they do not fit.

    >>> q = np.zeros((4, 1, 2))  # four query heads, one token
    >>> v = np.array([[[1.0]], [[2.0]]])  # two heads of values
    >>> output, weights = grouped_query_attention(q, np.zeros((2, 1, 2)), v)
    >>> output.ravel()
    array([1., 1., 2., 2.])
    """
    q, k, v = np.asarray(q), np.asarray(k), np.asarray(v)
    group = group_size(q, k, v)
    k = k.repeat(group, axis=-3)  # 0, 0, 1, 1, not tile's 0, 1, 0, 1
    v = v.repeat(group, axis=-3)  # [..., H, Tk, d_v]
    return attention(q, k, v, mask)


def group_size(q, k, v):
    """How many query heads share one head of keys and values.

    Raises ValueError, naming the shapes, if the heads do not divide into equal groups.

    >>> group_size(np.ones((8, 5, 2)), np.ones((2, 5, 2)), np.ones((2, 5, 2)))
    4
    >>> group_size(np.ones((8, 5, 2)), np.ones((3, 5, 2)), np.ones((3, 5, 2)))
    Traceback (most recent call last):
    ValueError: 3 key heads do not divide 8 query heads: q is (8, 5, 2), k (3, 5, 2), v (3, 5, 2)
    """
    shapes = f"q is {q.shape}, k {k.shape}, v {v.shape}"
    if min(q.ndim, k.ndim, v.ndim) < 3:
        raise ValueError(f"q, k and v need at least the axes [heads, tokens, features]: {shapes}")
    heads, kv_heads = q.shape[-3], k.shape[-3]
    if v.shape[-3] != kv_heads:
        raise ValueError(f"keys and values need equally many heads: {shapes}")
    if kv_heads == 0 or heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {heads} query heads: {shapes}")
    return heads // kv_heads
