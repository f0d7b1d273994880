"""Why scores are divided by √d_k: how far they spread, and what softmax lets through."""

import numpy as np


def sample_scores(d_k, rows=500, keys=10, seed=0):
    """Scores of random queries with ten random keys each: [rows, keys], not scaled.

    All numbers in queries and keys are independent, with mean 0 and variance 1.

    >>> sample_scores(64).shape, sample_scores(64).std().round()
    ((500, 10), np.float64(8.0))
    """
    rng = np.random.default_rng(seed)
    queries = rng.normal(size=(rows, d_k, 1))
    return (rng.normal(size=(rows, keys, d_k)) @ queries)[..., 0]


def surviving_gradient(weights):
    """How much of the gradient softmax passes on to its input: the trace of its Jacobian.

    The Jacobian of a row a of weights is diag(a) − a aᵀ, so the trace is 1 − Σ a². It is 0 where
    one weight is 1, and the more the more evenly a row is shared out.

    >>> surviving_gradient(np.array([[1.0, 0.0], [0.5, 0.5]]))
    array([0. , 0.5])
    """
    return 1 - (weights**2).sum(axis=-1)
