"""Bring a new Python to where an image is taken of it; runs inside Pyodide."""

import gc
import importlib
import linecache
import os
import random
import re
import sys
import zipimport
from types import CodeType, FunctionType, ModuleType

importlib.invalidate_caches()  # NumPy's files were written after Python had looked
import numpy as np  # noqa: E402

# What running a cell needs, what cells import most, and what brings the rest of Python later.
COMMON = (
    *("ast", "base64", "builtins", "codeop", "collections", "contextlib", "contextvars", "copy"),
    *("dataclasses", "enum", "functools", "importlib.metadata", "io", "itertools", "json", "math"),
    *("operator", "os", "pathlib", "pprint", "random", "re", "string", "sys", "textwrap", "time"),
    *("types", "typing", "warnings", "numpy.typing", "pyodide.code", "pyodide._package_loader"),
)
OURS = [f"site_src.runtime.{name}" for name in ("run_cell", "late_modules", "sleep")]


# What readers may ask help() about; other docstrings would only be carried along.
EXPLAINED = {"numpy", *(name for name in COMMON if "." not in name)}
HAS_DOCSTRING = 0x4000000  # of a code object: its first constant is one


def drop_docstrings() -> None:
    """Take the docstrings from all that works behind the scenes."""
    for one in gc.get_objects():
        if isinstance(one, ModuleType) and is_unexplained(one.__name__):
            one.__doc__ = None
        elif isinstance(one, FunctionType) and is_unexplained(one.__module__):
            one.__doc__ = None
            one.__code__ = without_docstring(one.__code__)


def is_unexplained(module: str | None) -> bool:
    """Whether a module is none that cells name."""
    return (module or "").partition(".")[0] not in EXPLAINED


def without_docstring(code: CodeType) -> CodeType:
    """The same code, but for that constant."""
    if not code.co_flags & HAS_DOCSTRING:
        return code
    flags = code.co_flags & ~HAS_DOCSTRING
    return code.replace(co_consts=(None, *code.co_consts[1:]), co_flags=flags)


def use() -> None:
    """Do once what a cell does, so that what Python makes at the first use is made."""
    repr(np.arange(6.0).reshape(2, 3) @ np.eye(3))
    np.linalg.norm(np.ones(2))
    run_cell = importlib.import_module(OURS[0]).run_cell
    for code in ("print(6)\n6", "a b", "1 / 0"):
        run_cell("warm", code, {}, lambda *_: None)


def forget() -> None:
    """Leave behind nothing of this machine, and no files: they are not there in the page."""
    random.seed(0)  # by chance again where the image is restored
    os.environ.pop("PYTHONHASHSEED", None)
    linecache.clearcache()
    re.purge()
    vars(zipimport)["_zip_directory_cache"].clear()
    importlib.invalidate_caches()
    sys.path_importer_cache.clear()
    vars(sys)["_clear_internal_caches"]()
    gc.collect()


for name in (*COMMON, *OURS):
    importlib.import_module(name)
use()
drop_docstrings()
forget()
for name in [name for name in globals() if not name.startswith("__")]:
    del globals()[name]
