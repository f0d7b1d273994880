"""Bring a new Python to where an image is taken of it; runs inside Pyodide."""

import gc
import importlib
import linecache
import os
import random
import re
import sys
import traceback
import zipimport

importlib.invalidate_caches()  # NumPy's files were written after Python had looked
import numpy as np  # noqa: E402

# What running a cell needs, what cells import most, and what brings the rest of Python later.
COMMON = (
    *("ast", "base64", "builtins", "codeop", "collections", "contextlib", "contextvars", "copy"),
    *("dataclasses", "enum", "functools", "importlib.metadata", "io", "itertools", "json", "math"),
    *("operator", "os", "pathlib", "pprint", "random", "re", "string", "sys", "textwrap", "time"),
    *("types", "typing", "warnings", "numpy.typing", "pyodide.code", "pyodide._package_loader"),
)


def use() -> None:
    """Do once what a cell does, so that what Python makes at the first use is made."""
    repr(np.arange(6.0).reshape(2, 3) @ np.eye(3))
    np.linalg.norm(np.ones(2))
    try:
        compile("a b", "<cell>", "exec")
    except SyntaxError:
        traceback.format_exc()


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


for name in COMMON:
    importlib.import_module(name)
use()
forget()
for name in [name for name in globals() if not name.startswith("__")]:
    del globals()[name]
