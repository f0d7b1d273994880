"""Which figures the pages have."""

import re

from site_src import ROOT
from site_src.model import original

DOCS = ROOT / "docs"
FENCE = re.compile(r'^(?:# )?```figure name="(?P<name>[^"]+)"', re.M)  # in a comment of a .py


def figures_on_pages() -> dict[str, list[str]]:
    """The names of the figures of each page that has some, by the page's address on the site.

    Those of the real model only where it has been fetched: other builds have none.
    """
    found = {}
    for path in sorted([*DOCS.rglob("*.md"), *DOCS.rglob("*.py")]):
        address = path.relative_to(DOCS).with_suffix("").as_posix()
        named = FENCE.findall(path.read_text(encoding="utf-8"))
        if names := [name for name in named if original.stamps() or not name.startswith("real_")]:
            found["" if address == "index" else f"{address}/"] = names
    return found


def page_of(figure: str) -> str:
    """The last page that a figure is on: the one that is about it."""
    return [address for address, names in figures_on_pages().items() if figure in names][-1]
