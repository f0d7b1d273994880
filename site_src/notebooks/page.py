"""A notebook's page: its cells as one Markdown text, which MkDocs renders like any other page."""

import json
import re
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents

from site_src.notebooks.downloads import offer
from site_src.notebooks.notebook import FOLDER, WRITTEN, code_cells, executed, is_current

FENCE = "``````````"
FRONT_MATTER = re.compile(r"^---\n(.*?)\n---$", re.S)
STALE = """
!!! warning "The outputs below are older than the code"
    They were computed before the page or its snippets were last changed.
    `make notebooks` computes them anew.
"""


class Pages:
    """The page that MkDocs is about to render; nbconvert hands on the notebook alone."""

    def __init__(self) -> None:
        self.present: tuple[Page, MkDocsConfig, Files] | None = None
        self.contents: TableOfContents | None = None  # of the page rendered last

    def expect(self, page: Page, config: MkDocsConfig, files: Files) -> None:
        """Tell which page comes next."""
        self.present = (page, config, files)

    def render(self, notebook: Any) -> str:
        """The HTML of the notebook's page, by MkDocs' own way from Markdown to HTML."""
        assert self.present
        page, config, files = self.present
        source = Path(page.file.abs_src_path or "")
        page.meta = front_matter(notebook)
        take_along = offer(source.stem, config.repo_url)
        page.markdown = f"{markdown(notebook, source)}\n\n{take_along}"
        Page.render(page, config, files)
        self.contents = page.toc
        return page.content or ""


pages = Pages()


def is_notebook(page: Page) -> bool:
    """Whether a page is one of PyTorch."""
    return Path(page.file.abs_src_path or "").parent == FOLDER


def front_matter(notebook: Any) -> dict[str, Any]:
    """What the source says of itself at its head."""
    for cell in notebook.cells[:1]:
        if found := FRONT_MATTER.match(cell.source):
            return dict(yaml.safe_load(found[1]))
    return {}


def markdown(notebook: Any, source: Path) -> str:
    """The cells in order; code with the output that it had when it was executed."""
    outputs = {cell.metadata[WRITTEN]: cell.outputs for cell in code_cells(executed(source))}
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(fenced(cell.source, outputs.get(cell.source, [])))
    if not is_current(source):
        parts.insert(1, STALE)
    return "\n\n".join(parts)


def fenced(code: str, outputs: list[Any]) -> str:
    """A code cell as the fence that site_src.notebooks.fence renders."""
    return f"{FENCE}executed\n{json.dumps({'code': code, 'outputs': outputs})}\n{FENCE}"
