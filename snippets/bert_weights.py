"""From BERT's names for its weights, in 9 bits or as published, to what the encoder computes with.

A matrix is stored as in PyTorch, [features out, features in]; in 9 bits it is
three arrays, "NAME", "NAME.half" and "NAME.step".
"""

import numpy as np

from snippets.nine_bits import restore

PARTS = {  # ours → BERT's
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "norm_1": "attention.output.LayerNorm",
    "mlp_in": "intermediate.dense",
    "mlp_out": "output.dense",
    "norm_2": "output.LayerNorm",
}
PACKED = ("", ".half", ".step")  # behind the name of what is stored in 9 bits
WORDS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"


def encoder_weights(tensors):
    """All weights but the words' vectors, as the encoder takes them.

    tensors: arrays by BERT's names.

    >>> names = ["LayerNorm.weight", "LayerNorm.bias", "token_type_embeddings.weight"]
    >>> small = {f"embeddings.{name}": np.ones((2, 4)) for name in names}
    >>> sorted(encoder_weights(small | {POSITIONS: np.eye(4)}))
    ['layers', 'norm', 'positions', 'segment']
    """
    return {
        "positions": matrix(tensors, POSITIONS),
        "segment": tensors["embeddings.token_type_embeddings.weight"][0],
        "norm": part(tensors, "embeddings.LayerNorm"),
        "layers": [layer(tensors, number) for number in range(layers_of(tensors))],
    }


def layers_of(tensors):
    """How many layers a model has.

    >>> layers_of({"encoder.layer.0.output.dense.bias": 0, "encoder.layer.1.output.dense.bias": 0})
    2
    """
    return len({name.split(".")[2] for name in tensors if name.startswith("encoder.layer.")})


def layer(tensors, number):
    """One layer's parts by our names, each (weight, bias).

    >>> small = {f"encoder.layer.0.{name}.weight": np.eye(2) for name in PARTS.values()}
    >>> small |= {f"encoder.layer.0.{name}.bias": np.zeros(2) for name in PARTS.values()}
    >>> list(layer(small, 0))[:4]
    ['query', 'key', 'value', 'output']
    """
    prefix = f"encoder.layer.{number}."
    return {ours: part(tensors, prefix + theirs) for ours, theirs in PARTS.items()}


def part(tensors, name):
    """A matrix, to be multiplied from the right, or a norm's gain; and its bias.

    A matrix is turned without being moved.

    >>> part({"x.weight": np.array([[1.0, 2.0]]), "x.bias": np.zeros(1)}, "x")
    (array([[1.],
           [2.]]), array([0.]))
    """
    return matrix(tensors, f"{name}.weight").T, tensors[f"{name}.bias"]


def matrix(tensors, name):
    """An array, whether it is stored in 9 bits or as it is.

    >>> matrix({"x": np.ones(2)}, "x")
    array([1., 1.])
    """
    if f"{name}.step" not in tensors:
        return np.asarray(tensors[name])
    return restore(*packed(tensors, name))


def packed(tensors, name):
    """The three arrays of what is stored in 9 bits.

    >>> packed({"x": "whole steps", "x.half": "halves", "x.step": "steps"}, "x")
    ('whole steps', 'halves', 'steps')
    """
    return tuple(tensors[name + end] for end in PACKED)
