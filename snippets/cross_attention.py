"""Cross-attention: one text asks, another answers.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3: how a decoder reads
what the encoder made of the sentence to translate.
"""

from snippets.attention import attention
from snippets.inputs import as_float, check_weights


def cross_attention(x, other, w_q, w_k, w_v, mask=None):
    """Attention with queries from one text, keys and values from another.

    x: [..., Tq, D], other: [..., Tk, D_other]; w_q: [D, d_k], w_k: [D_other, d_k],
    w_v: [D_other, d_v]; mask: boolean, broadcasts to [..., Tq, Tk], True = may attend.
    Returns (output [..., Tq, d_v], weights [..., Tq, Tk]): a row for each token of x.
    Raises ValueError, naming the shapes, if they do not fit.

    >>> x = [[2.0, 0.0]]  # one word of a translation
    >>> other = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]  # three words of the original
    >>> one = [[1.0, 0.0], [0.0, 1.0]]
    >>> output, weights = cross_attention(x, other, one, one, one)
    >>> weights.round(2)
    array([[0.45, 0.11, 0.45]])
    >>> output.round(2)
    array([[0.89, 0.55]])
    """
    (x, other, w_q, w_k, w_v), dtype = as_float(x, other, w_q, w_k, w_v)
    check_weights(x, w_q=w_q)
    check_weights(other, w_k=w_k, w_v=w_v)
    output, weights = attention(x @ w_q, other @ w_k, other @ w_v, mask)
    return output.astype(dtype), weights.astype(dtype)
