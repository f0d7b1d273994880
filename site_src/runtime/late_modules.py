"""Modules that the image of Python leaves out: brought when something imports them."""

import importlib
import random
import sys
import zipfile
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

SITE_PACKAGES = next(path for path in sys.path if path.endswith("site-packages"))
STDLIB = next(path for path in sys.path if path.endswith(".zip"))
WHEEL = "/tmp/numpy.whl"

Bring = Callable[[str, str], str]  # (archive, path to write it to); returns what went wrong, or ""


class LateModules:
    """The last finder that Python asks. It brings whole archives, each once."""

    def __init__(self, bring: Bring) -> None:
        self.bring = bring
        self.left_out = {"numpy", "stdlib"}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module in the archive that has it. Raises ImportError if that cannot be had."""
        top = name.partition(".")[0]
        archive = "numpy" if top == "numpy" else "stdlib"
        known = top == "numpy" or top in sys.stdlib_module_names or top in ("pyodide", "_pyodide")
        if not known or archive not in self.left_out:
            return None
        self.take(archive, name)
        return PathFinder.find_spec(name, path, target)

    def take(self, archive: str, name: str) -> None:
        """Put an archive where Python looks."""
        problem = self.bring(archive, WHEEL if archive == "numpy" else STDLIB)
        if problem:
            raise ImportError(f"{name} had to be fetched, and {problem}", name=name)
        if archive == "numpy":
            with zipfile.ZipFile(WHEEL) as wheel:
                wheel.extractall(SITE_PACKAGES)
            Path(WHEEL).unlink()
        self.left_out.remove(archive)
        sys.path_importer_cache.clear()
        importlib.invalidate_caches()


def complete(bring: Bring) -> None:
    """Make a Python that comes from an image whole: chance of its own, and all its modules."""
    random.seed()
    sys.meta_path.append(LateModules(bring))
