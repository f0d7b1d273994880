"""The fence ```py-cell … ``` on a page, and the HTML that it becomes.

    ```py-cell name="weights" snippet="attention.softmax" after="words"
    print(softmax([1.0, 2.0, 3.0]))
    ```

name: what the cell is called, once on a page. snippet: regions of snippets/ that it shows,
separated by spaces. after: the cells it builds on. The body, optional, is code that follows.
"""

import html
import json
import re
import weakref
from traceback import format_exc
from typing import Any

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from site_src import model
from site_src.cells.imports import inlines, uses_model
from site_src.cells.regions import Region, find_region
from site_src.model.fence import LACKING
from site_src.pages import run_of, surroundings, told
from site_src.pages.execution import PageRun, Piece
from site_src.problems import Problem
from site_src.symbols.highlight import highlight

OPTIONS = {"name", "snippet", "after"}
MALFORMED = "malformed"  # carries a header that superfences would leave on the page as it is
FENCE = re.compile(r"^[\s>#]*(?:`{3,}|~{3,})\s*(?P<kind>py-cell|figure)\b(?P<options>.*)$")
WELL_FORMED = re.compile(r"""(\s+\w+=("[^"]*"|'[^']*'))*\s*""")
NAME = re.compile(r"[a-z][a-z0-9-]*")


class Cell:
    """One cell of a page: its whole code, what it builds on, and what it needs imported."""

    def __init__(self, name: str, code: str, after: list["Cell"]) -> None:
        self.name = name
        self.code = code
        self.after = after

    def chain(self) -> list["Cell"]:
        """The cells that a reader's run of this one brings along, in their order."""
        found = [one for cell in self.after for one in [*cell.chain(), cell]]
        return list(dict.fromkeys(found))

    def lines(self) -> set[str]:
        """All lines of this cell and of those it builds on."""
        return set(self.code.splitlines()).union(*(cell.lines() for cell in self.after))


class Page:
    """The cells of the page that one Markdown converter is working on."""

    def __init__(self, run: PageRun) -> None:
        self.cells: dict[str, Cell] = {}
        self.fences = 0
        self.run = run


pages: weakref.WeakKeyDictionary[Markdown, Page] = weakref.WeakKeyDictionary()


def format_cell(
    source: str, _language: str, _class: str, options: dict[str, Any], md: Markdown, **_: Any
) -> str:
    """The fence's HTML, with the output obtained by running it."""
    given: dict[str, str] = options["given"]
    page = page_of(md)
    page.fences += 1
    try:
        return cell_html(source, given, page)
    except Problem as problem:
        return told(f"{place(page, given)}: {problem}", md)
    except Exception:  # superfences would print the fence as plain text, and nobody would notice
        return told(f"{place(page, given)}: a mistake of the site itself.\n{format_exc()}", md)


def page_of(md: Markdown) -> Page:
    """The page that this converter works on."""
    return pages.setdefault(md, Page(run_of(md)))


def place(page: Page, given: dict[str, str]) -> str:
    """The file and line of the fence at hand, as far as they are known."""
    cell = f"cell “{given.get('name', '')}”"
    if surroundings.page is None:
        return cell
    lines = surroundings.page.read_text(encoding="utf-8").splitlines()
    matches = [(number, FENCE.match(line)) for number, line in enumerate(lines, 1)]
    fences = [number for number, match in matches if match and match["kind"] == "py-cell"]
    return f"{surroundings.page}:{fences[page.fences - 1]}: {cell}"


def cell_html(source: str, given: dict[str, str], page: Page) -> str:
    """Check, run and render one cell."""
    check_options(given, page)
    after = [page.cells[name] for name in given.get("after", "").split()]
    regions = [find_region(reference) for reference in given.get("snippet", "").split()]
    cell = Cell(given["name"], whole_code(regions, source, after), after)
    if not cell.code:
        raise Problem("the cell is empty.", "name a snippet or write some code into it.")
    for region in regions:
        page.run.check_examples(region.file)
    note = LACKING if lacks_model(cell) else ""
    builds_on = [(one.name, one.code) for one in cell.chain()]
    pieces = [] if note else page.run.run(cell.name, cell.code, builds_on)
    page.cells[cell.name] = cell
    return rendered(cell, pieces, number=len(page.cells), note=note)


def lacks_model(cell: Cell) -> bool:
    """Whether it, or what it builds on, needs the real model, without which a site can be built."""
    wanted = any(uses_model(one.code) for one in [*cell.chain(), cell])
    return wanted and not model.files()


