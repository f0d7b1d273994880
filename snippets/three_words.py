"""I love AI: self-attention on three words, small enough to calculate by hand.

The matrices are made up, with small whole numbers; in a real model they are learned.

>>> from snippets.attention import attention
>>> output, weights = attention(Q, K, V)
>>> weights.round(2)
array([[0.01, 0.8 , 0.19],
       [0.5 , 0.01, 0.5 ],
       [0.05, 0.19, 0.77]])
>>> output.round(2)
array([[0.41, 1.99],
       [1.99, 1.5 ],
       [1.63, 1.95]])
"""

import numpy as np

# region inputs
words = ["I", "love", "AI"]

# X: [T, d_model], one row a word; the three W: [d_model, d_k]
X = np.array([[1, 0, 1, 0], [0, 2, 0, 1], [1, 1, 1, 1]], dtype=float)
W_q = np.array([[1, 0], [0, 1], [1, 0], [0, 1]], dtype=float)
W_k = np.array([[0, 1], [1, 0], [0, 1], [1, 0]], dtype=float)
W_v = np.array([[1, 0], [0, 1], [1, 1], [0, 0]], dtype=float)
# endregion

# region projections
Q = X @ W_q  # what each word looks for
K = X @ W_k  # what each word offers
V = X @ W_v  # what each word passes on
# endregion
