"""A notebook that runs wherever PyTorch is: the snippets that it imports stand in its cells."""

import re
from typing import Any

from site_src.cells.imports import inlines
from site_src.notebooks.notebook import WRITTEN, code_cells

# What only the site's own Markdown understands, and what stands for it elsewhere.
SITE_ONLY = [
    (re.compile(r"^(`{3,})(?:source|figure|py-cell) .*?^\1\n*", re.M | re.S), ""),
    (re.compile(r"\{ ?[.:#][^}\n]*\}"), ""),
    (re.compile(r"\[([^\]\n]+)\]\((?!https?:)[^)\n]*\)"), r"\1"),
]


def made_to_run_alone(notebook: Any) -> Any:
    """Put sources of snippets where they are first imported; cells remember their own code."""
    given: set[str] = set()
    for cell in code_cells(notebook):
        cell.metadata[WRITTEN] = cell.source
        cell.source = with_sources(cell.source, given)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "raw"]
    return notebook


def with_sources(code: str, given: set[str]) -> str:
    """The code with sources in place of its imports of snippets, save those already given."""
    replaced = inlines(code)
    parts: list[str] = []
    for source in (one.strip() for sources in replaced.values() for one in sources):
        if source not in given:
            given.add(source)
            parts.append(source)
    rest = "\n".join(line for line in code.splitlines() if line not in replaced).strip()
    return "\n\n\n".join([*parts, *([rest] if rest else [])])


def plain(markdown: str) -> str:
    """Prose without what only this site understands."""
    for pattern, stand_in in SITE_ONLY:
        markdown = pattern.sub(stand_in, markdown)
    return markdown.strip()
