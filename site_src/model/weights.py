"""From a model's files to what snippets/encoder.py computes with. It runs in browsers too.

layers.safetensors  everything that each sentence needs, by BERT's names; a matrix is stored as in
                    PyTorch, [features out, features in], in int8, and its steps as "NAME.step",
                    [features out, features in / 32], in float16: see snippets/int8.py
embeddings.bin      the vectors of all pieces, then those of all positions; each takes ROW.itemsize
                    bytes, so that any of them can be fetched alone: 12 steps, then 384 of int8
vocab.txt           a piece a line; the number of a line, from 0 on, is that of the piece's row
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snippets.int8 import BLOCK, restore

D = 384
PIECES = 30_522
POSITIONS = 512
ROW = np.dtype([("step", "<f2", (D // BLOCK,)), ("whole", "i1", (D,))])  # 408 bytes
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
Array = NDArray[Any]
Tensors = Mapping[str, Array]


def encoder_weights(tensors: Tensors, positions: Array) -> dict[str, Any]:
    """The weights as the encoder takes them, of the small model or of the original.

    positions: [at least as many as tokens, D].
    """
    return {
        "positions": positions,
        "segment": tensors["embeddings.token_type_embeddings.weight"][0],
        "norm": part(tensors, "embeddings.LayerNorm"),
        "layers": [layer(tensors, number) for number in range(layers_of(tensors))],
    }


def layers_of(tensors: Tensors) -> int:
    """How many layers a model has."""
    return sum(name.endswith("output.LayerNorm.bias") for name in tensors) // 2


def layer(tensors: Tensors, number: int) -> dict[str, tuple[Array, Array]]:
    """One layer's parts by our names."""
    prefix = f"encoder.layer.{number}."
    return {ours: part(tensors, prefix + theirs) for ours, theirs in PARTS.items()}


def part(tensors: Tensors, name: str) -> tuple[Array, Array]:
    """A matrix, to be multiplied from the right, or a norm's gain; and its bias.

    A matrix is turned without being moved: NumPy in browsers is fastest along stored rows.
    """
    weight = tensors[f"{name}.weight"]
    if (step := tensors.get(f"{name}.weight.step")) is not None:
        weight = restore(weight, step)
    return weight.T, tensors[f"{name}.bias"]


def rows_of(data: bytes) -> Array:
    """Vectors [rows, D] out of a stretch of embeddings.bin that holds whole rows."""
    rows = np.frombuffer(data, ROW)
    return np.asarray(restore(rows["whole"], rows["step"]))
