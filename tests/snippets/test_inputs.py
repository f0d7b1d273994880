"""What weights, positions and cached keys must have to fit, said in words."""

import re
import types

import numpy as np
import pytest

from snippets import inputs
from tests.snippets.mistakes import Check, Mistakes, checks, is_caught, name

ones = np.ones


def check_weights_that_fit(module: types.ModuleType) -> None:
    """A row for each feature, any number of columns, any axes in front of the input."""
    for shape in [(3, 4), (2, 3, 4), (1, 4), (2, 2, 0, 4)]:
        module.check_weights(ones(shape), w_q=ones((4, 2)), w_k=ones((4, 7)), w_v=ones((4, 0)))


def check_weights_that_do_not_fit(module: types.ModuleType) -> None:
    """All shapes are named, whichever is wrong."""
    for x, w_q, w_k, said in [
        (
            (3, 4),
            (4, 2),
            (5, 4),
            "4 features need weights with 4 rows: the input is (3, 4), w_q (4",
        ),
        ((3, 4), (2, 4), (4, 2), "w_q (2, 4), w_k (4, 2)"),
        ((3, 4), (3, 4), (4, 2), "4 features need weights with 4 rows"),
        ((4, 3, 2), (3, 2), (2, 2), "2 features need weights with 2 rows"),
        ((4,), (4, 2), (4, 2), "the input needs at least the axes [tokens, features]: the input"),
        ((), (4, 2), (4, 2), "the input needs at least the axes"),
        ((3, 4), (4,), (4, 2), "weights have two axes, [features in, features out]: the input is"),
        ((3, 4), (4, 2), (3, 4, 2), "weights have two axes"),
        ((3, 4), (4, 2), (), "weights have two axes"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.check_weights(ones(x), w_q=ones(w_q), w_k=ones(w_k))


def check_positions_that_fit(module: types.ModuleType) -> None:
    """One for all tokens, one for each, or one for each of each sentence."""
    for x, at in [
        ((3, 4), (3,)),
        ((3, 4), ()),
        ((4,), ()),
        ((2, 5, 3, 4), (2, 1, 3)),
        ((0, 4), (0,)),
    ]:
        module.check_positions(ones(x), ones(at))


def check_positions_that_do_not_fit(module: types.ModuleType) -> None:
    """Odd numbers of features, and positions of other tokens."""
    for x in [(3,), (2, 5), (2, 1), ()]:
        with pytest.raises(ValueError, match=re.escape(f"even, not odd: x is {x}")):
            module.check_positions(ones(x), ones(()))
    for at in [(2,), (2, 3), (3, 1), (1, 3)]:
        said = re.escape(f"the positions {at} do not fit the tokens (3,): x is (3, 4)")
        with pytest.raises(ValueError, match=said):
            module.check_positions(ones((3, 4)), ones(at))


def check_keys_that_follow(module: types.ModuleType) -> None:
    """Any at first, then of the same shape, but for the number of tokens, and dtype."""
    double, nothing = np.dtype(float), ones((0, 1))
    for k, v in [((3, 4), (3, 5)), ((2, 3, 4), (3, 4)), ((0, 4), (0, 5))]:
        module.check_next(ones(k), ones(v), double, nothing, nothing)
        module.check_next(ones(k), ones(v), double, ones(k), ones(v))
    module.check_next(ones((2, 1, 4)), ones((2, 1, 5)), double, ones((2, 7, 4)), ones((2, 7, 5)))


def check_keys_that_do_not_follow(module: types.ModuleType) -> None:
    """All shapes are named, those that are kept too."""
    kept = ones((2, 3, 4)), ones((2, 3, 5))
    after = "after keys (2, 3, 4) and values (2, 3, 5), "
    for k, v, said in [
        ((2, 1, 3), (2, 1, 5), f"{after}k (2, 1, 3) and v (2, 1, 5) do not fit"),
        ((2, 1, 4), (2, 1, 4), f"{after}k (2, 1, 4) and v (2, 1, 4) do not fit"),
        ((1, 4), (1, 5), f"{after}k (1, 4) and v (1, 5) do not fit"),
        ((2, 1, 4), (1, 1, 5), f"{after}k (2, 1, 4) and v (1, 1, 5) do not fit"),
        ((2, 1, 4), (2, 2, 5), "each key needs a value, both [..., T, D]: k (2, 1, 4) and v"),
        ((4,), (2, 1, 5), "each key needs a value, both [..., T, D]: k (4,) and v (2, 1, 5)"),
        ((2, 1, 4), (5,), "each key needs a value, both [..., T, D]: k (2, 1, 4) and v (5,)"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            module.check_next(ones(k), ones(v), np.dtype(float), *kept)
    with pytest.raises(ValueError, match="the cache holds float64, not float32"):
        module.check_next(kept[0], kept[1], np.dtype("f4"), *kept)
    with pytest.raises(ValueError, match="each key needs a value"):
        module.check_next(ones(4), ones(4), np.dtype(float), ones((0, 1)), ones((0, 1)))


def check_queries_in_time(module: types.ModuleType) -> None:
    """The last tokens of what is kept, as far back as the window lets them be answered."""
    for queries, kept, seen, window in [
        *[(1, 1, 1, np.inf), (3, 3, 3, np.inf), (0, 3, 3, np.inf)],
        *[(1, 4, 9, 4), (2, 5, 9, 4), (3, 3, 3, 2), (1, 1, 9, 1), (3, 3, 3, 40)],
    ]:
        module.check_queries(queries, kept, seen, window)


def check_queries_out_of_time(module: types.ModuleType) -> None:
    """Before their keys, or when what they need has left the window."""
    for queries, seen in [(0, 0), (1, 0), (3, 2)]:
        with pytest.raises(ValueError, match=f"{queries} queries for {seen} tokens: append"):
            module.check_queries(queries, seen, seen, np.inf)
    for queries, kept, seen, window, needed in [(2, 4, 9, 4, 5), (9, 4, 9, 4, 9), (2, 1, 2, 1, 2)]:
        said = f"{queries} queries need the last {needed} tokens, but a window of {window} kept"
        with pytest.raises(ValueError, match=said):
            module.check_queries(queries, kept, seen, window)


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_says_what_does_not_fit(check: Check) -> None:
    check(inputs)


SAME = "(new.shape[:-2], new.shape[-1]) != (old.shape[:-2], old.shape[-1])"
PLACES = "broadcast(positions.shape, tokens) != tokens"

MISTAKES: Mistakes = {
    # check_weights
    "the tokens counted": ("features = x.shape[-1]\n", "features = x.shape[-2]\n"),
    "the first axis counted": ("features = x.shape[-1]\n", "features = x.shape[0]\n"),
    "columns for rows": ("len(w) != features for", "w.shape[1] != features for"),
    "only the first of the weights": (
        "len(w) != features for w in weights.values()",
        "len(w) != features for w in [*weights.values()][:1]",
    ),
    "all of the weights at once": ("if any(len(w) != features", "if all(len(w) != features"),
    "a vector for a text": ("if x.ndim < 2:", "if x.ndim < 1:"),
    "weights with axes in front": ("np.ndim(w) != 2", "np.ndim(w) < 2"),
    "vectors for weights": ("np.ndim(w) != 2", "np.ndim(w) > 2"),
    # check_positions
    "odd d let through": ("x.ndim < 1 or x.shape[-1] % 2", "x.ndim < 1"),
    "a number for a vector": ("x.ndim < 1 or x.shape[-1] % 2", "x.shape[-1] % 2"),
    "an even number of tokens": ("x.shape[-1] % 2", "x.shape[0] % 2"),
    "positions that grow x": (PLACES, "broadcast(positions.shape, tokens) is None"),
    "a position for each token": (PLACES, "positions.shape != tokens"),
    "any positions": (PLACES, "False"),
    # check_next
    "other features let through": (SAME, "new.shape[:-2] != old.shape[:-2]"),
    "other leading axes let through": (SAME, "new.shape[-1] != old.shape[-1]"),
    "keys without values": (" or k.shape[-2] != v.shape[-2]", ""),
    "vectors for tables": ("min(k.ndim, v.ndim) < 2 or", "min(k.ndim, v.ndim) < 1 or"),
    "another dtype let through": ("if dtype != old.dtype:", "if False:"),
    "only keys checked": ("in ((k, keys), (v, values))", "in ((k, keys),)"),
    "not even the first checked": (
        "    if keys.shape[-2] == 0:  # nothing is kept yet\n        return\n",
        "",
    ),
    # check_queries
    "too early let through": ("if seen == 0 or queries > seen:", "if seen == 0:"),
    "an empty cache asked": ("if seen == 0 or queries > seen:", "if queries > seen:"),
    "too late by one": ("queries - 1 + window", "queries - 2 + window"),
    "too strict by one": ("queries - 1 + window", "queries + window"),
    "too strict while all is there": ("min(seen, queries - 1 + window)", "queries - 1 + window"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(inputs, MISTAKES[mistake], CHECKS)
