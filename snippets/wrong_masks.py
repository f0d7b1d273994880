"""Ways to hide keys that go wrong. `masks` and `attention` have the right one.

scores: [..., Tq, Tk]; mask: boolean, broadcasts to them, True = may attend.
"""

import numpy as np


def zeros(scores, mask):
    """0 in place of the hidden scores: for softmax, a score like any other.

    >>> zeros(np.array([[2.0, 3.0]]), [[True, False]])
    array([[2., 0.]])
    """
    return np.where(mask, scores, 0.0)


def put_in(scores, mask):
    """−10⁹ in place of the hidden scores.

    >>> put_in(np.array([[2.0, 3.0]]), [[True, False]])
    array([[ 2.e+00, -1.e+09]])
    """
    return np.where(mask, scores, -1e9)


def added(scores, mask):
    """−10⁹ added to the hidden scores: what they were is still in there.

    >>> added(np.array([[2.0, 3.0]]), [[True, False]]) + 1e9
    array([[1.e+09, 3.e+00]])
    """
    return scores + np.where(mask, 0.0, -1e9)


def in_half_precision(scores, mask):
    """−10⁹ in place of the hidden scores, in 16 bits, where it becomes −∞.

    >>> in_half_precision(np.array([[2.0, 3.0]]), [[True, False]])
    array([[  2., -inf]], dtype=float16)
    """
    with np.errstate(over="ignore"):  # 65504 is the largest number there
        return np.where(mask, scores, -1e9).astype(np.float16)


def plain_softmax(x):
    """softmax as textbooks have it: NaN where all scores are −∞.

    >>> plain_softmax(np.array([[1.0, 1.0, -np.inf], [-np.inf, -np.inf, -np.inf]]))
    array([[0.5, 0.5, 0. ],
           [nan, nan, nan]])
    """
    with np.errstate(invalid="ignore"):  # −∞ − (−∞)
        e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
