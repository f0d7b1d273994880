"""Named arrays in one file, in the format safetensors: read and written with NumPy alone.

The length of a header in 8 bytes, lowest first; the header in JSON: for each name a dtype, a
shape and where its bytes begin and end; then the bytes, row by row. It runs in browsers too.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tensors = dict[str, NDArray[Any]]
DTYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "I8": np.dtype("i1"),
    "I64": np.dtype("<i8"),
}
CODES = {dtype: code for code, dtype in DTYPES.items()}


def read_tensors(data: bytes) -> Tensors:
    """The arrays of a file, which share its memory."""
    begin = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    return {name: read_tensor(data, begin, **entry) for name, entry in header.items()}


def read_tensor(
    data: bytes, begin: int, dtype: str, shape: list[int], data_offsets: list[int]
) -> NDArray[Any]:
    """One array, by its entry in the header."""
    start, end = data_offsets
    count = (end - start) // DTYPES[dtype].itemsize
    return np.frombuffer(data, DTYPES[dtype], count, begin + start).reshape(shape)


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
