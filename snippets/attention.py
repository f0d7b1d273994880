"""Scaled dot-product attention, the whole of it.

Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
"""

import numpy as np

from snippets.inputs import as_float, check_shapes


def softmax(x, axis=-1):
    """Shares that are positive and add up to 1 along an axis.

    x: numbers of any shape. Returns an array of that shape. The largest entry
    is subtracted first, so that no exponential overflows; a slice that holds
    only −∞ (nothing to choose from) gives zeros.

    >>> softmax([1.0, 2.0, 3.0]).round(3)
    array([0.09 , 0.245, 0.665])
    >>> softmax([-np.inf, -np.inf])
    array([0., 0.])
    """
    (x,), dtype = as_float(x)
    peak = x.max(axis, keepdims=True, initial=-np.inf)
    e = np.exp(x - np.where(np.isinf(peak), 0, peak))  # at most 1
    total = e.sum(axis, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(dtype)


def attention(q, k, v, mask=None):
    """Scaled dot-product attention: softmax(q kᵀ / √d_k) v.

    q: [..., Tq, d_k], k: [..., Tk, d_k], v: [..., Tk, d_v], with any leading
    axes; mask: boolean, broadcasts to [..., Tq, Tk], True = may attend.
    Returns (output [..., Tq, d_v], weights [..., Tq, Tk]). Each row of weights
    adds up to 1, or is all zeros where the mask leaves nothing to attend to.
    Raises ValueError, naming the shapes, if they do not fit.

    >>> q = [[2.0, 0.0], [0.0, 3.0], [2.0, 2.0]]  # I, love, AI
    >>> k = [[0.0, 2.0], [3.0, 0.0], [2.0, 2.0]]
    >>> v = [[2.0, 1.0], [0.0, 2.0], [2.0, 2.0]]
    >>> output, weights = attention(q, k, v)
    >>> weights.round(2)
    array([[0.01, 0.8 , 0.19],
           [0.5 , 0.01, 0.5 ],
           [0.05, 0.19, 0.77]])
    >>> output.round(2)
    array([[0.41, 1.99],
           [1.99, 1.5 ],
           [1.63, 1.95]])
    >>> q = [[2.0, -1.0], [0.0, 1.0], [1.0, 2.0], [2.0, 1.0]]  # cats, chase, small, mice
    >>> k = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    >>> v = [[3.0, 2.0], [1.0, 0.0], [0.0, 1.0], [1.0, 2.0]]
    >>> attention(q, k, v)[0].round(2)
    array([[2.12, 1.86],
           [1.  , 1.33],
           [1.  , 1.66],
           [1.42, 1.83]])
    """
    (q, k, v), dtype = as_float(q, k, v)
    check_shapes(q, k, v, mask)
    scores = q @ k.swapaxes(-1, -2)  # [..., Tq, Tk]
    scores = scores / q.shape[-1] ** 0.5  # ÷ √d_k
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)  # each row adds up to 1
    return (weights @ v).astype(dtype), weights.astype(dtype)
