"""What attention asks of its inputs: floating-point numbers, and shapes that fit together."""

import numpy as np


def as_float(*arrays):
    """The arrays as floats to compute with, and the dtype that the result should have.

    Floats keep their dtype, but float16 is computed in float32; everything else becomes float64.

    >>> (x,), dtype = as_float([1, 2])
    >>> x.dtype.name, dtype.name
    ('float64', 'float64')
    >>> (x,), dtype = as_float(np.ones(2, dtype=np.float16))
    >>> x.dtype.name, dtype.name
    ('float32', 'float16')
    """
    given = [np.asarray(a) for a in arrays]
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in given))
    working = np.result_type(dtype, np.float32)
    return [a.astype(working, copy=False) for a in given], dtype


def check_shapes(q, k, v, mask=None):
    """Raise a ValueError that names the shapes, if they do not fit together.

    q: [..., Tq, d_k], k: [..., Tk, d_k], v: [..., Tk, d_v]; the mask is boolean, True = may
    attend, and broadcasts to the scores [..., Tq, Tk] without making them larger.

    >>> check_shapes(np.ones((3, 2)), np.ones((4, 5)), np.ones((4, 2)))
    Traceback (most recent call last):
    ValueError: q and k need equally many features: q is (3, 2), k is (4, 5), v is (4, 2)
    >>> q = k = v = np.ones((3, 2))
    >>> check_shapes(q, k, v, mask=np.ones((3, 3)))
    Traceback (most recent call last):
    ValueError: the mask must be boolean (True = may attend), not float64
    """
    shapes = f"q is {q.shape}, k is {k.shape}, v is {v.shape}"
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ValueError(f"q, k and v need at least the axes [tokens, features]: {shapes}")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k need equally many features: {shapes}")
    if q.shape[-1] == 0:
        raise ValueError(f"q and k need at least one feature: {shapes}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"each key needs a value: {shapes}")
    if broadcast(q.shape[:-2], k.shape[:-2], v.shape[:-2]) is None:
        raise ValueError(f"the leading axes do not fit together: {shapes}")
    if mask is None:
        return
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(f"the mask must be boolean (True = may attend), not {mask.dtype}")
    scores = (*broadcast(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])
    if broadcast(mask.shape, scores) != scores:
        raise ValueError(f"the mask {mask.shape} does not fit the scores {scores}: {shapes}")


def broadcast(*shapes):
    """The shape that all of these broadcast to, or None.

    >>> broadcast((2, 1), (3,))
    (2, 3)
    >>> broadcast((2,), (3,)) is None
    True
    """
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None
