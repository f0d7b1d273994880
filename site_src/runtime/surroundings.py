"""What a cell may change for itself only: afterwards Python is as the cell found it."""

import builtins
import contextvars
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

SAFE_DEPTH = 3_000  # of recursion: at 10,000 the browser's own stack overflows
BUILTINS, MODULES, PATH = vars(builtins), sys.modules, sys.path


def limit_recursion(depth: int) -> None:
    """Stand in for sys.setrecursionlimit: no deeper than the page's Python survives."""
    if depth > SAFE_DEPTH:
        told = f"the recursion limit is {SAFE_DEPTH:,} here, because more would break Python"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
    set_recursion_limit(min(depth, SAFE_DEPTH))


set_recursion_limit, change_folder = sys.setrecursionlimit, os.chdir


class Surroundings:
    """Remembers on entry what belongs to all cells, and restores it on exit.

    Builtins, NumPy's names, imported modules and where they are looked for, warning filters, the
    recursion limit, the standard streams, the current folder.
    """

    def __enter__(self) -> None:
        self.names = [(names, dict(names)) for names in (BUILTINS, MODULES, *numpy_names())]
        self.path = list(PATH)
        self.streams = sys.stdin, sys.stdout, sys.stderr
        self.depth = sys.getrecursionlimit()
        self.folder = Path.cwd()
        self.warnings = warnings.catch_warnings()
        self.warnings.__enter__()
        sys.setrecursionlimit = limit_recursion

    def __exit__(self, *_: object) -> None:
        # Names come first, and without a builtin's help: the cell may have deleted any of them.
        for names, taken in self.names:
            names.update(taken)
        for added in BUILTINS.keys() - self.names[0][1].keys():
            del BUILTINS[added]
        self.warnings.__exit__(None, None, None)
        sys.modules, sys.path, PATH[:] = MODULES, PATH, self.path
        sys.stdin, sys.stdout, sys.stderr = self.streams
        sys.setrecursionlimit = set_recursion_limit
        set_recursion_limit(self.depth)
        change_folder(self.folder)


def numpy_names() -> list[dict[str, Any]]:
    """NumPy's own names, once it is there."""
    return [vars(MODULES["numpy"])] if "numpy" in MODULES else []


def untouched(act: Callable[..., None], *arguments: object) -> None:
    """Call a function so that its side effects on Python itself end with it.

    NumPy keeps its print options and its handling of floating-point errors in context variables:
    what changes in a copy of the context is gone with the copy.
    """
    with Surroundings():
        contextvars.copy_context().run(act, *arguments)
