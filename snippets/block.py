"""A Transformer block: attention mixes the words, an MLP works on each; both add to the words.

Sources: Vaswani et al., "Attention Is All You Need" (2017), for the block; Radford et al.,
"Language Models are Unsupervised Multitask Learners" (2019, GPT-2), for norms that come first;
Ba et al., "Layer Normalization" (2016); Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
"""

import numpy as np

from snippets.inputs import as_float, broadcast, check_weights
from snippets.multi_head import multi_head_attention


def layer_norm(x, gain, bias, eps=1e-5):
    """Bring each word to mean 0 and variance 1, then scale and shift it as learned.

    x: [..., T, D]; gain, bias: [D], learned; eps keeps a word of equal numbers from 0 / 0.

    >>> layer_norm([[1.0, 2.0, 3.0], [100.0, 200.0, 300.0]], np.ones(3), np.zeros(3)).round(3)
    array([[-1.225,  0.   ,  1.225],
           [-1.225,  0.   ,  1.225]])
    """
    (x, gain, bias), dtype = as_float(x, gain, bias)
    if x.ndim < 1 or broadcast(x.shape, gain.shape, bias.shape) != x.shape:
        raise ValueError(
            f"gain and bias need a number for each feature: "
            f"x is {x.shape}, gain is {gain.shape}, bias is {bias.shape}"
        )
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)  # [..., T, D]
    return (x * gain + bias).astype(dtype)


def gelu(x):
    """A smooth bend: nearly x where x is large, nearly 0 where it is negative.

    GPT-2's form, with tanh; the exact one differs from it by less than 0.0005.

    >>> gelu([-3.0, -1.0, 0.0, 1.0, 3.0]).round(3)
    array([-0.004, -0.159,  0.   ,  0.841,  2.996])
    """
    (x,), dtype = as_float(x)
    bend = np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))  # from −1 to 1
    return (x * (1 + bend) / 2).astype(dtype)


def mlp(x, w_in, w_out):
    """Work on each word alone: to more features, a bend, and back.

    x: [..., T, D]; w_in: [D, F], w_out: [F, any number], F being 4 · D in most models.

    >>> mlp([[1.0, -1.0]], np.eye(2), np.eye(2)).round(3)
    array([[ 0.841, -0.159]])
    """
    (x, w_in, w_out), dtype = as_float(x, w_in, w_out)
    check_weights(x, w_in=w_in)
    hidden = gelu(x @ w_in)  # [..., T, F]
    check_weights(hidden, w_out=w_out)
    return (hidden @ w_out).astype(dtype)


def add(x, update):
    """x + update, of the same shape: the residual road, which keeps x itself.

    >>> add(np.ones((2, 3)), np.ones((2, 1)))
    Traceback (most recent call last):
    ValueError: what is added to x needs its shape: x is (2, 3), the update is (2, 1)
    """
    if x.shape != update.shape:
        raise ValueError(
            f"what is added to x needs its shape: x is {x.shape}, the update is {update.shape}"
        )
    return x + update


def block(x, weights, heads, mask=None):
    """One layer, norms first: x + attention(norm(x)), then x + mlp(norm(x)).

    x: [..., T, D]; weights: "norm_1" and "norm_2" (gain, bias), "attention" (w_q, w_k, w_v, w_o)
    and "mlp" (w_in, w_out); mask: as multi_head_attention takes it. Returns [..., T, D], in the
    dtype of x, so that blocks can be stacked.

    >>> x = np.eye(3, 4)  # three words
    >>> weights = [random_weights(4, seed) for seed in (0, 1)]
    >>> y = block(block(x, weights[0], heads=2), weights[1], heads=2)
    >>> y.shape
    (3, 4)
    >>> z = np.zeros((4, 4))  # if both layers add nothing, x passes through
    >>> idle = weights[0] | {"attention": (z, z, z, z), "mlp": (z, z)}
    >>> bool((block(x, idle, heads=2) == x).all())
    True
    """
    (x,), dtype = as_float(x)
    normed = layer_norm(x, *weights["norm_1"])
    w_q, w_k, w_v, w_o = weights["attention"]
    update, _ = multi_head_attention(normed, w_q, w_k, w_v, w_o, heads, mask)
    x = add(x, update)  # each word, and what it took from the others
    normed = layer_norm(x, *weights["norm_2"])
    x = add(x, mlp(normed, *weights["mlp"]))
    return x.astype(dtype)


def random_weights(d, seed):
    """Untrained weights for a block of d features, which keep the size of numbers.

    >>> weights = random_weights(4, seed=0)
    >>> [w.shape for w in weights["mlp"]]
    [(4, 16), (16, 4)]
    """
    random = np.random.default_rng(seed)
    shapes = [(d, d)] * 4 + [(d, 4 * d), (4 * d, d)]
    w = [random.normal(size=shape) / shape[0] ** 0.5 for shape in shapes]
    norm = np.ones(d), np.zeros(d)  # gain, bias
    return {"norm_1": norm, "attention": w[:4], "norm_2": norm, "mlp": w[4:]}
