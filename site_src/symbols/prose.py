"""Symbols in prose, **query**{.sym-q}: the first of each on a page is a stop for the keyboard."""

from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from site_src.symbols import SYMBOLS, symbol_class


class FirstOfEach(Treeprocessor):
    """Focus on a symbol lights it up everywhere; one stop for each is enough."""

    def run(self, root: Element) -> None:
        """Give the first element of each symbol a tabindex and a title that says what it is."""
        for symbol in SYMBOLS:
            name = symbol_class(symbol.key)
            first = next((one for one in root.iter() if name in one.get("class", "").split()), None)
            if first is not None:
                first.set("tabindex", "0")
                first.set("title", f"{symbol.letter}: {symbol.meaning}")


class Prose(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """After attr_list, which sets the classes at priority 8."""
        md.treeprocessors.register(FirstOfEach(md), "symbols in prose", 5)


def makeExtension(**options: Any) -> Prose:  # noqa: N802
    """What Python-Markdown looks for."""
    return Prose(**options)
