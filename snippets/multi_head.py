"""Several heads: the same attention many times at once, each on its own slice of the features.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.
"""

import numpy as np

from snippets.attention import attention
from snippets.inputs import as_float, check_weights
from snippets.masks import add_head_axis


def split_heads(x, heads):
    """Deal the features out to heads, [..., T, D] to [..., H, T, D / H].

    Reshaping straight to [..., H, T, D / H] would have the right shape and the wrong
    contents: it deals out tokens. So the features are split first, then the axes swapped.
    Raises ValueError, naming the numbers, if the heads do not divide the features.

    >>> x = np.arange(24.0).reshape(4, 6)  # 4 tokens, 6 features
    >>> split_heads(x, 3)[0]  # the first head has two features of each token
    array([[ 0.,  1.],
           [ 6.,  7.],
           [12., 13.],
           [18., 19.]])
    >>> split_heads(x, 4)
    Traceback (most recent call last):
    ValueError: 4 heads do not divide 6 features: x is (4, 6)
    """
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"x needs at least the axes [tokens, features]: x is {x.shape}")
    *leading, tokens, features = x.shape
    if heads < 1 or features % heads:
        raise ValueError(f"{heads} heads do not divide {features} features: x is {x.shape}")
    x = x.reshape(*leading, tokens, heads, features // heads)  # [..., T, H, D/H]
    return x.swapaxes(-2, -3)  # [..., H, T, D/H]


def merge_heads(x):
    """Put the heads side by side again, [..., H, T, D] to [..., T, H · D].

    Undoes split_heads, in the reverse order: the axes are swapped back before the reshape.

    >>> x = np.arange(24.0).reshape(4, 6)
    >>> bool((merge_heads(split_heads(x, 3)) == x).all())
    True
    """
    x = np.asarray(x)
    if x.ndim < 3:
        raise ValueError(f"x needs at least the axes [heads, tokens, features]: x is {x.shape}")
    *leading, heads, tokens, features = x.shape
    x = x.swapaxes(-2, -3)  # [..., T, H, D]
    return x.reshape(*leading, tokens, heads * features)


def multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Self-attention with several heads at once, mixed at the end by w_o.

    x: [..., T, D]; w_q, w_k: [D, H · d_k], w_v: [D, H · d_v], w_o: [H · d_v, any number];
    mask: boolean, broadcasts to [..., T, T], True = may attend, the same for all heads.
    Returns (output [..., T, columns of w_o], weights [..., H, T, T]).
    Raises ValueError, naming the shapes, if they do not fit.

    >>> one = np.eye(2)  # two words, each with one feature, and two heads
    >>> output, weights = multi_head_attention(one, one, one, one, one, heads=2)
    >>> weights.round(4)
    array([[[0.7311, 0.2689],
            [0.5   , 0.5   ]],
    <BLANKLINE>
           [[0.5   , 0.5   ],
            [0.2689, 0.7311]]])
    >>> output.round(4)
    array([[0.7311, 0.5   ],
           [0.5   , 0.7311]])
    """
    (x, w_q, w_k, w_v, w_o), dtype = as_float(x, w_q, w_k, w_v, w_o)
    check_weights(x, w_q=w_q, w_k=w_k, w_v=w_v)
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    if mask is not None:
        mask = add_head_axis(mask, x)  # [..., 1, T, T]
    output, weights = attention(q, k, v, mask)  # [..., H, T, d_v], [..., H, T, T]
    output = merge_heads(output)  # [..., T, H · d_v]
    check_weights(output, w_o=w_o)
    return (output @ w_o).astype(dtype), weights.astype(dtype)
