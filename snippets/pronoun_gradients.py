"""The pronoun model's loss and its gradients, by hand.

Each function goes back through one step of the forward pass: d_y stands for ∂loss/∂y.
"""

import numpy as np

from snippets.pronoun_model import forward
from snippets.pronouns import VOCABULARY


def back_through_product(d_y, x, w):
    """From y = x w: the gradients of x [B, T, i] and of w [i, j], given that of y [B, T, j].

    >>> x = np.array([[[1, 2], [3, 4]]])
    >>> d_x, d_w = back_through_product(np.ones((1, 2, 1)), x, np.eye(2, 1))
    >>> d_x.tolist(), d_w.tolist()
    ([[[1.0, 0.0], [1.0, 0.0]]], [[4.0], [6.0]])
    """
    return d_y @ w.T, gradient_of_matrix(d_y, x)


def gradient_of_matrix(d_y, x):
    """From y = x w: the gradient of w [i, j] alone, summed over all words.

    >>> gradient_of_matrix(np.ones((1, 2, 1)), np.array([[[1, 2], [3, 4]]])).tolist()
    [[4.0], [6.0]]
    """
    return x.reshape(-1, x.shape[-1]).T @ d_y.reshape(-1, d_y.shape[-1])


def back_through_scores(d_s, q, k):
    """From s = q kᵀ / √d_k: the gradients of q and k [B, T, d_k], given that of s [B, T, T].

    >>> q, k = np.full((1, 1, 4), 2.0), np.ones((1, 1, 4))
    >>> d_q, d_k = back_through_scores(np.ones((1, 1, 1)), q, k)
    >>> d_q.tolist(), d_k.tolist()
    ([[[0.5, 0.5, 0.5, 0.5]]], [[[1.0, 1.0, 1.0, 1.0]]])
    """
    d_s = d_s / q.shape[-1] ** 0.5
    return d_s @ k, d_s.swapaxes(-1, -2) @ q


def back_through_softmax(d_a, a):
    """From a = softmax(s), row by row: the gradient of s. Its Jacobian is diag(a) − a aᵀ.

    >>> back_through_softmax(np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    array([ 0.25, -0.25])
    """
    return a * (d_a - (d_a * a).sum(-1, keepdims=True))


def loss_and_gradients(parameters, tokens, present, it, right):
    """How wrong "it" points, −log of its share of the right noun, and all gradients of that.

    Shapes as `encode` gives them. Layer 1 is given no target: its gradient comes through layer 2.

    >>> small = {"E": np.zeros((46, 2)), "W_q2": np.eye(2), "W_k2": np.eye(2)}
    >>> one = np.zeros((1, 4), dtype=int), np.ones((1, 4), dtype=bool), np.array([3]), np.array([1])
    >>> loss, gradients = loss_and_gradients(small, *one)
    >>> round(float(loss), 2), gradients["W_q2"].shape
    (1.48, (2, 2))
    """
    f = forward(parameters, tokens, present)
    rows = np.arange(len(it))
    a = f["A2"][rows, it]  # [B, T]
    d_s = np.zeros_like(f["A2"])
    d_s[rows, it] = a / len(it)  # of −log softmax: the share, less 1 at the right place
    d_s[rows, it, right] -= 1 / len(it)
    d_q, d_k = back_through_scores(d_s, f["Q2"], f["K2"])
    d_h, found = back_to_words(parameters, f["h"], {"W_q2": d_q, "W_k2": d_k})
    if "W_q1" in parameters:
        d_x, of_layer_1 = back_through_layer_1(parameters, f, d_h)
        found |= of_layer_1
        d_h = d_h + d_x  # h = x + what was read
    one_hot = np.eye(len(VOCABULARY))[tokens]  # [B, T, words]
    found["E"] = gradient_of_matrix(d_h, one_hot)
    return -np.log(a[rows, right]).mean(), found


def back_through_layer_1(parameters, f, d_read):
    """From what was read, A1 V1: the gradient of the words and those of the three matrices.

    >>> small = {name: np.eye(2) for name in ["E", "W_q1", "W_k1", "W_v1", "W_q2", "W_k2"]}
    >>> f = forward(small, np.array([[0, 1]]))
    >>> d_x, found = back_through_layer_1(small, f, np.ones((1, 2, 2)))
    >>> d_x.shape, sorted(found)
    ((1, 2, 2), ['W_k1', 'W_q1', 'W_v1'])
    """
    d_v = f["A1"].swapaxes(-1, -2) @ d_read
    d_s = back_through_softmax(d_read @ f["V1"].swapaxes(-1, -2), f["A1"])
    d_q, d_k = back_through_scores(d_s, f["Q1"], f["K1"])
    return back_to_words(parameters, f["x"], {"W_q1": d_q, "W_k1": d_k, "W_v1": d_v})


def back_to_words(parameters, x, d_products):
    """From several products of x: the gradient of x, and by name that of each matrix.

    >>> d_x, found = back_to_words({"W": np.eye(2)}, np.ones((1, 3, 2)), {"W": np.ones((1, 3, 2))})
    >>> d_x.shape, found["W"].tolist()
    ((1, 3, 2), [[3.0, 3.0], [3.0, 3.0]])
    """
    d_x, found = 0.0, {}
    for name, d_y in d_products.items():
        d_part, found[name] = back_through_product(d_y, x, parameters[name])
        d_x = d_x + d_part
    return d_x, found
