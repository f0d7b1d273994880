"""What the pages of PyTorch show is what their code prints now, here, and without this project."""

import ast
import sys
from pathlib import Path
from typing import Any

import jupytext
import pytest
from nbclient.exceptions import CellExecutionError

from site_src.cells import imports
from site_src.notebooks import notebook
from site_src.notebooks.execute import execute
from site_src.notebooks.notebook import code_cells, executed, is_current, sources

by_name = pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)


def printed(cells: list[Any]) -> list[str]:
    """What each cell has written, as text."""
    return ["".join(text(output) for output in cell.outputs) for cell in cells]


def text(output: Any) -> str:
    """An output's text."""
    return str(
        output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    )


@by_name
def test_the_kept_outputs_are_those_of_the_page_as_it_is(source: Path) -> None:
    assert is_current(source), f"{source.name} has changed since: make notebooks"


@by_name
def test_a_page_run_anew_prints_what_it_shows(source: Path, tmp_path: Path) -> None:
    assert printed(code_cells(execute(source, tmp_path))) == printed(code_cells(executed(source)))


@by_name
def test_a_page_taken_along_needs_only_torch_and_numpy(source: Path) -> None:
    program = ast.parse(jupytext.writes(executed(source), "py:percent"))
    assert imported(program) <= {"torch", "numpy", *sys.stdlib_module_names}


def imported(program: ast.Module) -> set[str]:
    """The packages that a program imports."""
    names = [node.module for node in ast.walk(program) if isinstance(node, ast.ImportFrom)]
    imports = [node for node in ast.walk(program) if isinstance(node, ast.Import)]
    names += [alias.name for node in imports for alias in node.names]
    return {str(name).split(".")[0] for name in names}


# A page that a test writes


PAGE = """\
# %% [markdown]
# # A page

# %%
from snippets.parameters import answer

print(answer())
"""
SNIPPET = 'def answer():\n    """Say it.\n\n    >>> answer()\n    42\n    """\n    return 42\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one page that imports one snippet."""
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "parameters.py").write_text(SNIPPET, encoding="utf-8")
    (tmp_path / "page.py").write_text(PAGE, encoding="utf-8")
    for function in (imports.snippet_files, imports.inlines):
        monkeypatch.setattr(function, "__defaults__", (tmp_path,))
    return tmp_path


@pytest.fixture
def source(project: Path) -> Path:
    """The page, executed and kept."""
    source = project / "page.py"
    notebook.keep(source, execute(source, project))
    return source


def test_the_printed_is_kept_and_current(source: Path) -> None:
    assert printed(code_cells(executed(source))) == ["42\n"]
    assert is_current(source)


def test_a_changed_page_is_not_current(source: Path) -> None:
    source.write_text(PAGE.replace("A page", "Another page"), encoding="utf-8")
    assert not is_current(source)


def test_a_changed_snippet_makes_its_pages_outdated(source: Path, project: Path) -> None:
    snippet = project / "snippets" / "parameters.py"
    snippet.write_text(SNIPPET.replace("42", "43"), encoding="utf-8")
    assert not is_current(source)


def test_another_version_of_torch_makes_pages_outdated(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "versions", lambda: ["torch==99"])
    assert not is_current(source)


def test_a_page_whose_code_fails_is_not_kept(project: Path) -> None:
    source = project / "page.py"
    source.write_text("# %%\n1 / 0\n", encoding="utf-8")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(source, project)
