"""Named arrays written in the format safetensors, which snippets/tensor_file.py reads."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snippets.tensor_file import DTYPES

Tensors = dict[str, NDArray[Any]]
CODES = {np.dtype(kind): code for code, kind in DTYPES.items()}


def written(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """The file of some arrays, the widest numbers first, so that all are aligned."""
    ordered = sorted(tensors.items(), key=lambda item: -item[1].itemsize)
    header, end = {}, 0
    for name, tensor in ordered:
        start, end = end, end + tensor.nbytes
        code = CODES[tensor.dtype]
        header[name] = {"dtype": code, "shape": list(tensor.shape), "data_offsets": [start, end]}
    said = json.dumps(header, separators=(",", ":")).encode()
    said += b" " * (-len(said) % 8)
    return b"".join([len(said).to_bytes(8, "little"), said, *(t.tobytes() for _, t in ordered)])
