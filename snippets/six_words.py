"""it was too tired to cross: queries, keys and values of a text that is still being written.

Made up, with small whole numbers, such that later tiles of scores sometimes hold a new peak.

>>> from snippets.attention import attention
>>> attention(Q, K, V)[0].round(2)
array([[ 0.85,  1.55],
       [ 0.93, -1.23],
       [ 1.12, -0.21],
       [ 0.97,  2.84],
       [ 0.79,  0.74],
       [ 0.88, -0.3 ]])
"""

import numpy as np

# region inputs
words = ["it", "was", "too", "tired", "to", "cross"]

# [T, d_k], [T, d_k] and [T, d_v]: one row a word
Q = np.array([[-1, 0], [3, 1], [2, 2], [-2, -1], [-2, 1], [2, 0]], dtype=float)
K = np.array([[0, 3], [1, 2], [0, 2], [-1, -2], [0, -1], [0, -2]], dtype=float)
V = np.array([[2, 2], [1, -2], [-2, -2], [1, 3], [3, 2], [0, 3]], dtype=float)
# endregion
