"""Named arrays in one file, in the format safetensors: read with NumPy alone.

The length of a header in 8 bytes, lowest first; the header in JSON: for each name a dtype, a
shape and where its bytes begin and end; then the bytes, row by row.
"""

import json

import numpy as np

# safetensors' → NumPy's
DTYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1", "U8": "u1", "I64": "<i8"}


def read_tensors(data):
    """The arrays of a file by their names; they share its memory.

    data: the bytes of the file.

    >>> header = b'{"x": {"dtype": "I8", "shape": [3], "data_offsets": [0, 3]}}'
    >>> read_tensors(len(header).to_bytes(8, "little") + header + bytes([1, 2, 255]))
    {'x': array([ 1,  2, -1], dtype=int8)}
    """
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    return {name: read_tensor(data, begin, **entry) for name, entry in header.items()}


def read_tensor(data, begin, dtype, shape, data_offsets):
    """One array, by its entry in the header.

    begin: where the header ends.

    >>> read_tensor(bytes([9, 1, 2]), 1, "I8", [1, 2], [0, 2])
    array([[1, 2]], dtype=int8)
    """
    start, end = data_offsets
    kind = np.dtype(DTYPES[dtype])
    count = (end - start) // kind.itemsize
    return np.frombuffer(data, kind, count, begin + start).reshape(shape)
