"""FlashAttention: exact attention in tiles, without ever holding the whole table of scores.

Sources: Dao et al., "FlashAttention" (2022), for the tiles; Milakov and Gimelshein, "Online
normalizer calculation for softmax" (2018), for the running softmax. This shows the arithmetic
and the memory; the speed comes from doing it in a GPU's fast memory.
"""

import numpy as np

from snippets.inputs import as_float, broadcast, check_shapes


def tiles(n, block):
    """Slices of `block` tokens that cover n tokens, the last perhaps shorter.

    >>> tiles(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    if block < 1:
        raise ValueError(f"a tile has at least one token, not {block}")
    return [slice(i, min(i + block, n)) for i in range(0, n, block)]


def add_tile(peak, total, output, scores, v):
    """Take one more tile of scores into a softmax, and an average of v, under way.

    peak [..., Tq, 1]: the largest score so far; total [..., Tq, 1]: the sum of the exponentials
    so far; output [..., Tq, d_v]: the values so far, each times its exponential; scores:
    [..., Tq, tile]; v: [..., tile, d_v]. All exponentials are relative to the peak, so a new
    peak shrinks what was there. Begin with −∞, 0 and 0; divide the output by the total at the end.

    >>> scores, v = np.log([[1.0, 2.0, 4.0, 1.0]]), np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> state = add_tile(-np.inf, 0.0, 0.0, scores[:, :2], v[:2])
    >>> peak, total, output = add_tile(*state, scores[:, 2:], v[2:])
    >>> (output / total).round(3)  # (0·1 + 1·2 + 2·4 + 3·1) / (1 + 2 + 4 + 1)
    array([[1.625]])
    """
    new_peak = np.maximum(peak, scores.max(-1, keepdims=True))
    shift = np.where(np.isinf(new_peak), 0, new_peak)  # −∞ − (−∞) is no number
    shrink = np.exp(peak - shift)  # at most 1
    e = np.exp(scores - shift)  # [..., Tq, tile]
    total = shrink * total + e.sum(-1, keepdims=True)
    return new_peak, total, shrink * output + e @ v


def flash_attention(q, k, v, mask=None, block=128):
    """The output of attention, without the whole table of scores at any time.

    q: [..., Tq, d_k], k: [..., Tk, d_k], v: [..., Tk, d_v]; mask: boolean, broadcasts to
    [..., Tq, Tk], True = may attend. Returns the output [..., Tq, d_v], equal to attention's up
    to rounding, with `block` × `block` scores in memory at a time.
    Raises ValueError, naming the shapes, if they do not fit.

    >>> q = [[2.0, 0.0], [0.0, 3.0], [2.0, 2.0]]  # I, love, AI
    >>> k = [[0.0, 2.0], [3.0, 0.0], [2.0, 2.0]]
    >>> v = [[2.0, 1.0], [0.0, 2.0], [2.0, 2.0]]
    >>> flash_attention(q, k, v, block=2).round(2)
    array([[0.41, 1.99],
           [1.99, 1.5 ],
           [1.63, 1.95]])
    """
    (q, k, v), dtype = as_float(q, k, v)
    check_shapes(q, k, v, mask)
    leading = broadcast(q.shape[:-2], k.shape[:-2])
    table = (*leading, q.shape[-2], k.shape[-2])  # only the shape of one
    mask = np.broadcast_to(True if mask is None else mask, table)  # no copy
    shape = (*broadcast(leading, v.shape[:-2]), q.shape[-2], v.shape[-1])
    result = np.empty(shape, dtype)
    for rows in tiles(q.shape[-2], block):
        query = q[..., rows, :] / q.shape[-1] ** 0.5  # ÷ √d_k
        seen = -np.inf, 0.0, 0.0  # peak, total, output
        for columns in tiles(k.shape[-2], block):
            scores = query @ k[..., columns, :].swapaxes(-1, -2)
            scores = np.where(mask[..., rows, columns], scores, -np.inf)
            seen = add_tile(*seen, scores, v[..., columns, :])
        _, total, output = seen
        result[..., rows, :] = output / np.where(total == 0, 1, total)
    return result
