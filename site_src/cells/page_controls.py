"""Puts <page-controls> below the title of each page that has cells: Run all, Stop all, Restart."""

from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from site_src.cells.fence import page_of


class PageControls(Treeprocessor):
    """Places the element, which stays empty until scripts fill it."""

    def run(self, root: Element) -> None:
        """Put it after the title and the reading time, if the page has cells."""
        assert self.md
        if root.find("h1") is None or not page_of(self.md).cells:
            return
        at = [child.tag for child in root].index("h1") + 1
        if root[at].get("class") == "reading-time":
            at += 1
        root.insert(at, Element("page-controls"))


class AllPageControls(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """After the reading time, at 15."""
        md.treeprocessors.register(PageControls(md), "page controls", 14)


def makeExtension(**options: object) -> AllPageControls:  # noqa: N802
    """What Python-Markdown looks for."""
    return AllPageControls(**options)
