"""Two fences of PyTorch pages: ```executed, a cell that has been run; ```source, code to read."""

import html
import json
import weakref
from typing import Any

from markdown import Markdown

from site_src.cells.regions import find_region
from site_src.pages import told
from site_src.problems import Problem
from site_src.symbols.highlight import highlight

numbers: weakref.WeakKeyDictionary[Markdown, int] = weakref.WeakKeyDictionary()


def format_executed(
    source: str, _language: str, _class: str, _options: dict[str, Any], md: Markdown, **_: Any
) -> str:
    """A cell's code and what it printed."""
    cell = json.loads(source)
    try:
        output = "".join(printed(one) for one in cell["outputs"])
    except Problem as problem:
        return told(str(problem), md)
    return element(cell["code"], output, md)


def format_source(
    _source: str, _language: str, _class: str, options: dict[str, Any], md: Markdown, **_: Any
) -> str:
    """The source of what is named, as it stands in snippets/."""
    try:
        regions = [find_region(name) for name in options["given"].get("snippet", "").split()]
        if not regions:
            raise Problem("a source fence names nothing.", 'write snippet="companion.module.name".')
    except Problem as problem:
        return told(str(problem), md)
    return element("\n\n\n".join(region.code for region in regions), "", md)


def element(code: str, output: str, md: Markdown) -> str:
    """Highlighted code with its output, in the form that cells have."""
    number = numbers[md] = numbers.get(md, 0) + 1
    label = f' role="group" aria-label="Output of code {number}"'
    shown = f"<output{label}>{output}</output>" if output else ""
    return (
        f'<div class="cell"><executed-cell name="code {number}">'
        f'<div class="code highlight"><pre><code>{highlight(code)}</code></pre></div>'
        f"{shown}</executed-cell></div>"
    )


def printed(output: dict[str, Any]) -> str:
    """One output as text. Raises Problem for kinds that pages do not show."""
    if output["output_type"] == "stream":
        return f'<span class="{output["name"]}">{html.escape(text_of(output["text"]))}</span>'
    if output["output_type"] == "execute_result" and "text/plain" in output["data"]:
        return f'<span class="stdout">{html.escape(text_of(output["data"]["text/plain"]))}\n</span>'
    raise Problem(
        f"a cell of this page has an output of the kind “{output['output_type']}”.",
        "print text; draw with a figure fence.",
    )


def text_of(text: str | list[str]) -> str:
    """A notebook's text, which may come as lines."""
    return text if isinstance(text, str) else "".join(text)
