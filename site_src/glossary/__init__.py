"""Words defined where they first appear: [tokens](?token) shows what the glossary says.

The definition is part of the page: there without JavaScript, for screen readers and on paper.
"""

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

import yaml
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

from site_src.problems import Problem

GLOSSARY: dict[str, str] = yaml.safe_load(
    (Path(__file__).parent / "glossary.yml").read_text(encoding="utf-8")
)
TERM = r"\[([^\]]+)\]\(\?([^)]*)\)"


class Term(InlineProcessor):
    """A word with its definition beside it, which opens on pointing and on focus."""

    def handleMatch(  # type: ignore[override]  # noqa: N802
        self, m: Any, data: str
    ) -> tuple[Element, int, int]:
        """The element for one term. Raises Problem for a word that the glossary does not have."""
        shown, name = m.group(1), m.group(2) or m.group(1)
        if name not in GLOSSARY:
            raise Problem(
                f"the glossary has no “{name}”.",
                f"add it to site_src/glossary/glossary.yml, or use one of: {', '.join(GLOSSARY)}.",
            )
        term = Element("dfn", {"class": "term", "tabindex": "0"})
        term.text = shown
        definition = SubElement(term, "span", {"class": "definition", "role": "note"})
        definition.text = GLOSSARY[name]
        return term, m.start(0), m.end(0)


class Glossary(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Before links, whose syntax it borrows."""
        md.inlinePatterns.register(Term(TERM, md), "glossary", 165)


def makeExtension(**options: Any) -> Glossary:  # noqa: N802
    """What Python-Markdown looks for."""
    return Glossary(**options)