def check_options(given: dict[str, str], page: Page) -> None:
    """Raise a Problem for an option that is unknown, missing or out of place."""
    name = given.get("name", "")
    if malformed := given.get(MALFORMED):
        raise Problem(
            f"“py-cell{malformed}” cannot be read.", 'write each option as in name="result".'
        )
    if unknown := set(given) - OPTIONS:
        raise Problem(
            f"unknown option {', '.join(sorted(unknown))}.",
            f"a py-cell takes {', '.join(sorted(OPTIONS))}, each with a value in quotes.",
        )
    if not NAME.fullmatch(name):
        raise Problem(
            f"“{name}” is no name for a cell.",
            'write name="…" with small letters, digits and hyphens.',
        )
    if name in page.cells:
        raise Problem("two cells of this page have this name.", "rename one of them.")
    for earlier in given.get("after", "").split():
        if earlier not in page.cells:
            raise Problem(
                f"it comes after “{earlier}”, but no cell above has this name.",
                f"name cells above it: {', '.join(page.cells) or 'there are none'}.",
            )


def whole_code(regions: list[Region], source: str, after: list[Cell]) -> str:
    """Imports that are still needed, then the regions, then the page's own lines."""
    known = set[str]().union(*(cell.lines() for cell in after))
    imports = merged_imports([line for region in regions for line in region.imports])
    parts = ["\n".join(line for line in imports if line not in known)]
    parts += ["\n" * is_definition(region) + region.code for region in regions]
    parts += ["\n" * any(map(is_definition, regions)) + source.strip("\n")]
    return "\n\n".join(part for part in parts if part.strip()).strip("\n")


def merged_imports(lines: list[str]) -> list[str]:
    """Each import once; one line for each module that names are taken from."""
    names: dict[str, dict[str, None]] = {}
    for line in lines:
        module, _, taken = line.partition(" import ")
        names.setdefault(module, {}).update(dict.fromkeys(taken.split(", ") if taken else []))
    return [
        f"{module} import {', '.join(sorted(taken))}" if taken else module
        for module, taken in names.items()
    ]


def is_definition(region: Region) -> bool:
    """Definitions stand apart by two lines, as PEP 8 has it."""
    return region.code.startswith(("def ", "async def ", "class ", "@"))


def rendered(cell: Cell, pieces: list[Piece], number: int, note: str = "") -> str:
    """The HTML that readers see without JavaScript, and that <py-cell> brings to life.

    note: why there is no output.
    """
    attributes = {
        "id": f"cell-{cell.name}",
        "name": cell.name,
        "number": str(number),
        "state": "idle",
    }
    if cell.after:
        attributes["after"] = " ".join(earlier.name for earlier in cell.after)
    if replacements := inlines(cell.code):
        attributes["data-inlines"] = json.dumps(replacements)
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    output = "".join(
        f'<span class="{piece.stream}">{html.escape(piece.text)}</span>' for piece in pieces
    )
    return (
        f'<div class="cell"><py-cell{written}>'
        f'<div class="code highlight"><pre><code>{highlight(cell.code)}</code></pre></div>'
        f"{unavailable(surroundings.unavailable or note)}<output>{output}</output></py-cell></div>"
    )


def unavailable(why: str) -> str:
    """Why the cell cannot run, where that is so in this build."""
    return f'<p class="cell-unavailable">{html.escape(why)}</p>' if why else ""


class MalformedFences(Preprocessor):
    """Sees to it that no cell or figure drops out because its options cannot be read."""

    def run(self, lines: list[str]) -> list[str]:
        """Hand headers that superfences would pass over to the formatter, which tells of them."""
        return [self.readable(line) for line in lines]

    @staticmethod
    def readable(line: str) -> str:
        """The line itself, unless it is such a header."""
        fence = FENCE.match(line)
        if not fence or WELL_FORMED.fullmatch(fence["options"]):
            return line
        options = fence["options"].replace('"', "'")
        return line[: fence.start("options")] + f' {MALFORMED}="{options}"'


class Cells(Extension):
    """The Python-Markdown extension that looks after fences before superfences does."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Superfences reads fences at priority 25."""
        md.preprocessors.register(MalformedFences(md), "malformed cells", 26)


def makeExtension(**options: Any) -> Cells:  # noqa: N802
    """What Python-Markdown looks for."""
    return Cells(**options)
