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


def check_weights(x, **weights):
    """Raise a ValueError that names the shapes, if x @ w is impossible for a weight w.

    x: [..., T, D]; each of the weights: [D, any number of columns].

    >>> check_weights(np.ones((3, 4)), w_q=np.ones((4, 2)), w_k=np.ones((5, 2)))
    Traceback (most recent call last):
    ValueError: 4 features need weights with 4 rows: the input is (3, 4), w_q (4, 2), w_k (5, 2)
    """
    shapes = ", ".join(f"{name} {np.shape(w)}" for name, w in weights.items())
    shapes = f"the input is {x.shape}, {shapes}"
    if x.ndim < 2:
        raise ValueError(f"the input needs at least the axes [tokens, features]: {shapes}")
    if any(np.ndim(w) != 2 for w in weights.values()):
        raise ValueError(f"weights have two axes, [features in, features out]: {shapes}")
    features = x.shape[-1]
    if any(len(w) != features for w in weights.values()):
        raise ValueError(f"{features} features need weights with {features} rows: {shapes}")


def check_positions(x, positions):
    """Raise a ValueError that names the shapes, if x cannot be turned at these positions.

    >>> check_positions(np.ones((2, 3)), np.arange(2))
    Traceback (most recent call last):
    ValueError: rope turns pairs of features, so their number is even, not odd: x is (2, 3)
    >>> check_positions(np.ones((2, 4)), np.arange(3))
    Traceback (most recent call last):
    ValueError: the positions (3,) do not fit the tokens (2,): x is (2, 4)
    """
    if x.ndim < 1 or x.shape[-1] % 2:
        raise ValueError(
            f"rope turns pairs of features, so their number is even, not odd: x is {x.shape}"
        )
    tokens = x.shape[:-1]
    if broadcast(positions.shape, tokens) != tokens:
        raise ValueError(
            f"the positions {positions.shape} do not fit the tokens {tokens}: x is {x.shape}"
        )


def check_next(k, v, dtype, keys, values):
    """Raise a ValueError that names the shapes, if k and v cannot follow what is kept.

    >>> keys, values = np.ones((5, 3)), np.ones((5, 2))
    >>> check_next(np.ones((1, 4)), np.ones((1, 2)), np.dtype(float), keys, values)
    Traceback (most recent call last):
    ValueError: after keys (5, 3) and values (5, 2), k (1, 4) and v (1, 2) do not fit
    """
    shapes = f"k {k.shape} and v {v.shape}"
    if min(k.ndim, v.ndim) < 2 or k.shape[-2] != v.shape[-2]:
        raise ValueError(f"each key needs a value, both [..., T, D]: {shapes}")
    if keys.shape[-2] == 0:  # nothing is kept yet
        return
    for new, old in ((k, keys), (v, values)):
        if (new.shape[:-2], new.shape[-1]) != (old.shape[:-2], old.shape[-1]):
            raise ValueError(
                f"after keys {keys.shape} and values {values.shape}, {shapes} do not fit"
            )
        if dtype != old.dtype:
            raise ValueError(f"the cache holds {old.dtype}, not {dtype}")


def check_queries(queries, kept, seen, window):
    """Raise a ValueError, if the queries came too early or too late.

    >>> check_queries(3, kept=2, seen=2, window=np.inf)
    Traceback (most recent call last):
    ValueError: 3 queries for 2 tokens: append their keys first
    >>> check_queries(2, kept=4, seen=9, window=4)
    Traceback (most recent call last):
    ValueError: 2 queries need the last 5 tokens, but a window of 4 kept 4: attend after each append
    """
    if seen == 0 or queries > seen:
        raise ValueError(f"{queries} queries for {seen} tokens: append their keys first")
    needed = min(seen, queries - 1 + window)
    if needed > kept:
        raise ValueError(
            f"{queries} queries need the last {needed} tokens, "
            f"but a window of {window} kept {kept}: attend after each append"
        )


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
