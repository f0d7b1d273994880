"""A notebook that runs wherever PyTorch is: the snippets that it imports stand in its cells."""

import ast
import re
from typing import Any

from site_src.cells.imports import inlines
from site_src.cells.regions import Definition
from site_src.notebooks.notebook import WRITTEN, code_cells
from site_src.problems import Problem

# What only the site's own Markdown understands, and what stands for it elsewhere.
SITE_ONLY = [
    (re.compile(r"^(`{3,})(?:source|figure|py-cell) .*?^\1\n*", re.M | re.S), ""),
    (re.compile(r"\{ ?[.:#][^}\n]*\}"), ""),
    (re.compile(r"\[([^\]\n]+)\]\((?!https?:)[^)\n]*\)"), r"\1"),
]


def made_to_run_alone(notebook: Any) -> Any:
    """Put sources of snippets where they are first imported; cells remember their own code."""
    given = Given()
    for cell in code_cells(notebook):
        cell.metadata[WRITTEN] = cell.source
        cell.source = with_sources(cell.source, given)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "raw"]
    return notebook


class Given:
    """The sources that a notebook holds so far, and the names that they define."""

    def __init__(self) -> None:
        self.sources: set[str] = set()
        self.names: set[str] = set()

    def add(self, source: str) -> bool:
        """Take a source; False if it is there already. Raises Problem for a name defined twice."""
        if source in self.sources:
            return False
        defined = {node.name for node in ast.parse(source).body if isinstance(node, Definition)}
        if twice := defined & self.names:
            raise Problem(
                f"two of the snippets that a page imports define {', '.join(sorted(twice))}.",
                "rename one of them: a page that is taken along has them side by side.",
            )
        self.sources.add(source)
        self.names |= defined
        return True


def with_sources(code: str, given: Given) -> str:
    """The code with sources in place of its imports of snippets, save those already given."""
    replaced = inlines(code)
    sources = [source.strip() for one in replaced.values() for source in one]
    parts = [source for source in sources if given.add(source)]
    rest = "\n".join(line for line in code.splitlines() if line not in replaced).strip()
    return "\n\n\n".join([*parts, *([rest] if rest else [])])


def plain(markdown: str) -> str:
    """Prose without what only this site understands."""
    for pattern, stand_in in SITE_ONLY:
        markdown = pattern.sub(stand_in, markdown)
    return markdown.strip()
