"""A page of PyTorch as its source, docs/companion/*.py, and as its executed notebook beside it."""

import tomllib
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from site_src import ROOT
from site_src.cells.imports import snippet_files
from site_src.problems import Problem
from site_src.steps import digest

FOLDER = ROOT / "docs" / "companion"
WRITTEN = "written"  # of a cell: its code as the page has it, with the imports of snippets
STAMP = "stamp"  # of a notebook: what it was executed from
PINNED = ("torch", "numpy")  # whose versions can change what is printed


def sources() -> list[Path]:
    """The pages' sources, in the py:percent format."""
    return sorted(FOLDER.glob("*.py"))


def read(source: Path) -> Any:
    """The source as a notebook without outputs."""
    return jupytext.read(source)


def executed(source: Path) -> Any:
    """The notebook that was executed from the source; an empty one if there is none yet."""
    path = source.with_suffix(".ipynb")
    return nbformat.read(path, as_version=4) if path.exists() else nbformat.v4.new_notebook()


def keep(source: Path, notebook: Any) -> None:
    """Write the executed notebook beside its source."""
    nbformat.write(notebook, source.with_suffix(".ipynb"))


def code_cells(notebook: Any) -> list[Any]:
    """The cells that hold code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def stamp(source: Path) -> str:
    """A digest of all that the outputs depend on: the page, its snippets and the versions."""
    written = "\n".join(cell.source for cell in code_cells(read(source)))
    return digest([source, *snippet_files(written)], *versions())


def versions() -> list[str]:
    """The pinned versions, as in "torch==2.13.0"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [pin for pin in pins if pin.split("==")[0] in PINNED]


def is_current(source: Path) -> bool:
    """Whether the executed notebook is that of the source as it is now.

    It is not where a snippet is missing or no Python: what shows that snippet tells of it.
    """
    try:
        return bool(executed(source).metadata.get(STAMP) == stamp(source))
    except Problem:
        return False
