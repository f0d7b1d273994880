"""cats chase small mice: a second example, in which every common mistake shows.

In `three_words` swapping Q and K goes unnoticed, because Q Kᵀ is symmetric there.

>>> from snippets.attention import attention
>>> output, weights = attention(Q, K, V)
>>> weights.round(2)
array([[0.6 , 0.04, 0.07, 0.29],
       [0.17, 0.17, 0.33, 0.33],
       [0.14, 0.03, 0.27, 0.56],
       [0.28, 0.02, 0.14, 0.57]])
>>> output.round(2)
array([[2.12, 1.86],
       [1.  , 1.33],
       [1.  , 1.66],
       [1.42, 1.83]])
"""

import numpy as np

# region inputs
words = ["cats", "chase", "small", "mice"]

# X: [T, d_model], one row a word; the three W: [d_model, d_k]
X = np.array([[2, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]], dtype=float)
W_q = np.array([[1, -1], [0, 1], [1, 2]], dtype=float)
W_k = np.array([[1, 0], [-1, 0], [0, 1]], dtype=float)
W_v = np.array([[1, 1], [1, 0], [0, 1]], dtype=float)
# endregion

# region projections
Q = X @ W_q  # what each word looks for
K = X @ W_k  # what each word offers
V = X @ W_v  # what each word passes on
# endregion
