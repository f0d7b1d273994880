"""Why one layer cannot turn "it" from one noun to the other, and two can.

In the first layer the scores of "it" with *animal* and *street* are made of these three words
alone. Another last word changes neither, so the ratio of the two weights stays as it is.
"""

import numpy as np

from snippets.pronoun_model import embed, forward, layer_1
from snippets.pronouns import VOCABULARY, numbers


def preference(weights, words):
    """How much more "it" looks at animal than at street: the log of the ratio of the two weights.

    weights: [T, T] of one head, with any axes before these. Positive: animal; negative: street.

    >>> words = ["animal", "street", "it"]
    >>> float(preference(np.array([[1, 1, 1], [1, 1, 1], [0.4, 0.1, 0.5]]), words).round(3))
    1.386
    """
    row = weights[..., words.index("it"), :]
    return np.log(row[..., words.index("animal")] / row[..., words.index("street")])


def random_layer(seed):
    """A first layer that nobody trained: embeddings and the three matrices of one head.

    >>> sorted(random_layer(0))
    ['E', 'W_k1', 'W_q1', 'W_v1']
    """
    rng = np.random.default_rng(seed)
    shapes = {"E": (len(VOCABULARY), 16), "W_q1": (16, 16), "W_k1": (16, 16), "W_v1": (16, 16)}
    return {name: rng.normal(0, 0.4, size=shape) for name, shape in shapes.items()}


def in_layer_1(parameters, words):
    """The weights of the first layer for one sentence: [T, T].

    >>> in_layer_1(random_layer(0), ["the", "animal"]).sum(axis=-1).round(6)
    array([1., 1.])
    """
    return layer_1(parameters, embed(parameters, np.array([numbers(words)])))["A1"][0]


def in_layer_2(parameters, words):
    """The weights of the second layer for one sentence: [T, T].

    >>> two_layers = random_layer(0) | {"W_q2": np.eye(16), "W_k2": np.eye(16)}
    >>> in_layer_2(two_layers, ["the", "animal"]).sum(axis=-1).round(6)
    array([1., 1.])
    """
    return forward(parameters, np.array([numbers(words)]))["A2"][0]
