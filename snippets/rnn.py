"""A plain recurrent network: one word at a time, everything kept in one memory vector.

Source: Elman, "Finding Structure in Time" (1990).
"""

import numpy as np


def recurrent_weights(d, spectral_radius, rng):
    """Random W_h [d, d] and W_x [d, d]; the largest eigenvalue of W_h has the given size.

    >>> w_h, w_x = recurrent_weights(4, 0.9, np.random.default_rng(0))
    >>> np.abs(np.linalg.eigvals(w_h)).max().round(6)
    np.float64(0.9)
    """
    w_h = rng.normal(size=(d, d))
    w_h *= spectral_radius / np.abs(np.linalg.eigvals(w_h)).max()
    return w_h, rng.normal(0, 0.5 / d**0.5, size=(d, d))


def rnn(x, w_h, w_x):
    """The memory after each word: h_t = tanh(h_{t−1} W_h + x_t W_x).

    x: [T, D_in], w_h: [D, D], w_x: [D_in, D]. Returns [T, D]. Word t waits for all before it.

    >>> rnn(np.ones((3, 1)), np.eye(1), np.eye(1)).round(3).tolist()
    [[0.762], [0.943], [0.96]]
    """
    h, memory = np.zeros(len(w_h)), []
    for word in x:
        h = np.tanh(h @ w_h + word @ w_x)
        memory.append(h)
    return np.stack(memory)
