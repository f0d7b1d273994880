"""Tables can have the focus: on a phone they scroll inside themselves, by keyboard too."""

from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor


class Focusable(Treeprocessor):
    """Material puts each table into a box that scrolls; the table's focus scrolls the box."""

    def run(self, root: Element) -> None:
        """Make every table of the page a stop for the keyboard."""
        for table in root.iter("table"):
            table.set("tabindex", "0")


class FocusableTables(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """When block elements are there."""
        md.treeprocessors.register(Focusable(md), "focusable tables", 13)


def makeExtension(**options: object) -> FocusableTables:  # noqa: N802
    """What Python-Markdown looks for."""
    return FocusableTables(**options)
