"""What the heads of a model do, found by code: which ones turn, and whom each looks at on average.

Maps are weights of all heads, [layers, H, T, T]. A habit is a mean, and no explanation.
"""

import numpy as np


def turned(before, after):
    """The heads that preferred one word and now prefer the other, as (layer, head) from 0 on.

    before, after: [layers, H], how much more each head looks at the one than at the other, such as
    the log of the ratio of the two weights.

    >>> turned(np.array([[1.5, 0.2, -0.4]]), np.array([[1.5, -0.1, 0.3]]))
    [(0, 1)]
    """
    return [tuple(place) for place in np.argwhere((before > 0) & (after < 0)).tolist()]


def to_neighbour(maps, step):
    """How much each head looks at the token so many steps ahead, on average: [layers, H].

    step: −1 for the token before, 1 for the next. Tokens that have no such neighbour are left out.

    >>> looks_back = np.array([[[[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [0.0, 0.7, 0.3]]]])
    >>> to_neighbour(looks_back, -1)
    array([[0.8]])
    """
    return np.diagonal(maps, step, axis1=-2, axis2=-1).mean(-1)


def to_place(maps, place):
    """How much each head looks at the token in one place, on average: [layers, H].

    >>> to_place(np.array([[[[1.0, 0.0], [0.5, 0.5]]]]), 0)
    array([[0.75]])
    """
    return maps[..., place].mean(-1)
