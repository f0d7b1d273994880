"""Blocks on top of each other: each word's vector on its way up, with the residual road or without.

Source: Dong et al., "Attention is not all you need" (2021): without it, words grow alike.
"""

import numpy as np

from snippets.block import add, layer_norm, mlp
from snippets.multi_head import multi_head_attention


def tower(x, weights, heads, residual=True):
    """The words before the first block and after each half of a block: [levels, T, D].

    x: [T, D]; weights: a list, one of `random_weights` for each block, whose halves are attention
    and the MLP. Without the residual road an update takes the place of what it should be added to.

    >>> norm, w = (np.ones(4), np.zeros(4)), np.eye(4)
    >>> block = {"norm_1": norm, "attention": [w] * 4, "norm_2": norm, "mlp": [w, w]}
    >>> tower(np.eye(3, 4), [block, block], heads=2).shape  # the start, and two halves of each
    (5, 3, 4)
    """
    levels = [x]
    for one in weights:
        change = attended(x, one, heads)
        x = add(x, change) if residual else change
        levels.append(x)
        change = worked(x, one)
        x = add(x, change) if residual else change
        levels.append(x)
    return np.stack(levels)


def attended(x, weights, heads):
    """What each word takes from the others: attention on normed words, [T, D].

    >>> weights = {"norm_1": (np.ones(2), np.zeros(2)), "attention": [np.eye(2)] * 4}
    >>> attended(np.array([[1.0, 3.0], [1.0, 3.0]]), weights, heads=1).round(2)
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    w_q, w_k, w_v, w_o = weights["attention"]
    normed = layer_norm(x, *weights["norm_1"])
    return multi_head_attention(normed, w_q, w_k, w_v, w_o, heads)[0]


def worked(x, weights):
    """What each word makes of itself: the MLP on normed words, [T, D].

    >>> weights = {"norm_2": (np.ones(2), np.zeros(2)), "mlp": [np.eye(2)] * 2}
    >>> worked(np.array([[1.0, 3.0]]), weights).round(2)
    array([[-0.16,  0.84]])
    """
    return mlp(layer_norm(x, *weights["norm_2"]), *weights["mlp"])


def likeness(x):
    """How alike the words are: the mean cosine between two different ones, over any leading axes.

    >>> likeness(np.array([[[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [3.0, 0.0]]]))
    array([0., 1.])
    """
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)  # [..., T, D]
    cosines = unit @ unit.swapaxes(-1, -2)  # [..., T, T]
    n = x.shape[-2]
    return (cosines.sum(axis=(-1, -2)) - n) / (n * (n - 1))


def kept(levels):
    """How much of its start each word has kept: the cosine with its first level, [levels, T].

    >>> kept(np.array([[[1.0, 0.0]], [[0.0, 1.0]]]))
    array([[1.],
           [0.]])
    """
    unit = levels / np.linalg.norm(levels, axis=-1, keepdims=True)
    return (unit * unit[0]).sum(axis=-1)
