"""Those that are compared: where their pages are, what starts them, and what has to run there."""

import re
from typing import NamedTuple

from site_src.runtime.distribution import pyodide_lock
from tests.bench.start_up.peers.versions import NPM, PYPI

CORE = f"Pyodide {NPM['pyodide']}, NumPy {pyodide_lock()['packages']['numpy']['version']}"
OLDER = CORE.replace(NPM["pyodide"], NPM["pyodide-of-marimo"])
TOLD = re.compile(r"Pyodide \S+, NumPy \S+, (?:in a worker|on the page)")
OURS = "performance.getEntriesByName('python').at(-1).detail"
CELL = "py-cell[name=at-work]"


class Side(NamedTuple):
    """One of those that are compared."""

    name: str
    address: str  # of its page, on the bench's server
    output: str  # where the result is shown, once the run has ended: a selector
    path: str  # what has to have run for a figure to count
    click: str | None = None  # what starts it, a selector; None: it starts by itself
    restart: str | None = None  # script that gives up this Python, if readers can do that
    runs_again: bool = False  # whether the click runs the same code once more
    lost: str | None = None  # a file of ours that is not there, so that the next way is taken

    @property
    def ours(self) -> bool:
        """Whether it is this site."""
        return self.address == OUR_PAGE


OUR_PAGE = "site/"
RESTART = "document.querySelector('button.restart').click()"
IMAGE = "this site, from its image"
STOCK = "stock Pyodide in a worker"  # what all others are compared with
PYSCRIPT = f"PyScript {NPM['@pyscript/core']}"


def ours(name: str, path: str, lost: str | None = None) -> Side:
    """The first page's cell; its output stands there from the start, so it has to be done."""
    output, click = f"{CELL}[state=done] output", f"{CELL} button.run"
    return Side(name, OUR_PAGE, output, path, click, RESTART, True, lost)


def stock(name: str, query: str, where: str, restart: str | None = None) -> Side:
    """Pyodide as published, with as little around it as can be."""
    return Side(
        name, f"stock/stock.html{query}", "output", f"{CORE}, {where}", "button", restart, True
    )


SIDES = [
    ours(IMAGE, "image"),
    ours("this site, from bytecode", "bytecode", "python.image.zstd"),
    stock(STOCK, "", "in a worker", "restart()"),
    stock("stock Pyodide on the page", "?on-page", "on the page"),
    Side(f"{PYSCRIPT} on the page", "pyscript/page.html", "#output", f"{CORE}, on the page"),
    Side(
        f"{PYSCRIPT} editor",
        "pyscript/editor.html",
        ".py-editor-output",
        f"{CORE}, in a worker",
        ".py-editor-run-button",
        runs_again=True,
    ),
    Side(
        f"JupyterLite {PYPI['jupyterlite-core']}, REPL",
        "jupyterlite/repl/index.html?kernel=python&execute=1&code=PROGRAM",
        ".jp-OutputArea-output",
        f"{CORE}, in a worker",
    ),
    Side(
        f"marimo {PYPI['marimo']}, run mode",
        "marimo/index.html",
        ".output",
        f"{OLDER}, in a worker",
    ),
]
