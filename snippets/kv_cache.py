"""A KV cache: while a text is written, the keys and values of its tokens are kept, not recomputed.

Sources: Shazeer, "Fast Transformer Decoding" (2019), for decoding with kept keys and values;
Jiang et al., "Mistral 7B" (2023), for a cache that keeps a window.
"""

import numpy as np

from snippets.attention import attention
from snippets.inputs import as_float, check_next, check_queries
from snippets.rows import Rows


class KVCache:
    """The keys and values of the tokens so far, or of those that a window needs.

    append(k, v) takes those of the next tokens, [..., T, d_k] and [..., T, d_v], one or many;
    attend(q) then takes the queries of the last tokens, [..., Tq, d_k], and returns (output
    [..., Tq, d_v], weights [..., Tq, tokens kept]): each token sees those up to itself, or the
    last `window` of them. `seen` counts the tokens so far: the position of the next one.
    Raises ValueError, naming the shapes, for what does not fit, and for queries that came too
    early (their keys were not appended) or too late (what they need has left the window).

    >>> q = [[2.0, 0.0], [0.0, 3.0], [2.0, 2.0]]  # I, love, AI
    >>> k = [[0.0, 2.0], [3.0, 0.0], [2.0, 2.0]]
    >>> v = [[2.0, 1.0], [0.0, 2.0], [2.0, 2.0]]
    >>> cache = KVCache()
    >>> for t in range(3):
    ...     cache.append(k[t : t + 1], v[t : t + 1])
    ...     output, weights = cache.attend(q[t : t + 1])
    ...     print(weights.round(4))
    [[1.]]
    [[0.9858 0.0142]]
    [[0.0454 0.1867 0.7679]]
    >>> output.round(4)
    array([[1.6266, 1.9546]])
    """

    def __init__(self, window=None):
        if window is not None and window < 1:
            raise ValueError(f"a window has at least the token itself, 1, not {window}")
        self.window = np.inf if window is None else window  # tokens that each one sees
        self.keys, self.values = Rows(), Rows()
        self.seen = 0

    def append(self, k, v):
        """Keep the keys [..., T, d_k] and values [..., T, d_v] of T more tokens."""
        (k, v), dtype = as_float(k, v)
        check_next(k, v, dtype, self.keys.kept(), self.values.kept())
        self.keys.append(k.astype(dtype, copy=False), self.window - 1)
        self.values.append(v.astype(dtype, copy=False), self.window - 1)
        self.seen += k.shape[-2]

    def attend(self, q):
        """(output, weights) for the queries q [..., Tq, d_k] of the last tokens."""
        k, v = self.keys.kept(), self.values.kept()
        queries, kept = np.atleast_2d(q).shape[-2], k.shape[-2]
        check_queries(queries, kept, self.seen, self.window)
        position = np.arange(kept)
        distance = position[kept - queries :, None] - position  # [Tq, kept]
        return attention(q, k, v, (distance >= 0) & (distance < self.window))
