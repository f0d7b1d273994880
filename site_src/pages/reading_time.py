"""How long a page takes to read, said below its title."""

import math
import re
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

WORDS_A_MINUTE = 200  # of prose; running cells and playing with figures takes as long as one likes
STASHED = re.compile(
    "\x02[^\x03]*\x03"
)  # what other extensions will put in: code, figures, formulas


class ReadingTime(Treeprocessor):
    """Counts a page's words and says the minutes."""

    def run(self, root: Element) -> None:
        """Put a line after the title, if there is one."""
        if root.find("h1") is None:
            return
        at = [child.tag for child in root].index("h1") + 1
        line = Element("p", {"class": "reading-time"})
        count = minutes(" ".join(root.itertext()))
        line.text = f"Reading time: {count} minute{'s' * (count > 1)}"
        root.insert(at, line)


def minutes(text: str) -> int:
    """The minutes that a text takes, at least one."""
    return max(1, math.ceil(len(STASHED.sub(" ", text).split()) / WORDS_A_MINUTE))


class ReadingTimes(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """After inline elements have been found, at 20."""
        md.treeprocessors.register(ReadingTime(md), "reading time", 15)


def makeExtension(**options: object) -> ReadingTimes:  # noqa: N802
    """What Python-Markdown looks for."""
    return ReadingTimes(**options)
