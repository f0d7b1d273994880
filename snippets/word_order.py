"""Does attention notice the order of words? One layer that nobody has trained tells.

What holds of random numbers here holds of learned ones as well: no number is special.
"""

import numpy as np

from snippets.attention import attention
from snippets.masks import causal_mask
from snippets.positions import rope, sinusoidal


def untrained(seed=2):
    """Random numbers: a vector for each of three words, and W_q, W_k, W_v.

    >>> vectors, w_q, w_k, w_v = untrained()
    >>> list(vectors), vectors["dog"].shape, w_q.shape
    (['dog', 'bites', 'man'], (4,), (4, 4))
    """
    rng = np.random.default_rng(seed)
    vectors = {word: rng.normal(size=4) for word in ("dog", "bites", "man")}
    return vectors, *rng.normal(0, 0.5, size=(3, 4, 4))


def attend(words, way="no positions", start=0, seed=2):
    """Self-attention, with one way of telling it where words are, or with none.

    way: "no positions", "causal mask", "sinusoids" or "RoPE"; start: the position of the first
    word. Returns (output [T, D], weights [T, T]).

    >>> output, weights = attend(["dog", "bites", "man"])
    >>> again, _ = attend(["man", "bites", "dog"])
    >>> np.allclose(again, output[::-1])
    True
    """
    vectors, w_q, w_k, w_v = untrained(seed)
    x = np.array([vectors[word] for word in words])  # [T, D]
    positions = start + np.arange(len(words))
    if way == "sinusoids":  # added to the words
        x = x + sinusoidal(start + len(words), x.shape[-1])[positions]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    if way == "RoPE":  # turns queries and keys; values stay
        q, k = rope(q, positions), rope(k, positions)
    mask = causal_mask(len(words)) if way == "causal mask" else None
    return attention(q, k, v, mask)
