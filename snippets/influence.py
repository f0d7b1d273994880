"""How much the first word of a sentence still counts at its last: derivatives, by hand.

Exact Jacobians: a nudge of the input and a difference of outputs drown in rounding near 1e-10.
"""

import numpy as np

from snippets.attention import attention
from snippets.rnn import recurrent_weights, rnn


def influence_in_rnn(x, w_h, w_x):
    """‖∂ memory after word t / ∂ word 1‖ for each t, by the chain rule: [T].

    >>> influence_in_rnn(np.zeros((3, 1)), np.array([[0.5]]), np.eye(1)).tolist()
    [1.0, 0.5, 0.25]
    """
    slopes = 1 - rnn(x, w_h, w_x) ** 2  # of tanh: [T, D]
    jacobian = w_x * slopes[0]  # [D_in, D]
    norms = [np.linalg.norm(jacobian)]
    for slope in slopes[1:]:
        jacobian = jacobian @ w_h * slope  # one more step to go through
        norms.append(np.linalg.norm(jacobian))
    return np.array(norms)


def influence_in_attention(x, w_q, w_k, w_v):
    """‖∂ output of the last word / ∂ word j‖ for each j before it: [T − 1].

    Word j counts through its value, and through its key, which decides its share.

    >>> influence_in_attention(np.zeros((5, 1)), np.eye(1), np.eye(1), np.eye(1)).tolist()
    [0.2, 0.2, 0.2, 0.2]
    """
    q, k, v = x[-1:] @ w_q, x @ w_k, x @ w_v
    output, shares = attention(q, k, v)
    pull = w_k @ q[0] / q.shape[-1] ** 0.5  # ∂ score of j / ∂ word j: [D_in]
    jacobians = w_v + pull[:, None] * (v - output)[:-1, None, :]  # [T − 1, D_in, D_v]
    return shares[0, :-1] * np.linalg.norm(jacobians, axis=(1, 2))


def influence_of_first_word(words, spectral_radius=0.9, sentences=40, d=16):
    """Of word 1 on the last of 2, 3, … words, against its influence on word 2: RNN, attention.

    The mean over sentences of random words, in untrained networks with random weights.

    >>> in_rnn, in_attention = influence_of_first_word(10)
    >>> in_rnn.round(2)[[0, -1]].tolist(), in_attention.round(1)[[0, -1]].tolist()
    ([1.0, 0.04], [1.0, 0.2])
    """
    rng = np.random.default_rng(0)
    in_rnn, in_attention = np.zeros((2, sentences, words - 1))
    for row in range(sentences):
        x = rng.normal(size=(words, d))
        w_h, w_x = recurrent_weights(d, spectral_radius, rng)
        w_q, w_k, w_v = rng.normal(0, d**-0.5, size=(3, d, d))
        in_rnn[row] = influence_in_rnn(x, w_h, w_x)[1:]
        shorter = (x[:n] for n in range(2, words + 1))
        in_attention[row] = [influence_in_attention(one, w_q, w_k, w_v)[0] for one in shorter]
    means = in_rnn.mean(axis=0), in_attention.mean(axis=0)
    return tuple(mean / mean[0] for mean in means)
