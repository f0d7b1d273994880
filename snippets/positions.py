"""Where a word stands, told in numbers.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
"""

import numpy as np


def sinusoidal(n, d):
    """Sines and cosines of n positions, slower from pair to pair of the d columns: [n, d].

    Column 2i is sin(position / 10000^(2i/d)), column 2i + 1 the cosine of the same angle.

    >>> sinusoidal(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    columns = np.arange(d)
    angles = np.arange(n)[:, None] / 10_000.0 ** ((columns - columns % 2) / d)  # [n, d]
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
