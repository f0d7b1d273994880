"""Where each word is: added to the words as waves, or turned into queries and keys.

Sources: Vaswani et al., "Attention Is All You Need" (2017), section 3.5, for the waves;
Su et al., "RoFormer" (2021), for the rotation.
"""

import numpy as np

from snippets.inputs import as_float, check_positions


def sinusoidal(n, d):
    """Positions as waves, [T, D]: sine and cosine, each pair slower than the last.

    Feature 2i is sin(t / 10000^(2i/d)), feature 2i + 1 the cosine; an odd d ends with a sine.
    The table is added to the embeddings before the first layer.

    >>> sinusoidal(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    >>> sinusoidal(2, 3).round(4)
    array([[0.    , 1.    , 0.    ],
           [0.8415, 0.5403, 0.0022]])
    """
    position = np.arange(n)[:, None]  # [T, 1]
    angle = position / 10_000 ** (np.arange(0, d, 2) / d)  # [T, D/2], rounded up
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d // 2])
    return table


def rope(x, positions, base=10_000.0, interleaved=False):
    """Turn pairs of features by an angle that grows with position, [..., T, D].

    x: queries or keys, D even; positions: broadcast to [..., T]. With heads, [B, H, T, D],
    positions that differ by sentence are [B, 1, T]. Pairs are features i and i + D/2, as in
    GPT-NeoX, or, if interleaved, neighbours 2i and 2i + 1, as in the paper: weights trained with
    one do not work with the other. Turning keeps lengths, and the dot product of a query and a
    key then depends on how far apart they are, not on where they are.

    >>> rope([1.0, 2.0, 3.0, 4.0], 1).round(4)
    array([-1.9841,  1.9599,  2.4624,  4.0198])
    >>> rope([1.0, 2.0, 3.0, 4.0], 1, interleaved=True).round(4)
    array([-1.1426,  1.9221,  2.9599,  4.0298])
    >>> q, k = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 1.0, 1.0, 0.0])
    >>> [float((rope(q, t + 3) @ rope(k, t)).round(4)) for t in (0, 7, 1000)]
    [-0.9497, -0.9497, -0.9497]
    """
    (x,), dtype = as_float(x)
    positions = np.asarray(positions)
    check_positions(x, positions)
    *leading, d = x.shape
    speed = base ** -(np.arange(0, d, 2) / d)  # [D/2], from 1 to almost 1/base
    angle = positions[..., None] * speed  # [..., T, D/2], float64 for far positions
    cos, sin = np.cos(angle), np.sin(angle)
    shape, axis = ((d // 2, 2), -1) if interleaved else ((2, d // 2), -2)
    a, b = np.moveaxis(x.reshape(*leading, *shape), axis, 0)  # [..., T, D/2]
    turned = np.stack([a * cos - b * sin, a * sin + b * cos], axis)
    return turned.reshape(x.shape).astype(dtype)
