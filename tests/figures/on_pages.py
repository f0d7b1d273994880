"""Which figures the pages have."""

import re

from site_src import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r'^(?:# )?```figure name="(?P<name>[^"]+)"', re.M)  # in a comment of a .py


def figures_on_pages() -> dict[str, list[str]]:
    """The names of the figures of each page that has some, by the page's address on the site."""
    found = {}
    for path in sorted([*DOCS.rglob("*.md"), *DOCS.rglob("*.py")]):
        address = path.relative_to(DOCS).with_suffix("").as_posix()
        if names := FENCE.findall(path.read_text(encoding="utf-8")):
            found["" if address == "index" else f"{address}/"] = names
    return found


def page_of(figure: str) -> str:
    """The last page that a figure is on: the one that is about it."""
    return [address for address, names in figures_on_pages().items() if figure in names][-1]
