"""BERT's encoder, which asks you for the attention: tokens to vectors that know their context.

Sources: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers" (2018); Wang et al.,
"MiniLM" (2020), for the small one; Reimers and Gurevych, "Sentence-BERT" (2019), for sentences;
Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 7.1.26, for erf.
"""

import numpy as np

from snippets.block import add, layer_norm
from snippets.multi_head import merge_heads, split_heads

EPS = 1e-12  # BERT's, in every norm


def erf(x):
    """The error function, to 2 in ten million; NumPy has none.

    >>> erf(np.array([-1.0, 0.0, 0.5])).round(6) + 0.0
    array([-0.842701,  0.      ,  0.5205  ])
    """
    size = np.abs(x)
    t = 1 / (1 + 0.3275911 * size)
    sums = 1.061405429 * t - 1.453152027
    for term in (1.421413741, -0.284496736, 0.254829592):
        sums = sums * t + term
    return np.sign(x) * (1 - sums * t * np.exp(-size * size))


def exact_gelu(x):
    """The bend as BERT has it: x times the share of a normal distribution that lies below x.

    >>> exact_gelu(np.array([-1.0, 0.0, 1.0])).round(4) + 0.0
    array([-0.1587,  0.    ,  0.8413])
    """
    return x * (1 + erf(x / 2**0.5)) / 2


def linear(x, w, b):
    """A layer with a bias, x w + b.

    x: [T, D]; w: [D, F]; b: [F]. The same as x @ w + b, which is quicker wherever NumPy has a
    library for matrix products. In browsers it has none, and einsum takes half of the time.

    >>> linear(np.ones((1, 2)), np.eye(2), np.array([0.0, 5.0]))
    array([[1., 6.]])
    """
    return np.einsum("td,df->tf", x, w) + b


def norm(x, learned):
    """Bring each token to one size, as learned.

    x: [T, D]; learned: (gain [D], bias [D]).

    >>> norm(np.array([[1.0, 3.0]]), (np.ones(2), np.zeros(2))).round(3)
    array([[-1.,  1.]])
    """
    gain, bias = learned
    return layer_norm(x, gain, bias, EPS)


def embed(rows, weights):
    """What the first layer is given: each token's vector, its place added, brought to one size.

    rows: [T, D], the vectors of the tokens; weights: "positions" [at least T, D], "segment" [D],
    the same for all tokens of a first sentence, and "norm" (gain, bias).

    >>> plain = {"positions": np.eye(2), "segment": np.zeros(2), "norm": (np.ones(2), np.zeros(2))}
    >>> embed(np.zeros((2, 2)), plain).round(3)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    x = rows + weights["positions"][: len(rows)] + weights["segment"]
    return norm(x, weights["norm"])


def attend(attention, q, k, v, *mask):
    """Output and weights of one head, by the function that was given.

    q, k: [T, d_k]; v: [T, d_v]; mask, if there is any: [1, T]. Raises ValueError, saying what came
    back, if it does not fit.

    >>> attend(lambda q, k, v: v, np.ones((3, 2)), np.ones((3, 2)), np.ones((3, 2)))
    Traceback (most recent call last):
    ValueError: attention has to return (output, weights) of shapes (3, 2) and (3, 3): got (3, 2)
    """
    result = attention(q, k, v, *mask)
    parts = result if isinstance(result, (tuple, list)) else [result]
    found = [np.shape(part) for part in parts]
    wanted = [v.shape, (len(q), len(k))]
    if found != wanted:
        output, weights = wanted
        raise ValueError(
            f"attention has to return (output, weights) of shapes {output} and {weights}: "
            f"got {' and '.join(map(str, found))}"
        )
    if not all(np.isfinite(part).all() for part in parts):
        raise ValueError("attention returned NaN or infinity, with which no layer can go on")
    return parts


def attend_in_heads(x, layer, heads, attention, *mask):
    """Multi-head attention, a head after the other, so that any function for [T, d] will do.

    x: [T, D]; mask, if there is any: [1, T]. Returns (output [T, D], weights [H, T, T]).

    >>> one = np.eye(2), np.zeros(2)
    >>> layer = dict.fromkeys(["query", "key", "value", "output"], one)
    >>> first = lambda q, k, v: (v[[0, 0]], np.eye(2)[[0, 0]])  # all look at the first token
    >>> attend_in_heads(np.array([[1.0, 2.0], [3.0, 4.0]]), layer, 2, first)[0]
    array([[1., 2.],
           [1., 2.]])
    """
    q, k, v = (split_heads(linear(x, *layer[n]), heads) for n in ("query", "key", "value"))
    each = [attend(attention, *head, *mask) for head in zip(q, k, v, strict=True)]
    outputs, weights = (np.array(part, x.dtype) for part in zip(*each, strict=True))
    return linear(merge_heads(outputs), *layer["output"]), weights


def encoder_layer(x, layer, heads, attention, *mask):
    """One layer of BERT, norms behind: norm(x + attention(x)), then norm(x + mlp(x)).

    x: [T, D]; layer: "query", "key", "value", "output", "mlp_in" and "mlp_out" (w, b), "norm_1"
    and "norm_2" (gain, bias); mask, if there is any: [1, T]. Returns (x [T, D], weights [H, T, T]).

    >>> idle = dict.fromkeys(["query", "key", "value", "output"], (np.zeros((2, 2)), np.zeros(2)))
    >>> idle |= dict.fromkeys(["mlp_in", "mlp_out"], (np.zeros((2, 2)), np.zeros(2)))
    >>> idle |= dict.fromkeys(["norm_1", "norm_2"], (np.ones(2), np.zeros(2)))
    >>> look_at_self = lambda q, k, v: (v, np.eye(1))
    >>> encoder_layer(np.array([[3.0, 5.0]]), idle, 1, look_at_self)[0].round(3)
    array([[-1.,  1.]])
    """
    update, weights = attend_in_heads(x, layer, heads, attention, *mask)
    x = norm(add(x, update), layer["norm_1"])
    hidden = exact_gelu(linear(x, *layer["mlp_in"]))  # [T, 4 · D]
    x = norm(add(x, linear(hidden, *layer["mlp_out"])), layer["norm_2"])
    return x, weights


def encoder(rows, weights, attention, heads=12, mask=None):
    """The whole model: what each token is after each layer, and who looked at whom on the way.

    rows: [T, D], the vectors of the tokens; weights: "layers", a list, and what embed needs;
    attention: takes q, k, v of one head, [T, D / H] each, and returns (output, weights [T, T]);
    mask: [1, T], True for tokens that may be looked at, which attention is given too.
    Returns (states [layers + 1, T, D], maps [layers, H, T, T]).

    >>> one = np.ones(2), np.zeros(2)
    >>> nothing = {"positions": np.eye(2), "segment": np.zeros(2), "norm": one, "layers": []}
    >>> states, maps = encoder(np.zeros((2, 2)), nothing, attention=None)
    >>> states.shape
    (1, 2, 2)
    """
    given = () if mask is None else (mask,)
    states, maps = [embed(rows, weights)], []
    for layer in weights["layers"]:
        x, looks = encoder_layer(states[-1], layer, heads, attention, *given)
        states.append(x)
        maps.append(looks)
    return np.array(states), np.array(maps)


def sentence_vector(x):
    """One vector for a sentence: the mean of its tokens, brought to length 1.

    x: [T, D], the last state. The similarity of two sentences is the product of their vectors:
    1 for the same direction, 0 for none in common, −1 for opposite ones.

    >>> sentence_vector(np.array([[6.0, 0.0], [0.0, 8.0]]))
    array([0.6, 0.8])
    """
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)
