"""Wrong versions of a snippet, by small edits of its source, and whether its checks catch them.

A check is a function that is given the module under test: first the real one, then each mutant.
"""

import types
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Check = Callable[[types.ModuleType], None]
Mistakes = Mapping[
    str, tuple[str, str]
]  # what is wrong: the right text, which occurs once, the wrong


def checks(names: Mapping[str, Any]) -> list[Check]:
    """The functions of a test file that are called check_…."""
    return [
        value
        for name, value in names.items()
        if name.startswith("check_") and value.__module__ == names["__name__"]
    ]


def is_caught(module: types.ModuleType, mistake: tuple[str, str], by: Iterable[Check]) -> bool:
    """Whether at least one check rejects the module with this edit."""
    wrong = mutant(module, *mistake)
    with np.errstate(all="ignore"):
        return any(fails(check, wrong) for check in by)


def mutant(module: types.ModuleType, right: str, wrong: str) -> types.ModuleType:
    """The module with one piece of its source, which occurs once, replaced."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    assert source.count(right) == 1, f"{right!r} occurs {source.count(right)} times"
    made = types.ModuleType(f"{module.__name__}_mutant")
    exec(source.replace(right, wrong), made.__dict__)
    return made


def fails(check: Check, module: types.ModuleType) -> bool:
    """Whether a check rejects a module, by an assertion or by any other error."""
    try:
        check(module)
    except (Exception, pytest.fail.Exception):  # the latter where an expected error did not come
        return True
    return False


def name(check: Check) -> str:
    """What a check is called in the list of tests."""
    return check.__name__.removeprefix("check_").replace("_", " ")


def keeps_dtypes(function: Callable[..., Any], *shapes: tuple[int, ...]) -> None:
    """Floats keep their dtype, integers give float64; float16 is computed in float32.

    The function is called with an array of each shape, which it may not change.
    """
    dtypes = [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), ("i4", "f8"), ("i8", "f8"), ("?", "f8")]
    random = np.random.default_rng(0)
    drawn = [random.normal(size=shape) * 2 for shape in shapes]
    for dtype, expected in dtypes:
        given = [read_only(x.astype(dtype)) for x in drawn]
        wide = [x.astype("f4" if dtype == "f2" else "f8") for x in given]
        found, right = results(function(*given)), results(function(*wide))
        assert [x.dtype for x in found] == [np.dtype(expected)] * len(found)
        for x, y in zip(found, right, strict=True):
            assert_allclose(x, y.astype(expected), rtol=1e-5, atol=1e-5)
            assert dtype != "f2" or (x == y.astype("f2")).all(), "not computed in float32"


def results(found: Any) -> list[Array]:
    """What a function returned, one array or several, as a list."""
    return list(found) if isinstance(found, tuple) else [found]


def read_only(x: ArrayLike) -> Array:
    """A copy that raises an error when it is written to."""
    copy = np.array(x)
    copy.flags.writeable = False
    return copy
