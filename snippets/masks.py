"""Masks: who may look at whom. True = may attend.

Sources: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3, for the causal mask;
Beltagy et al., "Longformer" (2020), for the window.
"""

import numpy as np

from snippets.inputs import broadcast


def causal_mask(queries, keys=None):
    """Each token sees itself and those before it, [Tq, Tk], aligned to the end.

    With more keys than queries, the queries are those of the last tokens: the last query sees
    all keys, as when a text goes on. With fewer keys the last query still belongs to the last
    key, so the first queries come before every key and see nothing.

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 1, 1]])
    >>> causal_mask(3, 2).astype(int)
    array([[0, 0],
           [1, 0],
           [1, 1]])
    """
    keys = queries if keys is None else keys
    return np.tri(queries, keys, keys - queries, dtype=bool)


def padding_mask(lengths, keys):
    """No token sees the padding behind a shorter text, [..., 1, Tk].

    lengths: how many of the `keys` tokens of each text are real. Lengths [B] give [B, 1, Tk],
    which fits [B, Tq, Tk]; lengths [B, 1], or lengths[:, None], give [B, 1, 1, Tk], which fits
    scores with heads, [B, H, Tq, Tk]. Raises ValueError for lengths beyond 0 to Tk.

    >>> padding_mask([2, 4], 4).astype(int)
    array([[[1, 1, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1, 1]]])
    """
    lengths = np.asarray(lengths)
    if ((lengths < 0) | (lengths > keys)).any():
        raise ValueError(f"texts of {keys} tokens have lengths 0 to {keys}, not {lengths.tolist()}")
    return np.arange(keys) < lengths[..., None, None]


def window_mask(n, window):
    """Each token sees the last `window` tokens, itself included, [T, T].

    Raises ValueError for a window below 1, in which no token would see even itself.

    >>> window_mask(4, 2).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    if window < 1:
        raise ValueError(f"a window has at least the token itself, 1, not {window}")
    position = np.arange(n)
    distance = position[:, None] - position  # [T, T], how far back the key is
    return (distance >= 0) & (distance < window)


def add_head_axis(mask, x):
    """Give a mask [..., T, T] an axis for the heads of x, [..., 1, T, T].

    Without it a mask [B, 1, T] would meet scores [B, H, T, T] as [H, 1, T], and go wrong in
    silence if there are as many heads as sentences.

    >>> two_sentences = np.ones((2, 3, 4))  # [B, T, D]
    >>> padding = np.array([[[True, True, False]], [[True, True, True]]])  # [B, 1, T]
    >>> add_head_axis(padding, two_sentences).shape
    (2, 1, 3, 3)
    >>> add_head_axis(np.ones((5, 3, 3), dtype=bool), two_sentences)
    Traceback (most recent call last):
    ValueError: the mask (5, 3, 3) does not fit the tokens (2, 3, 3): x is (2, 3, 4)
    """
    table = (*x.shape[:-1], x.shape[-2])  # [..., T, T]
    if broadcast(np.shape(mask), table) != table:
        raise ValueError(
            f"the mask {np.shape(mask)} does not fit the tokens {table}: x is {x.shape}"
        )
    return np.broadcast_to(mask, table)[..., None, :, :]
